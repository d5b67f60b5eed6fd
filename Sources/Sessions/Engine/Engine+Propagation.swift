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
      case .stepVisible(let step): computeStepVisible(step, session)
      case .enabled(let field): computeEnabled(field, session)
      case .required(let field): computeRequired(field, session)
      case .value(let field): computeValue(field, session)
      case .judged(let field): computeJudged(field, session)
      case .part(let part): computePart(part, session)
      case .rule(let rule): computeRule(rule, session)
      case .check(let check): computeCheck(check, session)
      case .field(let field): computeField(field, session)
      case .formErrors: computeFormErrors(session)
      case .form: computeForm(session)
      case .step(let step): computeStep(step, session)
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
    let row = session.tables.pointee.fields + field
    let isVisible =
      isShown(around: row, session) && isInShownStep(field, session)
      && session.form.fields[field].visible.map { isTrue($0, in: session) } ?? true
    guard isVisible != session.fields[field].flags.contains(.isVisible) else { return }
    setFlag(.isVisible, to: isVisible, of: field, cell: .isVisible, in: session)
    allValues = nil
    dirty.insert(row.pointee.valueNode)
    markGates(of: field, session)
    if row.pointee.group >= 0 {
      for child in session.form.children(of: field) { dirty.insert(session.form.graph.visibleNodes[child]) }
    }
  }

  /// Whether what is around a field is shown.
  private func isShown(around row: UnsafePointer<FormTables.FieldRow>, _ session: Session) -> Bool {
    let isShown = row.pointee.parent < 0 || session.fields[Int(row.pointee.parent)].flags.contains(.isVisible)
    return faults.through(.showInside, isShown, broken: true)
  }

  private func computeEnabled(_ field: Int, _ session: Session) {
    let row = session.tables.pointee.fields + field
    let isOpen = row.pointee.parent < 0 || session.fields[Int(row.pointee.parent)].flags.contains(.isEnabled)
    let isEnabled = isOpen && session.form.fields[field].enabled.map { isTrue($0, in: session) } ?? true
    guard isEnabled != session.fields[field].flags.contains(.isEnabled) else { return }
    setFlag(.isEnabled, to: isEnabled, of: field, cell: .isEnabled, in: session)
    if row.pointee.group >= 0 {
      for child in session.form.children(of: field) { dirty.insert(session.form.graph.enabledNodes[child]) }
    }
  }

  private func computeRequired(_ field: Int, _ session: Session) {
    let definition = session.form.fields[field]
    let state = session.fields + field
    let isRequiredByFormula = definition.required.map { isTrue($0, in: session) } ?? false
    let before = state.pointee.flags
    if isRequiredByFormula {
      state.pointee.flags.insert(.isRequiredByFormula)
    } else {
      state.pointee.flags.remove(.isRequiredByFormula)
    }
    let isRequired = definition.isRequiredBySchema || isRequiredByFormula
    if isRequired != before.contains(.isRequired) {
      setFlag(.isRequired, to: isRequired, of: field, cell: .isRequired, in: session)
    } else if state.pointee.flags == before {
      return
    }
    if definition.unit != nil { dirty.insert(session.form.graph.judgedNodes[field]) }
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
    // A field with fields below it has a value while one of them has.
    let isEmpty =
      value.borrowed.pointee.isNil()
      && (row.pointee.group < 0 || session.groups[Int(row.pointee.group)].absent == row.pointee.childCount)
    let isAbsent = !before.contains(.isVisible) || isEmpty

    var hasWrongType = false
    if !isAbsent, row.pointee.property >= 0, !isValidBySchema(field, row, session) {
      let errors: ErrorList
      (errors, hasWrongType) = schemaErrors(of: field, session)
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
      } else if row.pointee.group >= 0 {
        let whole = session.value(of: field, .shown).map { Value($0) } ?? row.pointee.type.absentValue
        setSlot(row.pointee.valueSlot, whole, in: session)
      } else if value.borrowed.pointee.withText({ setSlot(row.pointee.valueSlot, $0, in: session) }) == nil {
        let other = value.pointee.map { row.pointee.type.value(of: $0) } ?? row.pointee.type.absentValue
        setSlot(row.pointee.valueSlot, other, in: session)
      }
    }
    if flags != before || session.flags.contains(.isOpening) {
      if isAbsent != before.contains(.isAbsent) {
        note(session.tables.pointee.cell(field: field, .isEmpty), .bool(!isAbsent), in: session)
        if row.pointee.parent >= 0 { countAbsent(isAbsent, in: Int(row.pointee.parent), session) }
      }
      setSlot(row.pointee.isEmptySlot, isAbsent, in: session)
      markGates(of: field, session)
    }
    markChecks(of: field, in: session)
    if row.pointee.group >= 0 { dirty.insert(row.pointee.judgedNode) }
    let parent = faults.through(.skipAround, row.pointee.parent, broken: -1)
    if parent >= 0 { dirty.insert(tables.pointee.fields[Int(parent)].valueNode) }
    let partCount = faults.through(.skipPart, row.pointee.partCount, broken: 0)
    for position in row.pointee.firstPart..<row.pointee.firstPart + partCount {
      dirty.insert(tables.pointee.partNodes[Int(position)])
    }
  }

  private func countAbsent(_ isAbsent: Bool, in parent: Int, _ session: Session) {
    session.groups[Int(session.tables.pointee.fields[parent].group)].absent &+= isAbsent ? 1 : -1
  }

  /// Whether a value meets what the schema says about the field alone. Of an object with fields below it, its keywords are judged one by
  /// one, and so is nothing here.
  @inline(__always)
  private func isValidBySchema(_ field: Int, _ row: UnsafePointer<FormTables.FieldRow>, _ session: Session) -> Bool {
    let value = session.place(ofValue: field)
    // Most texts need no evaluation: the schema only bounds their length, and they are far shorter.
    let count = value.borrowed.pointee.withText { $0.utf8.count }
    if let count, count <= Int(row.pointee.textBytesMax) { return true }
    guard let value = value.pointee else { return true }
    if row.pointee.group >= 0, case .object = value { return true }
    return session.form.units[Int(row.pointee.owner)].object.isValid(
      value,
      property: Int(row.pointee.property),
      budget: &budget
    )
  }

  /// Whether an object with fields below it is there for the schema: it has a value, or must have one and is judged as empty, so that
  /// errors stand at its members.
  private func computeJudged(_ field: Int, _ session: Session) {
    let row = session.tables.pointee.fields + field
    let isJudged = isJudged(field, row, session)
    guard isJudged != session.fields[field].flags.contains(.isJudged) else { return }
    session.fields[field].flags.formSymmetricDifference(.isJudged)
    dirty.insert(row.pointee.fieldNode)
    for part in session.form.units[session.form.fields[field].unit ?? 0].parts {
      dirty.insert(session.form.graph.partNodes[part])
    }
    // The keywords of every object around it see it come and go.
    allValues = nil
    var around = Int32(truncatingIfNeeded: field)
    while around >= 0 {
      let row = session.tables.pointee.fields + Int(around)
      for position in row.pointee.firstPart..<row.pointee.firstPart + row.pointee.partCount {
        dirty.insert(session.tables.pointee.partNodes[Int(position)])
      }
      around = row.pointee.parent
    }
    for child in session.form.children(of: field) {
      let child = session.tables.pointee.fields + child
      dirty.insert(child.pointee.fieldNode)
      if child.pointee.group >= 0 { dirty.insert(child.pointee.judgedNode) }
    }
  }

  private func isJudged(_ field: Int, _ row: UnsafePointer<FormTables.FieldRow>, _ session: Session) -> Bool {
    let flags = session.fields[field].flags
    switch session.fields[field].value {
    case nil, .object?: break
    default: return false
    }
    let isJudged = flags.contains(.isVisible) && (!flags.contains(.isAbsent) || mustHaveValue(field, row, session))
    return faults.through(.judgeAbsent, isJudged, broken: true)
  }

  /// Whether a field without a value is an error. What the schema requires of an object it requires only of one that is there.
  @inline(__always)
  func mustHaveValue(_ field: Int, _ row: UnsafePointer<FormTables.FieldRow>, _ session: Session) -> Bool {
    let flags = session.fields[field].flags
    guard flags.contains(.isRequired) else { return false }
    if row.pointee.parent < 0 || flags.contains(.isRequiredByFormula) { return true }
    return session.fields[Int(row.pointee.parent)].flags.contains(.isJudged)
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
    markFailureActions(session)
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

  /// Marks the actions that a failed check alone does not disable: what makes their scope invalid has changed.
  @inline(__always)
  func markFailureActions(_ session: Session) {
    if faults.through(.skipFailureActions, false, broken: true) { return }
    for node in session.tables.pointee.failureActionNodes { dirty.insert(node) }
  }

  private func computeAction(_ index: Int, _ session: Session) {
    let row = session.tables.pointee.actions + index
    var isEnabled =
      if let formula = row.pointee.enabled {
        formula._withUnsafeGuaranteedRef { isTrue($0, in: session) }
      } else {
        session.flags.contains(.isValid)
      }
    if !isEnabled, !session.tables.pointee.failureActionNodes.isEmpty {
      isEnabled = session.isStoppedByFailuresAlone(index)
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
