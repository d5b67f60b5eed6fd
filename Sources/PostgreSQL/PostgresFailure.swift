/// Why a server did not do what it was asked, or cannot be asked.
package struct PostgresFailure: Error {
  /// What is in the way.
  package enum Kind: Sendable {
    /// Nobody takes the connection.
    case refused
    /// The connection cannot be made safe.
    case tls
    /// It was not done in time.
    case timeout
    /// The server says no, or this system does.
    case error
    /// The connection was lost on the way: it may have been done.
    case gone
    /// Nobody waits for it any more.
    case cancelled
    /// More came than is taken in.
    case tooLarge
  }

  /// What is in the way.
  package var kind: Kind
  /// For the log: never a parameter's value, never a password.
  package var reason: String
  /// The server's code, where it has said one.
  package var sqlState: String?

  /// A failure of that kind.
  package init(_ kind: Kind, _ reason: String, sqlState: String? = nil) {
    self.kind = kind
    self.reason = reason
    self.sqlState = sqlState
  }

  /// Nobody waits for it any more.
  static let cancelled = PostgresFailure(.cancelled, "cancelled")
}
