package import JSON

package struct SessionOpenParams: Call, FormSourceParams {
  /// The name of a form that the daemon has; nil if a definition is given.
  package var form: String?
  /// A form that the client brings along; nil if a name is given.
  package var definition: JSONObject?
  /// The language of messages; nil: the form's default.
  package var locale: String?
  /// The time zone that decides what `today` is; nil: the daemon's.
  package var zone: String?
  /// The fields' initial values.
  package var values: JSONObject?
  /// The values that formulas read as `context`; nil: none.
  package var context: JSONObject?
  /// `always`: everything is shown at once, whatever the fields' policies.
  package var show: ShowEverything?
  /// Parts of the document; nil: all of it.
  package var watch: [JSONPointer]?
  /// How long the session outlives its connections, as text; nil: it ends with the connection that opens it.
  package var keep: String?
  /// Whether the connection gets only what forms call public.
  package var onlyPublic = false

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("form", &form, "A form's name.")
    members.optional("definition", &definition, "A form definition.")
    members.optional("locale", &locale, "The language of messages: `ko`, `en-GB`.")
    members.optional(
      "zone",
      &zone,
      "The time zone that decides what `today` is: `Europe/Zurich`, `UTC`; else the daemon's."
    )
    members.optional("values", &values, "Initial values.")
    members.optional(
      "context",
      &context,
      "The values that formulas read as `context`; the form's `context` admits them."
    )
    members.optional("show", &show, "Shows every message at once, regardless of the fields' policies.")
    members.optional("watch", &watch, "Limits what updates contain.")
    members.optional(
      "keep",
      &keep,
      "How long the session is kept when no client has it, such as `10m`. Without it, the session ends with its connection."
    )
    members.flag(
      "onlyPublic",
      &onlyPublic,
      "Whether this connection gets only the values of lookups and the results of actions that the form calls `public`: for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends."
    )
  }

  package static let method = Method.sessionOpen
  package static let name: StaticString = "session/open"
  package static let role: Role? = .client
  package static let title = "Opens a session of a form"
  package static let details =
    "`form` names a form that the daemon has. `definition` is a form of the client's own, private to the session. Faults in it fail with -32602 and `errors`. The first turn is done before the answer."
  package static let failures: [FormErrorCode] = [.unknownForm, .unknownField]
  package static var example: (params: Self, answer: SessionState) {
    var params = Self()
    params.form = "login"
    params.locale = "ko"
    var answer = SessionState(session: 1, revision: 0, values: [:])
    answer.document = [
      "isValid": false, "isPending": false, "isDirty": false, "errors": [], "messages": [:], "fields": [:],
      "actions": ["login": ["isEnabled": false, "isLoading": false, "attempts": 0]],
      "outputs": ["buttonColor": "systemGray4"],
    ]
    return (params, answer)
  }
}

/// The value of `show`.
package enum ShowEverything: WireName {
  /// From the beginning.
  case always

  package var wireName: StaticString {
    switch self {
    case .always: "always"
    }
  }
}

/// The whole of a session: the answer to `session/open`.
package struct SessionState: Message, Sendable {
  /// The session's number.
  package var session: Int64 = 0
  /// The session's revision: 0.
  package var revision = 0
  /// The output document.
  package var document = JSON.object([:])
  /// The values, secrets left out.
  package var values = JSONObject()
  /// The key that opens the session again; nil for a session that is not kept.
  package var key: String?

  package init() {}

  /// The state of a session, without its document.
  package init(session: Int64, revision: Int, values: JSONObject, key: String? = nil) {
    self.session = session
    self.revision = revision
    self.values = values
    self.key = key
  }

  package static let schemaName: StaticString? = "OpenedSession"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session's number, for all further calls.")
    members.required("revision", &revision, "0.")
    members.prepared("document", &document, as: OutputDocument.self, "The output document.")
    members.required("values", &values, "The values, without secrets.")
    members.optional(
      "key",
      &key,
      "With `keep`: the key for `session/attach`. Every client that knows the key can have the session."
    )
  }
}
