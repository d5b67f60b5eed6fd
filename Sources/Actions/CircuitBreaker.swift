package import Times

/// Passes over a service, or a client that answers for a provider, that does not answer (Michael Nygard, "Release It!",
/// chapter "Stability Patterns"). A value.
///
/// ```
///  closed ──failed so often in a row──▶ open ──the pause is over──▶ half open: one attempt ──failed──▶ open
///     ▲                                                                     └──succeeded──▶ closed
/// ```
package struct CircuitBreaker: Sendable {
  /// When a breaker opens, and for how long.
  package struct Settings: Hashable, Sendable {
    /// How many failures in a row open it.
    package var failures = 5
    /// How long it stays open.
    package var pause = Duration.seconds(30)

    /// The default of each setting.
    package init() {}
  }

  private let settings: Settings
  /// Failures since the last success.
  private var failures = 0
  /// Nil if the breaker is closed; else it is open until then, and half open afterwards.
  private var end: Instant?

  /// A closed breaker.
  package init(_ settings: Settings) { self.settings = settings }

  /// How long the breaker stays open; nil if an attempt may be made.
  package func pause(at now: Instant) -> Duration? { end.flatMap { now < $0 ? $0 - now : nil } }

  /// An attempt begins. If the breaker was half open, it opens until the outcome of the attempt is known.
  package mutating func attempted(at now: Instant) {
    if end != nil { end = now + settings.pause }
  }

  /// An attempt has failed.
  package mutating func failed(at now: Instant) {
    failures = min(failures + 1, settings.failures)
    if failures == settings.failures { end = now + settings.pause }
  }

  /// An attempt has succeeded.
  package mutating func succeeded() {
    failures = 0
    end = nil
  }
}
