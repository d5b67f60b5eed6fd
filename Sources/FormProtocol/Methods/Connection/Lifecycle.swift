package import JSON
package import JSONRPC

// The lifecycle that clients of the Language Server Protocol expect. Other clients do not need it, and these methods
// ignore unknown params.

package struct InitializeParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.initialize
  package static let name: StaticString = "initialize"
  package static let role: Role? = nil
  package static let title = "Says hello"
  package static let details = "For clients built on LSP libraries; a connection works without it. Params are ignored."
  package static var example: (params: Self, answer: Greeting) { (Self(), Greeting(.example)) }
}

/// The answer to `initialize`.
package struct Greeting: Message, Sendable {
  /// A program and its version.
  package struct Program: Message, Sendable {
    /// The program's name.
    package var name = ""
    /// The program's version.
    package var version = ""

    package init() {}

    package static let schemaName: StaticString? = "ServerProgram"
    package static let summary: StaticString = "A program and its version."

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("name", &name, "formd")
      members.required("version", &version, "Its version.")
    }
  }

  /// The capabilities of the daemon, in the shape of the Language Server Protocol; empty.
  package var capabilities = JSONObject()
  /// The daemon's name and version.
  package var serverInfo = Program()
  /// The identity of this start of the daemon.
  package var instanceID = ""
  /// The version of the protocol.
  package var protocolVersion = ""

  package init() {}

  package init(_ info: ServerInfo) {
    serverInfo.name = info.name
    serverInfo.version = info.version
    instanceID = info.instanceID
    protocolVersion = info.protocolVersion
  }

  package static let schemaName: StaticString? = "Greeting"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("capabilities", &capabilities, "What the daemon can do beyond the protocol; always empty.")
    members.required("serverInfo", &serverInfo, "")
    members.required("instanceId", &instanceID, "Changes with every start of the daemon.")
    members.required("protocolVersion", &protocolVersion, "The version of the protocol.")
  }
}

package struct InitializedParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.initialized
  package static let name: StaticString = "initialized"
  package static let role: Role? = nil
  package static let isServedWhileDraining = true
  package static let title = "Completes the hello"
  package static let details = "A notification; nothing depends on it."
  package static let isNotification = true
  package static var example: (params: Self, answer: Nothing) { (Self(), Nothing()) }
}

package struct ShutdownParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.shutdown
  package static let name: StaticString = "shutdown"
  package static let role: Role? = nil
  package static let isServedWhileDraining = true
  package static let title = "Announces the end of the connection"
  package static let details =
    "Closes the connection's sessions. After it, only `exit` is expected: the daemon answers any other request with -32600. The daemon keeps running."
  package static var example: (params: Self, answer: Nothing) { (Self(), Nothing()) }
}

package struct ExitParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.exit
  package static let name: StaticString = "exit"
  package static let role: Role? = nil
  package static let isServedWhileDraining = true
  package static let title = "Ends the connection"
  package static let details =
    "A notification. The daemon answers everything that it has accepted, then closes the connection. The daemon keeps running."
  package static let isNotification = true
  package static var example: (params: Self, answer: Nothing) { (Self(), Nothing()) }
}

/// Params of `$/cancelRequest`, in both directions.
package struct CancelRequestParams: Call, Push {
  /// The request's id.
  package var id = RequestID.integer(0)

  package init() {}

  /// Takes back that request.
  package init(id: RequestID) {
    self.id = id
  }

  /// Reads the params; all members except the id are ignored, as for all `$/` methods.
  package init(lenient params: JSONNode?) throws(InvalidParams) {
    self = try MessageReader.read(Self.self, params, .lenient)
  }

  package static let schemaName: StaticString? = "CancelRequest"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("id", &id, "The request's id.")
  }

  package static let method = Method.cancelRequest
  package static let name: StaticString = "$/cancelRequest"
  package static let role: Role? = nil
  package static let isServedWhileDraining = true
  package static let title = "Stops waiting for an answer"
  package static let details =
    "A notification. A request that waits (`action/tap` with `await`, `form/validate` with `checks`) is answered with -32800. The work that it started continues. Ids of requests that do not wait are ignored."
  package static let isNotification = true
  package static var example: (params: Self, answer: Nothing) { (Self(id: .integer(5)), Nothing()) }
  package static let push = PushMethod.cancelRequest
  package static let pushTitle = "The daemon no longer waits for the answer to one of its requests"
  package static var pushExample: Self { Self(id: .string("formd:1")) }
}

extension RequestID: MemberValue {
  package static var schema: JSONObject { ["type": ["string", "integer"]] }
  package static var expectation: String { "string or integer" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> RequestID? {
    reader.expect(RequestID(node), Self.self)
  }

  package func write(into buffer: OutputBuffer) { buffer.write(self) }
}
