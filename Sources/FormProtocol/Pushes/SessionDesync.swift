/// A client read too slowly.
package struct SessionDesync: Push {
  /// The session's number.
  package var session: Int64 = 0
  /// The session's revision; updates that follow count from there.
  package var revision = 0
  /// How many events were lost.
  package var eventsLost = 0

  package init() {}

  package init(session: Int64, revision: Int, eventsLost: Int) {
    self.session = session
    self.revision = revision
    self.eventsLost = eventsLost
  }

  package static let schemaName: StaticString? = "SessionDesync"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session.")
    members.required("revision", &revision, "The session's revision now.")
    members.required("eventsLost", &eventsLost, "Events that were not delivered and never will be.")
  }

  package static let push = PushMethod.sessionDesync
  package static let pushTitle = "This client read too slowly: its document is out of date"
  package static var pushExample: Self { Self(session: 1, revision: 900, eventsLost: 12) }
}
