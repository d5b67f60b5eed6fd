internal import CEL
package import FormProtocol
package import Logging
package import Sessions
package import Times

/// Work that other threads do. One kind does not wait for the other.
package enum OffloadedKind {
  /// A definition compiles; this may take ``Limit/definitionMs``.
  case compiling
  /// A long text is parsed; this may take some ten milliseconds.
  case parsing
}

/// Cancels an effect that is under way.
///
/// - Parameter isLate: whether the reason is that the time of the effect is over.
package typealias CancelEffect = (_ isLate: Bool) -> Void

/// The parts that a ``FormServer`` needs from outside: the time, a wake-up, and a performer of effects. The event loop
/// makes the real environment; a test has a virtual one.
package struct ServerEnvironment {
  /// The time; never goes back.
  package var now: () -> Instant
  /// The time by a clock that goes on while the machine sleeps. Its zero differs from the zero of the other clock.
  package var nowThroughSleep: () -> Instant
  /// The time of day, by a clock that people may set back and forth.
  package var wallClock: () -> Timestamp
  /// The CPU time that the server's thread has used.
  package var cpuTime: () -> Duration
  /// The zone of sessions for which neither their client nor the configuration names one.
  package var zone: Zone
  /// Asks for ``FormServer/timersDue()`` at that time; a later call with an earlier time replaces it.
  package var wake: (Instant) -> Void
  /// Starts an effect that is not for a provider, on behalf of the client of that number; 0 means all sessions
  /// without clients. The completion must not be called before this has returned. The returned closure cancels the
  /// effect.
  package var perform: (Effect, _ client: Int, @escaping (EffectResponse) -> Void) -> CancelEffect
  /// The number of services that are not asked now because they have failed too often.
  package var openBreakers: () -> Int
  /// Does work on another thread, then calls the completion on the server's own thread, and not before this call has
  /// returned.
  package var offload: (OffloadedKind, @escaping @Sendable () -> Void, _ completion: @escaping () -> Void) -> Void
  /// Calls back when all input that has arrived is handled, before the loop looks for more.
  package var beforePoll: (@escaping () -> Void) -> Void
  /// Gives unused memory back to the system, if there is much of it.
  package var trim: () -> Void
  /// The store that keeps sessions beyond the process; nil: there is none.
  package var store: (any ServerStore)?
  /// The resources that the process has used so far.
  package var processUsage: () -> ProcessUsage
  /// Called when the reasons why the daemon is not ready for clients have changed; none: it is ready. At the start the
  /// daemon is ready.
  package var readinessChanged: ([ReadinessProblem]) -> Void
  /// Called when the daemon is draining and its last connection is gone.
  package var drained: () -> Void
  /// Called when no client was connected for ``ServerConfiguration/idleExit``.
  package var idle: () -> Void
  /// Reads the configuration and the forms again, then calls back on the server's own thread, and not before this call
  /// has returned: with the outcome, or with nil if the daemon ends before the reload has ended.
  package var reload: (@escaping (ReloadOutcome?) -> Void) -> Void
  /// The log for operators.
  package var logger: Logger
  /// Gets a line for each act of a client that changes who has what: see ``ClientConnection/audit(_:_:_:)``. nil if
  /// nobody asked for an audit.
  package var audit: Logger?

  package init(
    now: @escaping () -> Instant,
    nowThroughSleep: @escaping () -> Instant,
    wallClock: @escaping () -> Timestamp,
    cpuTime: @escaping () -> Duration,
    zone: Zone,
    wake: @escaping (Instant) -> Void,
    perform: @escaping (Effect, _ client: Int, @escaping (EffectResponse) -> Void) -> CancelEffect,
    openBreakers: @escaping () -> Int = { 0 },
    offload: @escaping (OffloadedKind, @escaping @Sendable () -> Void, _ completion: @escaping () -> Void) -> Void,
    beforePoll: @escaping (@escaping () -> Void) -> Void,
    trim: @escaping () -> Void = {},
    store: (any ServerStore)? = nil,
    processUsage: @escaping () -> ProcessUsage = { ProcessUsage() },
    readinessChanged: @escaping ([ReadinessProblem]) -> Void = { _ in },
    drained: @escaping () -> Void = {},
    idle: @escaping () -> Void = {},
    reload: @escaping (@escaping (ReloadOutcome?) -> Void) -> Void = { _ in },
    logger: Logger,
    audit: Logger? = nil
  ) {
    self.now = now
    self.nowThroughSleep = nowThroughSleep
    self.wallClock = wallClock
    self.cpuTime = cpuTime
    self.zone = zone
    self.wake = wake
    self.perform = perform
    self.openBreakers = openBreakers
    self.offload = offload
    self.beforePoll = beforePoll
    self.trim = trim
    self.store = store
    self.processUsage = processUsage
    self.readinessChanged = readinessChanged
    self.drained = drained
    self.idle = idle
    self.reload = reload
    self.logger = logger
    self.audit = audit
  }
}
