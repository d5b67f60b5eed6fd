import CEL
import SessionStore
import Sessions
internal import Times

@testable import Server

/// The database that the daemons of a test share: the committed sessions, their owners, the requests for them, and the
/// end of each daemon's lease. The database has its own clock. Its methods are the statements of
/// `PostgresStoreStatements`.
final class TestSharedDatabase {
  struct Row {
    var session: StoredSession
    var owner: String?
    var version = 0
    /// The time at which the session expires.
    var expiry: Instant
    /// The time at which its last write was requested.
    var written: Instant
    /// The daemon that asks the owner for the session; nil: none, and then the next two mean nothing.
    var wantedBy: String?
    var wantedUntil = Instant(nanoseconds: 0)
    /// The number of the request; negative if it does not take a session in use.
    var wantedTakes: Int64 = 0
  }

  var sessions: [StoredSessionID: Row] = [:]
  private var leases: [String: Instant] = [:]
  var now = Instant(nanoseconds: 0)
  /// How long a session is kept.
  var keep = Duration.zero
  /// The violation that the database has found, or nil.
  private(set) var problem: String?
  /// Whether a session has expired.
  private(set) var isOver = false
  /// The notifications that the instances have not read.
  var unheard: [String: Set<StoredSessionID?>] = [:]

  /// Whether a daemon's lease runs by the database's clock. If it does, no other daemon may take its sessions.
  func leaseRuns(_ instance: String) -> Bool { leases[instance].map { $0 > now } ?? false }

  /// Whether a daemon that wants a session finds its owner alive.
  private func isAlive(_ instance: String) -> Bool { leaseRuns(instance) }

  func renew(_ instance: String, for lease: Duration) -> LeaseRenewal {
    let wasLate = leases[instance].map { $0 <= now } ?? false
    leases[instance] = now + lease
    var renewal = LeaseRenewal()
    if wasLate { renewal.owned = Set(sessions.filter { $0.value.owner == instance }.keys) }
    renewal.requests = sessions.compactMap { id, row in
      guard row.owner == instance, let asker = row.wantedBy, isWanted(row) else { return nil }
      return SessionRequest(id: id, asker: asker, number: abs(row.wantedTakes), takes: row.wantedTakes > 0)
    }.sorted { $0.id.prefix < $1.id.prefix }
    return renewal
  }

  /// The daemon has ended, and another daemon has its lock.
  func endLease(_ instance: String) { leases[instance] = nil }

  func claim(_ claim: SessionClaim, for lease: Duration, by instance: String) -> ClaimResult {
    guard var row = sessions[claim.id] else { return .nothing }
    if let owner = row.owner, owner != instance, isAlive(owner) {
      return ask(claim, for: lease, by: instance, of: owner, &row)
    }
    if isOver(row, grace: claim.grace) { return .nothing }
    if row.wantedBy == instance { row.wantedBy = nil }
    row.owner = instance
    row.version += 1
    sessions[claim.id] = row
    return .session(row.session)
  }

  private func ask(
    _ claim: SessionClaim,
    for lease: Duration,
    by instance: String,
    of owner: String,
    _ row: inout Row
  ) -> ClaimResult {
    let isMine = row.wantedBy == instance && row.wantedTakes == claim.wantedTakes
    if claim.isLast || claim.isAsked && !isMine {
      if isMine { sessions[claim.id]?.wantedBy = nil }
      return .held(by: owner, .isOver)
    }
    if row.wantedBy != instance, isWanted(row) { return .held(by: owner, .isNext) }
    row.wantedBy = instance
    row.wantedUntil = now + lease
    row.wantedTakes = claim.wantedTakes
    sessions[claim.id] = row
    unheard[owner, default: []].insert(nil)
    return .held(by: owner, .placed)
  }

  /// Whether there is a request for the session, from a daemon that is alive.
  private func isWanted(_ row: Row) -> Bool { row.wantedUntil > now && row.wantedBy.map { isAlive($0) } ?? false }

  /// Whether a session has expired. It notes a violation if the last write is more recent than `keep`.
  private func isOver(_ row: Row, grace: Int64) -> Bool {
    guard row.expiry + .seconds(grace) <= now else { return false }
    if row.written + keep > now { problem = problem ?? "the session is over too early" }
    isOver = true
    return true
  }

  /// - Parameters:
  ///   - version: the session's version that the writer knows; a write that is done increments it.
  ///   - expiry: the new expiry; nil keeps the previous one.
  ///   - time: the time of the request.
  func write(
    _ write: SessionWrite,
    by instance: String,
    _ version: inout Int?,
    expiry: Instant?,
    asked time: Instant
  ) -> StoreFailure? {
    let known = write.formerID ?? write.id
    let before = sessions[known]
    if let before {
      guard before.owner == instance && before.version == version else { return Self.notOwned }
    } else if !write.isFirst {
      return Self.notOwned
    }
    sessions[known] = nil
    var parts = Dictionary(uniqueKeysWithValues: (before?.session.parts ?? []).map { ($0.number, $0.bytes) })
    if write.isWhole { parts = parts.filter { $0.key < 0 } }
    for part in write.parts { parts[part.number] = part.bytes }
    sessions[write.id] = Row(
      session: StoredSession(
        facts: write.facts ?? before?.session.facts ?? StoredFacts(form: "", expiry: 0),
        parts: parts.map { (number: $0.key, bytes: $0.value) }.sorted { $0.number < $1.number }
      ),
      owner: before.map(\.owner) ?? instance,
      version: (before?.version ?? 0) + 1,
      expiry: expiry ?? before?.expiry ?? now,
      written: time,
      // A request is for the session as the former key opens it.
      wantedBy: write.formerID == nil ? before?.wantedBy : nil,
      wantedUntil: before?.wantedUntil ?? now,
      wantedTakes: before?.wantedTakes ?? 0
    )
    version = (before?.version ?? 0) + 1
    return nil
  }

  private static let notOwned = StoreFailure(.notOwned, "the session is at another daemon now")

  func remove(_ id: StoredSessionID, by instance: String, grace: Int64) -> StoreFailure? {
    guard let row = sessions[id] else { return nil }
    if row.owner != instance {
      guard isFree(row, for: instance), isOver(row, grace: grace) else { return Self.notOwned }
      if let owner = row.owner, leaseRuns(owner) { problem = problem ?? "the session goes, and \(owner) has it" }
    }
    sessions[id] = nil
    if row.wantedBy != nil { tell(id) }
    isOver = true
    return nil
  }

  private func isFree(_ row: Row, for instance: String) -> Bool {
    row.owner.map { $0 == instance || !isAlive($0) } ?? true
  }

  func expired(for instance: String, grace: Int64) -> [StoredSessionID] {
    sessions.filter { $0.value.expiry + .seconds(grace) <= now && isFree($0.value, for: instance) }.map(\.key)
  }

  func release(_ id: StoredSessionID, by instance: String) -> StoreFailure? {
    guard let row = sessions[id], row.owner == instance else { return Self.notOwned }
    sessions[id]?.owner = nil
    if row.wantedBy != nil { tell(id) }
    return nil
  }

  func answer(_ request: SessionRequest, gives: Bool, by instance: String) -> StoreFailure? {
    guard var row = sessions[request.id], row.owner == instance else { return .moved }
    let isWanted = row.wantedBy == request.asker && isWanted(row)
    let isSame = row.wantedTakes == request.wantedTakes
    guard isWanted, isSame else { return nil }
    if gives {
      row.owner = request.asker
      row.version += 1
    }
    row.wantedBy = nil
    sessions[request.id] = row
    tell(request.id)
    return gives ? .moved : nil
  }

  /// Notifies all daemons, because several may wait for the session.
  private func tell(_ id: StoredSessionID) {
    for instance in leases.keys { unheard[instance, default: []].insert(id) }
  }

  /// Whether these bytes are in a committed session.
  func contains(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return sessions.values.contains { $0.session.parts.contains { $0.bytes.firstRange(of: bytes) != nil } }
  }
}

/// A daemon's connection to the database. The test decides when its requests are executed, if at all.
final class TestSharedConnection: ServerStore {
  private typealias Job = () -> () -> Void

  let instance: String
  let database: TestSharedDatabase
  private var jobs: [Job] = []
  private var renewals: [Job] = []
  private var versions: [StoredSessionID: Int] = [:]
  /// Sessions that accept only whole writes.
  private var outOfStep: Set<StoredSessionID> = []
  private var heard: (StoredSessionID?) -> Void = { _ in }
  let lease: Duration?
  weak var server: FormServer?
  /// The reason why nothing can be done; nil if the connection works.
  var failure: StoreFailure?
  /// Whether the database answers requests of other daemons all the same, although that fails here.
  var losesAnswers = false

  init(_ instance: String, _ database: TestSharedDatabase, lease: Duration) {
    self.instance = instance
    self.lease = lease
    self.database = database
  }

  var jobCount: Int { jobs.count }
  /// How many of its requests for a session the database has not executed.
  private(set) var claimCount = 0
  var renewalCount: Int { renewals.count }

  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void) {
    self.server = server
    self.heard = heard
  }

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    let (asked, clock) = (database.now, server?.environment.wallClock().seconds ?? 0)
    let expiry = write.facts.map { asked + .seconds($0.expiry - clock) }
    jobs.append { [self] in
      let known = write.formerID ?? write.id
      var failure = failure
      if outOfStep.contains(known), !write.isWhole || write.formerID != nil {
        failure = StoreFailure(.outOfStep, "write it whole")
      }
      if failure == nil {
        var version = versions.removeValue(forKey: known)
        failure = database.write(write, by: instance, &version, expiry: expiry, asked: asked)
        versions[write.id] = version
      }
      if failure == nil { outOfStep.remove(known) } else { outOfStep.insert(known) }
      return { [failure] in completion(failure) }
    }
  }

  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimResult, StoreFailure>) -> Void) {
    claimCount += 1
    jobs.append { [self] in
      claimCount -= 1
      if let failure { return { completion(.failure(failure)) } }
      let answer = database.claim(claim, for: lease ?? .zero, by: instance)
      if case .session = answer {
        versions[claim.id] = database.sessions[claim.id]?.version
        outOfStep.remove(claim.id)
      }
      return { completion(.success(answer)) }
    }
  }

  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    jobs.append { [self] in
      let failure = failure ?? database.remove(id, by: instance, grace: grace)
      return { completion(failure) }
    }
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    jobs.append { [self] in
      let failure = failure ?? database.release(id, by: instance)
      return { completion(failure) }
    }
  }

  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void) {
    jobs.append { [self] in
      let isDone = failure == nil || losesAnswers
      let answer = isDone ? database.answer(request, gives: gives, by: instance) : nil
      return { [failure] in completion(failure ?? answer) }
    }
  }

  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    jobs.append { [self] in
      let found = failure == nil ? database.expired(for: instance, grace: grace) : []
      return { completion(found) }
    }
  }

  func count(_ completion: @escaping (Int?) -> Void) {
    jobs.append { [self] in
      let count = failure == nil ? database.sessions.count : nil
      return { completion(count) }
    }
  }

  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void) {
    completion(.failure(StoreFailure(.other, "it is a database")))
  }

  func renew(_ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void) {
    renewals.append { [self] in
      if let failure { return { completion(.failure(failure)) } }
      let renewal = database.renew(instance, for: lease ?? .zero)
      return { completion(.success(renewal)) }
    }
  }

  // MARK: What the test does

  /// Executes at most `count` of the oldest jobs. The returned closure reports their results to the daemon.
  func commit(_ count: Int) -> () -> Void {
    let due = jobs.prefix(count)
    jobs.removeFirst(due.count)
    return telling(due.map { $0() })
  }

  /// Executes the oldest renewal. The returned closure reports its result.
  func renewOnce() -> () -> Void {
    renewals.isEmpty ? {} : telling([renewals.removeFirst()()])
  }

  private func telling(_ completions: [() -> Void]) -> () -> Void {
    { [weak self] in
      guard let sessions = self?.server?.storedSessions else { return }
      var told = 0
      while told < completions.count {
        let first = told
        told += sessions.jobsEnded(completions.count - first) { completions[first + $0]() }
      }
    }
  }

  /// Reads the pending notifications.
  func hear() {
    guard let unheard = database.unheard.removeValue(forKey: instance) else { return }
    telling(unheard.sorted { ($0?.prefix ?? 0) < ($1?.prefix ?? 0) }.map { id in { self.heard(id) } })()
  }
}
