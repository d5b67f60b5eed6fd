internal import Server
internal import SessionStore

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

  func begin(for server: FormServer) { answers.begin(for: server) }

  func timeHasCome() {}

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    store.write(write, answers.told { completion($0.failure) })
  }

  func claim(
    _ id: StoredSessionID,
    takes: Bool,
    at now: Int64,
    _ completion: @escaping (Result<ClaimOutcome, StoreFailure>) -> Void
  ) {
    store.read(id, at: now, answers.told { completion($0.map { $0.map { .session($0) } ?? .nothing }) })
  }

  func remove(_ id: StoredSessionID, at now: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    store.remove(id, answers.told { completion($0.failure) })
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    preconditionFailure("a store of one daemon cannot release a session to other daemons")
  }

  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void) {
    preconditionFailure("a store of one daemon got a request from another daemon")
  }

  func expired(by now: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    store.expired(by: now, atMost: countMax, answers.told { completion((try? $0.get()) ?? []) })
  }

  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void) {
    store.backUp(to: path, answers.told(completion))
  }

  func count(_ completion: @escaping (Int?) -> Void) { store.count(answers.told { completion(try? $0.get()) }) }
}
