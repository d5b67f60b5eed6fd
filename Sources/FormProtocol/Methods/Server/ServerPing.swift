package struct ServerPingParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.serverPing
  package static let name: StaticString = "server/ping"
  package static let role: Role? = nil
  package static let isForBrowsers = true
  package static let isServedWhileDraining = true
  package static let isIdempotent = true
  package static let title = "Checks that the daemon is alive"
  package static let details =
    "Answered even while the daemon is ending. Also says whether the daemon is ready for clients."
  package static var example: (params: Self, answer: Pong) { (Self(), Pong(instanceID: "5f0c2f6b9d3e4a17")) }
}

/// The answer to `server/ping`.
package struct Pong: Message, Sendable {
  /// The identity of this start of the daemon.
  package var instanceID = ""
  /// Why the daemon is not ready for clients; empty if it is ready.
  package var notReady: [String] = []

  package init() {}

  package init(instanceID: String, notReady: [String] = []) {
    self.instanceID = instanceID
    self.notReady = notReady
  }

  package static let schemaName: StaticString? = "Pong"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("instanceId", &instanceID, "Changes with every start.")
    members.optional(
      "notReady",
      &notReady,
      "Why the daemon is not ready for clients, for people: the store, its forms, or its end. Absent if it is ready."
    )
  }
}
