package struct StepShowParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The step's id.
  package var step = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("step", &step, "The step's id.", missing: "a step's id")
  }

  package static let method = Method.stepShow
  package static let name: StaticString = "step/show"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let isIdempotent = true
  package static let title = "The user went to a step"
  package static let details =
    "The document's `step` is this step from now on. A hidden step cannot be shown. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownStep]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.step = "profile"
    return (params, InputAnswer(revision: 4))
  }
}
