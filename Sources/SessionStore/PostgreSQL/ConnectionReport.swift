/// A connection of a ``PostgresSessionStore`` was lost, or is back.
package struct StoreConnectionChange: Sendable {
  /// The purpose of a connection.
  package enum Role: String, Sendable {
    /// It renews the lease, and gets notifications.
    case lease
    /// It does everything else.
    case sessions
  }

  /// The purpose of the connection.
  package let role: Role
  /// The reason why it was lost, or cannot be made; nil: it is back.
  package let loss: StoreFailure?
}

/// Reports each loss and each return of one connection once, however often it is tried. A value.
struct ConnectionReport {
  private let role: StoreConnectionChange.Role
  private let report: @Sendable (StoreConnectionChange) -> Void
  private var isLost = false

  init(of role: StoreConnectionChange.Role, _ report: @escaping @Sendable (StoreConnectionChange) -> Void) {
    self.role = role
    self.report = report
  }

  /// The connection was lost, or cannot be made.
  mutating func lost(_ loss: StoreFailure) {
    // The store itself ends its connections when it is closed.
    if isLost || loss.reason == .closed { return }
    isLost = true
    report(StoreConnectionChange(role: role, loss: loss))
  }

  /// The connection can be used.
  mutating func connected() {
    if !isLost { return }
    isLost = false
    report(StoreConnectionChange(role: role, loss: nil))
  }
}
