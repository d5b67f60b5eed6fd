package import PostgreSQL
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Keeps sessions in a PostgreSQL database that several daemons share.
///
/// Each session has one owner: the daemon that has it in memory, which alone writes it. A daemon takes a session that nobody owns, or whose owner
/// has not renewed its lease in time (``claim(_:for:_:)``). Each write is on condition that its session is still this daemon's, and in
/// the version that this daemon has left it in: whoever was cut off meanwhile changes nothing, however late his words reach the server.
///
/// All times are the database's. Whoever asks goes on at once: a thread of the store's own commits, many writes together, everything in the order
/// in which it was asked for, and calls the completions there in that order. A second thread, with a connection of its own, renews the lease.
///
/// What was acknowledged is in the database. When a connection is lost, the store connects again, looks up what has become of what was under way,
/// and does what was not done: nobody notices. When no server can be reached, the store is away (``StoreState``): what was asked for fails, and of
/// those sessions only whole writes are taken from then on.
package final class PostgresSessionStore: Sendable {
  /// Where the database is, and who uses it.
  package struct Settings: Sendable {
    /// The address of the database.
    package var url: PostgresURL
    /// The password; nil: none is needed, or libpq finds one.
    package var password: PostgresPassword?
    /// What this daemon calls itself to clients.
    package var instance: String
    /// The same for every process that has this machine's lock file, of which there is one at a time: it takes the sessions of those before it at
    /// once. Nil: none.
    package var machine: String?
    /// How often a store that is away tries again.
    package var retryInterval: Duration
    /// How long the server may take for one transaction before it is given up.
    package var patience: Duration
    /// How long a transaction may wait for a lock of somebody else's. Behind a second the server has looked for those that wait for each other
    /// (`deadlock_timeout`), and has told its own vacuum to let go.
    package var lockPatience: Duration
    /// This process's clock, in seconds since 1970: what ``StoredFacts/expiry`` is counted by.
    package var wallClock: @Sendable () -> Double

    /// Settings of those parts.
    package init(
      url: PostgresURL,
      password: PostgresPassword? = nil,
      instance: String,
      machine: String? = nil,
      retryInterval: Duration = .seconds(1),
      patience: Duration = .seconds(10),
      lockPatience: Duration = .seconds(2),
      wallClock: @escaping @Sendable () -> Double = systemClock
    ) {
      self.url = url
      self.password = password
      self.instance = instance
      self.machine = machine
      self.retryInterval = retryInterval
      self.patience = patience
      self.lockPatience = lockPatience
      self.wallClock = wallClock
    }

    /// The system's clock.
    package static let systemClock: @Sendable () -> Double = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  /// This process, as the store knows it: what ``SessionRequest/asker`` is of its requests to others.
  package let id: String
  private let settings: Settings
  private let queue: StoreQueue<SharedStoreJob>
  private let keeper: LeaseKeeper
  private let worker: SharedStoreWorker

  /// A store at that address. It connects on threads of its own: a server that is down is a store that is away.
  ///
  /// - Parameters:
  ///   - faults: what tests do at points on the way of a transaction.
  ///   - soon: calls what it is given when whoever asks has asked for all that he has to ask now, so that it shares a commit: by default at once.
  ///   - onStateChange: told on a thread of the store's, each time the state is another one. It is well until it is told otherwise.
  ///   - onNotification: told on a thread of the store's when another daemon has asked for a session of this one's, or has let go of one that
  ///     this one has asked for. It only hastens: who does not renew and claim again from time to time may miss one.
  /// - Throws: when the process has no descriptor left.
  package init(
    _ settings: Settings,
    faults: SharedStoreFaults = SharedStoreFaults(),
    soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onStateChange: @escaping @Sendable (StoreState) -> Void = { _ in },
    onNotification: @escaping @Sendable () -> Void = {}
  ) throws(StoreFailure) {
    self.settings = settings
    // No other process has it, whichever machine it is a copy of.
    id = .randomHex(bits: 128)
    let place = SharedStorePlace(settings, instance: id, faults: faults)
    queue = StoreQueue(soon: soon)
    keeper = try LeaseKeeper(place, onNotification)
    worker = try SharedStoreWorker(place, queue, keeper, onStateChange)
    keeper.start()
    worker.start()
  }

  // MARK: Sessions

  /// Writes a session of this daemon's, or a first one, which is this daemon's from then on.
  ///
  /// - Parameter completion: told when it is committed, or why it is not: ``StoreFailure/Reason/lost`` when the session is not this daemon's, in the
  ///   version that this daemon has left; then nothing is changed.
  package func write(
    _ write: SessionWrite,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    queue.append(.write(write, write.facts.map { ExpiryTime($0.expiry, settings.wallClock()) }, completion))
  }

  /// Asks for a session, as the writes before have left it: takes it where it is nobody's, this daemon's, of a daemon whose lease has run out, or
  /// of an earlier process of this machine; else asks its owner for it. Whoever asks again and again keeps his request alive.
  ///
  /// - Parameter lease: what this daemon's lease is, where it has none yet.
  package func claim(
    _ question: SessionQuestion,
    for lease: Duration,
    _ completion: @escaping @Sendable (Result<StoredClaim, StoreFailure>) -> Void
  ) {
    queue.append(.claim(question, lease: lease, completion))
  }

  /// Removes a session of this daemon's; or one whose time is over, of nobody or of a daemon whose lease has run out. Completes with whether it
  /// was there and was removed.
  ///
  /// - Parameter grace: seconds for which its expiry is passed over.
  package func remove(
    _ id: StoredSessionID,
    grace: Int64,
    _ completion: @escaping @Sendable (Result<Bool, StoreFailure>) -> Void
  ) {
    queue.append(.remove(id, grace: grace, completion))
  }

  /// Lets go of a session of this daemon's, behind what was written before: it is nobody's then, and whoever has asked for it is notified.
  package func release(
    _ id: StoredSessionID,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    queue.append(.release(id, completion))
  }

  /// Says yes to a request, unless it was withdrawn: whoever has asked waits then until he has the session. Completes with whether it is wanted.
  package func grant(
    _ request: SessionRequest,
    _ completion: @escaping @Sendable (Result<Bool, StoreFailure>) -> Void
  ) {
    queue.append(.grant(request, completion))
  }

  /// Says no to a request: whoever has asked finds it refused when he asks the next time, once, and is notified.
  package func refuse(
    _ request: SessionRequest,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    queue.append(.refuse(request, completion))
  }

  /// Finds sessions whose time is over, of this daemon, of nobody and of daemons whose lease has run out: the oldest first, at most so many. They
  /// stay until they are removed.
  ///
  /// - Parameter grace: seconds for which their expiry is passed over.
  package func expired(
    grace: Int64,
    atMost countMax: Int,
    _ completion: @escaping @Sendable (Result<[StoredSessionID], StoreFailure>) -> Void
  ) {
    queue.append(.expired(grace: grace, atMost: countMax, completion))
  }

  /// Counts what is in the store, whoever owns it. The work grows with the number of sessions.
  package func count(_ completion: @escaping @Sendable (Result<StoreCounts, StoreFailure>) -> Void) {
    queue.append(.count(completion))
  }

  // MARK: The lease

  /// Renews the lease of this daemon, so that its sessions stay its own for that long from now. It never waits behind writes, and completes on a
  /// thread of its own: ``LeaseRenewal/owned`` says nothing of a session whose first write or claim was not completed when the renewal was asked
  /// for.
  package func renew(
    for lease: Duration,
    _ completion: @escaping @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void
  ) {
    keeper.renew(for: lease, completion)
  }

  /// Does what was asked for so far, lets go of all sessions, and ends the lease and the connections. What is asked for later fails.
  ///
  /// - Parameter limit: for how long it waits at most; then what is under way is given up.
  /// - Returns: whether all of it was done. What was not done others do when the lease has run out.
  @discardableResult
  package func close(within limit: Duration = .seconds(60)) -> Bool {
    queue.close()
    return worker.waitForEnd(within: limit)
  }
}

/// What tests do at points on the way of a transaction of a ``PostgresSessionStore``. Nothing, elsewhere.
package struct SharedStoreFaults: Sendable {
  /// What a transaction is for.
  package enum Purpose: String, Sendable {
    case enrollment, write, lookUp, claim, removal, release, grant, refusal, expiry, count, renewal, probe, end
  }

  /// A point on the way of a transaction.
  package enum Point: Hashable, Sendable {
    /// It is about to be sent.
    case before(Purpose)
    /// It is committed, and nobody has been told.
    case behind(Purpose)
  }

  /// Called on the thread that has the connection, at each point. Returns whether the connection is lost there.
  package var losesConnection: @Sendable (Point) -> Bool

  /// Faults that do this.
  package init(losesConnection: @escaping @Sendable (Point) -> Bool = { _ in false }) {
    self.losesConnection = losesConnection
  }
}
