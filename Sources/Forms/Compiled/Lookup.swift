internal import JSON

/// An asynchronous value: it asks a service, a database or a provider whenever what it would ask changes.
public final class Lookup: Sendable {
  /// The lookup's name; in a row the last part of its address.
  public let name: String
  /// The name, or the address of a lookup that each row has: `/items/*/price`.
  public let address: String
  /// What has it: 0 for the form, else the template of a list's rows.
  package let template: Int
  /// Whether it asks; nil: always.
  package let when: Formula?
  /// How long nothing must change before it asks; nil: it asks at once.
  package let debounce: Duration?
  /// Whom it asks.
  package let run: Run
  /// What an answer says; nil: the body, or the rows of a query.
  package let value: Formula?
  /// How long an answer is waited for.
  package let timeout: Duration
  /// How it asks again when its service is out of reach, or says that it is for now; nil: not at all.
  package let retry: Action.Retry?
  /// So many answers of a session are used again.
  package let cacheCount: Int
  /// Whether an answer is written nowhere: neither into a log nor into a store.
  package let isSecret: Bool

  init(
    address: String,
    template: Int,
    when: Formula?,
    debounce: Duration?,
    run: Run,
    value: Formula?,
    timeout: Duration,
    retry: Action.Retry?,
    cacheCount: Int,
    isSecret: Bool
  ) {
    name = template == 0 ? address : JSONPointer(address: address)?.tokens.last ?? address
    self.address = address
    self.template = template
    self.when = when
    self.debounce = debounce
    self.run = run
    self.value = value
    self.timeout = timeout
    self.retry = retry
    self.cacheCount = cacheCount
    self.isSecret = isSecret
  }

  /// Every formula that decides what it asks.
  package var formulas: [Formula] { (when.map { [$0] } ?? []) + run.formulas }
}
