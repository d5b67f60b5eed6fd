internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// Reports names that lead nowhere, and ids that are used twice: errors.
extension FormCompiler {
  /// Looks at all addresses, ids and names outside of formulas.
  mutating func checkNames(_ tree: ObjectTree) {
    for (address, field) in definition.fields {
      checkField(address, at: JSONPointer(tokens: ["fields", address]), spot: .name)
      for (other, pointer) in field.resetOn { checkField(other, at: pointer) }
    }
    for (shape, member) in zip(fields.shapes, tree.members) { checkOptions(of: shape, member) }
    var members = [[String]](repeating: [], count: tree.objects.count)
    for member in tree.members { members[member.owner].append(member.name) }
    var around = [Int?](repeating: nil, count: tree.objects.count)
    for member in tree.members { if let object = member.object { around[object] = member.owner } }
    for (index, object) in tree.objects.enumerated() {
      checkRequired(of: object, with: members[index]) { name in
        var outer = around[index]
        while let object = outer, !members[object].contains(where: { $0.hasSameUTF8(as: name) }) {
          outer = around[object]
        }
        return outer != nil
      }
    }
    var codes: [UTF8Key: JSONPointer] = [:]
    func noteCode(_ id: String, at pointer: JSONPointer) {
      let pointer = pointer.appending("id")
      if let first = codes[UTF8Key(text: id)] { return duplicate(id, at: pointer, after: first) }
      codes[UTF8Key(text: id)] = pointer
    }
    for rule in definition.rules {
      if let field = rule.field { checkField(field, at: rule.pointer.appending("field")) }
      if case .group(let group) = rule.condition {
        for (address, pointer) in group.fields { checkField(address, at: pointer) }
      }
      noteCode(rule.id, at: rule.pointer)
    }
    for check in definition.checks {
      checkField(check.field, at: check.pointer.appending("field"))
      noteCode(check.id, at: check.pointer)
    }
    checkSteps()
    for (name, formula) in definition.outputs { checkRowName(name, of: "output", at: formula.pointer) }
    for lookup in definition.lookups {
      checkRowName(lookup.name, of: "lookup", at: JSONPointer(tokens: ["lookups", lookup.name]))
    }
    for action in definition.actions {
      switch action.scope {
      case .fields(let scope)?:
        for (index, address) in scope.enumerated() {
          let pointer = action.pointer.appending("scope").appending(index)
          checkField(address, at: pointer)
          checkIsOutsideOfRows(address, at: pointer)
        }
      case .step(let id)?: checkStep(id, at: action.pointer.appending("scope"))
      case .form?, ScopeDefinition.none?, nil: break
      }
      for outcome in action.outcomes {
        for (field, formula) in outcome.fieldErrors {
          checkField(field, at: formula.pointer, spot: .name)
          checkIsOutsideOfRows(field, at: formula.pointer, spot: .name)
        }
      }
    }
  }

  /// The address of an output or a lookup that leads to no row.
  private mutating func checkRowName(_ name: String, of what: String, at pointer: JSONPointer) {
    guard fields.template(ofRowName: name) == nil else { return }
    let elements = fields.addresses.filter { $0.hasSuffix("/*") }
      .prefix(DiagnosticCollector.namesListedMax).joined(separator: ", ")
    collector.report(
      "unknownField",
      at: pointer,
      spot: .name,
      "the \(what) \"\(name)\" is not in a row",
      remedy: """
        write a name, or the address of a row and a name: /items/*/net\(elements.isEmpty ? "" : "; the rows are \(elements)")
        """
    )
  }

  /// Reports an address that leads into rows, if only a field that exists once can be named there.
  private mutating func checkIsOutsideOfRows(
    _ address: String,
    at pointer: JSONPointer,
    spot: DiagnosticCollector.Spot = .value
  ) {
    guard let field = fields.field(at: address), fields.shapes[field].position.template > 0 else { return }
    let list = fields.addresses[fields.outmostList(around: field)]
    collector.report(
      "inRow",
      at: pointer,
      spot: spot,
      "\"\(address)\" is in each row of a list, and only fields outside of lists can be named here",
      remedy: "name the list, \"\(list)\": it includes all of its rows"
    )
  }

  /// If an object requires a member that is not a field, only a value given as a whole can make it valid. If an object
  /// around it has that member, the author may mean the schema to hold in both objects, and the form can be used.
  private mutating func checkRequired(
    of object: ObjectTree.Object,
    with members: [String],
    isMemberAround: (String) -> Bool
  ) {
    guard !object.parts.required.isEmpty else { return }
    let known = Set(members.map { UTF8Key(text: $0) })
    for requirement in object.parts.required
    where !known.contains(UTF8Key(text: requirement.name)) && !object.others.admits(requirement.name) {
      let own =
        collector.isFull
        ? nil
        : definition.schema.value(at: requirement.pointer)?.arrayValue?
          .firstIndex { $0.stringValue?.hasSameUTF8(as: requirement.name) ?? false }
      reportInSchema(
        "unknownField",
        at: JSONPointer(tokens: requirement.pointer.tokens + (own.map { [String($0)] } ?? [])),
        "the schema requires \"\(requirement.name)\" and has no such property",
        remedy: collector.advice(for: requirement.name, among: members, or: "the properties are", budget),
        severity: isMemberAround(requirement.name) ? .warning : .error
      )
    }
  }

  /// An address that leads to no field.
  private mutating func checkField(
    _ address: String,
    at pointer: JSONPointer,
    spot: DiagnosticCollector.Spot = .value
  ) {
    guard fields.field(at: address) == nil, !fields.mayLackFields else { return }
    fields.addressesReported.insert(UTF8Key(text: address))
    collector.report(
      "unknownField",
      at: pointer,
      spot: spot,
      address.utf8.first == UInt8(ascii: "/")
        ? "the schema has no property at \"\(address)\"" : "the schema has no property \"\(address)\"",
      remedy: collector.advice(among: fields.addresses, or: "its fields are", budget) {
        fields.closest(to: address)
      }
    )
  }

  /// Reports ids that are used twice or mean something else, and fields that are in two steps.
  private mutating func checkSteps() {
    var ids: [UTF8Key: JSONPointer] = [:]
    /// By field: the step that names it, and the address there.
    var owners: [Int: (step: String, address: String)] = [:]
    for step in definition.steps {
      if step.id == "form" || step.id == "none" {
        collector.report(
          "reservedId",
          at: step.pointer.appending("id"),
          "a step cannot have the id \"\(step.id)\": as the \"scope\" of an action, it has another meaning",
          remedy: "choose another id"
        )
      } else if let first = ids[UTF8Key(text: step.id)] {
        collector.report(
          "duplicateId",
          at: step.pointer.appending("id"),
          "the id \"\(step.id)\" is used twice",
          remedy: "ids of steps must be unique",
          related: [Diagnostic.Related(first, "the first one")]
        )
      } else {
        ids[UTF8Key(text: step.id)] = step.pointer.appending("id")
      }
      for (address, pointer) in step.fields {
        checkField(address, at: pointer)
        checkIsOutsideOfRows(address, at: pointer)
        guard let field = fields.field(at: address), owners[field] == nil else {
          if let field = fields.field(at: address) { reportShared(address, with: owners[field], at: pointer) }
          continue
        }
        owners[field] = (step.id, address)
      }
    }
    for step in definition.steps {
      for (address, pointer) in step.fields {
        guard let field = fields.field(at: address) else { continue }
        var around = fields.shapes[field].position.parent
        while let outer = around, owners[outer] == nil { around = fields.shapes[outer].position.parent }
        if let around { reportShared(address, with: owners[around], at: pointer) }
      }
    }
  }

  private mutating func reportShared(
    _ address: String,
    with owner: (step: String, address: String)?,
    at pointer: JSONPointer
  ) {
    guard let owner else { return }
    collector.report(
      "duplicateField",
      at: pointer,
      "\"\(address)\" is in the step \"\(owner.step)\" already, through \"\(owner.address)\"",
      remedy: "a field, with all fields inside of it, can be in only one step"
    )
  }

  /// Reports an id that no step has. In a scope it may also be a word.
  private mutating func checkStep(_ id: String, at pointer: JSONPointer) {
    let ids = definition.steps.map(\.id)
    guard !ids.contains(where: { $0.hasSameUTF8(as: id) }) else { return }
    collector.report(
      "unknownStep",
      at: pointer,
      "there is no step \"\(id)\"",
      remedy: collector.advice(
        for: id,
        among: ids + ["form", "none"],
        or: "a scope is a list of addresses, or one of",
        budget
      )
    )
  }

  /// A name in `options` that no choice of the schema has.
  private mutating func checkOptions(of shape: FieldShape, _ member: ObjectTree.Member) {
    guard let named = shape.own?.options, !named.isEmpty else { return }
    let values = Set((member.facts.choices ?? []).map(\.value))
    let choices = (member.facts.choices ?? []).map(\.value.optionName)
    let known = Set(choices.map { UTF8Key(text: $0) })
    for option in named
    where option.value.map({ !values.contains($0) }) ?? !known.contains(UTF8Key(text: option.name)) {
      // Without choices in the schema, a list of choices is complete.
      if option.value != nil, member.facts.choices == nil { continue }
      let value = option.name
      collector.report(
        "unknownOption",
        at: option.pointer,
        spot: option.value == nil ? .name : .value,
        "the schema of \"\(shape.address)\" has no choice \"\(value)\"",
        remedy: choices.isEmpty
          ? adviceWithoutChoices(at: shape.address)
          : collector.advice(for: value, among: choices, or: "its choices are", budget)
      )
    }
  }

  /// Where to write `options` of a field without choices. The choices of a list are the choices of its elements.
  private func adviceWithoutChoices(at address: String) -> Remedy {
    let element = JSONPointer(tokens: (JSONPointer(address: address)?.tokens ?? []) + ["*"]).address
    let isList = fields.shapes.contains { $0.address == element && $0.facts.choices != nil }
    return isList
      ? "write the options at the elements of the list: \"\(element)\": {\"options\": {...}}"
      : "name the values in the schema: \"enum\": [...]"
  }

  private mutating func duplicate(_ id: String, at pointer: JSONPointer, after first: JSONPointer) {
    collector.report(
      "duplicateId",
      at: pointer,
      "the id \"\(id)\" is used twice",
      remedy: "ids are the codes of errors and must be unique among rules and checks",
      related: [Diagnostic.Related(first, "the first one")]
    )
  }
}
