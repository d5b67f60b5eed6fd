package struct ServerDisconnectParams: Call {
  /// The connection's number in `server/stats`.
  package var connection: Int64 = 0

  package init() {}

  package init(connection: Int64) {
    self.connection = connection
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("connection", &connection, "The connection's number.", missing: "a connection's number")
  }

  package static let method = Method.serverDisconnect
  package static let name: StaticString = "server/disconnect"
  package static let role: Role? = .operator
  package static let isServedWhileDraining = true
  package static let title = "Ends another client's connection"
  package static let details =
    "The connection ends at once, with its sessions and their effects. Its client gets the error 1013 with the id null, if it reads. A client can also end its own connection."
  package static let failures: [FormErrorCode] = [.unknownConnection]
  package static var example: (params: Self, answer: Nothing) { (Self(connection: 2), Nothing()) }
}
