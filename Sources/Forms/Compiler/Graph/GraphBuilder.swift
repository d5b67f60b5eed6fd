internal import Budgets
internal import CEL
internal import DocumentProperties
internal import JSON

/// Orders all computations so that each reads only results that come before it.
struct GraphBuilder {
  enum Outcome {
    case graph(Graph)
    /// Names in a cycle, the first again at the end, and the locations of its formulas.
    case cycle([String], [JSONPointer])
    /// The budget does not allow that many dependencies.
    case tooLarge
  }

  let fields: [Field]
  let rules: [Rule]
  let checks: [Check]
  let steps: [Step]
  let lookups: [Lookup]
  let actions: [Action]
  let outputs: [Output]
  let templates: [FormTemplate]
  let objectKeywords: [ObjectKeyword]
  /// By unit: its field; nil for the root.
  let unitFields: [Int?]
  let slots: SlotTable
  let budget: CompileBudget

  let facts: FactNumbers
  var nodes: [Graph.Node] = []
  /// By node: the facts that it reads, each once.
  var reads = AdjacencyList()
  /// By node: the facts that it writes.
  var writes = AdjacencyList()
  /// By fact: the nodes that write it. No node writes a fact that comes from outside.
  var writers = AdjacencyList()
  /// By fact: the last node that was found to read it.
  private var lastReaders: [Int]
  /// By slot: the fact that formulas read there.
  private(set) var factsOfSlots: [Int?] = []
  /// Whether a check blocks while its service fails.
  let hasBlockingFailures: Bool
  /// By field: the fields directly below it; of a list, its element.
  var children: [[Int]]
  /// By field: whether it, or a field below it, has checks, or options that a lookup gives.
  private(set) var canBePending: [Bool]

  init(
    fields: [Field],
    rules: [Rule],
    checks: [Check],
    steps: [Step],
    lookups: [Lookup],
    actions: [Action],
    outputs: [Output],
    templates: [FormTemplate],
    objectKeywords: [ObjectKeyword],
    unitFields: [Int?],
    slots: SlotTable,
    budget: CompileBudget
  ) {
    self.fields = fields
    self.rules = rules
    self.checks = checks
    self.steps = steps
    self.lookups = lookups
    self.actions = actions
    self.outputs = outputs
    self.templates = templates
    self.objectKeywords = objectKeywords
    self.unitFields = unitFields
    self.slots = slots
    self.budget = budget
    facts = FactNumbers(
      fields: fields.count,
      rules: rules.count,
      checks: checks.count,
      steps: steps.count,
      lookups: lookups.count,
      actions: actions.count,
      outputs: outputs.count,
      columns: slots.columns.count,
      aboves: slots.aboves.count,
      templates: templates.count
    )
    lastReaders = [Int](repeating: -1, count: facts.count)
    hasBlockingFailures = checks.contains { $0.onFailure == .block }
    children = [[Int]](repeating: [], count: fields.count)
    for (number, field) in fields.enumerated() { if let around = field.around { children[around].append(number) } }
    canBePending = fields.map { !$0.checks.isEmpty || !$0.lookups.isEmpty }
    for (number, field) in fields.enumerated().reversed() where canBePending[number] {
      if let around = field.around { canBePending[around] = true }
    }
  }

  mutating func build() -> Outcome {
    findFactsOfSlots()
    addNodes()
    for (index, node) in nodes.enumerated() {
      let written = writtenFacts(of: node)
      var read = budget.mayGoOn ? readFacts(of: node) : []
      read.removeAll { fact in
        defer { lastReaders[fact] = index }
        return lastReaders[fact] == index
      }
      guard budget.spend(1 + read.count) else { return .tooLarge }
      writes.append(written)
      reads.append(read)
    }
    writers = writes.transposed(nodeCount: facts.count)
    var (order, missing) = sorted(waitsForRowAbove: true)
    // A value may depend on the same value in the row above.
    if order.count < nodes.count, !slots.aboves.isEmpty { (order, missing) = sorted(waitsForRowAbove: false) }
    guard order.count == nodes.count else { return cycle(among: missing) }
    let graph = graph(in: order)
    return budget.mayGoOn ? .graph(graph) : .tooLarge
  }

  // MARK: Facts

  private mutating func findFactsOfSlots() {
    factsOfSlots = [Int?](repeating: nil, count: slots.count)
    func assign(_ slot: Int32, _ owner: Graph.Owner, _ fact: FactSet) {
      if slot >= 0 { factsOfSlots[Int(slot)] = facts.number(owner, fact) }
    }
    for field in fields.indices {
      assign(slots.values[field], .field(field), .value)
      assign(slots.messages[field], .field(field), .message)
      assign(slots.stored[field], .field(field), .ownValue)
    }
    func assignAll<Property: PropertyList>(
      _ slots: PropertySlots<Property>,
      of owners: [Graph.Owner],
      _ fact: (Property) -> FactSet
    ) {
      for property in Property.allCases where property.about.formula != nil {
        for (index, owner) in owners.enumerated() { assign(slots[property, index], owner, fact(property)) }
      }
    }
    assignAll(slots.fields, of: fields.indices.map { .field($0) }) { FactSet(field: $0) }
    assignAll(slots.steps, of: steps.indices.map { .step($0) }) { FactSet(step: $0) }
    assignAll(slots.lookups, of: lookups.indices.map { .lookup($0) }) { FactSet(lookup: $0) }
    assignAll(slots.actions, of: actions.indices.map { .action($0) }) { FactSet(action: $0) }
    assignAll(slots.form, of: [.form]) { FactSet(form: $0) }
    assign(slots.today, .form, .today)
    assign(slots.now, .form, .now)
    for slot in slots.context { assign(slot, .form, .context) }
    for slot in slots.initials { assign(slot, .form, .initials) }
    for check in checks.indices { assign(slots.checkResult[check], .check(check), .checkResult) }
    for output in outputs.indices { assign(slots.outputs[output], .output(output), .output) }
    for (column, origin) in slots.columns.enumerated() { assign(origin.slot, .column(column), .column) }
    for (above, origin) in slots.aboves.enumerated() { assign(origin.slot, .above(above), .above) }
    for template in templates.indices { assign(slots.index[template], .row(template), .index) }
  }

  private mutating func addNodes() {
    nodes += steps.indices.filter { steps[$0].visible != nil }.map { .stepVisible($0) }
    for (number, field) in fields.enumerated() {
      if mayBeHidden(number) { nodes.append(.visible(number)) }
      if mayBeBlank(number) { nodes.append(.blank(number)) }
      if mayBeDisabled(number) { nodes.append(.enabled(number)) }
      if field.mayFollow { nodes.append(.computed(number)) }
      nodes += [.required(number), .value(number)]
      if field.unit != nil { nodes.append(.judged(number)) }
    }
    nodes += objectKeywords.indices.map { .objectKeyword($0) }
    nodes += rules.indices.map { .rule($0) }
    nodes += checks.indices.map { .check($0) }
    nodes += fields.indices.map { .field($0) }
    nodes += [.formErrors, .form]
    nodes += steps.indices.map { .step($0) }
    nodes += lookups.indices.map { .lookup($0) }
    nodes += actions.indices.map { .action($0) }
    nodes += outputs.indices.map { .output($0) }
    nodes += slots.columns.indices.map { .column($0) }
    nodes += slots.aboves.indices.map { .above($0) }
    nodes += fields.indices.filter { fields[$0].duplicateError != nil }.map { .unique($0) }
    nodes += fields.indices.filter { fields[$0].computedOptions != nil }.map { .options($0) }
    nodes += fields.indices.filter { fields[$0].judgesChoices }.map { .offered($0) }
    nodes += fields.indices.filter { !fields[$0].trigger.isEmpty }.map { .trigger($0) }
  }

  /// The facts that a node writes. Facts that no node writes come from outside: from inputs, and from the results of
  /// actions and checks.
  private func writtenFacts(of node: Graph.Node) -> [Int] {
    switch node {
    case .stepVisible(let step): numbers(.step(step), Self.step(.visible))
    case .visible(let field):
      numbers(.field(field), Self.field(.visible)) + factsOfPositions(of: field)
    case .blank(let element): numbers(.field(element), [.isBlank]) + factsOfPositions(of: element)
    case .enabled(let field): numbers(.field(field), Self.field(.enabled))
    case .required(let field): numbers(.field(field), Self.field(.required))
    case .computed(let field):
      // A new value discards a server's errors for the old value, and for the values around it.
      numbers(.field(field), [.ownValue])
        + sequence(first: field) { fields[$0].around }.flatMap { numbers(.field($0), [.attention]) }
    case .value(let field): numbers(.field(field), [.content] + Self.field(.value) + [.value, .schemaErrors])
    case .judged(let field): numbers(.field(field), [.isJudged])
    case .objectKeyword(let index):
      // Errors of a schema inside the keyword may be deeper.
      objectKeywords[index].fields.flatMap { field in
        ([field] + (objectKeywords[index].reachesInside ? inside(field) : [])).flatMap {
          numbers(.field($0), [.objectErrors])
        }
      }
        + (unitFields[objectKeywords[index].unit].map { numbers(.field($0), [.objectErrors]) }
          ?? numbers(.form, [.formObjectErrors]))
    case .rule(let rule): numbers(.rule(rule), [.ruleResult])
    case .check(let check): numbers(.check(check), [.progress, .checkResult])
    case .field(let field): numbers(.field(field), Self.field(.status) + [.message])
    case .formErrors: numbers(.form, Self.form(.errors))
    case .form: numbers(.form, Self.form(.status) + [.formHasOnlyFailures])
    case .step(let step): numbers(.step(step), Self.step(.status))
    case .lookup(let lookup): numbers(.lookup(lookup), Self.lookup(.status))
    case .action(let action): numbers(.action(action), Self.action(.status))
    case .output(let output): numbers(.output(output), [.output])
    case .column(let column): numbers(.column(column), [.column])
    case .above(let above): numbers(.above(above), [.above])
    case .unique(let field): numbers(.field(field), [.isDuplicate])
    case .options(let field): numbers(.field(field), Self.field(.options))
    case .offered(let field): numbers(.field(field), [.isNotOffered])
    // A reset changes its facts from outside of the graph, as an input does.
    case .trigger: []
    }
  }

  /// The facts about the positions of rows, if the field represents a row: the rows that count decide them.
  private func factsOfPositions(of field: Int) -> [Int] {
    guard let list = fields[field].list else { return [] }
    return numbers(.field(list), [.rows]) + numbers(.row(fields[field].template), [.index])
  }

  /// The fields inside a field, including the fields in its rows.
  func inside(_ field: Int) -> [Int] {
    guard budget.spend(fields[field].end - field) else { return [] }
    let own = field + 1..<max(field + 1, fields[field].end)
    let lists = fields[field].element == nil ? own.filter { fields[$0].element != nil } : [field]
    return own + lists.flatMap { list in fields[list].element.map { [$0] + inside($0) } ?? [] }
  }

  /// The numbers of facts about one owner, in this order. Nodes that wait for nothing else are computed in it.
  func numbers(_ owner: Graph.Owner, _ wanted: [FactSet]) -> [Int] {
    wanted.map { facts.number(owner, $0) }
  }

  /// By computation: the facts of the properties that it gives.
  private static func properties<Property: PropertyList>(
    _ fact: (Property) -> FactSet
  ) -> @Sendable (DocumentProperties.Property.Computation) -> [FactSet] {
    let all = Dictionary(grouping: Property.allCases, by: \.about.computation).mapValues { $0.map(fact) }
    return { all[$0] ?? [] }
  }

  static let field = properties { FactSet(field: $0) }
  static let form = properties { FactSet(form: $0) }
  static let step = properties { FactSet(step: $0) }
  static let lookup = properties { FactSet(lookup: $0) }
  static let action = properties { FactSet(action: $0) }

  /// Whether the field can be hidden: by a formula of its own, of its step, or of a field around it.
  func mayBeHidden(_ field: Int) -> Bool {
    fields[field].visible != nil || fields[field].step.map { steps[$0].visible != nil } ?? false
      || fields[field].around.map { mayBeHidden($0) } ?? false
  }

  /// Whether the field represents a row that does not count while it is blank.
  func mayBeBlank(_ field: Int) -> Bool { fields[field].list.map { fields[$0].ignoresBlankRows } ?? false }

  /// Whether users may be unable to change the field: a formula decides it, or the field is read-only, or this is so
  /// for a field around it.
  func mayBeDisabled(_ field: Int) -> Bool {
    fields[field].enabled != nil || fields[field].isReadOnly || fields[field].around.map { mayBeDisabled($0) } ?? false
  }

  func formulas(of node: Graph.Node) -> [Formula] {
    switch node {
    case .stepVisible(let step): steps[step].visible.map { [$0] } ?? []
    case .visible(let field): fields[field].visible.map { [$0] } ?? []
    case .enabled(let field): fields[field].enabled.map { [$0] } ?? []
    case .required(let field): fields[field].required.map { [$0] } ?? []
    case .computed(let field): fields[field].valueFormula.map { [$0] } ?? []
    case .rule(let rule):
      [rules[rule].when, rules[rule].check, rules[rule].messageFormula].compactMap(\.self)
    case .check(let check): (checks[check].when.map { [$0] } ?? []) + checks[check].request.formulas
    case .lookup(let lookup): lookups[lookup].formulas
    case .action(let action): actions[action].enabled.map { [$0] } ?? []
    case .output(let output): [outputs[output].formula]
    case .options(let field): fields[field].computedOptions.map { [$0.formula] } ?? []
    case .trigger(let field): fields[field].trigger
    case .blank, .value, .judged, .objectKeyword, .field, .formErrors, .form, .step, .column, .above, .unique, .offered:
      []
    }
  }

  // MARK: Result

  /// The template whose instances compute a node.
  private func template(of node: Graph.Node) -> Int {
    switch node {
    case .visible(let field), .blank(let field), .enabled(let field), .required(let field), .computed(let field),
      .value(let field), .judged(let field), .field(let field), .offered(let field), .trigger(let field):
      fields[field].template
    case .options(let field): fields[field].computedOptions?.template ?? 0
    case .rule(let rule): rules[rule].field.map { fields[$0].template } ?? 0
    case .check(let check): fields[checks[check].field].template
    case .objectKeyword(let index): unitFields[objectKeywords[index].unit].map { fields[$0].template } ?? 0
    case .output(let output): outputs[output].template
    case .column(let column): slots.columns[column].template
    case .above(let above): fields[slots.aboves[above].field].template
    // It looks at all rows of the list.
    case .unique(let field): templates[fields[field].template].parent ?? 0
    case .lookup(let lookup): lookups[lookup].template
    case .stepVisible, .formErrors, .form, .step, .action: 0
    }
  }

  func graph(in order: [Int]) -> Graph {
    var readsInOrder = AdjacencyList()
    var writesInOrder = AdjacencyList()
    for node in order {
      readsInOrder.append(reads[node].lazy.map(Int.init))
      writesInOrder.append(writes[node].lazy.map(Int.init))
    }
    return Graph(
      nodes: order.map { nodes[$0] },
      templates: order.map { template(of: nodes[$0]) },
      facts: facts,
      reads: readsInOrder,
      writes: writesInOrder,
      factsOfSlots: factsOfSlots,
      formulas: formulas,
      budget: budget
    )
  }
}

extension Field {
  /// What gives it its value.
  var nameOfValue: String { isComputed ? "computed" : isSuggested ? "suggested" : "default" }
}
