package import JSON
package import JSONRPC

/// The lifecycle that clients of the Language Server Protocol expect. None of it is needed, and params they do not know are
/// ignored.
package enum Lifecycle {
  static let initialize = MethodDescription(
    name: "initialize",
    summary: "Says hello",
    description: "For clients built on LSP libraries; a connection works without it. Params are ignored.",
    result: Shape.object([
      ("capabilities", Shape.map("What the daemon can do beyond the protocol; empty.")),
      ("serverInfo", Shape.object([("name", Shape.string("formd")), ("version", Shape.string("Its version."))])),
      ("instanceId", Shape.string("Changes with every start of the daemon.")),
      ("protocolVersion", Shape.string("The version of the protocol.")),
    ]),
    example: .init(
      params: [:],
      result: [
        "capabilities": [:], "serverInfo": ["name": "formd", "version": "0.1.0"],
        "instanceId": "5f0c2f6b9d3e4a17", "protocolVersion": .string(OpenRPCDocument.protocolVersion),
      ]
    )
  )

  static let initialized = MethodDescription(
    name: "initialized",
    summary: "Ends the hello",
    description: "A notification; nothing depends on it.",
    example: .init(params: [:], result: .null)
  )

  static let shutdown = MethodDescription(
    name: "shutdown",
    summary: "Announces the end of the connection",
    description:
      "Closes the connection's sessions. Afterwards only `exit` is expected; any other request is answered with -32600. The daemon goes on.",
    result: ["type": "null"],
    example: .init(params: [:], result: .null)
  )

  static let exit = MethodDescription(
    name: "exit",
    summary: "Ends the connection",
    description:
      "A notification. What was accepted before is answered, then the connection is closed; the daemon goes on.",
    example: .init(params: [:], result: .null)
  )

  static let cancelRequest = MethodDescription(
    name: "$/cancelRequest",
    summary: "Stops waiting for an answer",
    description:
      "A notification. A request that waits (`action/tap` with `await`, `form/validate` with `checks`) is answered with -32800; what it started goes on. Ids that are not waited for are ignored.",
    params: [.required("id", ["type": ["string", "integer"], "description": "The request's id."])],
    example: .init(params: ["id": 5], result: .null)
  )
}

/// Params of `$/cancelRequest`. Members that are not known are ignored, as for all `$/` methods.
package struct CancelRequestParams {
  /// The request's id; nil when there is none, and then nothing is cancelled.
  package var id: RequestID?

  /// Reads the params.
  package init(_ params: JSONNode?) {
    id = params?.member("id").flatMap { RequestID($0) }
  }
}
