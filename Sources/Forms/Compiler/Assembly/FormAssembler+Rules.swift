internal import CEL
internal import JSON

/// Conditions: rules and checks.
extension FormAssembler {
  /// A rule; nil when its condition is wrong, or its field is unknown.
  mutating func rule(from rule: RuleDefinition) -> Rule? {
    let field = rule.field.flatMap { fieldTable.field(at: $0) }
    // Its formulas cannot know `self`; the address was reported already.
    guard (rule.field == nil) == (field == nil) else { return nil }
    let shape = field.map { fieldTable.shapes[$0] }
    let scope = FormulaCompiler.Scope(template: shape?.position.template ?? 0, field: field)
    let when = formula(rule.when, scope: scope, expecting: .bool)
    let message = formula(rule.message.formula, scope: scope, expecting: .string)
    let condition: Rule.Condition
    let error: ErrorNumber
    switch rule.condition {
    case .check(let text):
      guard let check = formula(text, scope: scope, expecting: .bool) else { return nil }
      condition = .formula(check)
      error = self.error(of: rule, at: shape, else: BuiltInTexts.invalid)
    case .group(let group):
      let judged = fieldGroup(group, of: rule, around: shape)
      condition = .group(judged, names: group.fields.map(\.address), pointer: group.pointer.description)
      error = judged.whole
    }
    return Rule(
      id: rule.id,
      field: field,
      when: when,
      condition: condition,
      messageFormula: message,
      error: error,
      fault: fault(rule.id, rule.severity, of: shape),
      namesRow: scope.template > 0
        && errors.all[error].message.variants.contains { text in
          FormCompiler.placeholders(in: text).contains { $0 == "index" || $0 == "number" }
        }
    )
  }

  private mutating func error(of rule: RuleDefinition, at shape: FieldShape?, else fallback: Text) -> ErrorNumber {
    let text = text(rule.id, of: shape, rule.message.text, else: fallback)
    return errors.add(PreparedError(code: rule.id, severity: rule.severity, source: .rule, message: text))
  }

  private mutating func fieldGroup(
    _ group: GroupDefinition,
    of rule: RuleDefinition,
    around shape: FieldShape?
  ) -> FieldGroup {
    let known = group.fields.compactMap { fieldTable.field(at: $0.address) }
    let text = BuiltInTexts.group(group.kind)
    return FieldGroup(
      kind: group.kind,
      fields: known,
      errors: known.map { error(of: rule, at: fieldTable.shapes[$0], else: text) },
      whole: error(of: rule, at: shape, else: text)
    )
  }

  /// A check; nil when its field is unknown, which was reported already.
  mutating func check(from check: CheckDefinition) -> Check? {
    guard let field = fieldTable.field(at: check.field) else { return nil }
    let shape = fieldTable.shapes[field]
    let scope = FormulaCompiler.Scope(template: shape.position.template, field: field)
    let severity: Severity = check.onFailure == .block ? .error : .warning
    return Check(
      id: check.id,
      field: field,
      when: formula(check.when, scope: scope, expecting: .bool),
      ask: check.ask,
      debounce: check.debounce,
      request: request(from: check.run, scope: scope),
      outcomes: check.outcomes.map { outcome(from: $0, of: check, at: shape) },
      timeout: check.timeout,
      cacheCount: check.cacheCount,
      trustsInitial: check.trustsInitial,
      onFailure: check.onFailure,
      result: formula(check.result, scope: .init(template: shape.position.template, isOutcome: true)),
      failure: errors.add(
        PreparedError(
          code: check.id,
          severity: severity,
          source: .check,
          message: localized(check.failureMessage ?? BuiltInTexts.checkFailed, of: shape)
        )
      ),
      fault: fault(check.id, severity, of: shape),
      isSecret: check.isSecret
    )
  }

  private mutating func outcome(
    from outcome: CheckOutcomeDefinition,
    of check: CheckDefinition,
    at shape: FieldShape
  ) -> CheckOutcome {
    let scope = FormulaCompiler.Scope(template: shape.position.template, isOutcome: true)
    let code = outcome.code ?? check.id
    return CheckOutcome(
      when: formula(outcome.when, scope: scope, expecting: .bool),
      isValid: outcome.isValid,
      messageFormula: formula(outcome.message.formula, scope: scope, expecting: .string),
      error: errors.add(
        PreparedError(
          code: code,
          severity: outcome.severity,
          source: .check,
          message: text(code, of: shape, outcome.message.text, else: BuiltInTexts.invalid)
        )
      )
    )
  }
}
