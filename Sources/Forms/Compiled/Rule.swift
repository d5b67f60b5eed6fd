internal import JSON

/// A synchronous condition.
package final class Rule: Sendable {
  package let id: String
  /// The field that it belongs to; nil for the form as a whole.
  package let field: Int?
  package let when: Formula?
  package let check: Formula
  /// A formula only; a text is part of the error.
  package let messageFormula: Formula?
  /// The error when it fails.
  package let error: ErrorAddress
  /// The error when its formula has a run-time error.
  package let fault: ErrorAddress

  init(
    id: String,
    field: Int?,
    when: Formula?,
    check: Formula,
    messageFormula: Formula?,
    error: ErrorAddress,
    fault: ErrorAddress
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.check = check
    self.messageFormula = messageFormula
    self.error = error
    self.fault = fault
  }
}

/// An asynchronous condition of a field.
package final class Check: Sendable {
  package let id: String
  package let field: Int
  package let when: Formula?
  package let debounce: Duration?
  package let run: Run
  package let outcomes: [CheckOutcome]
  package let timeout: Duration
  /// How many answers a session keeps.
  package let cacheCount: Int
  package let onFailure: FailurePolicy
  /// The error while its service does not answer.
  package let failure: ErrorAddress

  init(
    id: String,
    field: Int,
    when: Formula?,
    debounce: Duration?,
    run: Run,
    outcomes: [CheckOutcome],
    timeout: Duration,
    cacheCount: Int,
    onFailure: FailurePolicy,
    failure: ErrorAddress
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.debounce = debounce
    self.run = run
    self.outcomes = outcomes
    self.timeout = timeout
    self.cacheCount = cacheCount
    self.onFailure = onFailure
    self.failure = failure
  }
}

/// One branch of what a check's answer means.
package final class CheckOutcome: Sendable {
  package let when: Formula?
  package let isValid: Bool
  package let messageFormula: Formula?
  /// The error of a branch that is not valid.
  package let error: ErrorAddress

  init(
    when: Formula?,
    isValid: Bool,
    messageFormula: Formula?,
    error: ErrorAddress
  ) {
    self.when = when
    self.isValid = isValid
    self.messageFormula = messageFormula
    self.error = error
  }
}

/// An effect with its arguments as formulas.
package enum Run: Sendable {
  case http(HTTPRun)
  case sql(database: String, query: String, parameters: [(name: String, formula: Formula)])
  case provider(name: String, arguments: [(name: String, value: Template)], readsSecrets: Bool)

  package struct HTTPRun: Sendable {
    package let service: String
    package let method: String
    package let path: [PathPart]
    package let query: [(name: String, formula: Formula)]
    package let headers: [(name: String, formula: Formula)]
    package let json: Template?
  }

  /// A piece of a path: written as it is, or a field's value to be percent-encoded.
  package enum PathPart: Sendable {
    case literal(String)
    case formula(Formula)
  }
}

/// What a tap does.
public final class Action: Sendable {
  /// The action's name.
  public let name: String
  /// What it is called for people.
  public let label: Text?
  /// The fields that it is about.
  package let scope: ActionScope
  /// nil means `form.isValid`.
  package let enabled: Formula?
  package let throttle: (interval: Duration, edges: String)?
  package let debounce: Duration?
  package let flight: String
  package let refusesWhenPending: Bool
  package let run: Run?
  package let outcomes: [ActionOutcome]
  package let timeout: Duration
  package let retry: Retry?

  init(
    name: String,
    label: Text?,
    scope: ActionScope,
    enabled: Formula?,
    throttle: (interval: Duration, edges: String)?,
    debounce: Duration?,
    flight: String,
    refusesWhenPending: Bool,
    run: Run?,
    outcomes: [ActionOutcome],
    timeout: Duration,
    retry: Retry?
  ) {
    self.name = name
    self.label = label
    self.scope = scope
    self.enabled = enabled
    self.throttle = throttle
    self.debounce = debounce
    self.flight = flight
    self.refusesWhenPending = refusesWhenPending
    self.run = run
    self.outcomes = outcomes
    self.timeout = timeout
    self.retry = retry
  }

  package struct Retry: Sendable {
    package let times: Int
    package let delay: Duration
    package let factor: Double
    package let delayMax: Duration
  }
}

/// One branch of what a run's answer means.
package final class ActionOutcome: Sendable {
  package let when: Formula?
  package let isFailure: Bool
  package let value: Formula?
  package let message: Message
  package let fieldErrors: [(field: Int, formula: Formula)]

  init(
    when: Formula?,
    isFailure: Bool,
    value: Formula?,
    message: Message,
    fieldErrors: [(field: Int, formula: Formula)]
  ) {
    self.when = when
    self.isFailure = isFailure
    self.value = value
    self.message = message
    self.fieldErrors = fieldErrors
  }
}

/// A named formula whose value stands in the document.
public final class Output: Sendable {
  /// The output's name.
  public let name: String
  package let formula: Formula

  init(
    name: String,
    formula: Formula
  ) {
    self.name = name
    self.formula = formula
  }
}
