internal import CEL

/// Compiles lookups and actions.
extension FormAssembler {
  /// A lookup of the form, or of the rows of a template.
  mutating func lookup(from lookup: LookupDefinition, template: Int) -> Lookup {
    let scope = FormulaCompiler.Scope(template: template)
    return Lookup(
      address: lookup.name,
      template: template,
      when: formula(lookup.when, scope: scope, expecting: .bool),
      debounce: lookup.debounce,
      request: request(from: lookup.run, scope: scope),
      value: formula(lookup.value, scope: .init(template: template, isOutcome: true)),
      timeout: lookup.timeout,
      retry: lookup.retry.map(Action.Retry.init),
      cacheCount: lookup.cacheCount,
      isSecret: lookup.isSecret,
      isPublic: lookup.isPublic
    )
  }

  mutating func action(from action: ActionDefinition) -> Action {
    let scopes = ActionScopes(fields: fieldTable, steps: definition.steps)
    let written = scopes.scope(writtenBy: action)
    let enabled = formula(
      action.enabled ?? scopes.enabledDefault(in: written, of: action),
      expecting: .bool,
      orReason: true
    )
    return Action(
      name: action.name,
      label: action.label,
      scope: written ?? enabled.map { scopes.scope(meantBy: $0, formulas.slots) } ?? .form,
      enabled: enabled,
      isEnabledByDefault: action.enabled == nil,
      throttle: action.throttle.map { ($0.interval, $0.edges) },
      debounce: action.debounce,
      flight: action.flight,
      refusesWhenPending: action.refusesWhenPending,
      request: action.run.map { request(from: $0) },
      outcomes: action.outcomes.map { outcome(from: $0) },
      timeout: action.timeout,
      retry: action.retry.map(Action.Retry.init),
      isIdempotent: action.isIdempotent,
      isSecret: action.isSecret,
      isPublic: action.isPublic
    )
  }

  private mutating func outcome(from outcome: ActionOutcomeDefinition) -> ActionOutcome {
    let message = message(from: outcome.message)
    return ActionOutcome(
      when: formula(outcome.when, scope: .outcome, expecting: .bool),
      isFailure: outcome.failure != nil,
      value: formula(outcome.success ?? outcome.failure, scope: .outcome),
      message: message,
      fieldErrors: outcome.fieldErrors.compactMap { name, text in
        guard let field = fieldTable.field(at: name), let formula = formula(text, scope: .outcome) else { return nil }
        return (field, formula)
      },
      fieldErrorMap: formula(outcome.fieldErrorMap, scope: .outcome)
    )
  }

  private mutating func message(from message: MessageDefinition) -> Message {
    if let text = message.text { return .text(localized(text)) }
    return formula(message.formula, scope: .outcome, expecting: .string).map { .formula($0) } ?? .none
  }
}

extension Action.Retry {
  fileprivate init(_ definition: RetryDefinition) {
    self.init(
      times: definition.times,
      delay: definition.delay,
      factor: definition.factor,
      delayMax: definition.delayMax
    )
  }
}
