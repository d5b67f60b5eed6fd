/// The reason why a server did not do a request, or cannot be reached.
package struct PostgresFailure: Error {
  /// The kind of the problem.
  package enum Kind: Sendable {
    /// No server accepts the connection.
    case refused
    /// The connection cannot be made safe.
    case tls
    /// It was not done in time.
    case timeout
    /// The server refuses it, or this system does.
    case error
    /// The connection was lost on the way: it may have been done.
    case gone
    /// The caller does not want it any more.
    case cancelled
    /// More data came than the limit allows.
    case tooLarge
  }

  /// The kind of the problem.
  package var kind: Kind
  /// For the log: never a parameter's value, never a password.
  package var reason: String
  /// The server's code, if it has sent one.
  package var sqlState: String?

  package init(_ kind: Kind, _ reason: String, sqlState: String? = nil) {
    self.kind = kind
    self.reason = reason
    self.sqlState = sqlState
  }

  /// The caller does not want it any more.
  static let cancelled = PostgresFailure(.cancelled, "cancelled")
}
