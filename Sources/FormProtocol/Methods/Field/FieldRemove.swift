package struct FieldRemoveParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The address of a row, or of a member.
  package var field = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("field", &field, "The address of a row, or of a member.", missing: "a row's address")
  }

  package static let method = Method.fieldRemove
  package static let name: StaticString = "field/remove"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user removed a row"
  package static let details =
    "Removes a row with all its state, by its identity (`/items/#7`) or its position (`/items/0`), or removes a member of an object. All other rows keep their identity and their state. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.field = "/items/#7"
    return (params, InputAnswer(revision: 6))
  }
}
