internal import JSON

/// A synchronous condition.
package final class Rule: Sendable {
  /// The rule's name: the code of its error.
  package let id: String
  /// The field that it belongs to; nil for the form as a whole. For a group of fields it is the row around them.
  package let field: Int?
  /// Whether the rule applies; nil: always.
  package let when: Formula?
  /// The condition: a formula, or a group of fields.
  package let condition: Condition
  /// A formula only; a text is part of the error.
  package let messageFormula: Formula?
  /// The error when it fails.
  package let error: ErrorNumber
  /// The error when its formula has a run-time error.
  package let fault: ErrorNumber
  /// Whether its text names the row: `{index}`, `{number}`.
  package let namesRow: Bool

  init(
    id: String,
    field: Int?,
    when: Formula?,
    condition: Condition,
    messageFormula: Formula?,
    error: ErrorNumber,
    fault: ErrorNumber,
    namesRow: Bool
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.condition = condition
    self.messageFormula = messageFormula
    self.error = error
    self.fault = fault
    self.namesRow = namesRow
  }

  /// The condition of a rule.
  package enum Condition: Sendable {
    /// A formula that must be true.
    case formula(Formula)
    /// A group of fields, their addresses as written, and the location of their list in the definition.
    case group(FieldGroup, names: [String], pointer: String)
  }

  /// The formula that must be true; nil for a group of fields.
  package var check: Formula? { if case .formula(let check) = condition { check } else { nil } }

  /// The fields that it judges together; nil for a formula.
  package var group: FieldGroup? { if case .group(let group, _, _) = condition { group } else { nil } }

  /// The fields that may have its error; nil is the form as a whole.
  package var errorFields: [Int?] { (group?.fields ?? []) + [field] }

  /// The condition for people: the formula, or the kind of the group with the fields.
  package var source: String {
    switch condition {
    case .formula(let check): check.source
    case .group(let group, let names, _): "\(group.kind.rawValue): \(names.joined(separator: ", "))"
    }
  }

  /// The location of the condition in the definition.
  package var pointer: String {
    switch condition {
    case .formula(let check): check.pointer
    case .group(_, _, let pointer): pointer
    }
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
  /// When the check asks about a value.
  package let ask: AskPolicy
  /// The time without changes before the check sends its request; nil: it sends at once.
  package let debounce: Duration?
  /// The request that the check sends.
  package let request: RequestPlan
  /// The meanings of answers; the first branch that applies counts.
  package let outcomes: [CheckOutcome]
  /// The longest wait for an answer.
  package let timeout: Duration
  /// How many answers a session keeps.
  package let cacheCount: Int
  /// Whether the initial value needs no check.
  package let trustsInitial: Bool
  /// The effect of the check when its service fails.
  package let onFailure: FailurePolicy
  /// The part of an answer that formulas read; nil: nothing.
  package let result: Formula?
  /// The error while its service does not answer.
  package let failure: ErrorNumber
  /// The error when one of its formulas fails.
  package let fault: ErrorNumber
  /// Whether an answer is written nowhere: neither into a log nor into a store.
  package let isSecret: Bool

  init(
    id: String,
    field: Int,
    when: Formula?,
    ask: AskPolicy,
    debounce: Duration?,
    request: RequestPlan,
    outcomes: [CheckOutcome],
    timeout: Duration,
    cacheCount: Int,
    trustsInitial: Bool,
    onFailure: FailurePolicy,
    result: Formula?,
    failure: ErrorNumber,
    fault: ErrorNumber,
    isSecret: Bool
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.ask = ask
    self.debounce = debounce
    self.request = request
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

/// One branch of the meaning of a check's answer.
package final class CheckOutcome: Sendable {
  /// Whether the branch applies; nil: always.
  package let when: Formula?
  /// Whether the value is good then.
  package let isValid: Bool
  /// A formula only; a text is part of the error.
  package let messageFormula: Formula?
  /// The error of a branch that is not valid.
  package let error: ErrorNumber

  init(
    when: Formula?,
    isValid: Bool,
    messageFormula: Formula?,
    error: ErrorNumber
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
  package let throttle: (interval: Duration, edges: String)?
  /// How long no other tap must come before one counts; nil: every tap counts.
  package let debounce: Duration?
  /// The treatment of a tap while a run is under way; see `Flight.Policy`.
  package let flight: String
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
    throttle: (interval: Duration, edges: String)?,
    debounce: Duration?,
    flight: String,
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

/// A named formula whose value the document shows.
public final class Output: Sendable {
  /// The output's name; in a row the last part of its address.
  public let name: String
  /// The name, or the address of an output that each row has: `/items/*/net`.
  public let address: String
  /// Its template: 0 for the form, else the template of a list's rows.
  package let template: Int
  /// The formula that gives the output's value.
  package let formula: Formula

  init(address: String, template: Int, formula: Formula) {
    name = template == 0 ? address : JSONPointer(address: address)?.tokens.last ?? address
    self.address = address
    self.template = template
    self.formula = formula
  }
}
