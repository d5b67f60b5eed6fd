package struct SessionCloseParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
  }

  package static let method = Method.sessionClose
  package static let name: StaticString = "session/close"
  package static let role: Role? = .client
  package static let meansOnlySession = true
  package static let isForBrowsers = true
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "Closes a session"
  package static let details =
    "Cancels everything that it has in flight, and closes it for all connections that have it. A session that is not kept is also closed when its connection ends."
  package static let failures: [FormErrorCode] = [.unknownSession]
  package static var example: (params: Self, answer: ClosedSession) {
    var params = Self()
    params.session = 1
    return (params, ClosedSession(session: 1))
  }
}

/// The answer to `session/close`.
package struct ClosedSession: Message, Sendable {
  /// The number of the session that is closed.
  package var session: Int64 = 0

  package init() {}

  package init(session: Int64) {
    self.session = session
  }

  package static let schemaName: StaticString? = "ClosedSession"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session that was closed.")
  }
}
