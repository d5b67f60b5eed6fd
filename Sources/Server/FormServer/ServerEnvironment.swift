package import CEL
package import FormProtocol
package import Logging
package import Sessions

/// Work that other threads do. One kind does not wait for the other.
package enum DetachedKind {
  /// A definition compiles; this may take ``Limit/definitionMs``.
  case compiling
  /// A long text is parsed; this may take some ten milliseconds.
  case parsing
}

/// What a ``FormServer`` needs from outside: the time, a wake-up, and somebody who performs effects. The real one is made by
/// the event loop, that of a test is virtual.
package struct ServerEnvironment {
  /// The time; never goes back.
  package var now: () -> Instant
  /// The time by a clock that goes on while the machine sleeps; its zero is another one.
  package var nowThroughSleep: () -> Instant
  /// The time of day, by a clock that people may set back and forth.
  package var wallClock: () -> Timestamp
  /// The zone of sessions for which neither their client nor the configuration names one.
  package var zone: Zone
  /// Asks for ``FormServer/timersDue()`` at that time; a later call with an earlier time replaces it.
  package var wake: (Instant) -> Void
  /// Starts an effect that is not for a provider, on behalf of the client of that number. The completion must not be called before this
  /// has returned. What comes back cancels the run.
  package var perform: (Effect, _ client: Int, @escaping (EffectResponse) -> Void) -> () -> Void
  /// Does work on another thread, then calls the completion on the server's own; not before this has returned.
  package var detach: (DetachedKind, @escaping @Sendable () -> Void, _ completion: @escaping () -> Void) -> Void
  /// Calls back when all input is handled that has arrived, before more is looked for.
  package var beforePoll: (@escaping () -> Void) -> Void
  /// Gives memory that nobody uses back to the system, if there is much of it.
  package var trim: () -> Void
  /// What keeps sessions beyond the process; nil: nothing does.
  package var store: (any SessionStoring)?
  /// What the process has used so far.
  package var processUsage: () -> ProcessUsage
  /// Called when the daemon is draining and its last connection is gone.
  package var drained: () -> Void
  /// Called when nobody was connected for ``ServerConfiguration/idleExit``.
  package var idle: () -> Void
  /// Where the server logs.
  package var logger: Logger

  /// An environment of those parts.
  package init(
    now: @escaping () -> Instant,
    nowThroughSleep: @escaping () -> Instant,
    wallClock: @escaping () -> Timestamp,
    zone: Zone,
    wake: @escaping (Instant) -> Void,
    perform: @escaping (Effect, _ client: Int, @escaping (EffectResponse) -> Void) -> () -> Void,
    detach: @escaping (DetachedKind, @escaping @Sendable () -> Void, _ completion: @escaping () -> Void) -> Void,
    beforePoll: @escaping (@escaping () -> Void) -> Void,
    trim: @escaping () -> Void = {},
    store: (any SessionStoring)? = nil,
    processUsage: @escaping () -> ProcessUsage = { ProcessUsage.ofSystem },
    drained: @escaping () -> Void = {},
    idle: @escaping () -> Void = {},
    logger: Logger
  ) {
    self.now = now
    self.nowThroughSleep = nowThroughSleep
    self.wallClock = wallClock
    self.zone = zone
    self.wake = wake
    self.perform = perform
    self.detach = detach
    self.beforePoll = beforePoll
    self.trim = trim
    self.store = store
    self.processUsage = processUsage
    self.drained = drained
    self.idle = idle
    self.logger = logger
  }
}
