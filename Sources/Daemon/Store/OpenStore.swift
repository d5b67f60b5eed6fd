internal import Configuration
internal import Server
internal import SessionStore

/// The configured store of a running daemon.
enum OpenStore: Sendable {
  case sqlite(SQLiteSessionStore)
  case postgreSQL(PostgresSessionStore, lease: Duration)

  /// Opens it.
  ///
  /// - Parameters:
  ///   - instance: the daemon's instance ID, which clients see.
  ///   - machine: equal for all daemons that have had this one's lock; nil: there is none.
  /// - Throws: the reason why it cannot be used. If a database cannot be reached, this does not throw: the store tries
  ///   again.
  init(
    _ configuration: StoreConfiguration,
    _ answers: StoreAnswers,
    instance: String,
    machine: String?
  ) throws(StoreFailure) {
    // One commit covers the input of all clients for which the loop has found input.
    switch configuration {
    case .sqlite(let file):
      self = .sqlite(
        try SQLiteSessionStore(
          path: file.path,
          durability: file.durability,
          soon: answers.soon,
          onStateChange: answers.append
        )
      )
    case .postgreSQL(let server):
      self = .postgreSQL(
        try PostgresSessionStore(
          PostgresSessionStore.Settings(
            url: server.url,
            password: server.password,
            instance: instance,
            machine: machine
          ),
          soon: answers.soon,
          onStateChange: answers.append,
          onConnectionChange: answers.append,
          onNotification: answers.hear
        ),
        lease: server.lease
      )
    }
  }

  /// The store as the server's own thread sees it.
  ///
  /// - Parameter onFirstAnswer: called when it can be used, or cannot be reached.
  func storing(_ answers: StoreAnswers, onFirstAnswer: @escaping @Sendable () -> Void) -> any ServerStore {
    switch self {
    case .sqlite(let store):
      onFirstAnswer()
      return LoopStore(store, answers)
    case .postgreSQL(let store, let lease):
      return LoopSharedStore(store, answers, lease: lease, onFirstAnswer: onFirstAnswer)
    }
  }

  /// Does the requested work, and closes the store.
  ///
  /// - Returns: whether all of it is done.
  func close(within limit: Duration) -> Bool {
    switch self {
    case .sqlite(let store): store.close(within: limit)
    case .postgreSQL(let store, _): store.close(within: limit)
    }
  }
}
