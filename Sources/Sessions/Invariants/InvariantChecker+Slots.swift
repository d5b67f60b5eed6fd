internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// The invariants of the slots: what formulas read is what the session holds.
extension InvariantChecker {
  func check(
    _ slot: Int32,
    of instance: Instance,
    _ name: @autoclosure () -> String,
    _ expected: @autoclosure () -> Value
  ) {
    guard slot >= 0 else { return }
    let found = instance.slots[Int(slot)]
    let wanted = expected()
    if found != wanted { problems.append("formulas read \(found) of \(name()), and it is \(wanted)") }
  }

  func checkSlots(of instance: Instance) {
    for index in instance.ownFields {
      let field = form.fields[index]
      let entry = instance.tables.pointee.fields[index]
      let flags = instance.fields[index].flags
      let name = instance.address(of: index)
      let value = instance.value(of: index, .shown)
      let seen: Value =
        if let value, !flags.contains(.readsAsAbsent) { field.type.value(of: value) } else { .null }
      check(entry.valueSlot, of: instance, "values.\(name)", seen)
      for property in FieldProperty.inFormulas {
        let isSet = Value.bool(flags.contains(FieldFlags(property)))
        check(entry.slots[property.position], of: instance, "fields.\(name).\(property.name)", isSet)
      }
      let message = instance.fields[index].displayed.map { form.message(of: $0, locale: session.localeIndex) } ?? ""
      check(entry.messageSlot, of: instance, "messages.\(name)", .string(message))
      let initialSlot = form.slots.offset(form.slots.initials[index])
      check(initialSlot, of: instance, "initial.\(name)", instance.initialForFormulas(index))
    }
    for index in instance.ownLookups {
      let (slots, name) = (form.slots, "lookups['\(form.lookups[index].address)']")
      let state = instance.lookup(index) ?? LookupState()
      let value = state.value.map(Value.init) ?? .null
      check(slots.offset(slots.lookups[.value, index]), of: instance, "\(name).value", value)
      check(slots.offset(slots.lookups[.isLoading, index]), of: instance, "\(name).isLoading", .bool(state.isLoading))
      check(slots.offset(slots.lookups[.error, index]), of: instance, "\(name).error", .string(state.error ?? ""))
    }
    for index in instance.ownChecks {
      let slot = form.slots.offset(form.slots.checkResult[index])
      let result = instance.instanceExtras?.checks[index].result
      check(slot, of: instance, "checks['\(form.checks[index].id)'].result", result.map(Value.init) ?? .null)
    }
    for index in instance.ownOutputs {
      let slot = instance.tables.pointee.outputs[index].slot
      guard slot >= 0 else { continue }
      let found = instance.slots[Int(slot)].json?.withoutNullMembers
      expect(
        found == instance.outputs[index] || instance.outputs[index] == nil,
        "formulas read an old outputs.\(form.outputs[index].address)"
      )
    }
    for (number, column) in form.slots.columns.enumerated() where column.template == instance.template {
      var values: [Value] = []
      let output = form.outputs[column.output]
      let slot = Int(instance.tables.pointee.outputs[column.output].slot)
      instance.forEachRow(of: output.template) { if $0.counts { values.append($0.slots[slot]) } }
      check(instance.tables.pointee.columnSlots[number], of: instance, "outputs['\(output.address)']", .list(values))
    }
    guard let row = instance.row, row.counts else { return }
    for (field, slot) in form.slots.aboves where form.fields[field].template == row.template {
      let source = Int(row.tables.pointee.fields[field].valueSlot)
      let value = row.list.countedRows.last { $0.position < row.position }.map { $0.slots[source] } ?? .null
      check(form.slots.offset(slot), of: row, "above of \(form.fields[field].address)", value)
    }
    check(row.tables.pointee.templates[row.template].indexSlot, of: row, "index", .int(Int64(row.index)))
  }

  func checkSlotsOfForm() {
    let slots = form.slots
    func check(_ slot: Int32, _ name: @autoclosure () -> String, _ expected: @autoclosure () -> Value) {
      self.check(slot, of: session, name(), expected())
    }
    for (number, step) in form.steps.enumerated() {
      let state = session.steps[number]
      for property in StepProperty.inFormulas {
        let isSet = Value.bool(state.flags.contains(StepFlags(property)))
        check(slots.steps[property, number], "steps.\(step.id).\(property.name)", isSet)
      }
    }
    for property in FormProperty.inFormulas where property.about.kind == .bool {
      check(slots.form[property, 0], "form.\(property.name)", .bool(session.flags.contains(SessionFlags(property))))
    }
    for member in form.context?.members ?? [] {
      check(member.slot, "context.\(member.path.joined(separator: "."))", member.value(in: session.context))
    }
    for (number, action) in form.actions.enumerated() {
      let state = session.actions[number]
      func check(_ property: ActionProperty, _ expected: Value) {
        self.check(slots.actions[property, number], of: session, "actions.\(action.name).\(property.name)", expected)
      }
      check(.isEnabled, .bool(state.isEnabled))
      expect(
        session.reason(ofAction: number) == nil || !state.isEnabled,
        "\(action.name): is enabled, and has a reason why not"
      )
      check(.isLoading, .bool(state.isLoading))
      check(.attempts, .int(Int64(state.attempts)))
      check(.result, state.outcome?.result.map(Value.init) ?? .null)
      check(.error, state.outcome?.error.map(Value.init) ?? .null)
      check(.message, .string(state.outcome?.message ?? ""))
    }
  }
}
