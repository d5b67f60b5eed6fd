internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema

/// Recomputation: each stale node once, in topological order, stopping where a result is equal.
extension Engine {
  /// Computes everything that is stale.
  func propagate(_ session: Session) {
    while let node = dirty.popLowest() {
      switch session.form.graph.nodes[node] {
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
  }

  // MARK: A field's own formulas

  private func computeVisible(_ field: Int, _ session: Session) {
    guard let formula = session.form.fields[field].visible else { return }
    let isVisible = holds(formula, in: session)
    guard isVisible != session.fields[field].flags.contains(.isVisible) else { return }
    setFlag(.isVisible, to: isVisible, of: field, cell: .isVisible, in: session)
    dirty.insert(session.form.graph.valueNodes[field])
    markGates(of: field, session)
  }

  private func computeEnabled(_ field: Int, _ session: Session) {
    guard let formula = session.form.fields[field].enabled else { return }
    let isEnabled = holds(formula, in: session)
    guard isEnabled != session.fields[field].flags.contains(.isEnabled) else { return }
    setFlag(.isEnabled, to: isEnabled, of: field, cell: .isEnabled, in: session)
  }

  private func computeRequired(_ field: Int, _ session: Session) {
    let definition = session.form.fields[field]
    let isRequired = definition.isRequiredBySchema || definition.required.map { holds($0, in: session) } ?? false
    guard isRequired != session.fields[field].flags.contains(.isRequired) else { return }
    setFlag(.isRequired, to: isRequired, of: field, cell: .isRequired, in: session)
    dirty.insert(session.form.graph.fieldNodes[field])
    markChecks(of: field, in: session)
  }

  /// Everything that only applies while the field has a value.
  private func markGates(of field: Int, _ session: Session) {
    let graph = session.form.graph
    for rule in session.form.fields[field].rules { dirty.insert(graph.ruleNodes[rule]) }
    dirty.insert(graph.fieldNodes[field])
  }

  // MARK: Values

  private func computeValue(_ field: Int, _ session: Session) {
    let form = session.form
    let state = session.fields + field
    let isVisible = state.pointee.flags.contains(.isVisible)
    let value = isVisible ? state.pointee.value : nil

    var errors = ErrorList.none
    var hasWrongType = false
    if let value, let property = form.fields[field].property, !form.parts.isValid(value, property: property) {
      (errors, hasWrongType) = schemaErrors(of: value, property: property, field: field, session)
    }
    let isAbsent = value == nil
    let readsAsAbsent = isAbsent || hasWrongType
    let before = state.pointee.flags
    var flags = before
    if isAbsent { flags.insert(.isAbsent) } else { flags.remove(.isAbsent) }
    if readsAsAbsent { flags.insert(.readsAsAbsent) } else { flags.remove(.readsAsAbsent) }
    state.pointee.flags = flags

    let slot = form.slots.values[field]
    if slot >= 0 {
      let type = form.fields[field].type
      let seen: Value =
        if let value, !hasWrongType { type.value(of: value) } else { type.absentValue }
      setSlot(slot, seen, in: session)
    }
    if flags != before || session.flags.contains(.isOpening) {
      setSlot(form.slots.fieldIsEmpty[field], .bool(isAbsent), in: session)
      markGates(of: field, session)
    }
    if errors != state.pointee.schemaErrors {
      state.pointee.schemaErrors = errors
      dirty.insert(form.graph.fieldNodes[field])
    }
    markChecks(of: field, in: session)
    #if DEBUG
      if has(.skipPart) { return }
    #endif
    form.graph.forEachPart(reading: field) { dirty.insert($0) }
  }

  // MARK: Rules

  private func computeRule(_ index: Int, _ session: Session) {
    let form = session.form
    let before = session.rules[index]
    let state = evaluateRule(at: index, session)
    if state == before && state != .failedWithMessage { return }
    session.rules[index] = state
    guard let field = form.rules[index].field else {
      dirty.insert(form.graph.formErrorsNode)
      return
    }
    dirty.insert(form.graph.fieldNodes[field])
    markChecks(of: field, in: session)
  }

  @inline(__always)
  private func evaluateRule(at index: Int, _ session: Session) -> RuleState {
    let form = session.form
    if let field = form.rules[index].field, session.fields[field].flags.contains(.readsAsAbsent) { return .passed }
    if let when = form.rules[index].when, !holds(when, in: session) { return .passed }
    let value = evaluate(form.rules[index].check, in: session)
    guard case .bool(let isPassed) = value else {
      report(form.rules[index].check, value)
      return .faulted
    }
    if isPassed { return .passed }
    guard let formula = form.rules[index].messageFormula else { return .failed }
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
    let form = session.form
    let isValid =
      session.invalidCount == 0 && session.pendingCount == 0 && !session.formErrors.contains { form.blocks($0) }
    let isPending = session.pendingCount > 0
    if isValid != session.flags.contains(.isValid) {
      note(DocumentLayout.isValid, .bool(!isValid), in: session)
      session.flags.formSymmetricDifference(.isValid)
      setSlot(form.slots.formIsValid, .bool(isValid), in: session)
      for node in form.graph.defaultActionNodes { dirty.insert(node) }
    }
    if isPending != session.flags.contains(.isPending) {
      note(DocumentLayout.isPending, .bool(!isPending), in: session)
      session.flags.formSymmetricDifference(.isPending)
      setSlot(form.slots.formIsPending, .bool(isPending), in: session)
    }
  }

  private func computeAction(_ index: Int, _ session: Session) {
    let form = session.form
    let isEnabled =
      if let formula = form.actions[index].enabled {
        holds(formula, in: session)
      } else {
        session.flags.contains(.isValid)
      }
    guard isEnabled != session.actions[index].isEnabled else { return }
    note(form.layout.action(index, .isEnabled), .bool(!isEnabled), in: session)
    session.actions[index].isEnabled = isEnabled
    setSlot(form.slots.actionIsEnabled[index], .bool(isEnabled), in: session)
  }

  private func computeOutput(_ index: Int, _ session: Session) {
    let form = session.form
    let value = evaluate(form.outputs[index].formula, in: session)
    let json: JSON?
    if case .error = value {
      report(form.outputs[index].formula, value)
      json = nil
    } else {
      json = value.json?.withoutNullMembers
    }
    let slot = form.slots.outputs[index]
    if slot >= 0 { setSlot(slot, value.isError ? .null : value, in: session) }
    switch (json, session.outputs[index]) {
    case (nil, nil): return
    case (let new?, let old?) where new == old: return
    default: break
    }
    note(form.layout.output(index), session.outputs[index].map { .json($0) } ?? .absent, in: session)
    session.outputs[index] = json
  }
}

extension FieldType {
  /// What formulas see of a value that fits its schema's type.
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
