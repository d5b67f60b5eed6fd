package struct ServerEndSessionParams: Call {
  /// The session's number in `server/stats`.
  package var session: Int64 = 0

  package init() {}

  package init(session: Int64) {
    self.session = session
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The kept session's number.", missing: "a session's number")
  }

  package static let method = Method.serverEndSession
  package static let name: StaticString = "server/endSession"
  package static let role: Role? = .operator
  package static let isServedWhileDraining = true
  package static let title = "Ends a kept session, whoever has it"
  package static let details =
    "Its clients get `session/closed` with the reason `closed`. Its key then opens nothing, and a store does not have it any more. Fails with 1001 if no kept session in this daemon's memory has the number. Fails with 1011 and the reason `store` if the store cannot be written, or another daemon may have taken the session."
  package static let failures: [FormErrorCode] = [.unknownSession, .overloaded, .requestCancelled]
  package static var example: (params: Self, answer: ClosedSession) { (Self(session: 1), ClosedSession(session: 1)) }
}
