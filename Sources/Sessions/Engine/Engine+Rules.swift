internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Rules: the conditions that a form states in addition to its schema.
extension Engine {
  @inline(__always)
  func computeRule(_ index: Int, _ instance: Instance) -> FactSet {
    let entry = instance.tables.pointee.rules + index
    let before = instance.rules[index]
    let state = evaluateRule(at: index, entry, instance)
    // The message may be another one.
    if state == before, state != .failedWithMessage, state != .failed || !instance.form.rules[index].namesRow {
      return .none
    }
    instance.rules[index] = state
    return .outcome
  }

  @inline(__always)
  private func evaluateRule(
    at index: Int,
    _ entry: UnsafePointer<FormTables.RuleEntry>,
    _ instance: Instance
  ) -> RuleState {
    if entry.pointee.field >= 0, instance.fields[Int(entry.pointee.field)].flags.contains(.readsAsAbsent),
      !entry.pointee.judgesGroup, !instance.isJudgedAsEmptyList(Int(entry.pointee.field))
    {
      return .passed
    }
    if let when = entry.pointee.when, !when._withUnsafeGuaranteedRef({ isTrue($0, in: instance) }) { return .passed }
    switch entry.pointee.check._withUnsafeGuaranteedRef({ condition($0, in: instance) }) {
    case .yes, .absent: return .passed
    case .no: break
    case .noTruth(let value):
      report(instance.form.rules[index].check, value, in: instance)
      return .faulted
    }
    return entry.pointee.messageFormula == nil ? .failed : failWithMessage(index, instance)
  }

  @inline(never)
  private func failWithMessage(_ index: Int, _ instance: Instance) -> RuleState {
    guard let formula = instance.form.rules[index].messageFormula else { return .failed }
    let text = evaluate(formula, in: instance)
    guard case .string(let message) = text else {
      if !text.isNull { report(formula, text, in: instance) }
      return .failed
    }
    instance.madeOwn.ruleMessages[index] = message
    return .failedWithMessage
  }

  /// The error of a rule, if the rule fails.
  @inline(__always)
  func error(ofRule index: Int, _ instance: Instance) -> FieldError? {
    switch instance.rules[index] {
    case .passed: nil
    case .failed where instance.template == 0:
      .prepared(PreparedErrorReference(instance.tables.pointee.rules[index].error))
    default: otherError(ofRule: index, instance)
    }
  }

  @inline(never)
  private func otherError(ofRule index: Int, _ instance: Instance) -> FieldError? {
    switch instance.rules[index] {
    case .passed: return nil
    case .failed:
      if let row = instance.row, row.form.rules[index].namesRow { return errorNamingRow(ofRule: index, row) }
      return .prepared(PreparedErrorReference(instance.tables.pointee.rules[index].error))
    case .faulted: return .prepared(PreparedErrorReference(instance.tables.pointee.rules[index].fault))
    case .failedWithMessage:
      return detailed(
        instance.form.rules[index].error,
        message: instance.own?.ruleMessages[index] ?? "",
        in: instance
      )
    }
  }

  /// The error of a rule whose text names its row.
  private func errorNamingRow(ofRule index: Int, _ row: Row) -> FieldError {
    let prepared = row.form.errors[row.form.rules[index].error]
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
  func detailed(_ address: ErrorAddress, message: String, in instance: Instance) -> FieldError {
    let prepared = instance.form.errors[address]
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
