internal import CEL
internal import JSON
internal import JSONSchema

extension Form {
  /// What depends on what, for people: each formula with what it reads, and for each input everything that it can change.
  public func explanation() -> String {
    var lines: [String] = [
      "form \(name): \(fields.count) fields, \(actions.count) actions, \(outputs.count) outputs", "",
    ]
    lines.append("what is computed, in this order")
    for node in graph.nodes.indices {
      guard let line = describe(graph.nodes[node]) else { continue }
      lines.append("  \(line)")
    }
    lines.append("")
    lines.append("what each input can change")
    for (index, field) in fields.enumerated() {
      let reached = reach(ofField: index)
      lines.append("  \(field.name) -> \(reached.isEmpty ? "its own errors only" : reached.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func names(_ formula: Formula) -> String {
    formula.reads.isEmpty ? "nothing" : formula.reads.map { slots.names[$0].name }.joined(separator: ", ")
  }

  /// A line about a node that an author has written; nil for what every form has.
  private func describe(_ node: Graph.Node) -> String? {
    switch node {
    case .visible(let field): fields[field].visible.map { line("fields.\(fields[field].name).visible", $0) }
    case .enabled(let field): fields[field].enabled.map { line("fields.\(fields[field].name).enabled", $0) }
    case .required(let field): fields[field].required.map { line("fields.\(fields[field].name).required", $0) }
    case .part(let part): "schema\(parts.parts[part].keywordLocation)"
    case .rule(let rule): line("rule \(rules[rule].id)", rules[rule].check)
    case .check(let check):
      "check \(checks[check].id) reads \(checks[check].run.formulas.map(names).joined(separator: ", "))"
    case .action(let action):
      actions[action].enabled.map { line("actions.\(actions[action].name).enabled", $0) }
        ?? "actions.\(actions[action].name).enabled reads form.isValid"
    case .output(let output): line("outputs.\(outputs[output].name)", outputs[output].formula)
    case .value, .field, .formErrors, .form: nil
    }
  }

  private func line(_ what: String, _ formula: Formula) -> String {
    "\(what) reads \(names(formula)): \(formula.source)"
  }

  /// Everything that a change of the field's value can change, by name.
  private func reach(ofField field: Int) -> [String] {
    var seen: Set<Int> = []
    var queue = [Int(graph.valueNodes[field])]
    var found: Set<Int> = []
    while let node = queue.popLast() {
      guard seen.insert(node).inserted else { continue }
      if node != Int(graph.valueNodes[field]) { found.insert(node) }
      queue += readers(of: graph.nodes[node], number: node)
    }
    return found.sorted().compactMap { name(of: graph.nodes[$0]) }
  }

  private func readers(of node: Graph.Node, number: Int) -> [Int] {
    var result: [Int] = []
    func add(_ list: [Int32]) { result += list.filter { $0 >= 0 }.map(Int.init) }
    func addReaders(ofSlots wanted: [Int32]) {
      for slot in wanted where slot >= 0 { graph.forEachReader(ofSlot: Int(slot)) { result.append(Int($0)) } }
    }
    switch node {
    case .visible(let field), .required(let field): add([graph.valueNodes[field], graph.fieldNodes[field]])
    case .enabled: break
    case .value(let field):
      addReaders(ofSlots: [
        slots.values[field], slots.fieldIsEmpty[field], slots.fieldIsDirty[field], slots.formIsDirty,
      ])
      graph.forEachPart(reading: field) { result.append(Int($0)) }
      add(fields[field].rules.map { graph.ruleNodes[$0] })
      add(fields[field].checks.map { graph.checkNodes[$0] })
      add([graph.fieldNodes[field]])
    case .part(let part):
      for (index, field) in fields.enumerated() where parts.parts[part].reads.contains(field.name) {
        add([graph.fieldNodes[index]])
      }
      add([graph.formErrorsNode])
    case .rule(let rule):
      add([rules[rule].field.map { graph.fieldNodes[$0] } ?? graph.formErrorsNode])
    case .check(let check): add([graph.fieldNodes[checks[check].field]])
    case .field(let field):
      addReaders(ofSlots: [slots.fieldIsValid[field], slots.fieldIsPending[field], slots.messages[field]])
      add([graph.formNode])
    case .formErrors: add([graph.formNode])
    case .form:
      addReaders(ofSlots: [slots.formIsValid, slots.formIsPending])
      add(graph.defaultActionNodes)
    case .action(let action): addReaders(ofSlots: [slots.actionIsEnabled[action]])
    case .output(let output): addReaders(ofSlots: [slots.outputs[output]])
    }
    return result
  }

  private func name(of node: Graph.Node) -> String? {
    switch node {
    case .visible(let field): "fields.\(fields[field].name).isVisible"
    case .enabled(let field): "fields.\(fields[field].name).isEnabled"
    case .required(let field): fields[field].required == nil ? nil : "fields.\(fields[field].name).isRequired"
    case .value: nil
    case .part(let part): "schema\(parts.parts[part].keywordLocation)"
    case .rule(let rule): "rule \(rules[rule].id)"
    case .check(let check): "check \(checks[check].id)"
    case .field(let field): "messages.\(fields[field].name)"
    case .formErrors: "errors"
    case .form: "isValid"
    case .action(let action): "actions.\(actions[action].name).isEnabled"
    case .output(let output): "outputs.\(outputs[output].name)"
    }
  }
}
