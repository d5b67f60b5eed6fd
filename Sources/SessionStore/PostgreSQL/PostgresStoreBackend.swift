internal import PostgreSQL

/// A PostgreSQL database that several daemons share, as the store's thread uses it.
final class PostgresStoreBackend: StoreBackend {
  private typealias Outcome = StoreJob.Outcome

  private let settings: PostgresStoreSettings
  private let keeper: LeaseKeeper
  private let connection: RetryingConnection
  private let writer: SessionWriter
  private var statements: PostgresStoreStatements { connection.statements }

  init(
    _ connection: StoreConnection,
    _ keeper: LeaseKeeper,
    _ onStateChange: @escaping @Sendable (StoreState) -> Void
  ) {
    settings = connection.settings
    self.keeper = keeper
    self.connection = RetryingConnection(connection, onStateChange)
    writer = SessionWriter(self.connection)
  }

  // MARK: The thread

  func begin() {
    keeper.start()
    recover()
  }

  func look() { connection.look() }

  var timeToTry: Duration? { connection.timeToTry }

  func recover() {
    connection.recover { link throws(StoreConnection.Trouble) in try writer.resolveDoubts(link) }
  }

  /// Releases all sessions.
  func end() -> Bool {
    // A lease that is renewed after its end would not end.
    keeper.close()
    defer { connection.close() }
    if connection.failure != nil { recover() }
    if connection.failure != nil { return false }
    do throws(StoreFailure) {
      try connection.transact(.end, statements.end())
      return true
    } catch {
      return false
    }
  }

  func cancel() {
    connection.cancel()
    keeper.cancel()
  }

  func renew(for lease: Duration, _ completion: @escaping @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void) {
    keeper.renew(for: lease, completion)
  }

  // MARK: Jobs

  /// Does jobs: each session's jobs in order, and as many writes as possible together. A write that follows another
  /// kind of job of its session is not in the first group. Completions are called in the order of the jobs.
  func perform(_ jobs: [StoreJob], isIdle: () -> Bool) {
    var outcomes = [Outcome?](repeating: nil, count: jobs.count)
    var next = 0
    /// A job is completed when all jobs before it have outcomes.
    func end(_ index: Int, _ outcome: Outcome) {
      outcomes[index] = outcome
      while next < jobs.count, let outcome = outcomes[next].take() {
        jobs[next].complete(outcome)
        next += 1
      }
    }
    var pending = Array(jobs.indices)
    while !pending.isEmpty {
      if let failure = connection.failure {
        for index in pending {
          if case .write(let write, _) = jobs[index].work { writer.noteFailure(of: write) }
          end(index, .failure(failure))
        }
        break
      }
      var group = WriteGroup()
      var (rest, barred) = ([Int](), Set<StoredSessionID>())
      for index in pending {
        let work = jobs[index].work
        guard case .write(let write, let expiry) = work, !group.isFull, barred.isDisjoint(with: work.sessions) else {
          rest.append(index)
          barred.formUnion(work.sessions)
          continue
        }
        if !group.contains(write.knownID), let objection = writer.objection(to: write) {
          writer.noteFailure(of: write)
          end(index, .failure(objection))
        } else {
          group.add(write, expiry, job: index)
        }
      }
      writer.commit(group) { index, failure in end(index, failure.map { .failure($0) } ?? .success(())) }
      // Up to the next write, which may be committed with other writes.
      let others = rest.prefix { index in if case .write = jobs[index].work { false } else { true } }
      performOthers(others.map { ($0, jobs[$0].work) }, end)
      pending = Array(rest.dropFirst(others.count))
      // Only writes wait for the next group when a group is full.
    }
  }

  // MARK: What is no write

  private func performOthers(_ jobs: [(index: Int, work: StoreWork)], _ end: (Int, Outcome) -> Void) {
    var rest = jobs[...]
    while let (index, work) = rest.first {
      if let failure = connection.failure {
        end(index, .failure(failure))
        rest = rest.dropFirst()
        continue
      }
      // Releases in a row are done together, and so are claims in a row.
      let released = rest.prefix { if case .release = $0.work { true } else { false } }
      let claims = rest.prefix { if case .claim = $0.work { true } else { false } }
      if !released.isEmpty {
        let outcome = Result { () throws(StoreFailure) -> any Sendable in
          try release(Set(released.flatMap(\.work.sessions)))
        }
        for (index, _) in released { end(index, outcome) }
      } else if claims.count > 1 {
        claim(Array(claims), end)
      } else {
        end(index, Result { () throws(StoreFailure) in try perform(work) })
      }
      rest = rest.dropFirst(max(released.count, claims.count, 1))
    }
  }

  private func perform(_ work: StoreWork) throws(StoreFailure) -> any Sendable {
    switch work {
    case .claim(let claim, let lease): return try self.claim(claim, lease)
    case .remove(let id, let grace): return try remove(id, grace)
    case .answer(let request, let gives): return try answer(request, gives: gives)
    case .expired(let grace, let countMax):
      let statement = statements.expired(grace: grace, atMost: countMax)
      return try connection.transact(.expiry, [statement], into: [StoredSessionID]()) { found, _, row in
        if let id = row.session { found.append(id) }
      }
    case .count:
      return try connection.transact(.expiry, [statements.count], into: 0) { count, _, row in
        count = Int(row.integer(0, 0) ?? 0)
      }
    case .backUp: throw StoreFailure(.other, "it is a PostgreSQL database: copy it with pg_dump")
    case .write, .release: preconditionFailure("it goes with others of its kind")
    }
  }

  private func release(_ ids: Set<StoredSessionID>) throws(StoreFailure) {
    try connection.transact(.release, [statements.release(ids.map { ($0, writer.version(of: $0)) })])
    for id in ids { writer.entries[id] = nil }
  }

  private func answer(_ request: SessionRequest, gives: Bool) throws(StoreFailure) {
    let isHere = try connection.transact(.answer, statements.answer(request, gives: gives), into: false) {
      isHere,
      statement,
      _ in
      if statement == 1 { isHere = true }
    }
    if isHere { return }
    writer.entries[request.id] = nil
    throw .moved
  }

  /// Takes the sessions that no living process has, all together. Each other claim is made by itself.
  private func claim(_ jobs: [(index: Int, work: StoreWork)], _ end: (Int, Outcome) -> Void) {
    let claims = jobs.compactMap { index, work in
      if case .claim(let claim, let lease) = work { (index: index, claim: claim, lease: lease) } else { nil }
    }
    // If it fails, perhaps only one of them must wait for another process.
    let taken = try? connection.transact(
      .claim,
      lease: claims[0].lease,
      statements.take(claims.map(\.claim)),
      into: PostgresStoreStatements.Claimed()
    ) { statements.read($1, $2, into: &$0) }
    for (index, claim, lease) in claims {
      if let taken = taken?.sessions[claim.id] {
        writer.entries[claim.id] = taken.entry
        end(index, .success(ClaimResult.session(taken.session)))
      } else if let failure = connection.failure {
        end(index, .failure(failure))
      } else {
        end(index, Result { () throws(StoreFailure) in try self.claim(claim, lease) })
      }
    }
  }

  private func claim(_ claim: SessionClaim, _ lease: Duration) throws(StoreFailure) -> ClaimResult {
    for _ in 0..<RetryingConnection.passingMax {
      let claimed = try connection.transact(
        .claim,
        lease: lease,
        statements.claim(claim, for: lease),
        into: PostgresStoreStatements.Claimed()
      ) { statements.read($1, $2, into: &$0) }
      let taken = claimed.sessions[claim.id]
      // Without one, the session does not belong to this process, or does not any more.
      writer.entries[claim.id] = taken?.entry
      if let taken { return .session(taken.session) }
      if let (owner, request) = claimed.held { return .held(by: owner, request) }
      if !claimed.isThere { return .nothing }
    }
    throw StoreFailure(.busy, "a session of the store \(settings.url.text) keeps moving between daemons")
  }

  private func remove(_ id: StoredSessionID, _ grace: Int64) throws(StoreFailure) -> Bool {
    let version = writer.version(of: id)
    let statement = statements.remove(id, version: version, grace: grace)
    // A session of this process that is gone was removed by an earlier try.
    let wasThere = try connection.transact(.removal, [statement], into: false, orRepeated: version != nil) {
      wasThere,
      statement,
      _ in
      if statement == 0 { wasThere = true }
    }
    writer.entries[id] = nil
    return wasThere
  }
}
