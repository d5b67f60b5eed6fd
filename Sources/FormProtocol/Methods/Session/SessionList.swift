package struct SessionListParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.sessionList
  package static let name: StaticString = "session/list"
  package static let role: Role? = .client
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "The connection's sessions"
  package static let details = "In the order in which they were opened. Other connections' sessions are not in it."
  package static var example: (params: Self, answer: SessionList) {
    (Self(), SessionList([SessionList.Entry(session: 1, form: "login", revision: 3)]))
  }
}

/// The answer to `session/list`. Like ``FormList`` it is an object, not a bare list, so that it can get more members;
/// its entries are of another type.
package struct SessionList: Message, Sendable {
  /// One session.
  package struct Entry: Message, Sendable {
    /// The session's number.
    package var session: Int64 = 0
    /// The name of the session's form.
    package var form = ""
    /// The session's revision.
    package var revision = 0

    package init() {}

    package init(session: Int64, form: String, revision: Int) {
      self.session = session
      self.form = form
      self.revision = revision
    }

    package static let schemaName: StaticString? = "SessionSummary"
    package static let summary: StaticString = "A session of the connection."

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("session", &session, "The session.")
      members.required("form", &form, "Its form.")
      members.required("revision", &revision, "Its revision.")
    }
  }

  /// The sessions, in the order in which they were opened.
  package var sessions: [Entry] = []

  package init() {}

  package init(_ sessions: [Entry]) {
    self.sessions = sessions
  }

  package static let schemaName: StaticString? = "SessionList"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("sessions", &sessions, "The sessions.")
  }
}
