internal import JSON
internal import JSONSchema
internal import Texts

/// Puts everything that is computed into an order in which each reads only what stands before it.
struct GraphBuilder {
  enum Outcome {
    case graph(Graph)
    /// Names in a circle, the first again at the end, and a formula of it.
    case cycle([String], JSONPointer)
    /// The budget does not allow that many dependencies.
    case tooLarge
  }

  let fields: [Field]
  let rules: [Rule]
  let checks: [Check]
  let actions: [Action]
  let outputs: [Output]
  let parts: ObjectParts
  let slots: SlotTable
  let budget: CompileBudget

  private var nodes: [Graph.Node] = []
  private var numbers: [Graph.Node: Int] = [:]
  /// By node: those that must be computed before it.
  private var sources = AdjacencyList()
  /// By slot: the node that writes it; nil for what inputs and actions write.
  private var writers: [Graph.Node?] = []
  /// By part: the fields that it reads.
  private var partFields: [[Int]] = []
  /// By field: the parts that read it.
  private var partsOfField = AdjacencyList()

  init(
    fields: [Field],
    rules: [Rule],
    checks: [Check],
    actions: [Action],
    outputs: [Output],
    parts: ObjectParts,
    slots: SlotTable,
    budget: CompileBudget
  ) {
    self.fields = fields
    self.rules = rules
    self.checks = checks
    self.actions = actions
    self.outputs = outputs
    self.parts = parts
    self.slots = slots
    self.budget = budget
  }

  mutating func build() -> Outcome {
    findWriters()
    findPartFields()
    addNodes()
    addSources()
    guard budget.mayGoOn else { return .tooLarge }
    let (order, missing) = sorted()
    return order.count == nodes.count ? .graph(graph(in: order)) : cycle(among: missing)
  }

  private mutating func findWriters() {
    writers = [Graph.Node?](repeating: nil, count: slots.count)
    func assign(_ slot: Int32, _ node: Graph.Node) {
      if slot >= 0 { writers[Int(slot)] = node }
    }
    for field in fields.indices {
      assign(slots.values[field], .value(field))
      assign(slots.fieldIsEmpty[field], .value(field))
      assign(slots.fieldIsValid[field], .field(field))
      assign(slots.fieldIsPending[field], .field(field))
      assign(slots.messages[field], .field(field))
    }
    assign(slots.formIsValid, .form)
    assign(slots.formIsPending, .form)
    for action in actions.indices { assign(slots.actionIsEnabled[action], .action(action)) }
    for output in outputs.indices { assign(slots.outputs[output], .output(output)) }
  }

  private mutating func findPartFields() {
    let index = Dictionary(
      uniqueKeysWithValues: fields.enumerated().map { (UTF8Key(text: $0.element.name), $0.offset) }
    )
    var readers = AdjacencyList()
    for part in parts.parts {
      let read: [Int]
      switch part.reads {
      case .names(let names) where budget.spend(names.count):
        read = names.compactMap { index[UTF8Key(text: $0)] }.sorted()
      case .all(let exceptions) where budget.spend(exceptions.count + fields.count):
        let spared = Set(exceptions.compactMap { index[UTF8Key(text: $0)] })
        read = fields.indices.filter { !spared.contains($0) }
      default: read = []
      }
      partFields.append(read)
      readers.append(read)
    }
    partsOfField = readers.transposed(nodeCount: fields.count)
  }

  private mutating func addNodes() {
    func add(_ node: Graph.Node) {
      numbers[node] = nodes.count
      nodes.append(node)
    }
    for (index, field) in fields.enumerated() {
      if field.visible != nil { add(.visible(index)) }
      if field.enabled != nil { add(.enabled(index)) }
      add(.required(index))
      add(.value(index))
    }
    for part in parts.parts.indices { add(.part(part)) }
    for rule in rules.indices { add(.rule(rule)) }
    for check in checks.indices { add(.check(check)) }
    for field in fields.indices { add(.field(field)) }
    add(.formErrors)
    add(.form)
    for action in actions.indices { add(.action(action)) }
    for output in outputs.indices { add(.output(output)) }
  }

  private mutating func addSources() {
    for node in nodes {
      var wanted: [Graph.Node] = []
      for formula in formulas(of: node) { wanted += formula.reads.compactMap { writers[$0] } }
      switch node {
      case .visible, .enabled, .required, .output: break
      case .value(let field): wanted.append(.visible(field))
      case .part(let part): wanted += partFields[part].map { .value($0) }
      case .rule(let rule): if let field = rules[rule].field { wanted.append(.value(field)) }
      case .check(let check):
        let field = checks[check].field
        wanted.append(.value(field))
        // Of many rules and many checks of one field there are many pairs.
        guard budget.spend(fields[field].rules.count + partsOfField[field].count) else { break }
        wanted += fields[field].rules.map { .rule($0) }
        wanted += partsOfField[field].map { .part(Int($0)) }
      case .field(let field):
        wanted += [.value(field), .visible(field), .required(field)]
        wanted += fields[field].rules.map { .rule($0) }
        wanted += fields[field].checks.map { .check($0) }
        wanted += partsOfField[field].map { .part(Int($0)) }
      case .formErrors:
        wanted += parts.parts.indices.map { .part($0) }
        wanted += rules.indices.filter { rules[$0].field == nil }.map { .rule($0) }
      case .form:
        wanted += fields.indices.map { .field($0) }
        wanted.append(.formErrors)
      case .action(let action): if actions[action].enabled == nil { wanted.append(.form) }
      }
      sources.append(budget.spend(1 + wanted.count) ? wanted.compactMap { numbers[$0] } : [])
    }
  }

  private func formulas(of node: Graph.Node) -> [Formula] {
    switch node {
    case .visible(let field): fields[field].visible.map { [$0] } ?? []
    case .enabled(let field): fields[field].enabled.map { [$0] } ?? []
    case .required(let field): fields[field].required.map { [$0] } ?? []
    case .rule(let rule):
      [rules[rule].when, rules[rule].check, rules[rule].messageFormula].compactMap { $0 }
    case .check(let check): (checks[check].when.map { [$0] } ?? []) + checks[check].run.formulas
    case .action(let action): actions[action].enabled.map { [$0] } ?? []
    case .output(let output): [outputs[output].formula]
    case .value, .part, .field, .formErrors, .form: []
    }
  }

  // MARK: Order

  /// Node numbers in an order in which sources come first (Kahn). Those in a circle, or behind one, are left out: `missing` says by
  /// node how many sources it still waits for.
  private func sorted() -> (order: [Int], missing: [Int]) {
    let readers = sources.transposed(nodeCount: nodes.count)
    var missing = nodes.indices.map { sources[$0].count }
    var order = nodes.indices.filter { missing[$0] == 0 }
    var next = 0
    while next < order.count {
      for reader in readers[order[next]].map(Int.init) {
        missing[reader] -= 1
        if missing[reader] == 0 { order.append(reader) }
      }
      next += 1
    }
    return (order, missing)
  }

  /// So many of the names in a circle are told.
  private static let circleNamesMax = 12

  /// Follows sources that cannot be computed until one comes again.
  private func cycle(among missing: [Int]) -> Outcome {
    guard var current = nodes.indices.first(where: { missing[$0] > 0 }) else {
      preconditionFailure("no circle in a graph that could not be ordered")
    }
    var path: [Int] = []
    var visited: Set<Int> = []
    while visited.insert(current).inserted {
      path.append(current)
      guard let source = sources[current].first(where: { missing[Int($0)] > 0 }) else {
        preconditionFailure("node \(nodes[current]) is stuck without a reason")
      }
      current = Int(source)
    }
    let circle = Array(path[path.firstIndex(of: current)!...])
    let pointer = circle.lazy.flatMap { formulas(of: nodes[$0]) }.first.flatMap { JSONPointer($0.pointer) }
    var names = circle.prefix(Self.circleNamesMax).map { name(of: nodes[$0]) }
    if circle.count > names.count { names.append("(\(circle.count - names.count) more)") }
    return .cycle(names + [names[0]], pointer ?? .root)
  }

  private func name(of node: Graph.Node) -> String {
    switch node {
    case .visible(let field): "fields.\(fields[field].name).visible"
    case .enabled(let field): "fields.\(fields[field].name).enabled"
    case .required(let field): "fields.\(fields[field].name).required"
    case .value(let field): "values.\(fields[field].name)"
    case .part(let part): "schema\(parts.parts[part].keywordLocation)"
    case .rule(let rule): "rule \(rules[rule].id)"
    case .check(let check): "check \(checks[check].id)"
    case .field(let field): "fields.\(fields[field].name).isValid"
    case .formErrors: "errors"
    case .form: "form.isValid"
    case .action(let action): "actions.\(actions[action].name).enabled"
    case .output(let output): "outputs.\(outputs[output].name)"
    }
  }

  // MARK: Result

  private func graph(in order: [Int]) -> Graph {
    let ordered = order.map { nodes[$0] }
    var slotsRead = AdjacencyList()
    var fieldsRead = AdjacencyList()
    for node in ordered {
      slotsRead.append(Set(formulas(of: node).flatMap(\.reads)))
      if case .part(let part) = node { fieldsRead.append(partFields[part]) } else { fieldsRead.append([]) }
    }
    return Graph(
      nodes: ordered,
      slotReaders: slotsRead.transposed(nodeCount: slots.count),
      partReaders: fieldsRead.transposed(nodeCount: fields.count),
      partFields: partFields,
      counts: .init(fields: fields.count, rules: rules.count, checks: checks.count),
      defaultActions: ordered.indices.compactMap { position in
        if case .action(let action) = ordered[position], actions[action].enabled == nil { Int32(position) } else { nil }
      }
    )
  }
}

extension Run {
  /// Every formula of the request.
  package var formulas: [Formula] {
    switch self {
    case .http(let http):
      http.path.compactMap { part in if case .formula(let formula) = part { formula } else { nil } }
        + http.query.map(\.formula) + http.headers.map(\.formula) + (http.json?.formulas ?? [])
    case .sql(_, _, let parameters): parameters.map(\.formula)
    case .provider(_, let arguments, _): arguments.flatMap { $0.value.formulas }
    }
  }
}

extension Template {
  /// Every formula in the tree.
  package var formulas: [Formula] {
    switch self {
    case .literal: []
    case .formula(let formula): [formula]
    case .array(let elements): elements.flatMap(\.formulas)
    case .object(let members): members.flatMap { $0.value.formulas }
    }
  }
}
