internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema

/// Recomputation: each stale node once, in topological order. Where a result is equal to the old one, it stops.
extension Engine {
  /// Computes everything that is stale.
  func propagate(_ session: Session) {
    while let node = dirty.popLowest() {
      switch session.tables.pointee.nodes[node] {
      case .visible(let field): computeVisible(field, session)
      case .enabled(let field): computeEnabled(field, session)
      case .required(let field): computeRequired(field, session)
      case .value(let field): computeValue(field, session)
      case .part(let part): computePart(part, session)
      case .rule(let rule): computeRule(rule, session)
      case .check(let check): computeCheck(check, session)
      case .field(let field): computeField(field, session)
      case .formErrors: computeFormErrors(session)
      case .form: computeForm(session)
      case .action(let action): computeAction(action, session)
      case .output(let output): computeOutput(output, session)
      }
    }
    if allValues != nil { forgetAllValues() }
  }

  /// Not inlined, because ``propagate(_:)`` rarely needs it.
  @inline(never)
  private func forgetAllValues() { allValues = nil }

  // MARK: A field's own formulas

  private func computeVisible(_ field: Int, _ session: Session) {
    guard let formula = session.form.fields[field].visible else { return }
    let isVisible = isTrue(formula, in: session)
    guard isVisible != session.fields[field].flags.contains(.isVisible) else { return }
    setFlag(.isVisible, to: isVisible, of: field, cell: .isVisible, in: session)
    allValues = nil
    dirty.insert(session.form.graph.valueNodes[field])
    markGates(of: field, session)
  }

  private func computeEnabled(_ field: Int, _ session: Session) {
    guard let formula = session.form.fields[field].enabled else { return }
    let isEnabled = isTrue(formula, in: session)
    guard isEnabled != session.fields[field].flags.contains(.isEnabled) else { return }
    setFlag(.isEnabled, to: isEnabled, of: field, cell: .isEnabled, in: session)
  }

  private func computeRequired(_ field: Int, _ session: Session) {
    let definition = session.form.fields[field]
    let isRequired = definition.isRequiredBySchema || definition.required.map { isTrue($0, in: session) } ?? false
    guard isRequired != session.fields[field].flags.contains(.isRequired) else { return }
    setFlag(.isRequired, to: isRequired, of: field, cell: .isRequired, in: session)
    dirty.insert(session.form.graph.fieldNodes[field])
    markChecks(of: field, in: session)
  }

  /// Marks everything that only applies while the field has a value.
  private func markGates(of field: Int, _ session: Session) {
    let tables = session.tables
    let row = tables.pointee.fields + field
    for position in row.pointee.firstRule..<row.pointee.firstRule + row.pointee.ruleCount {
      dirty.insert(tables.pointee.rules[Int(tables.pointee.ruleIndices[Int(position)])].node)
    }
    dirty.insert(row.pointee.fieldNode)
  }

  // MARK: Values

  @inline(__always)
  private func computeValue(_ field: Int, _ session: Session) {
    let tables = session.tables
    let row = tables.pointee.fields + field
    let state = session.fields + field
    let before = state.pointee.flags
    let value = session.place(ofValue: field)
    let isAbsent = !before.contains(.isVisible) || value.borrowed.pointee.isNil()

    var hasWrongType = false
    if !isAbsent, row.pointee.property >= 0, !isValidBySchema(field, property: Int(row.pointee.property), session) {
      let errors: ErrorList
      (errors, hasWrongType) = schemaErrors(of: field, property: Int(row.pointee.property), session)
      setSchemaErrors(errors, of: field, session)
    } else if !state.pointee.schemaErrors.isEmpty {
      setSchemaErrors(.none, of: field, session)
    }
    var flags = before
    if isAbsent { flags.insert(.isAbsent) } else { flags.remove(.isAbsent) }
    if isAbsent || hasWrongType { flags.insert(.readsAsAbsent) } else { flags.remove(.readsAsAbsent) }
    state.pointee.flags = flags

    if row.pointee.valueSlot >= 0 {
      if flags.contains(.readsAsAbsent) {
        setSlot(row.pointee.valueSlot, row.pointee.type.absentValue, in: session)
      } else if value.borrowed.pointee.withText({ setSlot(row.pointee.valueSlot, $0, in: session) }) == nil {
        let other = value.pointee.map { row.pointee.type.value(of: $0) } ?? row.pointee.type.absentValue
        setSlot(row.pointee.valueSlot, other, in: session)
      }
    }
    if flags != before || session.flags.contains(.isOpening) {
      setSlot(row.pointee.isEmptySlot, isAbsent, in: session)
      markGates(of: field, session)
    }
    markChecks(of: field, in: session)
    #if DEBUG
      if has(.skipPart) { return }
    #endif
    for position in row.pointee.firstPart..<row.pointee.firstPart + row.pointee.partCount {
      dirty.insert(tables.pointee.partNodes[Int(position)])
    }
  }

  @inline(__always)
  private func isValidBySchema(_ field: Int, property: Int, _ session: Session) -> Bool {
    let value = session.place(ofValue: field)
    let parts = session.form.parts
    // Most texts need no evaluation: the schema only bounds their length, and they are far shorter.
    if let isValid = value.borrowed.pointee.withText({ parts.admitsText(ofBytes: $0.utf8.count, property: property) }),
      isValid
    {
      return true
    }
    return value.pointee.map { parts.isValid($0, property: property, budget: &budget) } ?? true
  }

  private func setSchemaErrors(_ errors: ErrorList, of field: Int, _ session: Session) {
    guard errors != session.fields[field].schemaErrors else { return }
    session.fields[field].schemaErrors = errors
    dirty.insert(session.tables.pointee.fields[field].fieldNode)
  }

  // MARK: Rules

  @inline(__always)
  private func computeRule(_ index: Int, _ session: Session) {
    let row = session.tables.pointee.rules + index
    let before = session.rules[index]
    let state = evaluateRule(at: index, row, session)
    if state == before && state != .failedWithMessage { return }
    session.rules[index] = state
    guard row.pointee.field >= 0 else {
      dirty.insert(session.tables.pointee.formErrorsNode)
      return
    }
    dirty.insert(session.tables.pointee.fields[Int(row.pointee.field)].fieldNode)
    markChecks(of: Int(row.pointee.field), in: session)
  }

  @inline(__always)
  private func evaluateRule(
    at index: Int,
    _ row: UnsafePointer<FormTables.RuleRow>,
    _ session: Session
  ) -> RuleState {
    if row.pointee.field >= 0, session.fields[Int(row.pointee.field)].flags.contains(.readsAsAbsent) { return .passed }
    if let when = row.pointee.when, !when._withUnsafeGuaranteedRef({ isTrue($0, in: session) }) { return .passed }
    let value = evaluate(row.pointee.check, in: session)
    guard case .bool(let isPassed) = value else {
      report(session.form.rules[index].check, value)
      return .faulted
    }
    if isPassed { return .passed }
    return row.pointee.messageFormula == nil ? .failed : failWithMessage(index, session)
  }

  private func failWithMessage(_ index: Int, _ session: Session) -> RuleState {
    guard let formula = session.form.rules[index].messageFormula else { return .failed }
    let text = evaluate(formula, in: session)
    guard case .string(let message) = text else {
      report(formula, text)
      return .failed
    }
    session.madeExtras.ruleMessages[index] = message
    return .failedWithMessage
  }

  // MARK: Object-level keywords of the schema

  private func computePart(_ index: Int, _ session: Session) {
    let errors = partErrors(of: index, session)
    let before = session.extras?.partErrors[index] ?? []
    if errors.isEmpty && before.isEmpty { return }
    session.madeExtras.partErrors[index] = errors.isEmpty ? nil : errors
    for (field, _) in before + errors {
      if field < 0 {
        dirty.insert(session.form.graph.formErrorsNode)
      } else {
        dirty.insert(session.form.graph.fieldNodes[field])
        markChecks(of: field, in: session)
      }
    }
  }

  // MARK: The form as a whole

  private func computeFormErrors(_ session: Session) {
    let form = session.form
    var errors = ErrorList.none
    if let parts = session.extras?.partErrors, !parts.isEmpty {
      for part in parts.keys.sorted() {
        for (field, error) in parts[part] ?? [] where field < 0 { errors.append(error) }
      }
    }
    for rule in form.formRules {
      if let error = error(ofRule: rule, session) { errors.append(error) }
    }
    guard errors != session.formErrors else { return }
    note(DocumentLayout.errors, .errors(session.formErrors), in: session)
    session.formErrors = errors
    dirty.insert(form.graph.formNode)
  }

  private func computeForm(_ session: Session) {
    let tables = session.tables
    let isValid =
      session.invalidCount == 0 && session.pendingCount == 0 && !session.formErrors.contains { session.blocks($0) }
    let isPending = session.pendingCount > 0
    if isValid != session.flags.contains(.isValid) {
      note(DocumentLayout.isValid, .bool(!isValid), in: session)
      session.flags.formSymmetricDifference(.isValid)
      setSlot(tables.pointee.formIsValidSlot, isValid, in: session)
      for node in tables.pointee.defaultActionNodes { dirty.insert(node) }
    }
    if isPending != session.flags.contains(.isPending) {
      note(DocumentLayout.isPending, .bool(!isPending), in: session)
      session.flags.formSymmetricDifference(.isPending)
      setSlot(tables.pointee.formIsPendingSlot, isPending, in: session)
    }
  }

  private func computeAction(_ index: Int, _ session: Session) {
    let row = session.tables.pointee.actions + index
    let isEnabled =
      if let formula = row.pointee.enabled {
        formula._withUnsafeGuaranteedRef { isTrue($0, in: session) }
      } else {
        session.flags.contains(.isValid)
      }
    guard isEnabled != session.actions[index].isEnabled else { return }
    note(Int(session.tables.pointee.firstActionCell) + index * 6, .bool(!isEnabled), in: session)
    session.actions[index].isEnabled = isEnabled
    setSlot(row.pointee.isEnabledSlot, isEnabled, in: session)
  }

  private func computeOutput(_ index: Int, _ session: Session) {
    let row = session.tables.pointee.outputs + index
    let value = evaluate(row.pointee.formula, in: session)
    let cell = Int(session.tables.pointee.firstOutputCell) + index
    if row.pointee.slot >= 0 { setSlot(row.pointee.slot, value.isError ? .null : value, in: session) }
    // Most outputs are texts, and those need no conversion.
    if case .string(let text) = value {
      let output = session.outputs + index
      if output.borrowed.pointee.isText(text) { return }
      var old = output.move()
      output.initialize(to: .string(text))
      session.computedBytes &+= withUnsafePointer(to: &old) { byteDifference($0, output) }
      note(cell, DocumentValue(old), in: session)
      return
    }
    let json: JSON?
    if value.isError {
      report(session.form.outputs[index].formula, value)
      json = nil
    } else {
      json = value.json?.withoutNullMembers
    }
    switch (json, session.outputs[index]) {
    case (nil, nil): return
    case (let new?, let old?) where new == old: return
    default: break
    }
    note(cell, DocumentValue(session.outputs[index]), in: session)
    session.computedBytes &+= json.bytes &- session.outputs[index].bytes
    session.outputs[index] = json
  }
}

extension FieldType {
  /// The value for formulas, of a JSON value that fits the schema's type.
  @inline(__always)
  func value(of json: JSON) -> Value {
    switch (self, json) {
    case (_, .string(let text)): .string(text)
    case (.number, .integer(let number)): .double(Double(number))
    case (.integer, .real(let number)): Int64(exactly: number).map { .int($0) } ?? .double(number)
    default: Value(json)
    }
  }
}
