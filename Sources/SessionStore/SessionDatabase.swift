internal import Dispatch
internal import Files
internal import NIOConcurrencyHelpers
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Keeps sessions in a database: a SQLite file that this process alone has, or a PostgreSQL database that several
/// daemons share.
///
/// A caller goes on at once: a thread of the store's own commits. Requests that come during a transaction form the next
/// one, so that under load many writes share a commit. The thread does everything in the order of the requests, and
/// calls the completions in that order, each once its transaction is committed or has failed.
///
/// An acknowledged write is in the database. A write that fails leaves the earlier state, and for its session only
/// whole writes are accepted from then on. So the state of a session in the store is always the result of one write and
/// the writes before it. When the database as a whole cannot be written, the store is away (``StoreState``): writes
/// fail at once, and the store tries again until it is well.
///
/// **In a shared database** each session has one owner: the daemon that has it in memory, which alone writes it. A
/// daemon takes a session that has no owner, or whose owner has not renewed its lease in time (``claim(_:for:_:)``). A
/// write succeeds only if this daemon still owns the session, and the session has the version in which this daemon has
/// left it. So a daemon that was cut off changes nothing, however late its statements reach the server. All times are
/// the database's. When a connection is lost, the store connects again, looks up the result of the lost transaction,
/// and repeats it if it was not done: the callers do not notice. A second thread, with a connection of its own, renews
/// the lease.
///
/// `@unchecked Sendable`: the backend belongs to the thread, except ``StoreBackend/cancel()`` and
/// ``StoreBackend/renew(for:_:)``.
package final class SessionDatabase: @unchecked Sendable {
  private struct State: Sendable {
    var jobs: [StoreJob] = []
    var isClosed = false
    /// Whether the backend has ended, and has done everything.
    var isDone = false
  }

  private let backend: any StoreBackend
  /// Not a `Mutex`: ThreadSanitizer does not see its lock. So it does not see the order between the callers and the
  /// store's thread.
  private let state = NIOLockedValueBox(State())
  /// Signalled when there is a job for a thread that has found none.
  private let wakeUp = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let wallClock: @Sendable () -> Double
  /// Calls its closure, at once or soon: the thread may then begin.
  private let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// How often a store that is not used is looked at.
  private static let lookInterval = Duration.seconds(2)

  /// The identity of this process in a shared database: ``SessionRequest/asker`` of its requests to other daemons. No
  /// other process has it, even if this machine is a copy of another.
  package let id: String

  /// Opens a SQLite file, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - retryInterval: how often a store that is away tries again.
  ///   - pagesMax: how many pages the file may have; nil: as many as SQLite allows.
  ///   - logPagesWanted: how many pages the log may have before they are moved into the file when no job waits.
  ///   - wallClock: this process's clock, in seconds since 1970, by which ``StoredFacts/expiry`` is counted.
  ///   - interruption: lets tests interrupt the store on the way of a commit.
  ///   - soon: calls its closure when the caller has sent all its current requests, so that they share a commit: by
  ///     default at once.
  ///   - onStateChange: called on the store's thread, each time the state changes. The first state is `well`.
  /// - Throws: ``StoreFailure`` when the file cannot be used, or another process has it.
  package init(
    path: String,
    durability: StoreDurability,
    retryInterval: Duration = .seconds(1),
    pagesMax: Int? = nil,
    logPagesWanted: Int = 4_096,
    wallClock: @escaping @Sendable () -> Double = systemClock,
    interruption: StoreInterruption = StoreInterruption(),
    soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onStateChange: @escaping @Sendable (StoreState) -> Void = { _ in }
  ) throws(StoreFailure) {
    id = .randomHex(bits: 128)
    self.wallClock = wallClock
    self.soon = soon
    backend = try SQLiteStoreBackend(
      SQLiteStoreBackend.Settings(
        path: path,
        durability: durability,
        pagesMax: pagesMax,
        logPagesWanted: logPagesWanted,
        wallClock: wallClock,
        interruption: interruption
      ),
      Availability(retryInterval: retryInterval, onStateChange)
    )
    DetachedThread.start { self.work() }
  }

  /// A PostgreSQL database at that address. The store connects on threads of its own: if the server is down, the store
  /// is away.
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
    _ settings: PostgresStoreSettings,
    interruption: ConnectionInterruption = ConnectionInterruption(),
    soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onStateChange: @escaping @Sendable (StoreState) -> Void = { _ in },
    onConnectionChange: @escaping @Sendable (StoreConnectionChange) -> Void = { _ in },
    onNotification: @escaping @Sendable (StoredSessionID?) -> Void = { _ in }
  ) throws(StoreFailure) {
    id = .randomHex(bits: 128)
    wallClock = settings.wallClock
    self.soon = soon
    var settings = settings
    settings.process = id
    settings.interruption = interruption
    let keeper = LeaseKeeper(try StoreConnection(settings, for: .lease, onConnectionChange), onNotification)
    let connection = try StoreConnection(settings, for: .sessions, onConnectionChange)
    backend = PostgresStoreBackend(connection, keeper, onStateChange)
    DetachedThread.start { self.work() }
  }

  // MARK: Requests

  /// Writes a session. In a shared database it must belong to this daemon, and a first write makes it this daemon's.
  ///
  /// - Parameter completion: called when it is committed, or with the failure. It is ``StoreFailure/Reason/notOwned``
  ///   when this daemon does not own the session in the version in which it has left it; then nothing is changed.
  package func write(_ write: SessionWrite, _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void) {
    // Expiries are at most a hundred years away, in both directions, because a server's times have an end.
    let secondsMax = 100.0 * 365 * 86_400
    let expiry = write.facts.map {
      ContinuousClock.now + .seconds(min(max(Double($0.expiry) - wallClock(), -secondsMax), secondsMax))
    }
    add(.write(write, expiry), completion)
  }

  /// Claims a session, with all earlier writes. It is not there, or it belongs to this daemon from then on. In a shared
  /// database this daemon takes the session if it has no owner, or the owner is this daemon, a daemon whose lease has
  /// run out, or an earlier process of this machine. Otherwise it asks the owner for it. Repeated claims keep the
  /// request alive.
  ///
  /// - Parameter lease: the lease to give to this daemon, if it has none yet.
  package func claim(
    _ claim: SessionClaim,
    for lease: Duration = .zero,
    _ completion: @escaping @Sendable (Result<ClaimResult, StoreFailure>) -> Void
  ) {
    add(.claim(claim, lease: lease), completion)
  }

  /// Removes a session. In a shared database it must be this daemon's; or it must have expired, and have no owner, or
  /// an owner whose lease has run out. Completes with whether it was there and was removed.
  ///
  /// - Parameter grace: seconds that are added to its expiry.
  package func remove(
    _ id: StoredSessionID,
    grace: Int64 = 0,
    _ completion: @escaping @Sendable (Result<Bool, StoreFailure>) -> Void
  ) {
    add(.remove(id, grace: grace), completion)
  }

  /// Releases a session of this daemon's in a shared database, after the earlier writes. Then it has no owner, and the
  /// daemons that have asked for it are notified.
  package func release(
    _ id: StoredSessionID,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    add(.release(id), completion)
  }

  /// Gives a session to the asking daemon, or refuses it, if that daemon still wants it. The asking daemon is notified.
  /// The failure is ``StoreFailure/Reason/moved`` if the session does not belong to this daemon afterwards, also
  /// because it was given.
  package func answer(
    _ request: SessionRequest,
    gives: Bool,
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    add(.answer(request, gives: gives), completion)
  }

  /// Finds expired sessions that no other daemon has: the oldest first, at most so many; if there may be more, exactly
  /// so many. They stay until they are removed.
  ///
  /// - Parameter grace: seconds that are added to their expiry.
  package func expired(
    grace: Int64,
    atMost countMax: Int,
    _ completion: @escaping @Sendable (Result<[StoredSessionID], StoreFailure>) -> Void
  ) {
    add(.expired(grace: grace, atMost: countMax), completion)
  }

  /// Counts the sessions of all daemons, including expired ones.
  package func count(_ completion: @escaping @Sendable (Result<Int, StoreFailure>) -> Void) {
    add(.count, completion)
  }

  /// Copies a SQLite file, with all earlier writes, into a new file for its owner alone. Later requests wait for it.
  /// Completes with the size of the copy in bytes.
  package func backUp(to path: String, _ completion: @escaping @Sendable (Result<Int, StoreFailure>) -> Void) {
    add(.backUp(to: path), completion)
  }

  /// Renews the lease of this daemon in a shared database, so that its sessions stay its own for that long from now. It
  /// never waits behind writes, and completes on a thread of its own. So ``LeaseRenewal/owned`` does not include
  /// sessions whose first write or claim was not complete at the time of the request.
  package func renew(
    for lease: Duration,
    _ completion: @escaping @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void
  ) {
    backend.renew(for: lease, completion)
  }

  /// Does the requests so far, and closes the database. A shared database releases all sessions, and ends the lease.
  /// Later requests fail.
  ///
  /// - Parameter limit: the longest wait; then the current work is given up.
  /// - Returns: whether all of it was done. In a shared database other daemons do the rest when the lease has run out.
  @discardableResult
  package func close(within limit: Duration = .seconds(60)) -> Bool {
    state.withLockedValue { $0.isClosed = true }
    wakeUp.signal()
    guard hasEnded.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .success else {
      backend.cancel()
      return false
    }
    hasEnded.signal()
    return state.withLockedValue { $0.isDone }
  }

  // MARK: The thread

  private func add<Value: Sendable>(
    _ work: StoreWork,
    _ completion: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
  ) {
    let (isFirst, isClosed) = state.withLockedValue { state in
      if state.isClosed { return (false, true) }
      state.jobs.append(StoreJob(work, completion))
      return (state.jobs.count == 1, false)
    }
    if isClosed { return completion(.failure(.closed)) }
    if isFirst { soon { [wakeUp] in _ = wakeUp.signal() } }
  }

  private func work() {
    backend.begin()
    while let jobs = takeJobs(within: backend.timeToTry ?? Self.lookInterval) {
      if jobs.isEmpty {
        backend.look()
      } else {
        backend.perform(jobs) { state.withLockedValue { $0.jobs.isEmpty } }
      }
      if backend.timeToTry == .zero { backend.recover() }
    }
    let isDone = backend.end()
    state.withLockedValue { $0.isDone = isDone }
    hasEnded.signal()
  }

  /// Takes all jobs; waits for the first one, at most so long.
  ///
  /// - Returns: nil: no job is left, and no more jobs come.
  private func takeJobs(within limit: Duration) -> [StoreJob]? {
    let end = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
    while true {
      let (jobs, isClosed) = state.withLockedValue { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isClosed)
      }
      if !jobs.isEmpty { return jobs }
      if isClosed { return nil }
      if wakeUp.wait(timeout: end) == .timedOut { return [] }
    }
  }

  /// The system's clock.
  package static let systemClock: @Sendable () -> Double = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
