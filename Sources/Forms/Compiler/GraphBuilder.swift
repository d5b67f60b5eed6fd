internal import JSON
internal import JSONSchema
internal import Texts

/// Puts everything that is computed into an order in which each reads only what stands before it.
struct GraphBuilder {
  enum Outcome {
    case graph(Graph)
    /// Names in a circle, the first again at the end, and a formula of it.
    case cycle([String], JSONPointer)
  }

  let fields: [Field]
  let rules: [Rule]
  let checks: [Check]
  let actions: [Action]
  let outputs: [Output]
  let parts: ObjectParts
  let slots: SlotTable

  private var nodes: [Graph.Node] = []
  private var numbers: [Graph.Node: Int] = [:]
  /// By node: those that must be computed before it.
  private var sources: [[Int]] = []
  /// By slot: the node that writes it; nil for what inputs and actions write.
  private var writers: [Graph.Node?] = []
  /// By part: the fields that it reads.
  private var partFields: [[Int]] = []

  init(
    fields: [Field],
    rules: [Rule],
    checks: [Check],
    actions: [Action],
    outputs: [Output],
    parts: ObjectParts,
    slots: SlotTable
  ) {
    self.fields = fields
    self.rules = rules
    self.checks = checks
    self.actions = actions
    self.outputs = outputs
    self.parts = parts
    self.slots = slots
  }

  mutating func build() -> Outcome {
    findWriters()
    findPartFields()
    addNodes()
    addSources()
    guard let order = sorted() else { return cycle() }
    return .graph(graph(in: order))
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
    partFields = parts.parts.map { part in
      switch part.reads {
      case .names(let names): names.compactMap { index[UTF8Key(text: $0)] }.sorted()
      case .all: fields.indices.filter { part.reads.contains(fields[$0].name) }
      }
    }
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
    sources = [[Int]](repeating: [], count: nodes.count)
    var partsOfField = [[Int]](repeating: [], count: fields.count)
    for (part, reads) in partFields.enumerated() { for field in reads { partsOfField[field].append(part) } }
    for (number, node) in nodes.enumerated() {
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
        wanted += fields[field].rules.map { .rule($0) }
        wanted += partsOfField[field].map { .part($0) }
      case .field(let field):
        wanted += [.value(field), .visible(field), .required(field)]
        wanted += fields[field].rules.map { .rule($0) }
        wanted += fields[field].checks.map { .check($0) }
        wanted += partsOfField[field].map { .part($0) }
      case .formErrors:
        wanted += parts.parts.indices.map { .part($0) }
        wanted += rules.indices.filter { rules[$0].field == nil }.map { .rule($0) }
      case .form:
        wanted += fields.indices.map { .field($0) }
        wanted.append(.formErrors)
      case .action(let action): if actions[action].enabled == nil { wanted.append(.form) }
      }
      sources[number] = wanted.compactMap { numbers[$0] }
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

  /// Node numbers in an order in which sources come first (Kahn); nil when there is a circle.
  private func sorted() -> [Int]? {
    var readers = [[Int]](repeating: [], count: nodes.count)
    var missing = sources.map(\.count)
    for (number, list) in sources.enumerated() { for source in list { readers[source].append(number) } }
    var order = nodes.indices.filter { missing[$0] == 0 }
    var next = 0
    while next < order.count {
      for reader in readers[order[next]] {
        missing[reader] -= 1
        if missing[reader] == 0 { order.append(reader) }
      }
      next += 1
    }
    return order.count == nodes.count ? order : nil
  }

  /// Follows sources that cannot be computed until one comes again.
  private func cycle() -> Outcome {
    // What remains when everything that can be ordered has been taken away has only circles (and what hangs on them).
    var isOrdered = [Bool](repeating: false, count: nodes.count)
    var progress = true
    while progress {
      progress = false
      for number in nodes.indices where !isOrdered[number] && sources[number].allSatisfy({ isOrdered[$0] }) {
        isOrdered[number] = true
        progress = true
      }
    }
    guard var current = nodes.indices.first(where: { !isOrdered[$0] }) else {
      preconditionFailure("no circle in a graph that could not be ordered")
    }
    var path: [Int] = []
    while !path.contains(current) {
      path.append(current)
      guard let source = sources[current].first(where: { !isOrdered[$0] }) else {
        preconditionFailure("node \(nodes[current]) is stuck without a reason")
      }
      current = source
    }
    let circle = Array(path[path.firstIndex(of: current)!...])
    let pointer = circle.lazy.flatMap { formulas(of: nodes[$0]) }.first.flatMap { JSONPointer($0.pointer) }
    return .cycle((circle + [circle[0]]).map { name(of: nodes[$0]) }, pointer ?? .root)
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
    var slotReaders = [[Int32]](repeating: [], count: slots.count)
    for (position, number) in order.enumerated() {
      for slot in Set(formulas(of: nodes[number]).flatMap(\.reads)).sorted() {
        slotReaders[slot].append(Int32(position))
      }
    }
    var partsOfField = [[Int32]](repeating: [], count: fields.count)
    for (position, node) in ordered.enumerated() {
      if case .part(let part) = node { for field in partFields[part] { partsOfField[field].append(Int32(position)) } }
    }
    return Graph(
      nodes: ordered,
      slotReaders: slotReaders,
      partsOfField: partsOfField,
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
