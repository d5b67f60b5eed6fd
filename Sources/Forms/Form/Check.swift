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
