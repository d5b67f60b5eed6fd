public import JSON

package struct SessionAttachParams: Call {
  /// The key from the answer to `session/open`, or from an attach that rotated it.
  package var key = ""
  /// The number of the last event that the client knows; nil: the client wants none.
  package var sequence: Int?
  /// Whether another key is to replace this one.
  package var rotate = false
  /// Whether the session is to be taken from another daemon that has clients of it.
  package var take = false
  /// Whether the connection gets only what forms call public.
  package var onlyPublic = false

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("key", &key, "The session's key.")
    members.optional("seq", &sequence, "The last event that the client knows, 0 for none. Later events are sent again.")
    members.flag("rotate", &rotate, "Whether the session gets a new key. The old key is then invalid.")
    members.flag(
      "take",
      &take,
      "Whether to take the session from another daemon of the same store, even if clients have it there. Their `session/closed` has the reason `moved`."
    )
    members.flag(
      "onlyPublic",
      &onlyPublic,
      "Whether this connection gets only the values of lookups and the results of actions that the form calls `public`: for clients that pass everything on to a user. It holds for all sessions of the connection, until it ends."
    )
  }

  package static let method = Method.sessionAttach
  package static let name: StaticString = "session/attach"
  package static let role: Role? = .client
  package static let title = "Attaches to a kept session"
  package static let details =
    "From then on, this connection has the session like one that it opened, and other connections may have it, too. Attaching twice is the same as attaching once. If several daemons share a store, a daemon that has the session without any client hands it over. Otherwise the call fails with 1014."
  package static let failures: [FormErrorCode] = [
    .unknownSession, .unknownForm, .attachedElsewhere, .requestCancelled,
  ]
  package static var example: (params: Self, answer: AttachedSession) {
    var params = Self()
    params.key = "5f0c9a3e8b7d41d6a2c4e6f80b1d3f57"
    params.sequence = 0
    var event = ActionEvent()
    event.sequence = 1
    event.action = "login"
    event.run = 1
    event.kind = .succeeded
    event.result = ["name": "Kim"]
    var answer = AttachedSession(
      session: 1,
      form: "login",
      revision: 6,
      values: ["email": "kim@example.com"],
      events: [event],
      eventsLost: 0
    )
    answer.document = [
      "isValid": true, "isPending": false, "isDirty": true, "errors": [], "messages": [:], "fields": [:],
      "actions": ["login": ["isEnabled": true, "isLoading": false, "attempts": 1, "result": ["name": "Kim"]]],
      "outputs": ["buttonColor": "systemPink"],
    ]
    return (params, answer)
  }
}

/// The whole of a kept session: the answer to `session/attach`.
public struct AttachedSession: Message, Sendable {
  /// The session's number, the same for all its clients.
  public var session: Int64 = 0
  /// The name of the session's form.
  public var form = ""
  /// The session's revision.
  public var revision = 0
  /// The output document.
  public var document = JSON.object([:])
  /// The values, secrets left out.
  public var values = JSONObject()
  /// The events after the event that the client named, without the events that are no longer kept.
  public var events: [ActionEvent] = []
  /// How many events after that event are no longer kept.
  public var eventsLost = 0
  /// The key from now on; nil if it is unchanged.
  public var key: String?
  /// Whether the form has changed since a client last had the session, and the session was migrated with it.
  public var isMigrated = false

  package init() {}

  /// The current state of a session, without its document.
  package init(
    session: Int64,
    form: String,
    revision: Int,
    values: JSONObject,
    events: [ActionEvent],
    eventsLost: Int,
    key: String? = nil,
    isMigrated: Bool = false
  ) {
    self.session = session
    self.form = form
    self.revision = revision
    self.values = values
    self.events = events
    self.eventsLost = eventsLost
    self.key = key
    self.isMigrated = isMigrated
  }

  package static let schemaName: StaticString? = "AttachedSession"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session's number, for all further calls.")
    members.required("form", &form, "The form's name.")
    members.required("revision", &revision, "The session's revision.")
    members.prepared("document", &document, as: OutputDocument.self, "The output document.")
    members.required("values", &values, "The values, without secrets.")
    members.required("events", &events, "The events after `seq` that are still kept; none without `seq`.")
    members.required("eventsLost", &eventsLost, "How many events after `seq` are no longer kept.")
    members.optional("key", &key, "With `rotate`: the new key.")
    members.flag(
      "isMigrated",
      &isMigrated,
      "Whether the form was changed while no client had the session, and the session was migrated to it."
    )
  }
}
