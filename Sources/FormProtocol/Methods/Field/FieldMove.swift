package struct FieldMoveParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The row's address.
  package var field = ""
  /// The new position of the row.
  package var to = RowReference.position(0)

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("field", &field, "The row's address.", missing: "a row's address")
    members.required("to", &to, "The row's position after the move, or the row before which it is moved.")
  }

  package static let method = Method.fieldMove
  package static let name: StaticString = "field/move"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user moved a row"
  package static let details =
    "All rows keep their identity and their state. Moving a row to its current position changes nothing. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.field = "/items/#7"
    params.to = .position(0)
    return (params, InputAnswer(revision: 7))
  }
}
