/// The fields that an action is about: their errors and checks concern its taps, and its taps reveal their messages.
package enum ActionScope: Sendable, Hashable {
  /// All fields, and the form as a whole.
  case form
  /// No field: a tap passes in any state of the form.
  case none
  /// Those fields, and the fields inside them; in ascending order, none inside another.
  case fields([Int])
}

extension Form {
  /// The step whose fields are exactly the fields of an action; nil if its scope is different.
  package func step(of action: Action) -> Step? {
    guard case .fields(let fields) = action.scope else { return nil }
    return steps.first { !fields.isEmpty && $0.fields == fields }
  }
}

/// The effects of a tap.
public final class Action: Sendable {
  /// The action's name.
  public let name: String
  /// Its label for people.
  public let label: Text?
  /// The fields that it is about.
  package let scope: ActionScope
  /// nil means `form.isValid`.
  package let enabled: Formula?
  /// Whether the definition has no `enabled` of its own. Then ``enabled`` is the validity of the scope, and a check
  /// whose service has failed does not count.
  package let isEnabledByDefault: Bool
  /// The interval in which one tap counts, and whether the first, the last or both do; nil: every tap counts.
  package let throttle: (interval: Duration, edges: Edges)?
  /// How long no other tap must come before one counts; nil: every tap counts.
  package let debounce: Duration?
  /// The treatment of a tap while a run is under way.
  package let flight: Flight
  /// Whether a tap is refused while a check is under way, and does not wait for the check.
  package let refusesWhenPending: Bool
  /// The request that a tap starts; nil: none, so that the tap reaches its outcome at once.
  package let request: RequestPlan?
  /// The meanings of answers; the first branch that applies counts.
  package let outcomes: [ActionOutcome]
  /// The longest wait for an answer.
  package let timeout: Duration
  /// The retries of a run if its service is out of reach, or answers that it is unavailable for now; nil: none.
  package let retry: Retry?
  /// Whether its request identifies the tap: a service gets the header `Idempotency-Key`, a provider gets
  /// `idempotencyKey`.
  package let isIdempotent: Bool
  /// Whether its result is written nowhere: neither into a log nor into a store.
  package let isSecret: Bool
  /// Whether browsers get its result.
  package let isPublic: Bool

  /// The header that identifies the tap of a request (draft-ietf-httpapi-idempotency-key-header).
  package static let idempotencyHeader = "Idempotency-Key"

  /// Whether a success gives a result.
  package var hasResult: Bool { outcomes.contains { !$0.isFailure && $0.value != nil } }

  /// Whether an answer may report errors for any value, so that the sent values must be known.
  package var mapsFieldErrors: Bool { outcomes.contains { $0.fieldErrorMap != nil } }

  init(
    name: String,
    label: Text?,
    scope: ActionScope,
    enabled: Formula?,
    isEnabledByDefault: Bool,
    throttle: (interval: Duration, edges: Edges)?,
    debounce: Duration?,
    flight: Flight,
    refusesWhenPending: Bool,
    request: RequestPlan?,
    outcomes: [ActionOutcome],
    timeout: Duration,
    retry: Retry?,
    isIdempotent: Bool,
    isSecret: Bool,
    isPublic: Bool
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
    self.request = request
    self.outcomes = outcomes
    self.timeout = timeout
    self.retry = retry
    self.isIdempotent = isIdempotent
    self.isSecret = isSecret
    self.isPublic = isPublic
  }

  /// Which edges of a throttle's interval let a tap through.
  package enum Edges: String, Sendable, CaseIterable {
    case leading, trailing, both
  }

  /// The treatment of a tap while a run is under way: the tap is dropped, it replaces the run, it has a run beside it,
  /// or it waits.
  package enum Flight: String, Sendable, CaseIterable {
    case drop, latest, merge, queue
  }

  /// The retries of a run if its service is out of reach, or answers that it is unavailable for now.
  package struct Retry: Sendable {
    /// How often, after the first try.
    package let times: Int
    /// The wait before the second try.
    package let delay: Duration
    /// How many times longer the wait before each later try is.
    package let factor: Double
    /// The longest wait.
    package let delayMax: Duration
  }
}

/// One branch of the meaning of a run's answer.
package final class ActionOutcome: Sendable {
  /// Whether the branch applies; nil: always.
  package let when: Formula?
  /// Whether the run has failed then.
  package let isFailure: Bool
  /// The branch's `success` or `failure`; nil if it has neither.
  package let value: Formula?
  /// The message for the user.
  package let message: Message
  /// Texts for fields, which become errors of these fields.
  package let fieldErrors: [(field: Int, formula: Formula)]
  /// In place of `fieldErrors`: the formula that gives a map from places to texts.
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
