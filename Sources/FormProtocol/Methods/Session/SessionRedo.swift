package struct SessionRedoParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
  }

  package static let method = Method.sessionRedo
  package static let name: StaticString = "session/redo"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "Repeats the edit that was taken back last"
  package static let details =
    "Only for forms with `undo`. The next edit of a user leaves nothing to repeat. Without such an edit, nothing changes: `canRedo` of the document tells. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .overloaded, .quotaExceeded]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    return (params, InputAnswer(revision: 10))
  }
}
