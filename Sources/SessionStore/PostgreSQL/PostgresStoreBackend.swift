internal import PostgreSQL

/// A PostgreSQL database that several daemons share, as the store's thread uses it.
final class PostgresStoreBackend: StoreBackend {
  enum Work {
    /// With the expiry of its facts.
    case write(SessionWrite, ExpiryTime?)
    case claim(SessionClaim, lease: Duration)
    case remove(StoredSessionID, grace: Int64)
    case release(StoredSessionID)
    case answer(SessionRequest, gives: Bool)
    case expired(grace: Int64, atMost: Int)
    case count

    /// The session of the request; nil: no particular one.
    var session: StoredSessionID? {
      switch self {
      case .write(let write, _): write.id
      case .claim(let claim, _): claim.id
      case .remove(let id, _), .release(let id): id
      case .answer(let request, _): request.id
      case .expired, .count: nil
      }
    }
  }

  private typealias Answer = StoreJob<Work>.Answer

  private let target: StoreTarget
  private let keeper: LeaseKeeper
  private let access: RetryingConnection
  private let writer: SessionWriter

  init(
    _ target: StoreTarget,
    _ keeper: LeaseKeeper,
    _ report: ConnectionReport,
    _ onStateChange: @escaping @Sendable (StoreState) -> Void
  ) throws(StoreFailure) {
    self.target = target
    self.keeper = keeper
    access = try RetryingConnection(target, report, onStateChange)
    writer = SessionWriter(access)
  }

  // MARK: The thread

  func begin() { recover() }

  func look() { access.look() }

  var timeToTry: Duration? { access.timeToTry }

  func recover() {
    access.recover { link throws(StoreConnection.Trouble) in try writer.resolveDoubts(link) }
  }

  /// Releases all sessions.
  func end() -> Bool {
    // A lease that is renewed after its end would not end.
    keeper.close()
    defer { access.close() }
    if access.failure != nil { recover() }
    if access.failure != nil { return false }
    if case .success = access.transact(.end, { PostgresStoreStatements.end($0) }) { return true }
    return false
  }

  func cancel() {
    access.cancel()
    keeper.cancel()
  }

  // MARK: Jobs

  /// Does jobs: each session's jobs in order, and as many writes as possible together. A write that follows another
  /// kind of job of its session is not in the first group. Completions are called in the order of the jobs.
  func perform(_ jobs: [StoreJob<Work>], isIdle: () -> Bool) {
    var completions = OrderedCompletions(to: jobs)
    var pending = Array(jobs.indices)
    while !pending.isEmpty {
      if let failure = access.failure {
        for index in pending {
          if case .write(let write, _) = jobs[index].work { writer.noteFailure(of: write) }
          completions.end(index, .failure(failure))
        }
        break
      }
      var group = WriteGroup()
      var (rest, barred) = ([Int](), Set<StoredSessionID>())
      for index in pending {
        let work = jobs[index].work
        guard case .write(let write, let expiry) = work, !group.isFull, !barred.contains(write.formerID ?? write.id),
          !barred.contains(write.id)
        else {
          rest.append(index)
          if let id = work.session { barred.insert(id) }
          if case .write(let write, _) = work, let former = write.formerID { barred.insert(former) }
          continue
        }
        if !group.contains(write.formerID ?? write.id), let objection = writer.objection(to: write) {
          writer.noteFailure(of: write)
          completions.end(index, .failure(objection))
        } else {
          group.add(write, expiry, job: index)
        }
      }
      writer.commit(group) { index, failure in completions.end(index, failure.map { .failure($0) } ?? .success(())) }
      // Up to the next write, which may be committed with other writes.
      let others = rest.prefix { index in if case .write = jobs[index].work { false } else { true } }
      performOthers(others.map { ($0, jobs[$0].work) }) { completions.end($0, $1) }
      pending = Array(rest.dropFirst(others.count))
      // Only writes wait for the next group when a group is full.
    }
  }

  // MARK: What is no write

  private func performOthers(_ jobs: [(index: Int, work: Work)], _ end: (Int, Answer) -> Void) {
    var rest = jobs[...]
    while let (index, work) = rest.first {
      if let failure = access.failure {
        end(index, .failure(failure))
        rest = rest.dropFirst()
        continue
      }
      // Releases in a row are done together, and so are claims in a row.
      let released = rest.prefix { if case .release = $0.work { true } else { false } }
      let claims = rest.prefix { if case .claim = $0.work { true } else { false } }
      if !released.isEmpty {
        let answer = release(Set(released.compactMap(\.work.session)))
        for (index, _) in released { end(index, answer) }
      } else if claims.count > 1 {
        claim(Array(claims), end)
      } else {
        end(index, answer(work))
      }
      rest = rest.dropFirst(max(released.count, claims.count, 1))
    }
  }

  private func release(_ ids: Set<StoredSessionID>) -> Answer {
    let sessions = ids.map { (id: $0, version: writer.own.version(of: $0)) }
    let result = access.transact(.release) { PostgresStoreStatements.release($0, sessions) }
    guard case .failure(let failure) = result else {
      for id in ids { writer.own[id] = nil }
      return .success(())
    }
    return .failure(failure)
  }

  private func answer(_ work: Work) -> Answer {
    switch work {
    case .claim(let claim, let lease): return self.claim(claim, lease)
    case .remove(let id, let grace): return remove(id, grace)
    case .answer(let request, let gives): return answer(request, gives: gives)
    case .expired(let grace, let countMax):
      var found: [StoredSessionID] = []
      let result = access.transact(.expiry) {
        [PostgresStoreStatements.expired($0, grace: grace, atMost: countMax)]
      } begin: { _ in
        found = []
      } take: { _, row in
        if let id = row.bytes(0, 0).flatMap({ StoredSessionID($0) }) { found.append(id) }
      }
      return result.map { found }
    case .count:
      var count = 0
      let result = access.transact(.expiry) { _ in
        [PostgresStoreStatements.count]
      } take: { _, row in
        count = Int(row.integer(0, 0) ?? 0)
      }
      return result.map { count }
    case .write, .release: preconditionFailure("it goes with others of its kind")
    }
  }

  private func answer(_ request: SessionRequest, gives: Bool) -> Answer {
    var isHere = false
    let result = access.transact(.answer) {
      PostgresStoreStatements.answer($0, request, gives: gives)
    } begin: { _ in
      isHere = false
    } take: { statement, _ in
      if statement == 1 { isHere = true }
    }
    if case .failure(let failure) = result { return .failure(failure) }
    if isHere { return .success(()) }
    writer.own[request.id] = nil
    return .failure(.moved())
  }

  /// Takes the sessions that no living process has, all together. Each other claim is made by itself.
  private func claim(_ jobs: [(index: Int, work: Work)], _ end: (Int, Answer) -> Void) {
    let claims = jobs.compactMap { index, work in
      if case .claim(let claim, let lease) = work { (index: index, claim: claim, lease: lease) } else { nil }
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
        end(index, .success(ClaimAnswer.session(note(session, claim.id))))
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
      if let session = claimed.taken.sessions[claim.id] {
        return .success(ClaimAnswer.session(note(session, claim.id)))
      }
      // The session does not belong to this process, or does not any more.
      writer.own[claim.id] = nil
      if let (owner, request) = claimed.held { return .success(ClaimAnswer.held(by: owner, request)) }
      if !claimed.isThere { return .success(ClaimAnswer.nothing) }
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
    return .success(wasThere || mayBeDone && version != nil)
  }
}
