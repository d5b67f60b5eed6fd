internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema

/// Recomputation: each stale node once, in topological order. A computation says which of its facts differ from before, and what reads
/// those becomes stale.
extension Engine {
  /// Computes everything that is stale.
  func propagate(_ session: Session) {
    while let node = dirty.popLowest() {
      switch session.tables.pointee.nodes[node] {
      case .visible(let field): changed(computeVisible(field, session), ofField: field, in: session)
      case .stepVisible(let step): changed(computeStepVisible(step, session), ofStep: step, in: session)
      case .enabled(let field): changed(computeEnabled(field, session), ofField: field, in: session)
      case .required(let field): changed(computeRequired(field, session), ofField: field, in: session)
      case .value(let field): changed(computeValue(field, session), ofField: field, in: session)
      case .judged(let field): changed(computeJudged(field, session), ofField: field, in: session)
      case .part(let part): computePart(part, session)
      case .rule(let rule): changed(computeRule(rule, session), ofRule: rule, in: session)
      case .check(let check): changed(computeCheck(check, session), ofCheck: check, in: session)
      case .field(let field): changed(computeField(field, session), ofField: field, in: session)
      case .formErrors: changedForm(computeFormErrors(session), in: session)
      case .form: changedForm(computeForm(session), in: session)
      case .step(let step): changed(computeStep(step, session), ofStep: step, in: session)
      case .action(let action): changed(computeAction(action, session), ofAction: action, in: session)
      case .output(let output): changed(computeOutput(output, session), ofOutput: output, in: session)
      }
    }
    if allValues != nil { forgetAllValues() }
  }

  /// Not inlined, because ``propagate(_:)`` rarely needs it.
  @inline(never)
  private func forgetAllValues() { allValues = nil }

  // MARK: A field's own formulas

  private func computeVisible(_ field: Int, _ session: Session) -> FactSet {
    let row = session.tables.pointee.fields + field
    let isVisible =
      isShown(around: row, session) && isInShownStep(field, session)
      && session.form.fields[field].visible.map { isTrue($0, in: session) } ?? true
    guard isVisible != session.fields[field].flags.contains(.isVisible) else { return .none }
    setFlag(.isVisible, to: isVisible, of: field, cell: .isVisible, in: session)
    allValues = nil
    return .isVisible
  }

  /// Whether what is around a field is shown.
  private func isShown(around row: UnsafePointer<FormTables.FieldRow>, _ session: Session) -> Bool {
    let isShown = row.pointee.parent < 0 || session.fields[Int(row.pointee.parent)].flags.contains(.isVisible)
    return faults.through(.showInside, isShown, broken: true)
  }

  private func computeEnabled(_ field: Int, _ session: Session) -> FactSet {
    let row = session.tables.pointee.fields + field
    let isOpen = row.pointee.parent < 0 || session.fields[Int(row.pointee.parent)].flags.contains(.isEnabled)
    let isEnabled = isOpen && session.form.fields[field].enabled.map { isTrue($0, in: session) } ?? true
    guard isEnabled != session.fields[field].flags.contains(.isEnabled) else { return .none }
    setFlag(.isEnabled, to: isEnabled, of: field, cell: .isEnabled, in: session)
    return .isEnabled
  }

  private func computeRequired(_ field: Int, _ session: Session) -> FactSet {
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
      return .none
    }
    return .isRequired
  }

  // MARK: Values

  @inline(__always)
  private func computeValue(_ field: Int, _ session: Session) -> FactSet {
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
    // It is only computed when its own value, or one below it, or its being shown has changed.
    var changed: FactSet = row.pointee.isContentRead ? .content : .none

    var hasWrongType = false
    if !isAbsent, row.pointee.property >= 0, !isValidBySchema(field, row, session) {
      let errors: ErrorList
      (errors, hasWrongType) = schemaErrors(of: field, session)
      if setSchemaErrors(errors, of: field, session) { changed |= .schemaErrors }
    } else if !state.pointee.schemaErrors.isEmpty {
      state.pointee.schemaErrors = .none
      changed |= .schemaErrors
    }
    var flags = before
    if isAbsent { flags.insert(.isAbsent) } else { flags.remove(.isAbsent) }
    if isAbsent || hasWrongType { flags.insert(.readsAsAbsent) } else { flags.remove(.readsAsAbsent) }
    state.pointee.flags = flags

    if row.pointee.valueSlot >= 0, storeValue(of: field, row, isAbsent: flags.contains(.readsAsAbsent), session) {
      changed |= .value
    }
    if flags != before {
      changed |= .presence
      if isAbsent != before.contains(.isAbsent) {
        note(session.tables.pointee.cell(field: field, .isEmpty), .bool(!isAbsent), in: session)
        store(isAbsent, in: row.pointee.isEmptySlot, of: session)
        if row.pointee.parent >= 0 { countAbsent(isAbsent, in: Int(row.pointee.parent), session) }
      }
    }
    return changed
  }

  /// Stores a field's value for formulas. Returns whether it differs from before.
  @inline(__always)
  private func storeValue(
    of field: Int,
    _ row: UnsafePointer<FormTables.FieldRow>,
    isAbsent: Bool,
    _ session: Session
  ) -> Bool {
    let slot = row.pointee.valueSlot
    if isAbsent { return store(row.pointee.type.absentValue, in: slot, of: session) }
    if row.pointee.group >= 0 {
      let whole = session.value(of: field, .shown).map { Value($0) } ?? row.pointee.type.absentValue
      return store(faults.through(.skipAround, whole, broken: session.slots[Int(slot)]), in: slot, of: session)
    }
    let value = session.place(ofValue: field)
    if let differs = value.borrowed.pointee.withText({ store($0, in: slot, of: session) }) { return differs }
    let other = value.pointee.map { row.pointee.type.value(of: $0) } ?? row.pointee.type.absentValue
    return store(other, in: slot, of: session)
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
  private func computeJudged(_ field: Int, _ session: Session) -> FactSet {
    let row = session.tables.pointee.fields + field
    let isJudged = isJudged(field, row, session)
    guard isJudged != session.fields[field].flags.contains(.isJudged) else { return .none }
    session.fields[field].flags.formSymmetricDifference(.isJudged)
    // The keywords of every object around it see it come and go.
    allValues = nil
    return .isJudged
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

  /// Whether a field without a value is an error. What the schema requires of an object it requires only of one that is there; a formula
  /// requires it wherever it can have a value.
  @inline(__always)
  func mustHaveValue(_ field: Int, _ row: UnsafePointer<FormTables.FieldRow>, _ session: Session) -> Bool {
    let flags = session.fields[field].flags
    guard flags.contains(.isRequired) else { return false }
    if row.pointee.parent < 0 { return true }
    if flags.contains(.isRequiredByFormula) { return session.isReachable(field) }
    return session.fields[Int(row.pointee.parent)].flags.contains(.isJudged)
  }

  /// Returns whether they differ from those before.
  private func setSchemaErrors(_ errors: ErrorList, of field: Int, _ session: Session) -> Bool {
    guard errors != session.fields[field].schemaErrors else { return false }
    session.fields[field].schemaErrors = errors
    return true
  }

  // MARK: Rules

  @inline(__always)
  private func computeRule(_ index: Int, _ session: Session) -> FactSet {
    let row = session.tables.pointee.rules + index
    let before = session.rules[index]
    let state = evaluateRule(at: index, row, session)
    // The message may be another one.
    if state == before && state != .failedWithMessage { return .none }
    session.rules[index] = state
    return .outcome
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

  /// Of the facts that a keyword may write only those change where errors come or go.
  private func computePart(_ index: Int, _ session: Session) {
    let before = session.extras?.partErrors[index] ?? []
    let errors = faults.through(.skipPart, partErrors(of: index, session), broken: before)
    if errors.isEmpty && before.isEmpty { return }
    session.madeExtras.partErrors[index] = errors.isEmpty ? nil : errors
    for (field, _) in before + errors {
      if field < 0 {
        changedForm(.formObjectErrors, in: session)
      } else {
        changed(.objectErrors, ofField: field, in: session)
      }
    }
  }

  // MARK: The form as a whole

  private func computeFormErrors(_ session: Session) -> FactSet {
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
    guard errors != session.formErrors else { return .none }
    note(DocumentLayout.errors, .errors(session.formErrors), in: session)
    session.formErrors = errors
    return .formErrors
  }

  private func computeForm(_ session: Session) -> FactSet {
    var changed = FactSet.none
    let tables = session.tables
    let isValid =
      session.invalidCount == 0 && session.pendingCount == 0 && !session.formErrors.contains { session.blocks($0) }
    let isPending = session.pendingCount > 0
    if isValid != session.flags.contains(.isValid) {
      note(DocumentLayout.isValid, .bool(!isValid), in: session)
      session.flags.formSymmetricDifference(.isValid)
      store(isValid, in: tables.pointee.formIsValidSlot, of: session)
      changed |= .formIsValid
    }
    if isPending != session.flags.contains(.isPending) {
      note(DocumentLayout.isPending, .bool(!isPending), in: session)
      session.flags.formSymmetricDifference(.isPending)
      store(isPending, in: tables.pointee.formIsPendingSlot, of: session)
      changed |= .formIsPending
    }
    if tables.pointee.hasBlockingFailures,
      session.hasOnlyFailures(in: .form) != session.flags.contains(.hasOnlyFailures)
    {
      session.flags.formSymmetricDifference(.hasOnlyFailures)
      changed |= faults.through(.skipFailureActions, .formHasOnlyFailures, broken: .none)
    }
    return changed
  }

  private func computeAction(_ index: Int, _ session: Session) -> FactSet {
    let row = session.tables.pointee.actions + index
    var isEnabled =
      if let formula = row.pointee.enabled {
        formula._withUnsafeGuaranteedRef { isTrue($0, in: session) }
      } else {
        session.flags.contains(.isValid)
      }
    if !isEnabled, row.pointee.isEnabledDespiteFailures { isEnabled = session.isStoppedByFailuresAlone(index) }
    let state = session.actions + index
    guard isEnabled != state.pointee.isEnabled else { return .none }
    note(Int(session.tables.pointee.firstActionCell) + index * 6, .bool(!isEnabled), in: session)
    state.pointee.isEnabled = isEnabled
    // Nobody but a formula reads it.
    guard row.pointee.isEnabledSlot >= 0 else { return .none }
    store(isEnabled, in: row.pointee.isEnabledSlot, of: session)
    return .actionIsEnabled
  }

  private func computeOutput(_ index: Int, _ session: Session) -> FactSet {
    let row = session.tables.pointee.outputs + index
    let value = evaluate(row.pointee.formula, in: session)
    let cell = Int(session.tables.pointee.firstOutputCell) + index
    var changed = FactSet.none
    if row.pointee.slot >= 0, store(value.isError ? .null : value, in: row.pointee.slot, of: session) {
      changed = .output
    }
    // Most outputs are texts, and those need no conversion.
    if case .string(let text) = value {
      let output = session.outputs + index
      if output.borrowed.pointee.isText(text) { return changed }
      var old = output.move()
      output.initialize(to: .string(text))
      session.computedBytes &+= withUnsafePointer(to: &old) { byteDifference($0, output) }
      note(cell, DocumentValue(old), in: session)
      return changed
    }
    let json: JSON?
    if value.isError {
      report(session.form.outputs[index].formula, value)
      json = nil
    } else {
      json = value.json?.withoutNullMembers
    }
    switch (json, session.outputs[index]) {
    case (nil, nil): return changed
    case (let new?, let old?) where new == old: return changed
    default: break
    }
    note(cell, DocumentValue(session.outputs[index]), in: session)
    session.computedBytes &+= json.bytes &- session.outputs[index].bytes
    session.outputs[index] = json
    return changed
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
