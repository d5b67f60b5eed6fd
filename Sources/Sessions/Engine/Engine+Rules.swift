internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

extension Instance {
  /// Whether the right number of fields of a group have values. Nothing is asked while no field can have one: all
  /// fields are hidden, or the value around them is not an object.
  func satisfies(_ group: FieldGroup) -> Bool {
    var (given, possible) = (0, 0)
    for field in group.fields {
      let flags = fields[field].flags
      if !flags.contains(.isEmpty) { given += 1 }
      if flags.contains(.isVisible), isInsideOfObjects(field) { possible += 1 }
    }
    return group.kind.holds(given: given, possible: possible)
  }
}

/// Rules: the conditions that a form states in addition to its schema.
extension Engine {
  /// Evaluates a rule.
  ///
  /// - Returns: ``FactSet/outcome`` if the errors of its fields may differ now.
  @inline(__always)
  func computeRule(_ rule: Int, _ instance: Instance) -> FactSet {
    let entry = instance.tables.pointee.rules.at(rule)
    let before = instance.rules[rule]
    let state = evaluateRule(rule, entry, instance)
    if state == before, state == .passed || state == .faulted || !mayDiffer(rule, state, entry, instance) {
      return .none
    }
    instance.rules[rule] = state
    return .ruleResult
  }

  /// Whether the errors of a rule that fails again may differ: their text, or the fields of a group where they stand.
  @inline(never)
  private func mayDiffer(
    _ rule: Int,
    _ state: RuleState,
    _ entry: Reference<FormTables.RuleEntry>,
    _ instance: Instance
  ) -> Bool {
    state == .failedWithMessage || entry.pointee.check == nil || instance.form.rules[rule].namesRow
  }

  @inline(__always)
  private func evaluateRule(
    _ rule: Int,
    _ entry: Reference<FormTables.RuleEntry>,
    _ instance: Instance
  ) -> RuleState {
    guard let check = entry.pointee.check else { return evaluateGroup(ofRule: rule, entry, instance) }
    if entry.pointee.field >= 0, instance.fields[Int(entry.pointee.field)].flags.contains(.readsAsAbsent),
      !instance.isJudgedAsEmptyList(Int(entry.pointee.field))
    {
      return .passed
    }
    if let when = entry.pointee.when, !when.with({ isTrue($0, in: instance) }) { return .passed }
    switch check.with({ condition($0, in: instance) }) {
    case .yes, .absent: return .passed
    case .no: break
    case .noTruth(let value):
      check.with { report($0, value, in: instance) }
      return .faulted
    }
    return entry.pointee.messageFormula == nil ? .failed : failWithMessage(rule, instance)
  }

  /// Judges a rule about a group of fields. It applies whether or not they have values.
  @inline(never)
  private func evaluateGroup(
    ofRule rule: Int,
    _ entry: Reference<FormTables.RuleEntry>,
    _ instance: Instance
  ) -> RuleState {
    guard let group = instance.form.rules[rule].group else { return .passed }
    if let when = entry.pointee.when, !when.with({ isTrue($0, in: instance) }) { return .passed }
    if instance.satisfies(group) { return .passed }
    return entry.pointee.messageFormula == nil ? .failed : failWithMessage(rule, instance)
  }

  @inline(never)
  private func failWithMessage(_ rule: Int, _ instance: Instance) -> RuleState {
    guard let formula = instance.form.rules[rule].messageFormula else { return .failed }
    let text = evaluate(formula, in: instance)
    guard case .string(let message) = text else {
      if !text.isNull { report(formula, text, in: instance) }
      return .failed
    }
    instance.madeInstanceExtras.ruleMessages[rule] = message
    return .failedWithMessage
  }

  /// The error of a rule at a field, or (nil) at the form as a whole, if the rule fails there.
  @inline(__always)
  func error(ofRule rule: Int, at field: Int?, _ instance: Instance) -> FieldError? {
    switch instance.rules[rule] {
    case .passed: nil
    case .failed where instance.template == 0 && instance.tables.pointee.rules[rule].check != nil:
      .prepared(PreparedErrorReference(instance.tables.pointee.rules[rule].error))
    default: otherError(ofRule: rule, at: field, instance)
    }
  }

  @inline(never)
  private func otherError(ofRule number: Int, at field: Int?, _ instance: Instance) -> FieldError? {
    let rule = instance.form.rules[number]
    if let group = rule.group, !hasError(of: group, at: field, instance) { return nil }
    let error = rule.group?.error(at: field) ?? rule.error
    switch instance.rules[number] {
    case .passed: return nil
    case .failed:
      if let row = instance.row, rule.namesRow { return errorNamingRow(error, row) }
      return .prepared(PreparedErrorReference(error))
    case .faulted: return .prepared(PreparedErrorReference(rule.fault))
    case .failedWithMessage:
      return detailed(error, message: instance.instanceExtras?.ruleMessages[number] ?? "", in: instance)
    }
  }

  /// Whether a field has the error of a group that is wrong. The row, the object or the form around the fields has it.
  func hasError(of group: FieldGroup, at field: Int?, _ instance: Instance) -> Bool {
    guard let field, group.fields.contains(field) else { return true }
    return group.kind.concerns(
      isEmpty: instance.fields[field].flags.contains(.isEmpty),
      isAnyGiven: group.fields.contains { !instance.fields[$0].flags.contains(.isEmpty) }
    )
  }

  /// The error of a rule whose text names its row.
  private func errorNamingRow(_ error: ErrorNumber, _ row: Row) -> FieldError {
    let prepared = row.form.errors[error]
    let parameters: JSONObject = ["index": .integer(Int64(row.index)), "number": .integer(Int64(row.index + 1))]
    return .detailed(
      ErrorDetail(
        code: prepared.code,
        severity: prepared.severity,
        source: prepared.source,
        message: fillPlaceholders(prepared.message[row.session.localeIndex], from: parameters),
        parameters: parameters
      )
    )
  }

  /// A prepared error with a text of its own.
  func detailed(_ number: ErrorNumber, message: String, in instance: Instance) -> FieldError {
    let prepared = instance.form.errors[number]
    return .detailed(
      ErrorDetail(
        code: prepared.code,
        severity: prepared.severity,
        source: prepared.source,
        message: message
      )
    )
  }
}
