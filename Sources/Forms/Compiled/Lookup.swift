/// An asynchronous value: it asks a service, a database or a provider whenever what it would ask changes.
public final class Lookup: Sendable {
  /// The lookup's name.
  public let name: String
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

  init(
    name: String,
    when: Formula?,
    debounce: Duration?,
    run: Run,
    value: Formula?,
    timeout: Duration,
    retry: Action.Retry?,
    cacheCount: Int
  ) {
    self.name = name
    self.when = when
    self.debounce = debounce
    self.run = run
    self.value = value
    self.timeout = timeout
    self.retry = retry
    self.cacheCount = cacheCount
  }

  /// Every formula that decides what it asks.
  package var formulas: [Formula] { (when.map { [$0] } ?? []) + run.formulas }
}
