internal import JSON

/// The methods about the daemon itself; none has params.
enum ServerMethods {
  static let info = MethodDescription(
    name: "server/info",
    summary: "What this daemon is",
    description: "`instanceId` changes with every start, so that a restart is noticeable; `limits` are those in force.",
    result: Shape.object([
      ("name", Shape.string("formd")), ("version", Shape.string("Its version.")),
      ("protocolVersion", Shape.string("The version of the protocol.")),
      ("instanceId", Shape.string("Changes with every start.")), ("pid", Shape.integer("Its process.")),
      ("forms", Shape.integer("How many forms it has.")), ("limits", Shape.map("The limits, by name.")),
    ]),
    example: .init(
      params: [:],
      result: [
        "name": "formd", "version": "0.1.0", "protocolVersion": .string(OpenRPCDocument.protocolVersion),
        "instanceId": "5f0c2f6b9d3e4a17", "pid": 4711, "forms": 5, "limits": ["textBytesMax": 4_194_304],
      ]
    )
  )

  static let ping = MethodDescription(
    name: "server/ping",
    summary: "Is it alive?",
    description: "Answered even while the daemon is ending.",
    result: Shape.object([("instanceId", Shape.string("Changes with every start."))]),
    example: .init(params: [:], result: ["instanceId": "5f0c2f6b9d3e4a17"])
  )

  static let stats = MethodDescription(
    name: "server/stats",
    summary: "What it has counted",
    description: "Counters since the start, and what is open now.",
    result: Shape.map("Numbers by name."),
    example: .init(
      params: [:],
      result: [
        "connections": 1, "sessions": 1, "requests": 12, "notifications": 0, "updates": 7, "errors": 0, "badTexts": 0,
      ]
    )
  )

  static let discover = MethodDescription(
    name: "rpc.discover",
    summary: "This document",
    description: "The protocol as an OpenRPC document, the same as protocol/openrpc.json.",
    result: Shape.map("The OpenRPC document."),
    example: .init(params: [:], result: ["openrpc": "1.3.2"])
  )
}
