public import JSON

package struct SessionGetParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// Whether the answer also explains the state.
  package var explain = false

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.flag("explain", &explain, "Adds `explanation`: the reasons for the content of the document.")
  }

  package static let method = Method.sessionGet
  package static let name: StaticString = "session/get"
  package static let role: Role? = .client
  package static let meansOnlySession = true
  package static let isForBrowsers = true
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "The whole document of a session"
  package static let details =
    "It does not have the effects of held-back input. After `session/desync`, a client calls it to continue."
  package static let failures: [FormErrorCode] = [.unknownSession]
  package static var example: (params: Self, answer: CurrentSession) {
    var params = Self()
    params.session = 1
    var answer = CurrentSession(session: 1, form: "login", revision: 3, values: ["email": "kim@example.com"])
    answer.document = [
      "isValid": true, "isPending": false, "isDirty": true, "errors": [], "messages": [:], "fields": [:],
      "actions": ["login": ["isEnabled": true, "isLoading": false, "attempts": 0]],
      "outputs": ["buttonColor": "systemPink"],
    ]
    return (params, answer)
  }
}

/// The current state of a session: the answer to `session/get`.
public struct CurrentSession: Message, Sendable {
  /// The session's number.
  public var session: Int64 = 0
  /// The name of the session's form.
  public var form = ""
  /// The session's revision.
  public var revision = 0
  /// The output document.
  public var document = JSON.object([:])
  /// The values, secrets left out.
  public var values = JSONObject()
  /// The reasons for the document's content; nil unless it was requested.
  public var explanation: JSONObject?

  package init() {}

  /// The current state of a session, without its document.
  package init(session: Int64, form: String, revision: Int, values: JSONObject, explanation: JSONObject? = nil) {
    self.session = session
    self.form = form
    self.revision = revision
    self.values = values
    self.explanation = explanation
  }

  package static let schemaName: StaticString? = "CurrentSession"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session.")
    members.required("form", &form, "The form's name.")
    members.required("revision", &revision, "The session's revision.")
    members.prepared("document", &document, as: OutputDocument.self, "The output document.")
    members.required("values", &values, "The values, without secrets.")
    members.optional(
      "explanation",
      &explanation,
      as: SessionExplanation.self,
      "The reasons for the document's content."
    )
  }
}
