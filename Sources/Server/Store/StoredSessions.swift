internal import CEL
internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Logging
package import SessionStore
internal import Sessions
internal import Times

/// The sessions in the store, which may be more than the sessions in memory, and the work of the store that is under
/// way.
package final class StoredSessions {
  let store: any ServerStore
  unowned let server: FormServer
  /// Claims sessions of the store, and holds the lease on them.
  private(set) lazy var ownership = SessionOwnership(of: self)
  /// Until then no other daemon takes this one's sessions, by a clock that goes on while the machine sleeps; nil: none
  /// ever does.
  var leaseEnd: Instant?
  /// The callers that wait for sessions from the store.
  var callers: [LoadingKey: [(Result<FoundSession, RPCError>) -> Void]] = [:]
  /// Requests of other daemons for a session that is loading, by the asking daemon. They are answered when the session
  /// is here.
  var requestsOfLoading: [StoredSessionID: SessionRequest] = [:]
  /// Jobs that write, remove or release sessions and are not done.
  private(set) var jobs = 0
  /// The storages with such jobs.
  private var storagesAtWork: [ObjectIdentifier: PendingStorage] = [:]
  /// How long they took.
  private(set) var commitTimes = AnswerTimes.ofStore
  /// Since when the store cannot be written, and why; nil: it can.
  private var outage: (since: Instant, why: String)?
  /// The store was away for so many seconds in total. They do not count for the expiry of sessions: no client could use
  /// a session then, and the store could not hear of clients that had it.
  private(set) var graceSeconds: Int64 = 0
  /// How many sessions the store has: counted from time to time, and changed by this daemon's own first writes and
  /// removals since then; nil: that is not known yet.
  private(set) var count: Int?
  /// The callers that wait for a copy of the store, by number.
  private var openBackups: [Int: (Result<Int, RPCError>) -> Void] = [:]
  /// The number of the last copy.
  private var lastBackup = 0

  /// How many expired sessions are searched at once, so that writes need not wait long.
  private static let sweepCount = 64
  /// The time between two searches for expired sessions.
  private static let sweepInterval = Duration.seconds(60)

  init(_ store: any ServerStore, of server: FormServer) {
    self.store = store
    self.server = server
  }

  /// The server is complete. From now on it holds its lease, expired sessions are removed from the store, even if no
  /// client asks for them, and all sessions are counted. The first search comes soon, because a daemon without clients
  /// may end within a minute.
  func begin() {
    ownership.begin()
    _ = server.schedule(.sweep, at: server.environment.now() + .seconds(1))
  }

  // MARK: Events of the store

  /// The store has done so many jobs: calls their completions, for as long as a slice lasts.
  ///
  /// - Parameter complete: calls the completion of the job of that index.
  /// - Returns: how many were called.
  package func jobsEnded(_ jobs: Int, complete: (Int) -> Void) -> Int {
    server.enter()
    let start = server.now
    var count = 0
    while count < jobs {
      complete(count)
      count += 1
      if server.nanoseconds(since: start) >= SliceOrder.sliceNanoseconds { break }
    }
    server.endEntry()
    return count
  }

  /// The store can be written, or cannot any more.
  package func storeChanged(to state: StoreState) {
    let now = server.environment.now()
    switch state {
    case .well:
      if let outage = outage.take() { graceSeconds += Int64((now - outage.since) / .seconds(1)) + 1 }
      server.logger.notice("kept sessions can be stored again")
    case .away(let failure):
      outage = (since: outage?.since ?? now, why: failure.description)
      server.logger.error("kept sessions cannot be stored", metadata: ["why": "\(failure.description.forLog)"])
    }
    server.reportReadiness()
  }

  /// A connection to the store was lost, or is back.
  package func connectionChanged(_ change: StoreConnectionChange) {
    let connection = change.role.rawValue
    if let loss = change.loss {
      server.logger.warning(
        "a connection to the store is lost",
        metadata: ["connection": "\(connection)", "why": "\(loss.description.forLog)"]
      )
      if change.role == .lease { ownership.leaseNotRenewed(loss.description) }
    } else {
      server.logger.notice("a connection to the store is back", metadata: ["connection": "\(connection)"])
    }
  }

  // MARK: Whether the store is well

  /// The reason why kept sessions cannot be stored now; nil if they can, as far as is known.
  private var writeProblem: String? { outage?.why ?? (isLeaseOver ? SessionOwnership.leaseIsOver : nil) }

  /// The reason why the store does not answer or cannot be written; nil if it is well, as far as is known.
  var problem: String? { writeProblem ?? ownership.leaseTrouble }

  /// Whether the store answers, as far as is known: not if it had something left to do when the daemon had waited long
  /// enough for it.
  package var isWell: Bool { problem == nil && !(server.stage >= .drainOver && jobs > 0) }

  /// Whether other daemons may take this one's sessions.
  var isLeaseOver: Bool {
    guard let leaseEnd else { return false }
    // Not the time of the entry, because the process may have been stopped since.
    return leaseEnd <= server.environment.nowThroughSleep()
  }

  /// Whether kept sessions can be stored now, as far as is known.
  var isWritable: Bool { outage == nil && !isLeaseOver }

  /// Checks that the store can be written, as far as is known.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkWritable() throws(RPCError) {
    if let writeProblem { throw .notStored(writeProblem) }
  }

  /// Checks that this daemon may answer for its stored sessions.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkLease() throws(RPCError) {
    if isLeaseOver { throw .notStored(SessionOwnership.leaseIsOver) }
  }

  /// Checks that the store may have another session. Sessions that no client uses stay there.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkQuota() throws(RPCError) {
    if let count, count >= server.limits[.keptSessionsMax] { throw server.limits.overloaded(.keptSessionsMax) }
  }

  // MARK: Jobs

  /// A session gets its first write, so the store has one more.
  func sessionAdded() { count? += 1 }

  func sessionRemoved() { count = count.map { max(0, $0 - 1) } }

  func jobBegan(of storage: PendingStorage) {
    storagesAtWork[ObjectIdentifier(storage)] = storage
    jobs += 1
  }

  /// - Parameters:
  ///   - isLast: whether the storage has no other job.
  ///   - time: how long the commit took; nil: it has failed.
  func jobEnded(of storage: PendingStorage, isLast: Bool, commitTime time: Duration?) {
    if isLast { storagesAtWork[ObjectIdentifier(storage)] = nil }
    jobs -= 1
    if let time { commitTimes.add(time) }
  }

  /// Nothing waits for the store any longer: its requests fail with that reason, and their sessions end here. The
  /// store keeps the last state of these sessions that it has committed, or still commits.
  func giveUp(_ why: String) {
    server.handOverToStore()
    for storage in storagesAtWork.values where storage.isAwaited { storage.fail(StoreFailure(.other, why), server) }
    let backups = openBackups
    openBackups = [:]
    for completion in backups.values { completion(.failure(.notCopied(why))) }
    for loading in callers.keys {
      let waiting = callers[loading] ?? []
      // The entry stays until the store has answered.
      callers[loading] = []
      for found in waiting { found(.failure(.notStored(why))) }
    }
  }

  // MARK: A copy

  /// Copies the store into a new file.
  ///
  /// - Parameter completion: gets the size of the copy in bytes.
  func backUp(to path: String, _ completion: @escaping (Result<Int, RPCError>) -> Void) {
    guard openBackups.isEmpty else {
      return completion(.failure(.notCopied("another copy is being made; ask again when it is done")))
    }
    lastBackup += 1
    let number = lastBackup
    openBackups[number] = completion
    // The changes of this entry are in the copy.
    server.handOverToStore()
    store.backUp(to: path) { [weak self] result in
      guard let completion = self?.openBackups.removeValue(forKey: number) else { return }
      switch result {
      case .success(let bytes): completion(.success(bytes))
      case .failure(let failure): completion(.failure(.notCopied(failure.description)))
      }
    }
  }

  // MARK: Sessions whose time is over

  /// Searches for expired sessions, and counts the sessions.
  func sweep() {
    // The changes of this entry must reach the store before the search.
    server.handOverToStore()
    store.count { [weak self] count in
      if let count { self?.count = count }
    }
    store.expired(grace: graceSeconds, atMost: Self.sweepCount) { [weak self] expired in
      guard let self else { return }
      let isAway = outage != nil
      if !isAway { for id in expired { sweep(id) } }
      let pause = isAway || expired.count < Self.sweepCount ? Self.sweepInterval : .milliseconds(10)
      _ = server.schedule(.sweep, at: server.now + pause)
    }
  }

  private func sweep(_ id: StoredSessionID) {
    if let storage = server.keptSessions.session(id)?.storage {
      // A client has it, and has not sent anything for long.
      storage.renew()
      server.storeLater(storage)
    } else if !isLoading(id) {
      store.remove(id, grace: graceSeconds) { _ in }
    }
  }
}
