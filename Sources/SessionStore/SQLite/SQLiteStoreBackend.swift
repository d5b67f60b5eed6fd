internal import JSON
internal import SQLite

/// A SQLite file, as the store's thread uses it.
final class SQLiteStoreBackend: StoreBackend {
  struct Settings {
    let path: String
    let durability: StoreDurability
    let pagesMax: Int?
    let logPagesWanted: Int
    let wallClock: @Sendable () -> Double
    let interruption: StoreInterruption
  }

  private let settings: Settings
  /// Nil while the file cannot be opened.
  private var file: StoreFile?
  private var statements: StoreStatements?
  private var availability: Availability
  /// Sessions of which the store may lack a part: only a whole write is accepted.
  private var outOfStep: Set<StoredSessionID> = []
  /// The pages of SQLite's write-ahead log.
  private var logPages = 0

  /// If the log has this many times the pages that are wanted, it is brought into the file although jobs wait.
  private static let logGrowthMax = 8

  init(_ settings: Settings, _ availability: Availability) throws(StoreFailure) {
    self.settings = settings
    self.availability = availability
    try open()
  }

  func begin() {}

  func end() -> Bool {
    close()
    return true
  }

  /// Nothing waits for another process.
  func cancel() {}

  func renew(for lease: Duration, _ completion: @escaping @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void) {
    preconditionFailure("a store of one daemon has no lease")
  }

  // MARK: The file

  private func open() throws(StoreFailure) {
    let file = try StoreFile(
      path: settings.path,
      durability: settings.durability,
      pagesMax: settings.pagesMax
    )
    // Called within the commits of the store's thread.
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
  private func checkpointIfWanted(_ isIdle: () -> Bool) {
    guard logPages > settings.logPagesWanted, let file,
      logPages > Self.logGrowthMax * settings.logPagesWanted || isIdle()
    else { return }
    settings.interruption.at(.beforeCheckpoint)
    // One that fails changes nothing, and is tried again behind the next commit.
    try? file.checkpoint()
    logPages = 0
    settings.interruption.at(.afterCheckpoint)
  }

  // MARK: Jobs

  func perform(_ jobs: [StoreJob], isIdle: () -> Bool) {
    var rest = jobs[...]
    while !rest.isEmpty {
      let together = rest.prefix { if case .backUp = $0.work { false } else { true } }
      if !together.isEmpty { performTogether(Array(together)) }
      rest = rest.dropFirst(together.count)
      guard let job = rest.popFirst(), case .backUp(let path) = job.work else { continue }
      job.complete(Result { () throws(StoreFailure) -> any Sendable in try backUp(to: path) })
    }
    checkpointIfWanted(isIdle)
  }

  /// A copy cannot be made within a transaction.
  private func backUp(to path: String) throws(StoreFailure) -> Int {
    guard let file else { throw noFile }
    return try file.backUp(to: path)
  }

  /// The reason why there is no file.
  private var noFile: StoreFailure {
    availability.failure ?? Self.removed(settings.path)
  }

  private func performTogether(_ jobs: [StoreJob]) {
    if let failure = availability.failure {
      for job in jobs {
        if job.work.writes, !job.work.makesRoom || file == nil { fail(job, failure) } else { performAlone(job) }
      }
      return
    }
    do throws(StoreFailure) {
      tell(jobs, try commit(jobs))
    } catch {
      // Perhaps only one job fails.
      for job in jobs { performAlone(job) }
    }
  }

  /// Does one job in a transaction of its own. When it fails because of the store, the store looks whether it can be
  /// written at all.
  private func performAlone(_ job: StoreJob) {
    do throws(StoreFailure) {
      tell([job], try commit([job]))
      if availability.failure != nil, job.work.writes { recover() }
    } catch {
      fail(job, error)
      if !error.concernsOneSession, job.work.writes { lookWhetherWell(error) }
    }
  }

  /// Does jobs in one transaction.
  ///
  /// - Throws: the reason why the transaction has failed, and nothing was changed.
  private func commit(_ jobs: [StoreJob]) throws(StoreFailure) -> [StoreJob.Outcome] {
    guard let file, let statements else { throw noFile }
    let path = settings.path
    do throws(SQLiteError) {
      guard jobs.contains(where: \.work.writes) else { return try outcomes(jobs, statements) }
      // The store asks before and after: writes into a file that the path does not name any more are lost.
      if file.isInPlace {
        settings.interruption.at(.beforeBegin)
        try statements.begin()
        let outcomes = try self.outcomes(jobs, statements)
        settings.interruption.at(.beforeCommit)
        try statements.commit()
        settings.interruption.at(.afterCommit)
        if file.isInPlace { return outcomes }
      }
    } catch {
      statements.rollBack()
      throw StoreFailure(error, path)
    }
    throw Self.removed(path)
  }

  private static func removed(_ path: String) -> StoreFailure {
    StoreFailure(.removed, "the store \(path), or the log beside it, was removed or replaced while it was open")
  }

  private func outcomes(_ jobs: [StoreJob], _ statements: StoreStatements) throws(SQLiteError) -> [StoreJob.Outcome] {
    var outcomes: [StoreJob.Outcome] = []
    for job in jobs { outcomes.append(try perform(job.work, statements)) }
    return outcomes
  }

  private func perform(_ work: StoreWork, _ statements: StoreStatements) throws(SQLiteError) -> StoreJob.Outcome {
    switch work {
    case .write(let write, _): return try perform(write, statements)
    case .claim(let claim, _):
      let session = try statements.read(claim.id, at: now - claim.grace)
      return .success(session.map { ClaimResult.session($0) } ?? .nothing)
    case .remove(let id, _):
      outOfStep.remove(id)
      return .success(try statements.remove(id))
    case .expired(let grace, let countMax):
      return .success(try statements.expired(by: now - grace, atMost: countMax))
    case .count: return .success(try statements.count())
    case .backUp: preconditionFailure("a copy is part of a transaction")
    case .release, .answer: preconditionFailure("no other daemon has the store")
    }
  }

  /// Seconds since 1970.
  private var now: Int64 { Int64(settings.wallClock()) }

  private func perform(_ write: SessionWrite, _ statements: StoreStatements) throws(SQLiteError) -> StoreJob.Outcome {
    let known = write.knownID
    let isKnown = try statements.contains(known)
    guard write.isFirst || isKnown && (write.isWhole && write.formerID == nil || !outOfStep.contains(known)) else {
      outOfStep.insert(known)
      return .failure(.wantsWhole)
    }
    if let former = write.formerID { _ = try statements.rename(former, to: write.id) }
    guard try statements.apply(write) else { preconditionFailure("a session that was there is missing") }
    if write.isWhole, !outOfStep.isEmpty { outOfStep.remove(write.id) }
    return .success(())
  }

  private func tell(_ jobs: [StoreJob], _ outcomes: [StoreJob.Outcome]) {
    for (job, outcome) in zip(jobs, outcomes) { job.complete(outcome) }
    settings.interruption.at(.afterCompletion)
  }

  private func fail(_ job: StoreJob, _ failure: StoreFailure) {
    if case .write(let write, _) = job.work { outOfStep.insert(write.knownID) }
    job.complete(.failure(failure))
  }

  // MARK: Away and back

  var timeToTry: Duration? { availability.timeToTry }

  /// Looks whether the file is still there. A file that was removed is put back.
  func look() {
    guard availability.failure == nil, file?.isInPlace != true else { return }
    availability.change(to: .away(Self.removed(settings.path)))
    recover()
  }

  /// A write has failed. Perhaps only this write is wrong; if not, the store is away.
  private func lookWhetherWell(_ failure: StoreFailure) {
    if let timeToTry {
      if timeToTry == .zero { recover() }
    } else if !canWrite() {
      availability.change(to: .away(failure))
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
  func recover() {
    availability.tries()
    if file?.isInPlace != true {
      rescue()
      // As long as nothing is there, what is open is all there is, and can be read.
      guard file == nil || StoreFile.isThere(settings.path) else { return }
      close()
      do throws(StoreFailure) {
        try open()
      } catch {
        return availability.change(to: .away(error))
      }
    }
    if canWrite() { availability.change(to: .well) }
  }

  /// Brings back a file that was removed: the open file still has all acknowledged writes. Another file in its place is
  /// not touched.
  private func rescue() {
    guard let file else { return }
    try? file.checkpoint()
    StoreFile.putBack(at: file.path) { copy in try file.copy(to: copy) }
  }
}

extension StoreWork {
  /// Whether it changes the file.
  fileprivate var writes: Bool {
    switch self {
    case .write, .remove: true
    case .claim, .release, .answer, .expired, .count, .backUp: false
    }
  }

  /// Whether it makes room, so that it is worth a try while the store is full.
  fileprivate var makesRoom: Bool { if case .remove = self { true } else { false } }
}
