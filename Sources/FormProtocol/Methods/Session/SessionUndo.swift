package struct SessionUndoParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
  }

  package static let method = Method.sessionUndo
  package static let name: StaticString = "session/undo"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "Takes back the last edit of the session's users"
  package static let details =
    "Only for forms with `undo`. The values and the rows of before come back, the rows with their identities. What a program or a server did is not taken back. Without an edit, nothing changes: `canUndo` of the document tells. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .overloaded, .quotaExceeded]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    return (params, InputAnswer(revision: 9))
  }
}
