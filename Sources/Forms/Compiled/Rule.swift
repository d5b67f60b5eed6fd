internal import JSON

/// A synchronous condition.
package final class Rule: Sendable {
  /// The rule's name: the code of its error.
  package let id: String
  /// The field that it belongs to; nil for the form as a whole.
  package let field: Int?
  /// Whether the rule applies; nil: always.
  package let when: Formula?
  /// What must be true.
  package let check: Formula
  /// A formula only; a text is part of the error.
  package let messageFormula: Formula?
  /// The error when it fails.
  package let error: ErrorAddress
  /// The error when its formula has a run-time error.
  package let fault: ErrorAddress
  /// Whether its text says in which row it is: `{index}`, `{number}`.
  package let namesRow: Bool

  init(
    id: String,
    field: Int?,
    when: Formula?,
    check: Formula,
    messageFormula: Formula?,
    error: ErrorAddress,
    fault: ErrorAddress,
    namesRow: Bool
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.check = check
    self.messageFormula = messageFormula
    self.error = error
    self.fault = fault
    self.namesRow = namesRow
  }
}

/// An asynchronous condition of a field.
package final class Check: Sendable {
  /// The check's name: the code of its errors.
  package let id: String
  /// The field whose value is checked.
  package let field: Int
  /// Whether the check applies; nil: always.
  package let when: Formula?
  /// How long nothing must change before the check asks; nil: it asks at once.
  package let debounce: Duration?
  /// What is asked.
  package let run: Run
  /// What answers mean; the first branch that applies counts.
  package let outcomes: [CheckOutcome]
  /// How long an answer is waited for.
  package let timeout: Duration
  /// How many answers a session keeps.
  package let cacheCount: Int
  /// Whether the initial value needs no check.
  package let trustsInitial: Bool
  /// What is left of the check when its service fails.
  package let onFailure: FailurePolicy
  /// What formulas read of an answer; nil: nothing.
  package let result: Formula?
  /// The error while its service does not answer.
  package let failure: ErrorAddress
  /// The error when one of its formulas goes wrong.
  package let fault: ErrorAddress
  /// Whether an answer is written nowhere: neither into a log nor into a store.
  package let isSecret: Bool

  init(
    id: String,
    field: Int,
    when: Formula?,
    debounce: Duration?,
    run: Run,
    outcomes: [CheckOutcome],
    timeout: Duration,
    cacheCount: Int,
    trustsInitial: Bool,
    onFailure: FailurePolicy,
    result: Formula?,
    failure: ErrorAddress,
    fault: ErrorAddress,
    isSecret: Bool
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.debounce = debounce
    self.run = run
    self.outcomes = outcomes
    self.timeout = timeout
    self.cacheCount = cacheCount
    self.trustsInitial = trustsInitial
    self.onFailure = onFailure
    self.result = result
    self.failure = failure
    self.fault = fault
    self.isSecret = isSecret
  }
}

/// One branch of what a check's answer means.
package final class CheckOutcome: Sendable {
  /// Whether the branch applies; nil: always.
  package let when: Formula?
  /// Whether the value is good then.
  package let isValid: Bool
  /// A formula only; a text is part of the error.
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

/// The fields that an action is about: their errors and checks concern its taps, and its taps reveal their messages.
package enum ActionScope: Sendable, Hashable {
  /// All fields, and the form as a whole.
  case form
  /// No field: a tap passes whatever the form says.
  case none
  /// Those, and what is inside of them; in ascending order, none inside of another.
  case fields([Int])
}

extension Form {
  /// The step whose fields an action is about, and no others; nil where it is about something else.
  package func step(of action: Action) -> Step? {
    guard case .fields(let fields) = action.scope else { return nil }
    return steps.first { !fields.isEmpty && $0.fields == fields }
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
  /// Whether the definition has no `enabled` of its own: then ``enabled`` is the validity of the scope, and a check whose service has
  /// failed does not count.
  package let isEnabledByDefault: Bool
  /// The interval in which one tap counts, and whether the first, the last or both do; nil: every tap counts.
  package let throttle: (interval: Duration, edges: String)?
  /// How long no other tap must come before one counts; nil: every tap counts.
  package let debounce: Duration?
  /// What happens to a tap while a run is under way; see `Flight.Policy`.
  package let flight: String
  /// Whether a tap is refused while a check is under way, and does not wait for the check.
  package let refusesWhenPending: Bool
  /// What a tap starts; nil: nothing, so that the tap comes to its outcome at once.
  package let run: Run?
  /// What answers mean; the first branch that applies counts.
  package let outcomes: [ActionOutcome]
  /// How long an answer is waited for.
  package let timeout: Duration
  /// How a run is tried again when its service is out of reach, or says that it is for now; nil: not at all.
  package let retry: Retry?
  /// Whether its request says of which tap it is: a service by the header `Idempotency-Key`, a provider by `idempotencyKey`.
  package let isIdempotent: Bool
  /// Whether what it came to is written nowhere: neither into a log nor into a store.
  package let isSecret: Bool

  /// The header in which a request says which tap it is of (draft-ietf-httpapi-idempotency-key-header).
  package static let idempotencyHeader = "Idempotency-Key"

  /// Whether an answer may say of any place what is wrong there, so that it must be known what was sent.
  package var mapsFieldErrors: Bool { outcomes.contains { $0.fieldErrorMap != nil } }

  init(
    name: String,
    label: Text?,
    scope: ActionScope,
    enabled: Formula?,
    isEnabledByDefault: Bool,
    throttle: (interval: Duration, edges: String)?,
    debounce: Duration?,
    flight: String,
    refusesWhenPending: Bool,
    run: Run?,
    outcomes: [ActionOutcome],
    timeout: Duration,
    retry: Retry?,
    isIdempotent: Bool,
    isSecret: Bool
  ) {
    self.name = name
    self.label = label
    self.scope = scope
    self.enabled = enabled
    self.isEnabledByDefault = isEnabledByDefault
    self.throttle = throttle
    self.debounce = debounce
    self.flight = flight
    self.refusesWhenPending = refusesWhenPending
    self.run = run
    self.outcomes = outcomes
    self.timeout = timeout
    self.retry = retry
    self.isIdempotent = isIdempotent
    self.isSecret = isSecret
  }

  /// How a run is tried again when its service is out of reach, or says that it is for now.
  package struct Retry: Sendable {
    /// How often, after the first try.
    package let times: Int
    /// How long is waited before the second try.
    package let delay: Duration
    /// How many times longer the wait before each later try is.
    package let factor: Double
    /// The longest wait.
    package let delayMax: Duration
  }
}

/// One branch of what a run's answer means.
package final class ActionOutcome: Sendable {
  /// Whether the branch applies; nil: always.
  package let when: Formula?
  /// Whether the run has failed then.
  package let isFailure: Bool
  /// The branch's `success` or `failure`; nil where neither is written.
  package let value: Formula?
  /// What the user is told.
  package let message: Message
  /// Texts for fields, which become errors of theirs.
  package let fieldErrors: [(field: Int, formula: Formula)]
  /// In place of those: what gives a map from places to texts.
  package let fieldErrorMap: Formula?

  init(
    when: Formula?,
    isFailure: Bool,
    value: Formula?,
    message: Message,
    fieldErrors: [(field: Int, formula: Formula)],
    fieldErrorMap: Formula?
  ) {
    self.when = when
    self.isFailure = isFailure
    self.value = value
    self.message = message
    self.fieldErrors = fieldErrors
    self.fieldErrorMap = fieldErrorMap
  }
}

/// A named formula whose value stands in the document.
public final class Output: Sendable {
  /// The output's name; in a row the last part of its address.
  public let name: String
  /// The name, or the address of an output that each row has: `/items/*/net`.
  public let address: String
  /// What has it: 0 for the form, else the template of a list's rows.
  package let template: Int
  /// What makes the output's value.
  package let formula: Formula

  init(address: String, template: Int, formula: Formula) {
    name = template == 0 ? address : JSONPointer(address: address)?.tokens.last ?? address
    self.address = address
    self.template = template
    self.formula = formula
  }
}
