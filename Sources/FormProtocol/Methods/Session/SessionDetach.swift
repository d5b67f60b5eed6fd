package struct SessionDetachParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
  }

  package static let method = Method.sessionDetach
  package static let name: StaticString = "session/detach"
  package static let role: Role? = .client
  package static let meansOnlySession = true
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "Detaches from a kept session"
  package static let details =
    "The session continues for the other connections that have it, and its key stays valid. The end of a connection detaches it from all its kept sessions. A session that is not kept fails with -32602."
  package static let failures: [FormErrorCode] = [.unknownSession]
  package static var example: (params: Self, answer: DetachedSession) {
    var params = Self()
    params.session = 1
    return (params, DetachedSession(session: 1))
  }
}

/// The answer to `session/detach`.
package struct DetachedSession: Message, Sendable {
  package var session: Int64 = 0

  package init() {}

  package init(session: Int64) {
    self.session = session
  }

  package static let schemaName: StaticString? = "DetachedSession"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session that this connection no longer has.")
  }
}
