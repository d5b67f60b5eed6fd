import SessionStore
internal import Times

@testable import Server

/// A store of a test's daemon.
protocol TestServerStore: ServerStore {
  var daemon: TestDaemon? { get set }

  /// Executes the pending jobs, unless the test holds them, and the work that follows.
  func work()
}

/// A store that commits when the test says so. Like a file, it keeps the sessions that a previous store has committed.
final class TestStore: TestServerStore {
  private enum Job {
    case write(SessionWrite, (StoreFailure?) -> Void)
    case claim(StoredSessionID, Int64, (Result<ClaimResult, StoreFailure>) -> Void)
    case remove(StoredSessionID, (StoreFailure?) -> Void)
    case expired(Int64, Int, ([StoredSessionID]) -> Void)
    case count((Int?) -> Void)
    case backUp((Result<Int, StoreFailure>) -> Void)
  }

  /// The committed sessions.
  private(set) var sessions: [StoredSessionID: StoredSession]
  private var jobs: [Job] = []
  /// Sessions that accept only whole writes.
  private var outOfStep: Set<StoredSessionID> = []
  /// Whether jobs wait for ``commit(_:tells:)``.
  var isHolding = false
  /// The reason why nothing can be written; nil if writes succeed.
  var failure: StoreFailure?
  /// The requests of other daemons that were refused.
  private(set) var refused: [SessionRequest] = []
  /// How many writes were committed.
  private(set) var writes = 0
  weak var daemon: TestDaemon?

  init(_ sessions: [StoredSessionID: StoredSession] = [:]) {
    self.sessions = sessions
  }

  /// How many jobs wait.
  var jobCount: Int { jobs.count }

  var lease: Duration? { nil }

  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void) {}

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    jobs.append(.write(write, completion))
  }

  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimResult, StoreFailure>) -> Void) {
    jobs.append(.claim(claim.id, now(claim.grace), completion))
  }

  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    jobs.append(.remove(id, completion))
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    preconditionFailure("no other daemon has the store")
  }

  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void) {
    if gives { preconditionFailure("no other daemon has the store") }
    refused.append(request)
  }

  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    jobs.append(.expired(now(grace), countMax, completion))
  }

  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void) {
    jobs.append(.backUp(completion))
  }

  func count(_ completion: @escaping (Int?) -> Void) { jobs.append(.count(completion)) }

  func renew(_ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void) {
    preconditionFailure("no other daemon has the store")
  }

  /// Sessions that expire by then are over.
  private func now(_ grace: Int64) -> Int64 { (daemon?.server.environment.wallClock().seconds ?? 0) - grace }

  // MARK: What the test does

  func work() {
    while !isHolding, !jobs.isEmpty { commit(jobs.count) }
  }

  /// Executes at most `count` of the oldest jobs.
  ///
  /// - Parameter tells: whether the results are reported. They are not if the daemon dies before that.
  func commit(_ count: Int, tells: Bool = true) {
    let now = jobs.prefix(count)
    jobs.removeFirst(now.count)
    let completions = now.map { perform($0) }
    guard tells, let sessions = daemon?.server.storedSessions else { return }
    var told = 0
    while told < completions.count {
      let first = told
      told += sessions.jobsEnded(completions.count - first) { completions[first + $0]() }
    }
  }

  private func perform(_ job: Job) -> () -> Void {
    switch job {
    case .write(let write, let completion):
      let failure = apply(write)
      return { completion(failure) }
    case .claim(let id, let now, let completion):
      let session = sessions[id].flatMap { $0.facts.expiry > now ? $0 : nil }
      return { completion(.success(session.map { .session($0) } ?? .nothing)) }
    case .remove(let id, let completion):
      let failure = failure
      if failure == nil { sessions[id] = nil }
      return { completion(failure) }
    case .expired(let now, let countMax, let completion):
      let expired = sessions.filter { $0.value.facts.expiry <= now }.sorted {
        $0.value.facts.expiry < $1.value.facts.expiry
      }
      let ids = expired.prefix(countMax).map(\.key)
      return { completion(ids) }
    case .backUp(let completion): return { completion(.success(4_096)) }
    case .count(let completion):
      let count = sessions.count
      return { completion(count) }
    }
  }

  private func apply(_ write: SessionWrite) -> StoreFailure? {
    let known = write.formerID ?? write.id
    let before = sessions[known]
    if let failure {
      outOfStep.insert(known)
      return failure
    }
    guard
      write.isFirst || before != nil && (write.isWhole && write.formerID == nil || !outOfStep.contains(known))
    else {
      outOfStep.insert(known)
      return StoreFailure(.outOfStep, "write it whole")
    }
    outOfStep.remove(known)
    sessions[known] = nil
    writes += 1
    var parts = Dictionary(uniqueKeysWithValues: (before?.parts ?? []).map { ($0.number, $0.bytes) })
    if write.isWhole { parts = parts.filter { $0.key < 0 } }
    for part in write.parts { parts[part.number] = part.bytes }
    let facts = write.facts ?? before?.facts ?? StoredFacts(form: "", expiry: 0)
    sessions[write.id] = StoredSession(
      facts: facts,
      parts: parts.map { (number: $0.key, bytes: $0.value) }.sorted { $0.number < $1.number }
    )
    return nil
  }

  /// Whether these bytes are in a committed session.
  func contains(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return sessions.values.contains { $0.parts.contains { $0.bytes.firstRange(of: bytes) != nil } }
  }
}
