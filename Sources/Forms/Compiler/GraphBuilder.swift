internal import JSON

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
  let steps: [Step]
  let actions: [Action]
  let outputs: [Output]
  let parts: [SchemaPart]
  /// By unit: its field; nil for the root.
  let unitFields: [Int?]
  let slots: SlotTable
  let budget: CompileBudget

  private var nodes: [Graph.Node] = []
  private var numbers: [Graph.Node: Int] = [:]
  /// By node: those that must be computed before it.
  private var sources = AdjacencyList()
  /// By slot: the node that writes it; nil for what inputs and actions write.
  private var writers: [Graph.Node?] = []
  /// By field: the parts that read it.
  private var partsOfField = AdjacencyList()

  init(
    fields: [Field],
    rules: [Rule],
    checks: [Check],
    steps: [Step],
    actions: [Action],
    outputs: [Output],
    parts: [SchemaPart],
    unitFields: [Int?],
    slots: SlotTable,
    budget: CompileBudget
  ) {
    self.fields = fields
    self.rules = rules
    self.checks = checks
    self.steps = steps
    self.actions = actions
    self.outputs = outputs
    self.parts = parts
    self.unitFields = unitFields
    self.slots = slots
    self.budget = budget
  }

  mutating func build() -> Outcome {
    findWriters()
    partsOfField = readers(of: parts.map(\.fields), count: fields.count)
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
    for step in steps.indices {
      assign(slots.stepIsVisible[step], .stepVisible(step))
      assign(slots.stepIsValid[step], .step(step))
      assign(slots.stepIsPending[step], .step(step))
    }
    assign(slots.formIsValid, .form)
    assign(slots.formIsPending, .form)
    for action in actions.indices { assign(slots.actionIsEnabled[action], .action(action)) }
    for output in outputs.indices { assign(slots.outputs[output], .output(output)) }
  }

  private func readers(of lists: [[Int]], count: Int) -> AdjacencyList {
    var readers = AdjacencyList()
    for list in lists { readers.append(list) }
    return readers.transposed(nodeCount: count)
  }

  private mutating func addNodes() {
    func add(_ node: Graph.Node) {
      numbers[node] = nodes.count
      nodes.append(node)
    }
    for (index, step) in steps.enumerated() where step.visible != nil { add(.stepVisible(index)) }
    for (index, field) in fields.enumerated() {
      // What holds a field hides and disables it, too, and a step hides its fields.
      if field.visible != nil || has(Graph.Node.visible, field.parent) || has(Graph.Node.stepVisible, field.step) {
        add(.visible(index))
      }
      if field.enabled != nil || has(Graph.Node.enabled, field.parent) { add(.enabled(index)) }
      add(.required(index))
      add(.value(index))
      if field.unit != nil { add(.judged(index)) }
    }
    for part in parts.indices { add(.part(part)) }
    for rule in rules.indices { add(.rule(rule)) }
    for check in checks.indices { add(.check(check)) }
    for field in fields.indices { add(.field(field)) }
    add(.formErrors)
    add(.form)
    for step in steps.indices { add(.step(step)) }
    for action in actions.indices { add(.action(action)) }
    for output in outputs.indices { add(.output(output)) }
  }

  /// The nodes that say whether the field, and those inside of it, are there to be judged.
  private func judged(from field: Int) -> [Graph.Node] {
    guard fields[field].unit != nil, budget.spend(fields[field].end - field) else { return [] }
    return (field..<fields[field].end).filter { fields[$0].unit != nil }.map { .judged($0) }
  }

  /// Whether a field or step has such a node; not when there is none.
  private func has(_ node: (Int) -> Graph.Node, _ index: Int?) -> Bool {
    index.map { numbers[node($0)] != nil } ?? false
  }

  private mutating func addSources() {
    var children = [[Int]](repeating: [], count: fields.count)
    for (index, field) in fields.enumerated() { if let parent = field.parent { children[parent].append(index) } }
    for node in nodes {
      var wanted: [Graph.Node] = []
      for formula in formulas(of: node) { wanted += formula.reads.compactMap { writers[$0] } }
      switch node {
      case .required, .output, .stepVisible: break
      case .visible(let field):
        if let parent = fields[field].parent { wanted.append(.visible(parent)) }
        if let step = fields[field].step { wanted.append(.stepVisible(step)) }
      case .enabled(let field): if let parent = fields[field].parent { wanted.append(.enabled(parent)) }
      case .value(let field):
        wanted.append(.visible(field))
        wanted += children[field].map { .value($0) }
      case .judged(let field):
        wanted += [.value(field), .required(field)]
        if let parent = fields[field].parent { wanted.append(.judged(parent)) }
      case .part(let part):
        // An empty object that must be there stands in the values of all objects around it.
        wanted += parts[part].fields.flatMap { [.value($0)] + judged(from: $0) }
        if let field = unitFields[parts[part].unit] { wanted.append(.judged(field)) }
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
        wanted += children[field].map { .field($0) }
        if let parent = fields[field].parent { wanted.append(.judged(parent)) }
        wanted += fields[field].rules.map { .rule($0) }
        wanted += fields[field].checks.map { .check($0) }
        wanted += partsOfField[field].map { .part(Int($0)) }
      case .formErrors:
        wanted += parts.indices.map { .part($0) }
        wanted += rules.indices.filter { rules[$0].field == nil }.map { .rule($0) }
      case .form:
        wanted += fields.indices.filter { fields[$0].parent == nil }.map { .field($0) }
        wanted.append(.formErrors)
      case .step(let step): wanted += steps[step].fields.map { .field($0) }
      case .action(let action): if actions[action].enabled == nil { wanted.append(.form) }
      }
      sources.append(budget.spend(1 + wanted.count) ? wanted.compactMap { numbers[$0] } : [])
    }
  }

  private func formulas(of node: Graph.Node) -> [Formula] {
    switch node {
    case .stepVisible(let step): steps[step].visible.map { [$0] } ?? []
    case .visible(let field): fields[field].visible.map { [$0] } ?? []
    case .enabled(let field): fields[field].enabled.map { [$0] } ?? []
    case .required(let field): fields[field].required.map { [$0] } ?? []
    case .rule(let rule):
      [rules[rule].when, rules[rule].check, rules[rule].messageFormula].compactMap { $0 }
    case .check(let check): (checks[check].when.map { [$0] } ?? []) + checks[check].run.formulas
    case .action(let action): actions[action].enabled.map { [$0] } ?? []
    case .output(let output): [outputs[output].formula]
    case .value, .judged, .part, .field, .formErrors, .form, .step: []
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
    case .visible(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).visible"
    case .stepVisible(let step): "\(FieldAddress.spelling(ofStep: steps[step].id)).visible"
    case .enabled(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).enabled"
    case .required(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).required"
    case .value(let field): FieldAddress.spelling(of: fields[field].path, among: "values")
    case .judged(let field): FieldAddress.spelling(of: fields[field].path, among: "values")
    case .part(let part): "schema\(parts[part].location)"
    case .rule(let rule): "rule \(rules[rule].id)"
    case .check(let check): "check \(checks[check].id)"
    case .field(let field): "\(FieldAddress.spelling(of: fields[field].path, among: "fields")).isValid"
    case .formErrors: "errors"
    case .form: "form.isValid"
    case .step(let step): "\(FieldAddress.spelling(ofStep: steps[step].id)).isValid"
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
      if case .part(let part) = node { fieldsRead.append(parts[part].fields) } else { fieldsRead.append([]) }
    }
    return Graph(
      nodes: ordered,
      slotReaders: slotsRead.transposed(nodeCount: slots.count),
      partReaders: fieldsRead.transposed(nodeCount: fields.count),
      counts: .init(
        fields: fields.count,
        parts: parts.count,
        rules: rules.count,
        checks: checks.count,
        steps: steps.count
      ),
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
