internal import JSON

/// An asynchronous value: it sends its request to a service, a database or a provider whenever the request changes.
public final class Lookup: Sendable {
  /// The lookup's name; in a row the last part of its address.
  public let name: String
  /// The name, or the address of a lookup that each row has: `/items/*/price`.
  public let address: String
  /// Its template: 0 for the form, else the template of a list's rows.
  package let template: Int
  /// Whether it sends its request; nil: always.
  package let when: Formula?
  /// The time without changes before it sends its request; nil: it sends at once.
  package let debounce: Duration?
  /// The request that it sends.
  package let request: RequestPlan
  /// The value of an answer; nil: the body, or the rows of a query.
  package let value: Formula?
  /// The longest wait for an answer.
  package let timeout: Duration
  /// The retries if its service is out of reach, or answers that it is unavailable for now; nil: none.
  package let retry: Action.Retry?
  /// The number of a session's answers that are used again.
  package let cacheCount: Int
  /// Whether an answer is written nowhere: neither into a log nor into a store.
  package let isSecret: Bool
  /// Whether browsers get its value.
  package let isPublic: Bool

  init(
    address: String,
    template: Int,
    when: Formula?,
    debounce: Duration?,
    request: RequestPlan,
    value: Formula?,
    timeout: Duration,
    retry: Action.Retry?,
    cacheCount: Int,
    isSecret: Bool,
    isPublic: Bool
  ) {
    name = template == 0 ? address : JSONPointer(address: address)?.tokens.last ?? address
    self.address = address
    self.template = template
    self.when = when
    self.debounce = debounce
    self.request = request
    self.value = value
    self.timeout = timeout
    self.retry = retry
    self.cacheCount = cacheCount
    self.isSecret = isSecret
    self.isPublic = isPublic
  }

  /// Every formula that decides its request.
  package var formulas: [Formula] { (when.map { [$0] } ?? []) + request.formulas }
}
