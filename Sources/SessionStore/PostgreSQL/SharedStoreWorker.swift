internal import Dispatch
internal import PostgreSQL
internal import Synchronization

/// What the thread of a store that several daemons share does: it takes jobs, commits them together, and tells who asked.
///
/// `@unchecked Sendable`: but for ``waitForEnd(within:)`` all of it belongs to the thread that ``start()`` starts.
final class SharedStoreWorker: @unchecked Sendable {
  typealias Link = SharedStoreLink

  private let place: SharedStorePlace
  private let queue: StoreQueue<SharedStoreJob>
  private let keeper: LeaseKeeper
  private let onStateChange: @Sendable (StoreState) -> Void
  private let cancellation: PostgresCancellation
  /// Nobody gives it a signal: who waits for a time waits for this.
  private let pause: WakeUp
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isReleased = Mutex(false)

  /// Nil while there is none, or none that can be used.
  private var link: Link?
  private var state = StoreState.well
  private var own = OwnSessions()
  /// Whether this process has a row, as far as is known here.
  private var isEnrolled = false
  /// Sessions of which a write has an end that is not known.
  private var doubtful: Set<StoredSessionID> = []
  /// When a store that is away tries again.
  private var nextTry = ContinuousClock.now
  /// Transactions that were lost with their connections, one after the other: when the first one was, and how many; nil: none.
  private var losses: (first: ContinuousClock.Instant, count: Int)?

  /// So often a server is tried before the store is away.
  private static let triesMax = 3
  /// Transactions that are in each other's way are tried so often.
  private static let passingMax = 10

  init(
    _ place: SharedStorePlace,
    _ queue: StoreQueue<SharedStoreJob>,
    _ keeper: LeaseKeeper,
    _ onStateChange: @escaping @Sendable (StoreState) -> Void
  ) throws(StoreFailure) {
    self.place = place
    self.queue = queue
    self.keeper = keeper
    self.onStateChange = onStateChange
    do throws(PostgresFailure) {
      cancellation = try PostgresCancellation()
      pause = try WakeUp()
    } catch {
      throw StoreFailure(error, place.url)
    }
  }

  func start() { StoreThread.start { self.work() } }

  /// The queue is closed: waits until what is in it is done.
  ///
  /// - Returns: whether it is, and all sessions are let go of.
  func waitForEnd(within limit: Duration) -> Bool {
    let deadline = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
    guard hasEnded.wait(timeout: deadline) == .success else {
      cancellation.cancel()
      keeper.cancel()
      return false
    }
    hasEnded.signal()
    return isReleased.withLock { $0 }
  }

  private func work() {
    recover()
    loop: while true {
      switch queue.take(within: state == .well ? nil : max(.zero, ContinuousClock.now.duration(to: nextTry))) {
      case .jobs(let jobs): perform(jobs)
      case .nothing: break
      case .end: break loop
      }
      if state != .well, ContinuousClock.now >= nextTry { recover() }
    }
    // A lease that is renewed behind its end would not end.
    keeper.close()
    release()
    link = nil
    hasEnded.signal()
  }

  private func release() {
    if case .away = state { recover() }
    if case .away = state { return }
    let result = transact(.end) { SharedStoreSQL.end($0) }
    if case .success = result { isReleased.withLock { $0 = true } }
  }

  // MARK: Jobs

  /// Does jobs: each session's in their order, and all writes together that do not come behind something else of their session. Whoever asked is
  /// told in the order in which they came.
  private func perform(_ jobs: [SharedStoreJob]) {
    var told = Told(jobs)
    var pending = Array(jobs.indices)
    while !pending.isEmpty {
      if case .away(let failure) = state {
        for index in pending { told.end(index, .failure(failed(jobs[index], failure))) }
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
        if !group.contains(write.formerID ?? write.id), let objection = objection(to: write) {
          own.noteFailure(of: write.formerID ?? write.id)
          told.end(index, .failure(objection))
        } else {
          group.add(write, expiry, job: index)
        }
      }
      commit(group) { told.end($0, $1) }
      // Up to the next write, which may go with others.
      let others = rest.prefix { index in if case .write = jobs[index] { false } else { true } }
      performOthers(others.map { ($0, jobs[$0]) }) { told.end($0, $1) }
      pending = Array(rest.dropFirst(others.count))
      // Those that wait for others of a group that was full are writes.
    }
  }

  /// Jobs and what they have come to, each told when all before it are.
  private struct Told {
    private let jobs: [SharedStoreJob]
    private var answers: [Answer?]
    private var next = 0

    init(_ jobs: [SharedStoreJob]) {
      self.jobs = jobs
      answers = Array(repeating: nil, count: jobs.count)
    }

    mutating func end(_ index: Int, _ answer: Answer) {
      answers[index] = answer
      while next < jobs.count, let answer = answers[next] {
        answers[next] = nil
        answer.tell(jobs[next])
        next += 1
      }
    }
  }

  /// What a job has come to.
  private enum Answer {
    case done
    case claimed(StoredClaim)
    case wasThere(Bool)
    case sessions([StoredSessionID])
    case counts(StoreCounts)
    case failure(StoreFailure)

    init(_ result: Result<Void, StoreFailure>, _ answer: Answer = .done) {
      if case .failure(let failure) = result { self = .failure(failure) } else { self = answer }
    }

    func tell(_ job: SharedStoreJob) {
      switch (job, self) {
      case (_, .failure(let failure)): job.fail(failure)
      case (.write(_, _, let completion), .done): completion(.success(()))
      case (.claim(_, _, _, _, _, let completion), .claimed(let claim)): completion(.success(claim))
      case (.remove(_, _, let completion), .wasThere(let wasThere)): completion(.success(wasThere))
      case (.release(_, let completion), .done): completion(.success(()))
      case (.refuse(_, let completion), .done): completion(.success(()))
      case (.expired(_, _, let completion), .sessions(let sessions)): completion(.success(sessions))
      case (.count(let completion), .counts(let counts)): completion(.success(counts))
      default: preconditionFailure("the answer to a job is of another kind")
      }
    }
  }

  private func objection(to write: SessionWrite) -> StoreFailure? {
    if write.byteCount > Self.writeBytesMax {
      return StoreFailure(.tooLarge, "a session is larger than the store takes: \(write.byteCount) bytes at once")
    }
    return own.objection(to: write)
  }

  /// A message to a server has at most a gigabyte.
  private static let writeBytesMax = 256 << 20

  /// Notes that a job fails.
  private func failed(_ job: SharedStoreJob, _ failure: StoreFailure) -> StoreFailure {
    if case .write(let write, _, _) = job { own.noteFailure(of: write.formerID ?? write.id) }
    return failure
  }

  // MARK: Writes

  /// Writes a group in one flight. What becomes of it is known before anybody is told.
  private func commit(_ group: WriteGroup, _ tell: (Int, Answer) -> Void) {
    func end(_ member: WriteGroup.Member, _ failure: StoreFailure?) {
      if failure != nil { own.noteFailure(of: member.formerID) }
      for job in member.jobs { tell(job, failure.map { .failure($0) } ?? .done) }
    }
    var group = group
    var passing = 0
    while !group.members.isEmpty {
      // What is known of first ones is how often they were tried.
      for member in group.members where own[member.formerID]?.isThere != true {
        let tries = own[member.formerID]?.version ?? 0
        own[member.formerID] = OwnSessions.Entry(number: 0, version: tries + 1)
      }
      var written: [Int: Int64] = [:]
      do throws(Failed) {
        let link = try connected()
        try enroll(link)
        let statement = SharedStoreSQL.write(place, group.arrays(own))
        // From here on nobody knows, until somebody says so.
        for member in group.members { doubtful.formUnion([member.formerID, member.id]) }
        try attempt(link, .write, [statement]) { _, row in
          written[Int(row.integer(0, 0) ?? -1)] = row.integer(0, 1)
        }
        for (position, member) in group.members.enumerated() {
          settle(member)
          if let number = written[position] {
            note(member, number)
            end(member, nil)
          } else {
            own[member.formerID] = nil
            end(member, .lost())
          }
        }
        return
      } catch {
        switch error {
        case .connection:
          // What was done is told, and what was not is done once more.
          let remaining = resolve(group, end)
          guard let remaining else { return }
          group = remaining
        case .away(let failure):
          for member in group.members { end(member, failure) }
          return
        case .statement(let error):
          for member in group.members { settle(member) }
          if error.saysNobody || error.isPassing, passing < Self.passingMax {
            passing += 1
            if error.saysNobody { isEnrolled = false }
            takeBackTries(group)
          } else if error.concernsData, group.members.count > 1 {
            // One of them may be all that is wrong.
            takeBackTries(group)
            let middle = group.members.count / 2
            commit(WriteGroup(Array(group.members[..<middle])), tell)
            commit(WriteGroup(Array(group.members[middle...])), tell)
            return
          } else {
            takeBackTries(group)
            let failure = StoreFailure(error, place.url)
            if !error.concernsData { goAway(failure) }
            for member in group.members { end(member, failure) }
            return
          }
        }
      }
    }
  }

  /// What became of a write is known.
  private func settle(_ member: WriteGroup.Member) {
    doubtful.remove(member.formerID)
    doubtful.remove(member.id)
  }

  /// First writes that were undone for sure were not tried.
  private func takeBackTries(_ group: WriteGroup) {
    for member in group.members {
      guard let entry = own[member.formerID], !entry.isThere else { continue }
      own[member.formerID]?.version = entry.version - 1
    }
  }

  /// A write was done: the entry says so.
  private func note(_ member: WriteGroup.Member, _ number: Int64) {
    guard var entry = own[member.formerID] else { return }
    if entry.isThere { entry.version += 1 }
    entry.number = number
    if member.isWhole { entry.isOutOfStep = false }
    own[member.formerID] = entry
    own.rename(member.formerID, to: member.id)
  }

  /// A group's connection was lost: finds out what has become of each of its members.
  ///
  /// - Returns: those that were not done; nil: the store is away, and everybody is told.
  private func resolve(
    _ group: WriteGroup,
    _ end: (WriteGroup.Member, StoreFailure?) -> Void
  ) -> WriteGroup? {
    let asked = group.members.flatMap { $0.id == $0.formerID ? [$0.id] : [$0.formerID, $0.id] }
      .filter { doubtful.contains($0) }
    // The connection was lost before anything was sent.
    if asked.isEmpty { return group }
    switch lookUp(asked) {
    case .failure(let failure):
      // What is in doubt is looked up before the store is well again.
      goAway(failure)
      for member in group.members { end(member, failure) }
      return nil
    case .success(let found):
      var remaining: [WriteGroup.Member] = []
      for member in group.members {
        settle(member)
        guard let entry = own[member.formerID] else { continue }
        let present = found[member.id] ?? found[member.formerID]
        let isRenamed = member.id == member.formerID || found[member.id] != nil
        if let present, entry.isThere, SessionVersion.hasSameWrites(present.version, entry.version + 1), isRenamed {
          own[member.formerID]?.version = present.version - 1
          note(member, present.number)
          end(member, nil)
        } else if let present, entry.isThere, SessionVersion.hasSameWrites(present.version, entry.version) {
          own[member.formerID]?.version = present.version
          remaining.append(member)
        } else if let present, !entry.isThere {
          let isDone = SessionVersion.hasSameWrites(present.version, entry.version)
          own[member.formerID] = OwnSessions.Entry(number: present.number, version: present.version)
          if isDone {
            own.rename(member.formerID, to: member.id)
            end(member, nil)
          } else {
            // An earlier try of another first write: this one takes its place.
            remaining.append(member)
          }
        } else if entry.isThere {
          own[member.formerID] = nil
          end(member, .lost())
        } else {
          // It is not there: the next try takes the place of this one, should that still come.
          remaining.append(member)
        }
      }
      return WriteGroup(remaining)
    }
  }

  /// Looks what this process's sessions are, so that nothing that was sent before is done any more.
  private func lookUp(
    _ ids: [StoredSessionID]
  ) -> Result<[StoredSessionID: (number: Int64, version: Int64)], StoreFailure> {
    var found: [StoredSessionID: (number: Int64, version: Int64)] = [:]
    let result = transact(.lookUp) {
      [SharedStoreSQL.lookUp($0, ids)]
    } take: { _, row in
      if let bytes = row.bytes(0, 0), let id = StoredSessionID(bytes) {
        found[id] = (row.integer(0, 1) ?? 0, row.integer(0, 2) ?? 0)
      }
    }
    return result.map { found }
  }

  // MARK: What is no write

  private func performOthers(_ jobs: [(index: Int, job: SharedStoreJob)], _ end: (Int, Answer) -> Void) {
    var rest = jobs[...]
    while let (index, job) = rest.first {
      if case .away(let failure) = state {
        end(index, .failure(failure))
        rest = rest.dropFirst()
        continue
      }
      // Those that come one after the other go together.
      let released = rest.prefix { if case .release = $0.job { true } else { false } }
      if released.isEmpty {
        end(index, answer(job))
        rest = rest.dropFirst()
      } else {
        let answer = release(Set(released.compactMap(\.job.session)))
        for (index, _) in released { end(index, answer) }
        rest = rest.dropFirst(released.count)
      }
    }
  }

  private func release(_ ids: Set<StoredSessionID>) -> Answer {
    let sessions = ids.map { (id: $0, version: own.version(of: $0)) }
    let result = transact(.release) { [SharedStoreSQL.release($0, sessions)] }
    guard case .failure(let failure) = result else {
      for id in ids { own[id] = nil }
      return .done
    }
    return .failure(failure)
  }

  private func answer(_ job: SharedStoreJob) -> Answer {
    switch job {
    case .claim(let id, let number, let takes, let grace, let lease, _): return claim(id, number, takes, grace, lease)
    case .remove(let id, let grace, _): return remove(id, grace)
    case .refuse(let request, _):
      return Answer(transact(.refusal) { [SharedStoreSQL.refuse($0, request)] })
    case .expired(let grace, let countMax, _):
      var found: [StoredSessionID] = []
      let result = transact(.expiry) {
        [SharedStoreSQL.expired($0, grace: grace, atMost: countMax)]
      } begin: { _ in
        found = []
      } take: { _, row in
        if let id = row.bytes(0, 0).flatMap({ StoredSessionID($0) }) { found.append(id) }
      }
      return Answer(result, .sessions(found))
    case .count:
      var counts = StoreCounts()
      let result = transact(.count) { _ in
        SharedStoreSQL.count
      } begin: { _ in
        counts = StoreCounts()
      } take: { statement, row in
        if statement == 0 {
          counts.sessionsByForm[row.text(0, 0)] = Int(row.integer(0, 1) ?? 0)
          counts.sessions += Int(row.integer(0, 1) ?? 0)
        } else {
          counts.fileBytes = Int(row.integer(0, 0) ?? 0)
        }
      }
      return Answer(result, .counts(counts))
    case .write, .release: preconditionFailure("it goes with others of its kind")
    }
  }

  private func claim(
    _ id: StoredSessionID,
    _ number: Int64,
    _ takes: Bool,
    _ grace: Int64,
    _ lease: Duration
  ) -> Answer {
    for _ in 0..<Self.passingMax {
      var claimed = SharedStoreSQL.Claimed()
      let result = transact(.claim, lease: lease) {
        SharedStoreSQL.claim($0, id, number: number, takes: takes, grace: grace)
      } begin: { _ in
        claimed = SharedStoreSQL.Claimed()
      } take: {
        claimed.take($0, $1)
      }
      if case .failure(let failure) = result { return .failure(failure) }
      if let session = claimed.session {
        own[id] = OwnSessions.Entry(number: session.number, version: session.version)
        let expiry = ExpiryTime.expiry(in: session.secondsLeft, place.wallClock())
        let facts = StoredFacts(form: session.form, expiry: expiry)
        return .claimed(.session(StoredSession(facts: facts, parts: claimed.parts)))
      }
      // It is not this process's, or not any more.
      own[id] = nil
      if let owner = claimed.owner { return .claimed(.held(by: owner, isRefused: claimed.isRefused)) }
      if !claimed.isThere { return .claimed(.nothing) }
    }
    return .failure(StoreFailure(.busy, "a session of the store \(place.url.text) goes from daemon to daemon"))
  }

  private func remove(_ id: StoredSessionID, _ grace: Int64) -> Answer {
    let version = own.version(of: id)
    var (wasThere, mayBeDone) = (false, false)
    let result = transact(.removal) {
      SharedStoreSQL.remove($0, id, version: version, grace: grace)
    } begin: {
      mayBeDone = $0
    } take: { statement, _ in
      if statement == 1 { wasThere = true }
    }
    if case .failure(let failure) = result { return .failure(failure) }
    own[id] = nil
    return .wasThere(wasThere || mayBeDone && version != nil)
  }

  // MARK: Transactions

  /// Why a transaction has not been done, or nobody knows whether it has.
  private enum Failed: Error {
    /// The connection was lost.
    case connection
    /// The server has said no; nothing of it is done.
    case statement(PostgresError)
    /// The store is away; nothing of it is done, or nobody knows.
    case away(StoreFailure)
  }

  /// Does statements that may be done more than once, until they are.
  ///
  /// - Parameters:
  ///   - lease: of this process, where it has none yet.
  ///   - begin: called before each try, with whether an earlier one may have done it.
  private func transact(
    _ purpose: SharedStoreFaults.Purpose,
    lease: Duration? = nil,
    _ statements: (SharedStorePlace) -> [Link.Statement],
    begin: (_ mayBeDone: Bool) -> Void = { _ in },
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) -> Result<Void, StoreFailure> {
    var passing = 0
    var (isSent, mayBeDone) = (false, false)
    while true {
      do throws(Failed) {
        isSent = false
        let link = try connected()
        try enroll(link, lease)
        begin(mayBeDone)
        isSent = true
        try attempt(link, purpose, statements(place), take: take)
        return .success(())
      } catch {
        switch error {
        case .connection: mayBeDone = mayBeDone || isSent
        case .away(let failure): return .failure(failure)
        case .statement(let error):
          if error.saysNobody { isEnrolled = false }
          if error.saysNobody || error.isPassing, passing < Self.passingMax {
            passing += 1
            continue
          }
          let failure = StoreFailure(error, place.url)
          if !error.concernsData { goAway(failure) }
          return .failure(failure)
        }
      }
    }
  }

  /// Does statements once.
  private func attempt(
    _ link: Link,
    _ purpose: SharedStoreFaults.Purpose,
    _ statements: [Link.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) throws(Failed) {
    do throws(Link.Trouble) {
      try link.transact(purpose, statements, take: take)
      losses = nil
    } catch {
      switch error {
      case .failed(let error): throw .statement(error)
      case .lost(let failure): throw lost(failure)
      }
    }
  }

  /// A server that takes connections and loses them all the time, or says nothing on them, cannot be worked with.
  private func lost(_ failure: StoreFailure) -> Failed {
    link = nil
    let (first, count) = losses ?? (.now, 0)
    losses = (first, count + 1)
    if cancellation.isCancelled || ContinuousClock.now - first > place.patience * 2 {
      losses = nil
      goAway(failure)
      return .away(failure)
    }
    if (count + 1).isMultiple(of: Self.triesMax) { pause.wait(until: .now + place.retryInterval) }
    return .connection
  }

  /// Makes the row of this process where it has none yet.
  private func enroll(_ link: Link, _ lease: Duration? = nil) throws(Failed) {
    if isEnrolled { return }
    try attempt(link, .enrollment, SharedStoreSQL.enroll(place, lease: lease))
    isEnrolled = true
  }

  // MARK: Connections

  /// A connection that can be used, as far as is known. A server that was lost is tried a few times before the store is away.
  private func connected() throws(Failed) -> Link {
    if let link, link.isAlive() { return link }
    link = nil
    var tries = 0
    while true {
      do throws(StoreFailure) {
        let link = try Link(to: place, within: place.patience, cancellation)
        self.link = link
        return link
      } catch {
        tries += 1
        if tries == Self.triesMax || error.isFinal || cancellation.isCancelled {
          goAway(error)
          throw .away(error)
        }
        pause.wait(until: .now + place.retryInterval)
      }
    }
  }

  private func goAway(_ failure: StoreFailure) {
    // The next server may be another one.
    link = nil
    change(to: .away(failure))
  }

  /// Tries whether the store is well: it is reached, can be written, and what is in doubt is known.
  private func recover() {
    nextTry = .now + place.retryInterval
    do throws(StoreFailure) {
      let link = try Link(to: place, within: place.patience, cancellation)
      do throws(Link.Trouble) {
        try link.transact(.probe, SharedStoreSQL.probe)
        try resolveDoubts(link)
      } catch {
        throw link.failure(error)
      }
      self.link = link
      change(to: .well)
    } catch {
      change(to: .away(error))
    }
  }

  /// Those who wrote them were told that it has failed: what they are now is what they stay until they are written whole.
  private func resolveDoubts(_ link: Link) throws(Link.Trouble) {
    if doubtful.isEmpty { return }
    var found: [StoredSessionID: (number: Int64, version: Int64)] = [:]
    try link.transact(.lookUp, [SharedStoreSQL.lookUp(place, Array(doubtful))]) { _, row in
      if let bytes = row.bytes(0, 0), let id = StoredSessionID(bytes) {
        found[id] = (row.integer(0, 1) ?? 0, row.integer(0, 2) ?? 0)
      }
    }
    for id in doubtful {
      if let present = found[id] {
        own[id] = OwnSessions.Entry(number: present.number, version: present.version, isOutOfStep: true)
      } else if own[id]?.isThere == true {
        own[id] = nil
      }
    }
    doubtful = []
  }

  private func change(to new: StoreState) {
    nextTry = .now + place.retryInterval
    if new == state { return }
    state = new
    onStateChange(new)
  }
}

extension StoreFailure {
  /// Whether waiting a little does not help: somebody has to do something.
  fileprivate var isFinal: Bool { reason == .newer || reason == .closed }
}
