package import JSON

package struct SessionSetContextParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// Replaces the context as a whole.
  package var context = JSONObject()

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("context", &context, "The context. It replaces the context before, as a whole.")
  }

  package static let method = Method.sessionSetContext
  package static let name: StaticString = "session/setContext"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isIdempotent = true
  package static let title = "Another context"
  package static let details =
    "The values that formulas read as `context`: an object that the form's `context` admits, otherwise -32602. Everything that reads a changed member is computed again. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.context = ["role": "clerk"]
    return (params, InputAnswer(revision: 9))
  }
}
