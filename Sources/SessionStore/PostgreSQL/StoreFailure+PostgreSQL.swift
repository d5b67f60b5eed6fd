internal import PostgreSQL

extension StoreFailure {
  /// The reason why a server cannot be reached, or does not go on.
  init(_ failure: PostgresFailure, _ url: PostgresURL) {
    let store = "the store \(url.text)"
    switch failure.kind {
    case .refused, .timeout, .gone:
      self.init(.other, "\(store) cannot be reached: start its server, or correct the address (\(failure.reason))")
    case .tls:
      self.init(.other, "\(store) has no secure connection: check \"sslmode\" and the certificates (\(failure.reason))")
    case .error:
      self.init(.other, "\(store) cannot be used: check its user, password, database and server (\(failure.reason))")
    case .tooLarge: self.init(.tooLarge, "a part of a session in \(store) is too large: \(failure.reason)")
    case .cancelled: self = .closed
    }
  }

  /// The server's error for a statement of the store's own.
  init(_ error: PostgresError, _ url: PostgresURL) {
    let store = "the store \(url.text)"
    switch error.sqlState {
    case "53100": self.init(.full, "\(store) is full: make room on its server's disk")
    case "25006": self = .readOnly(url)
    case "42501":
      self.init(.readOnly, "the role may not use \(store): let it create and write tables there (\(error.message))")
    case let state where state.hasPrefix("54"):
      self.init(.tooLarge, "a part of a session is larger than \(store) allows (SQLSTATE \(state))")
    case let state where state.hasPrefix("22") || state.hasPrefix("23"):
      // The server's text could quote values.
      self.init(.outOfStep, "\(store) rejects a session (SQLSTATE \(state))")
    case PostgresError.queryCanceled: self.init(.other, "\(store) takes too long: check what its server is busy with")
    case PostgresError.lockNotAvailable:
      self.init(.other, "\(store) is locked: a transaction holds its tables or rows; find it in pg_locks and end it")
    case let state: self.init(.other, "\(store) fails: SQLSTATE \(state), \(error.message)")
    }
  }

  static func readOnly(_ url: PostgresURL) -> StoreFailure {
    StoreFailure(
      .readOnly,
      "the store \(url.text) is read-only: give the URL of the primary server, or allow the role to write"
    )
  }
}

extension PostgresError {
  /// Whether a second try may succeed: transactions conflicted, or the row of this process must be made first.
  var isPassing: Bool { saysNobody || ["40001", "40P01"].contains(sqlState) }

  /// Whether it concerns the written data, and not the server as a whole.
  var concernsData: Bool { ["22", "23", "54"].contains(sqlState.prefix(2)) }

  /// Whether the row of this process is gone.
  var saysNobody: Bool { sqlState == "23503" && constraint == "formd_session_owner" }
}
