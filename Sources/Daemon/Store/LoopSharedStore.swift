internal import Server
internal import SessionStore

/// A ``PostgresSessionStore`` joined to an event loop: its completions are called there, many at once.
final class LoopSharedStore: ServerStore {
  private let store: PostgresSessionStore
  private let answers: StoreAnswers
  private let leaseLength: Duration
  private var onFirstAnswer: (() -> Void)?

  /// Joins the store to the loop that gets the answers.
  ///
  /// - Parameter onFirstAnswer: called when the database has answered for the first time, or cannot be reached.
  init(
    _ store: PostgresSessionStore,
    _ answers: StoreAnswers,
    lease: Duration,
    onFirstAnswer: @escaping () -> Void
  ) {
    self.store = store
    self.answers = answers
    leaseLength = lease
    self.onFirstAnswer = onFirstAnswer
  }

  var lease: Duration? { leaseLength }

  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void) {
    answers.begin(for: server, heard: heard)
  }

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    store.write(write, answers.told { completion($0.failure) })
  }

  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimAnswer, StoreFailure>) -> Void) {
    store.claim(claim, for: leaseLength, answers.told(completion))
  }

  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    let told = answers.told { (result: Result<Bool, StoreFailure>) in
      // A session that another daemon has taken was not closed.
      completion((try? result.get()) == false ? .lost() : result.failure)
    }
    store.remove(id, grace: grace, told)
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    store.release(id, answers.told { completion($0.failure) })
  }

  // A request whose refusal fails is repeated by the other daemon.
  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void) {
    store.answer(request, gives: gives, answers.told { completion($0.failure) })
  }

  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    store.expired(grace: grace, atMost: countMax, answers.told { completion((try? $0.get()) ?? []) })
  }

  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void) {
    completion(.failure(StoreFailure(.other, "it is a PostgreSQL database: copy it with pg_dump")))
  }

  func count(_ completion: @escaping (Int?) -> Void) { store.count(answers.told { completion(try? $0.get()) }) }

  func renew(_ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void) {
    let told = answers.told { [self] (result: Result<LeaseRenewal, StoreFailure>) in
      completion(result)
      onFirstAnswer.take()?()
    }
    store.renew(for: leaseLength, told)
  }
}
