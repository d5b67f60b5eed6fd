package struct FieldBlurParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The field's address.
  package var field = SentAddress.text("")

  package init() {}

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("field", &field, "The field's address: a name, or a JSON Pointer.", missing: "a field's address")
  }

  package static let method = Method.fieldBlur
  package static let name: StaticString = "field/blur"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user left a field"
  package static let details =
    "Editing ends: a held-back value takes effect, and messages that waited for the end of editing appear. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.field = .text("email")
    return (params, InputAnswer(revision: 2))
  }
}
