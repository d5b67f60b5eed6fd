internal import SessionStore

/// The store of a daemon that runs, as it was configured.
enum OpenStore: Sendable {
  case sqlite(SQLiteSessionStore)
  case postgreSQL(PostgresSessionStore, lease: Duration)

  /// Opens it.
  ///
  /// - Parameters:
  ///   - instance: what the daemon calls itself to clients.
  ///   - machine: the same for all daemons that have had this one's lock; nil: there is none.
  /// - Throws: why it cannot be used. A database that cannot be reached is tried again.
  init(
    _ configuration: StoreConfiguration,
    _ answers: StoreAnswers,
    instance: String,
    machine: String?
  ) throws(StoreFailure) {
    // What all clients have sent that the loop has found input of shares a commit.
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
          onNotification: answers.hear
        ),
        lease: server.lease
      )
    }
  }

  /// The store as the server's own thread sees it.
  ///
  /// - Parameter onFirstAnswer: called when it can be used, or cannot be reached.
  func storing(_ answers: StoreAnswers, onFirstAnswer: @escaping @Sendable () -> Void) -> any SessionStoring {
    switch self {
    case .sqlite(let store):
      onFirstAnswer()
      return LoopStore(store, answers)
    case .postgreSQL(let store, let lease):
      return SharedStore(
        LoopSharedDatabase(store, answers, lease: lease),
        lease: lease,
        onFirstAnswer: onFirstAnswer
      )
    }
  }

  /// Does what was asked for, and lets it go.
  ///
  /// - Returns: whether all of it is done.
  func close(within limit: Duration) -> Bool {
    switch self {
    case .sqlite(let store): store.close(within: limit)
    case .postgreSQL(let store, _): store.close(within: limit)
    }
  }
}
