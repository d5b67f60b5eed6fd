internal import Dispatch
internal import Files
internal import JSON
internal import PostgreSQL
internal import Synchronization

/// The work of the thread of a store that several daemons share: it takes jobs, commits them together, and calls their
/// completions.
///
/// `@unchecked Sendable`: everything except ``waitForEnd(within:)`` belongs to the thread that ``start()`` starts.
final class PostgresStoreWorker: @unchecked Sendable {
  private typealias Answer = JobResult

  private let target: StoreTarget
  private let queue: StoreQueue<PostgresStoreJob>
  private let keeper: LeaseKeeper
  private let access: RetryingConnection
  private let writer: SessionWriter
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isReleased = Mutex(false)

  /// How often a connection that is not used is looked at.
  private static let lookInterval = Duration.seconds(2)

  init(
    _ target: StoreTarget,
    _ queue: StoreQueue<PostgresStoreJob>,
    _ keeper: LeaseKeeper,
    _ report: ConnectionReport,
    _ onStateChange: @escaping @Sendable (StoreState) -> Void
  ) throws(StoreFailure) {
    self.target = target
    self.queue = queue
    self.keeper = keeper
    access = try RetryingConnection(target, report, onStateChange)
    writer = SessionWriter(access)
  }

  func start() { DetachedThread.start { self.work() } }

  /// The queue is closed: waits until all its jobs are done.
  ///
  /// - Returns: whether they are done, and all sessions are released.
  func waitForEnd(within limit: Duration) -> Bool {
    let deadline = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
    guard hasEnded.wait(timeout: deadline) == .success else {
      access.cancel()
      keeper.cancel()
      return false
    }
    hasEnded.signal()
    return isReleased.withLock { $0 }
  }

  private func work() {
    recover()
    loop: while true {
      switch queue.take(within: access.timeToTry ?? Self.lookInterval) {
      case .jobs(let jobs): perform(jobs)
      case .nothing: access.look()
      case .end: break loop
      }
      if access.timeToTry == .zero { recover() }
    }
    // A lease that is renewed after its end would not end.
    keeper.close()
    release()
    access.close()
    hasEnded.signal()
  }

  private func recover() {
    access.recover { link throws(StoreConnection.Trouble) in try writer.resolveDoubts(link) }
  }

  private func release() {
    if access.failure != nil { recover() }
    if access.failure != nil { return }
    let result = access.transact(.end) { PostgresStoreStatements.end($0) }
    if case .success = result { isReleased.withLock { $0 = true } }
  }

  // MARK: Jobs

  /// Does jobs: each session's jobs in order, and as many writes as possible together. A write that follows another
  /// kind of job of its session is not in the first group. Completions are called in the order of the jobs.
  private func perform(_ jobs: [PostgresStoreJob]) {
    var completions = OrderedCompletions(to: jobs)
    var pending = Array(jobs.indices)
    while !pending.isEmpty {
      if let failure = access.failure {
        for index in pending {
          if case .write(let write, _, _) = jobs[index] { writer.noteFailure(of: write) }
          completions.end(index, .failure(failure))
        }
        break
      }
      var group = WriteGroup()
      var (rest, barred) = ([Int](), Set<StoredSessionID>())
      for index in pending {
        let job = jobs[index]
        guard case .write(let write, let expiry, _) = job, !group.isFull, !barred.contains(write.formerID ?? write.id),
          !barred.contains(write.id)
        else {
          rest.append(index)
          if let id = job.session { barred.insert(id) }
          if case .write(let write, _, _) = job, let former = write.formerID { barred.insert(former) }
          continue
        }
        if !group.contains(write.formerID ?? write.id), let objection = writer.objection(to: write) {
          writer.noteFailure(of: write)
          completions.end(index, .failure(objection))
        } else {
          group.add(write, expiry, job: index)
        }
      }
      writer.commit(group) { index, failure in completions.end(index, failure.map { .failure($0) } ?? .done) }
      // Up to the next write, which may be committed with other writes.
      let others = rest.prefix { index in if case .write = jobs[index] { false } else { true } }
      performOthers(others.map { ($0, jobs[$0]) }) { completions.end($0, $1) }
      pending = Array(rest.dropFirst(others.count))
      // Only writes wait for the next group when a group is full.
    }
  }

  // MARK: What is no write

  private func performOthers(_ jobs: [(index: Int, job: PostgresStoreJob)], _ end: (Int, Answer) -> Void) {
    var rest = jobs[...]
    while let (index, job) = rest.first {
      if let failure = access.failure {
        end(index, .failure(failure))
        rest = rest.dropFirst()
        continue
      }
      // Releases in a row are done together, and so are claims in a row.
      let released = rest.prefix { if case .release = $0.job { true } else { false } }
      let claims = rest.prefix { if case .claim = $0.job { true } else { false } }
      if !released.isEmpty {
        let answer = release(Set(released.compactMap(\.job.session)))
        for (index, _) in released { end(index, answer) }
      } else if claims.count > 1 {
        claim(Array(claims), end)
      } else {
        end(index, answer(job))
      }
      rest = rest.dropFirst(max(released.count, claims.count, 1))
    }
  }

  private func release(_ ids: Set<StoredSessionID>) -> Answer {
    let sessions = ids.map { (id: $0, version: writer.own.version(of: $0)) }
    let result = access.transact(.release) { PostgresStoreStatements.release($0, sessions) }
    guard case .failure(let failure) = result else {
      for id in ids { writer.own[id] = nil }
      return .done
    }
    return .failure(failure)
  }

  private func answer(_ job: PostgresStoreJob) -> Answer {
    switch job {
    case .claim(let claim, let lease, _): return self.claim(claim, lease)
    case .remove(let id, let grace, _): return remove(id, grace)
    case .answer(let request, let gives, _):
      var isHere = false
      let result = access.transact(.answer) {
        PostgresStoreStatements.answer($0, request, gives: gives)
      } begin: { _ in
        isHere = false
      } take: { statement, _ in
        if statement == 1 { isHere = true }
      }
      if case .success = result, !isHere { writer.own[request.id] = nil }
      return Answer(result, isHere ? .done : .failure(.moved()))
    case .expired(let grace, let countMax, _):
      var found: [StoredSessionID] = []
      let result = access.transact(.expiry) {
        [PostgresStoreStatements.expired($0, grace: grace, atMost: countMax)]
      } begin: { _ in
        found = []
      } take: { _, row in
        if let id = row.bytes(0, 0).flatMap({ StoredSessionID($0) }) { found.append(id) }
      }
      return Answer(result, .sessions(found))
    case .count:
      var count = 0
      let result = access.transact(.expiry) { _ in
        [PostgresStoreStatements.count]
      } take: { _, row in
        count = Int(row.integer(0, 0) ?? 0)
      }
      return Answer(result, .count(count))
    case .write, .release: preconditionFailure("it goes with others of its kind")
    }
  }

  /// Takes the sessions that no living process has, all together. Each other claim is made by itself.
  private func claim(_ jobs: [(index: Int, job: PostgresStoreJob)], _ end: (Int, Answer) -> Void) {
    let claims = jobs.compactMap { index, job in
      if case .claim(let claim, let lease, _) = job { (index: index, claim: claim, lease: lease) } else { nil }
    }
    var taken = PostgresStoreStatements.TakenSessions()
    let result = access.transact(.claim, lease: claims[0].lease) {
      PostgresStoreStatements.take($0, claims.map(\.claim))
    } begin: { _ in
      taken = PostgresStoreStatements.TakenSessions()
    } take: {
      taken.take($0, $1)
    }
    // If it has failed, perhaps only one of them must wait for another process.
    if case .failure = result { taken = PostgresStoreStatements.TakenSessions() }
    for (index, claim, lease) in claims {
      if let session = taken.sessions[claim.id] {
        end(index, .claimed(.session(note(session, claim.id))))
      } else {
        end(index, access.failure.map { .failure($0) } ?? self.claim(claim, lease))
      }
    }
  }

  private func claim(_ claim: SessionClaim, _ lease: Duration) -> Answer {
    for _ in 0..<RetryingConnection.passingMax {
      var claimed = PostgresStoreStatements.Claimed()
      let result = access.transact(.claim, lease: lease) {
        PostgresStoreStatements.claim($0, claim, for: lease)
      } begin: { _ in
        claimed = PostgresStoreStatements.Claimed()
      } take: {
        claimed.take($0, $1)
      }
      if case .failure(let failure) = result { return .failure(failure) }
      if let session = claimed.taken.sessions[claim.id] { return .claimed(.session(note(session, claim.id))) }
      // The session does not belong to this process, or does not any more.
      writer.own[claim.id] = nil
      if let (owner, request) = claimed.held { return .claimed(.held(by: owner, request)) }
      if !claimed.isThere { return .claimed(.nothing) }
    }
    return .failure(StoreFailure(.busy, "a session of the store \(target.url.text) keeps moving between daemons"))
  }

  /// A session belongs to this process now.
  private func note(_ session: PostgresStoreStatements.Taken, _ id: StoredSessionID) -> StoredSession {
    writer.own[id] = OwnSessions.Entry(number: session.number, version: session.version)
    let expiry = ExpiryTime.expiry(in: session.secondsLeft, target.wallClock())
    return StoredSession(facts: StoredFacts(form: session.form, expiry: expiry), parts: session.parts)
  }

  private func remove(_ id: StoredSessionID, _ grace: Int64) -> Answer {
    let version = writer.own.version(of: id)
    var (wasThere, mayBeDone) = (false, false)
    let result = access.transact(.removal) {
      PostgresStoreStatements.remove($0, id, version: version, grace: grace)
    } begin: {
      mayBeDone = $0
    } take: { statement, _ in
      if statement == 0 { wasThere = true }
    }
    if case .failure(let failure) = result { return .failure(failure) }
    writer.own[id] = nil
    return .truth(wasThere || mayBeDone && version != nil)
  }
}
