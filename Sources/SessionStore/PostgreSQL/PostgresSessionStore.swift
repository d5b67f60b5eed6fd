package import PostgreSQL
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Keeps sessions in a PostgreSQL database that several daemons share.
///
/// Each session has one owner: the daemon that has it in memory, which alone writes it. A daemon takes a session that
/// has no owner, or whose owner has not renewed its lease in time (``claim(_:for:_:)``). A write succeeds only if this
/// daemon still owns the session, and the session has the version in which this daemon has left it. So a daemon that
/// was cut off changes nothing, however late its statements reach the server.
///
/// All times are the database's. A caller goes on at once: a thread of the store's own commits, many writes together.
/// It does everything in the order of the requests, and calls the completions in that order. A second thread, with a
/// connection of its own, renews the lease.
///
/// An acknowledged write is in the database. When a connection is lost, the store connects again, looks up the result
/// of the lost transaction, and repeats it if it was not done: the callers do not notice. When no server can be
/// reached, the store is away (``StoreState``). Then requests fail, and for their sessions only whole writes are
/// accepted from then on.
package final class PostgresSessionStore: Sendable {
  /// The address of the database, and the identity of its user.
  package struct Settings: Sendable {
    /// The address of the database.
    package var url: PostgresURL
    /// The password; nil: none is needed, or libpq finds one.
    package var password: PostgresPassword?
    /// This daemon's instance ID, which clients see.
    package var instance: String
    /// Equal for every process that has this machine's lock file; there is one such process at a time. A process takes
    /// the sessions of the processes before it at once. Nil: none.
    package var machine: String?
    /// How often a store that is away tries again.
    package var retryInterval: Duration
    /// The server's time limit for one transaction; then it is given up.
    package var patience: Duration
    /// How long a transaction may wait for another transaction's lock. After a second the server has looked for
    /// deadlocks (`deadlock_timeout`), and has stopped its own vacuum if that was in the way.
    package var lockPatience: Duration
    /// The largest row that is read in bytes. No process writes more at once.
    package var rowBytesMax: Int
    /// This process's clock, in seconds since 1970, by which ``StoredFacts/expiry`` is counted.
    package var wallClock: @Sendable () -> Double
    /// The identity of this process. No other process has it, even if this machine is a copy of another.
    fileprivate(set) var process = ""
    /// Lets tests interrupt the connection on the way of a transaction.
    fileprivate(set) var interruption = ConnectionInterruption()

    /// Settings of those parts.
    package init(
      url: PostgresURL,
      password: PostgresPassword? = nil,
      instance: String,
      machine: String? = nil,
      retryInterval: Duration = .seconds(1),
      patience: Duration = .seconds(10),
      lockPatience: Duration = .seconds(2),
      rowBytesMax: Int = SessionWriter.writeBytesMax,
      wallClock: @escaping @Sendable () -> Double = systemClock
    ) {
      self.url = url
      self.password = password
      self.instance = instance
      self.machine = machine
      self.retryInterval = retryInterval
      self.patience = patience
      self.lockPatience = lockPatience
      self.rowBytesMax = rowBytesMax
      self.wallClock = wallClock
    }

    /// The system's clock.
    package static let systemClock: @Sendable () -> Double = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  /// The identity of this process in the store: ``SessionRequest/asker`` of its requests to other daemons.
  package var id: String { settings.process }
  private let settings: Settings
  private let keeper: LeaseKeeper
  private let worker: StoreWorker<PostgresStoreBackend>

  /// A store at that address. It connects on threads of its own: if the server is down, the store is away.
  ///
  /// - Parameters:
  ///   - interruption: lets tests interrupt the connection on the way of a transaction.
  ///   - soon: calls its closure when the caller has sent all its current requests, so that they share a commit: by
  ///     default at once.
  ///   - onStateChange: called on a thread of the store's, each time the state changes. The first state is `well`.
  ///   - onConnectionChange: called on a thread of the store's, each time one of its connections is lost or is back.
  ///   - onNotification: called on a thread of the store's with a session that was asked for and that its owner has
  ///     given away, refused or removed; nil: another daemon asks for a session of this one's, or notifications were
  ///     lost. It only saves time: the daemon must renew and claim again from time to time.
  /// - Throws: when the process has no descriptor left.
  package init(
    _ settings: Settings,
    interruption: ConnectionInterruption = ConnectionInterruption(),
    soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onStateChange: @escaping @Sendable (StoreState) -> Void = { _ in },
    onConnectionChange: @escaping @Sendable (StoreConnectionChange) -> Void = { _ in },
    onNotification: @escaping @Sendable (StoredSessionID?) -> Void = { _ in }
  ) throws(StoreFailure) {
    var settings = settings
    settings.process = .randomHex(bits: 128)
    settings.interruption = interruption
    self.settings = settings
    keeper = LeaseKeeper(try StoreConnection(settings, for: .lease, onConnectionChange), onNotification)
    let connection = try StoreConnection(settings, for: .sessions, onConnectionChange)
    worker = StoreWorker(PostgresStoreBackend(connection, keeper, onStateChange), soon: soon)
    keeper.start()
  }

  // MARK: Sessions

  /// Writes a session of this daemon's. A first write makes the session this daemon's.
  ///
  /// - Parameter completion: called when it is committed, or with the failure. It is ``StoreFailure/Reason/lost`` when
  ///   this daemon does not own the session in the version in which it has left it; then nothing is changed.
  package func write(
    _ write: SessionWrite,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    // Expiries are at most a hundred years away, in both directions, because a server's times have an end.
    let secondsMax = 100.0 * 365 * 86_400
    let expiry = write.facts.map {
      ContinuousClock.now + .seconds(min(max(Double($0.expiry) - settings.wallClock(), -secondsMax), secondsMax))
    }
    worker.add(.write(write, expiry), completion)
  }

  /// Claims a session, with all earlier writes. It takes the session if it has no owner, or the owner is this daemon, a
  /// daemon whose lease has run out, or an earlier process of this machine. Otherwise it asks the owner for it.
  /// Repeated claims keep the request alive.
  ///
  /// - Parameter lease: the lease to give to this daemon, if it has none yet.
  package func claim(
    _ claim: SessionClaim,
    for lease: Duration,
    _ completion: @escaping @Sendable (Result<ClaimAnswer, StoreFailure>) -> Void
  ) {
    worker.add(.claim(claim, lease: lease), completion)
  }

  /// Removes a session of this daemon's; or an expired one without an owner, or of a daemon whose lease has run out.
  /// Completes with whether it was there and was removed.
  ///
  /// - Parameter grace: seconds that are added to its expiry.
  package func remove(
    _ id: StoredSessionID,
    grace: Int64,
    _ completion: @escaping @Sendable (Result<Bool, StoreFailure>) -> Void
  ) {
    worker.add(.remove(id, grace: grace), completion)
  }

  /// Releases a session of this daemon's, after the earlier writes. Then it has no owner, and the daemons that have
  /// asked for it are notified.
  package func release(
    _ id: StoredSessionID,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    worker.add(.release(id), completion)
  }

  /// Gives a session to the asking daemon, or refuses it, if that daemon still wants it. The asking daemon is notified.
  /// The failure is ``StoreFailure/Reason/moved`` if the session does not belong to this daemon any more.
  package func answer(
    _ request: SessionRequest,
    gives: Bool,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    worker.add(.answer(request, gives: gives), completion)
  }

  /// Finds expired sessions of this daemon, without an owner, or of daemons whose lease has run out: the oldest first,
  /// at most so many. They stay until they are removed.
  ///
  /// - Parameter grace: seconds that are added to their expiry.
  package func expired(
    grace: Int64,
    atMost countMax: Int,
    _ completion: @escaping @Sendable (Result<[StoredSessionID], StoreFailure>) -> Void
  ) {
    worker.add(.expired(grace: grace, atMost: countMax), completion)
  }

  /// Counts the sessions of all daemons, including expired ones.
  package func count(_ completion: @escaping @Sendable (Result<Int, StoreFailure>) -> Void) {
    worker.add(.count, completion)
  }

  // MARK: The lease

  /// Renews the lease of this daemon, so that its sessions stay its own for that long from now. It never waits behind
  /// writes, and completes on a thread of its own. So ``LeaseRenewal/owned`` does not include sessions whose first
  /// write or claim was not complete at the time of the request.
  package func renew(
    for lease: Duration,
    _ completion: @escaping @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void
  ) {
    keeper.renew(for: lease, completion)
  }

  /// Does the requests so far, releases all sessions, and ends the lease and the connections. Later requests fail.
  ///
  /// - Parameter limit: the longest wait; then the current work is given up.
  /// - Returns: whether all of it was done. Other daemons do the rest when the lease has run out.
  @discardableResult
  package func close(within limit: Duration = .seconds(60)) -> Bool { worker.close(within: limit) }
}

/// Lets tests interrupt the connection of a ``PostgresSessionStore`` at points on the way of a transaction. In
/// production it does nothing.
package struct ConnectionInterruption: Sendable {
  /// The purpose of a transaction.
  package enum Purpose: String, Sendable {
    case enrollment, write, lookUp, claim, removal, release, answer, expiry, renewal, probe, end
  }

  /// A point on the way of a transaction.
  package enum Point: Hashable, Sendable {
    /// It is about to be sent.
    case before(Purpose)
    /// It is committed, and no completion was called.
    case behind(Purpose)
  }

  /// Called on the thread that has the connection, at each point. Returns whether the connection is lost there.
  package var losesConnection: @Sendable (Point) -> Bool

  /// An interruption that does this.
  package init(losesConnection: @escaping @Sendable (Point) -> Bool = { _ in false }) {
    self.losesConnection = losesConnection
  }
}
