package struct ActionCancelParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The action's name.
  package var action = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("action", &action, "The action's name.", missing: "an action's name")
  }

  package static let method = Method.actionCancel
  package static let name: StaticString = "action/cancel"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let isIdempotent = true
  package static let title = "The user gave up an action"
  package static let details =
    "Every tap of the action that has no event yet ends with the event `cancelled`. What a server has done already is not undone. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownAction]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.action = "login"
    return (params, InputAnswer(revision: 5))
  }
}
