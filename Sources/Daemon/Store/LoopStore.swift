internal import Configuration
internal import Server
internal import SessionStore

/// A ``SessionDatabase`` joined to an event loop: its completions are called there, many at once.
final class LoopStore: ServerStore {
  private let database: SessionDatabase
  private let results: StoreResults
  let lease: Duration?
  private var onFirstAnswer: (() -> Void)?

  /// Joins the database to the loop that gets the results.
  ///
  /// - Parameters:
  ///   - lease: nil: no other daemon has the database.
  ///   - onFirstAnswer: called when a shared database has answered for the first time, or cannot be reached.
  init(
    _ database: SessionDatabase,
    _ results: StoreResults,
    lease: Duration?,
    onFirstAnswer: @escaping () -> Void
  ) {
    self.database = database
    self.results = results
    self.lease = lease
    self.onFirstAnswer = onFirstAnswer
  }

  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void) {
    results.begin(for: server, heard: heard)
  }

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    database.write(write, results.onLoop { completion($0.failure) })
  }

  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimResult, StoreFailure>) -> Void) {
    database.claim(claim, for: lease ?? .zero, results.onLoop(completion))
  }

  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    let onLoop = results.onLoop { [lease] (result: Result<Bool, StoreFailure>) in
      // A session that another daemon has taken was not closed.
      completion(lease != nil && (try? result.get()) == false ? .notOwned : result.failure)
    }
    database.remove(id, grace: grace, onLoop)
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    database.release(id, results.onLoop { completion($0.failure) })
  }

  // A request whose refusal fails is repeated by the other daemon.
  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void) {
    database.answer(request, gives: gives, results.onLoop { completion($0.failure) })
  }

  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    database.expired(grace: grace, atMost: countMax, results.onLoop { completion((try? $0.get()) ?? []) })
  }

  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void) {
    if lease != nil {
      return completion(.failure(StoreFailure(.other, "it is a PostgreSQL database: copy it with pg_dump")))
    }
    database.backUp(to: path, results.onLoop(completion))
  }

  func count(_ completion: @escaping (Int?) -> Void) { database.count(results.onLoop { completion(try? $0.get()) }) }

  func renew(_ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void) {
    guard let lease else { preconditionFailure("a store of one daemon has no lease") }
    let onLoop = results.onLoop { [self] (result: Result<LeaseRenewal, StoreFailure>) in
      completion(result)
      onFirstAnswer.take()?()
    }
    database.renew(for: lease, onLoop)
  }
}

extension SessionDatabase {
  /// Opens the configured store of a daemon.
  ///
  /// - Parameters:
  ///   - instance: the daemon's instance ID, which clients see.
  ///   - machine: equal for all daemons that have had this one's lock; nil: there is none.
  /// - Throws: the reason why it cannot be used. If a server cannot be reached, this does not throw: the store tries
  ///   again.
  convenience init(
    _ configuration: StoreConfiguration,
    _ results: StoreResults,
    instance: String,
    machine: String?
  ) throws(StoreFailure) {
    // One commit covers the input of all clients for which the loop has found input.
    switch configuration {
    case .sqlite(let file):
      try self.init(
        path: file.path,
        durability: file.durability,
        soon: results.soon,
        onStateChange: results.append
      )
    case .postgreSQL(let server):
      try self.init(
        PostgresStoreSettings(url: server.url, password: server.password, instance: instance, machine: machine),
        soon: results.soon,
        onStateChange: results.append,
        onConnectionChange: results.append,
        onNotification: results.append(notificationAbout:)
      )
    }
  }
}
