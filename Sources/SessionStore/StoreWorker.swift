internal import Dispatch
internal import Files
internal import JSON
internal import SQLite

/// The work of the store's thread: it takes jobs, commits them together, and completes them.
///
/// `@unchecked Sendable`: everything except ``waitForEnd(within:)`` belongs to the thread that ``start()`` starts.
final class StoreWorker: @unchecked Sendable {
  struct Settings {
    let path: String
    let durability: StoreDurability
    let pagesMax: Int?
    let logPagesWanted: Int
    let retryInterval: Duration
    let interruption: StoreInterruption
    let onStateChange: @Sendable (StoreState) -> Void
  }

  /// The result of a job, before its completion is called.
  private enum Answer {
    case written
    case session(StoredSession?)
    case wasThere(Bool)
    case sessions([StoredSessionID])
    case count(Int)
    case failed(StoreFailure)
  }

  private let settings: Settings
  private let queue: StoreQueue<SQLiteStoreJob>
  private let hasEnded = DispatchSemaphore(value: 0)
  /// Nil while the file cannot be opened.
  private var file: StoreFile?
  private var statements: StoreStatements?
  private var state = StoreState.well
  /// Sessions of which the store may lack a part: only a whole write is accepted.
  private var outOfStep: Set<StoredSessionID> = []
  /// How many pages the log has.
  private var logPages = 0
  /// The time at which a store that is away tries again. Jobs do not change that.
  private var nextTry = ContinuousClock.now

  /// If the log has this many times the pages that are wanted, it is brought into the file although jobs wait.
  private static let logGrowthMax = 8

  /// How often a store that is not used is looked at.
  private static let lookInterval = Duration.seconds(2)

  init(_ settings: Settings, _ queue: StoreQueue<SQLiteStoreJob>) throws(StoreFailure) {
    self.settings = settings
    self.queue = queue
    try open()
  }

  func start() { DetachedThread.start { self.work() } }

  /// - Returns: whether it has ended within that time.
  func waitForEnd(within limit: Duration) -> Bool {
    let deadline = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
    guard hasEnded.wait(timeout: deadline) == .success else { return false }
    hasEnded.signal()
    return true
  }

  private func work() {
    loop: while true {
      let pause = state == .well ? Self.lookInterval : max(.zero, ContinuousClock.now.duration(to: nextTry))
      switch queue.take(within: pause) {
      case .jobs(let jobs):
        perform(jobs)
        checkpointIfWanted()
      case .nothing: look()
      case .end: break loop
      }
      if state != .well, ContinuousClock.now >= nextTry { recover() }
    }
    close()
    hasEnded.signal()
  }

  // MARK: The file

  private func open() throws(StoreFailure) {
    let file = try StoreFile(
      path: settings.path,
      durability: settings.durability,
      pagesMax: settings.pagesMax
    )
    // Called within the worker's own commits.
    file.connection.onLogGrowth { [unowned self] in logHasGrown(to: $0) }
    do throws(SQLiteError) {
      statements = try StoreStatements(file.connection)
    } catch {
      throw StoreFailure(error, settings.path)
    }
    self.file = file
  }

  /// SQLite has written a commit into the log, which has so many pages now.
  private func logHasGrown(to pages: Int) {
    logPages = pages
    settings.interruption.at(.inCommit)
  }

  /// The connection is closed when its last holders are gone: the statements, and the file.
  private func close() {
    statements = nil
    file = nil
  }

  /// Brings the log into the file: seldom, and if possible when no job waits.
  private func checkpointIfWanted() {
    guard logPages > settings.logPagesWanted, let file,
      queue.isEmpty || logPages > Self.logGrowthMax * settings.logPagesWanted
    else { return }
    settings.interruption.at(.beforeCheckpoint)
    // One that fails changes nothing, and is tried again behind the next commit.
    try? file.checkpoint()
    logPages = 0
    settings.interruption.at(.afterCheckpoint)
  }

  // MARK: Jobs

  private func perform(_ jobs: [SQLiteStoreJob]) {
    var rest = jobs[...]
    while !rest.isEmpty {
      let together = rest.prefix { if case .backUp = $0 { false } else { true } }
      if !together.isEmpty { performTogether(Array(together)) }
      rest = rest.dropFirst(together.count)
      guard case .backUp(let path, let completion)? = rest.popFirst() else { continue }
      completion(backUp(to: path))
    }
  }

  /// A copy cannot be made within a transaction.
  private func backUp(to path: String) -> Result<Int, StoreFailure> {
    guard let file else {
      if case .away(let failure) = state { return .failure(failure) }
      return .failure(Self.removed(settings.path))
    }
    do throws(StoreFailure) {
      return .success(try file.backUp(to: path))
    } catch {
      return .failure(error)
    }
  }

  private func performTogether(_ jobs: [SQLiteStoreJob]) {
    if case .away(let failure) = state {
      for job in jobs {
        if job.writes, !job.makesRoom || file == nil { fail(job, failure) } else { performAlone(job) }
      }
      return
    }
    if let answers = commit(jobs) { return tell(jobs, answers) }
    // Perhaps only one job fails.
    for job in jobs { performAlone(job) }
  }

  /// Does one job in a transaction of its own. When it fails because of the store, the store looks whether it can be
  /// written at all.
  private func performAlone(_ job: SQLiteStoreJob) {
    var failure: StoreFailure?
    if let answers = commit([job], &failure) {
      tell([job], answers)
      if case .away = state, job.writes { recover() }
      return
    }
    let found = failure ?? StoreFailure(.other, "the store \(settings.path) fails")
    fail(job, found)
    if !found.concernsOneSession, job.writes { lookWhetherWell(found) }
  }

  private func commit(_ jobs: [SQLiteStoreJob]) -> [Answer]? {
    var failure: StoreFailure?
    return commit(jobs, &failure)
  }

  /// Does jobs in one transaction.
  ///
  /// - Returns: nil when the transaction has failed, and nothing was changed.
  private func commit(_ jobs: [SQLiteStoreJob], _ failure: inout StoreFailure?) -> [Answer]? {
    guard let file, let statements else {
      failure = if case .away(let reason) = state { reason } else { nil }
      return nil
    }
    let path = settings.path
    do throws(SQLiteError) {
      guard jobs.contains(where: \.writes) else { return try answers(jobs, statements) }
      // The store asks before and after: writes into a file that the path does not name any more are lost.
      if file.isInPlace {
        settings.interruption.at(.beforeBegin)
        try statements.begin()
        let answers = try self.answers(jobs, statements)
        settings.interruption.at(.beforeCommit)
        try statements.commit()
        settings.interruption.at(.afterCommit)
        if file.isInPlace { return answers }
      }
      failure = Self.removed(path)
    } catch {
      statements.rollBack()
      failure = StoreFailure(error, path)
    }
    return nil
  }

  private static func removed(_ path: String) -> StoreFailure {
    StoreFailure(.removed, "the store \(path), or the log beside it, was removed or replaced while it was open")
  }

  private func answers(_ jobs: [SQLiteStoreJob], _ statements: StoreStatements) throws(SQLiteError) -> [Answer] {
    var answers: [Answer] = []
    for job in jobs { answers.append(try answer(job, statements)) }
    return answers
  }

  private func answer(_ job: SQLiteStoreJob, _ statements: StoreStatements) throws(SQLiteError) -> Answer {
    switch job {
    case .write(let writes, _): return try answer(writes, statements)
    case .read(let id, let now, _): return .session(try statements.read(id, at: now))
    case .remove(let id, _):
      outOfStep.remove(id)
      return .wasThere(try statements.remove(id))
    case .expired(let now, let countMax, _): return .sessions(try statements.expired(by: now, atMost: countMax))
    case .count: return .count(try statements.count())
    case .backUp: preconditionFailure("a copy is part of a transaction")
    }
  }

  /// Nothing is written before it is known that all can be.
  private func answer(_ writes: [SessionWrite], _ statements: StoreStatements) throws(SQLiteError) -> Answer {
    for write in writes {
      let known = write.formerID ?? write.id
      let isKnown = try statements.contains(known)
      let isTaken = write.isFirst || isKnown && (write.isWhole && write.formerID == nil || !outOfStep.contains(known))
      if isTaken { continue }
      for write in writes { outOfStep.insert(write.formerID ?? write.id) }
      return .failed(StoreFailure(.outOfStep, "the store lacks an earlier write of a session: write the whole session"))
    }
    for write in writes {
      if let former = write.formerID { _ = try statements.rename(former, to: write.id) }
      guard try statements.apply(write) else { preconditionFailure("a session that was there is missing") }
      if write.isWhole, !outOfStep.isEmpty { outOfStep.remove(write.id) }
    }
    return .written
  }

  private func tell(_ jobs: [SQLiteStoreJob], _ answers: [Answer]) {
    for (job, answer) in zip(jobs, answers) {
      switch (job, answer) {
      case (_, .failed(let failure)): job.fail(failure)
      case (.write(_, let completion), _): completion(.success(()))
      case (.read(_, _, let completion), .session(let session)): completion(.success(session))
      case (.remove(_, let completion), .wasThere(let wasThere)): completion(.success(wasThere))
      case (.expired(_, _, let completion), .sessions(let sessions)): completion(.success(sessions))
      case (.count(let completion), .count(let count)): completion(.success(count))
      default: preconditionFailure("the answer to a job is of another kind")
      }
    }
    settings.interruption.at(.afterCompletion)
  }

  private func fail(_ job: SQLiteStoreJob, _ failure: StoreFailure) {
    if case .write(let writes, _) = job { for write in writes { outOfStep.insert(write.formerID ?? write.id) } }
    job.fail(failure)
  }

  // MARK: Away and back

  /// Looks whether the file is still there. A file that was removed is put back.
  private func look() {
    guard state == .well, file?.isInPlace != true else { return }
    change(to: .away(Self.removed(settings.path)))
    recover()
  }

  /// A write has failed. Perhaps only this write is wrong; if not, the store is away.
  private func lookWhetherWell(_ failure: StoreFailure) {
    if case .away = state {
      if ContinuousClock.now >= nextTry { recover() }
    } else if !canWrite() {
      change(to: .away(failure))
    }
  }

  /// Whether something of some size can be written now.
  private func canWrite() -> Bool {
    guard let file, let statements, file.isInPlace else { return false }
    do throws(SQLiteError) {
      try statements.probe()
      return true
    } catch {
      statements.rollBack()
      return false
    }
  }

  /// Tries whether the store is well again.
  private func recover() {
    nextTry = .now + settings.retryInterval
    if file?.isInPlace != true {
      rescue()
      // As long as nothing is there, what is open is all there is, and can be read.
      guard file == nil || StoreFile.isThere(settings.path) else { return }
      close()
      do throws(StoreFailure) {
        try open()
      } catch {
        return change(to: .away(error))
      }
    }
    if canWrite() { change(to: .well) }
  }

  /// Brings back a file that was removed: the open file still has all acknowledged writes. Another file in its place is
  /// not touched.
  private func rescue() {
    guard let file else { return }
    try? file.checkpoint()
    StoreFile.putBack(at: file.path) { copy in try file.copy(to: copy) }
  }

  private func change(to new: StoreState) {
    if new == state { return }
    state = new
    nextTry = .now + settings.retryInterval
    settings.onStateChange(new)
  }
}
