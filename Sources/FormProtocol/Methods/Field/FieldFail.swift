package struct FieldFailParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The field's address.
  package var field = ""
  /// The error, for people.
  package var message = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("field", &field, "The field's address: a name, or a JSON Pointer.", missing: "a field's address")
    members.required("message", &message, "The message for the user.")
  }

  package static let method = Method.fieldFail
  package static let name: StaticString = "field/fail"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The client's own server refused a field's value"
  package static let details =
    "Adds an error with the source `server`. It shows at once, blocks nothing, and disappears when the value changes. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.field = "email"
    params.message = "This address is on our list of refusals."
    return (params, InputAnswer(revision: 8))
  }
}
