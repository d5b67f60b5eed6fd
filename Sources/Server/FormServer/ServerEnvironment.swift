package import Logging
package import Sessions

/// What a ``FormServer`` needs from outside: the time, a wake-up, and somebody who performs effects. The real one is made by
/// the event loop, that of a test is virtual.
package struct ServerEnvironment {
  /// The time; never goes back.
  package var now: () -> Instant
  /// Asks for ``FormServer/timersDue()`` at that time; a later call with an earlier time replaces it.
  package var wake: (Instant) -> Void
  /// Starts an effect that is not for a provider, on behalf of the client of that number. The completion must not be called before this
  /// has returned. What comes back cancels the run.
  package var perform: (Effect, _ client: Int, @escaping (EffectResponse) -> Void) -> () -> Void
  /// Called when the daemon is draining and its last connection is gone.
  package var drained: () -> Void
  /// Where the server logs.
  package var logger: Logger

  /// An environment of those parts.
  package init(
    now: @escaping () -> Instant,
    wake: @escaping (Instant) -> Void,
    perform: @escaping (Effect, _ client: Int, @escaping (EffectResponse) -> Void) -> () -> Void,
    drained: @escaping () -> Void = {},
    logger: Logger
  ) {
    self.now = now
    self.wake = wake
    self.perform = perform
    self.drained = drained
    self.logger = logger
  }
}
