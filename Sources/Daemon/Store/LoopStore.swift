internal import Server
internal import SessionStore
internal import Times

/// A ``SQLiteSessionStore`` joined to an event loop: its completions are called there, many at once. No other daemon
/// has the file, so no daemon asks for its sessions.
final class LoopStore: ServerStore {
  private let store: SQLiteSessionStore
  private let answers: StoreAnswers

  /// Joins the store to the loop that gets the answers.
  init(_ store: SQLiteSessionStore, _ answers: StoreAnswers) {
    self.store = store
    self.answers = answers
  }

  var lease: Duration? { nil }

  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void) {
    answers.begin(for: server, heard: heard)
  }

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    store.write(write, answers.told { completion($0.failure) })
  }

  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimAnswer, StoreFailure>) -> Void) {
    store.read(
      claim.id,
      at: now(claim.grace),
      answers.told { completion($0.map { $0.map { .session($0) } ?? .nothing }) }
    )
  }

  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    store.remove(id, answers.told { completion($0.failure) })
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    preconditionFailure("a store of one daemon cannot release a session to other daemons")
  }

  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void) {
    preconditionFailure("a store of one daemon got a request from another daemon")
  }

  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    store.expired(by: now(grace), atMost: countMax, answers.told { completion((try? $0.get()) ?? []) })
  }

  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void) {
    store.backUp(to: path, answers.told(completion))
  }

  func count(_ completion: @escaping (Int?) -> Void) { store.count(answers.told { completion(try? $0.get()) }) }

  func renew(_ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void) {
    preconditionFailure("a store of one daemon has no lease")
  }

  /// Sessions that expire by then are over, in seconds since 1970.
  private func now(_ grace: Int64) -> Int64 { Timestamp.ofSystem.seconds - grace }
}
