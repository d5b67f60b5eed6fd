package import JSON
internal import JSONRPC

/// The OpenRPC document of the protocol (spec.open-rpc.org, 1.3.2), produced from the descriptions that stand beside the code.
package enum OpenRPCDocument {
  /// The version of the protocol; raised by a change that a client could notice.
  package static let protocolVersion = "1.0.0"

  /// The document.
  package static let json: JSON = {
    var methods: [JSON] = []
    for method in Method.allCases { methods.append(describe(method.description)) }
    return [
      "openrpc": "1.3.2",
      "info": [
        "title": "formd",
        "version": .string(protocolVersion),
        "description":
          "Live form sessions over a Unix socket. The normative text is protocol/README.md; what the daemon sends is under x-pushes.",
      ],
      "methods": .array(methods),
      "x-pushes": .array(Pushes.all.map(describe)),
      "components": ["errors": .object(commonErrors)],
    ]
  }()

  /// The document as the text of `protocol/openrpc.json`.
  package static var text: String { json.indentedText + "\n" }

  /// Errors that every request can be answered with.
  private static let commonErrors: JSONObject = [
    "ParseError": error(RPCErrorCode.parseError, "Parse error"),
    "InvalidRequest": error(RPCErrorCode.invalidRequest, "Invalid Request"),
    "InvalidParams": error(RPCErrorCode.invalidParams, "Invalid params"),
    "TextTooLarge": error(RPCErrorCode.textTooLarge, "The text is too large"),
    "BatchTooLarge": error(RPCErrorCode.batchTooLarge, "The batch has too many members"),
  ]

  private static func error(_ code: Int, _ message: String) -> JSON {
    ["code": .integer(Int64(code)), "message": .string(message)]
  }

  private static func describe(_ param: MethodDescription.Param) -> JSON {
    ["name": .string(param.name), "required": .bool(param.isRequired), "schema": param.schema]
  }

  private static func describe(_ method: MethodDescription) -> JSON {
    var object: JSONObject = [
      "name": .string(method.name),
      "summary": .string(method.summary),
      "description": .string(method.description),
      "paramStructure": "by-name",
      "params": .array(method.params.map(describe)),
    ]
    if let result = method.result { object["result"] = ["name": "result", "schema": result] }
    if !method.failures.isEmpty {
      object["errors"] = .array(method.failures.map { error($0.code, $0.message) })
    }
    var params: [JSON] = []
    for member in method.example.params.objectValue ?? [:] {
      params.append(["name": .string(member.name), "value": member.value])
    }
    var example: JSONObject = ["name": "example", "params": .array(params)]
    if method.result != nil { example["result"] = ["name": "result", "value": method.example.result] }
    object["examples"] = [.object(example)]
    return .object(object)
  }

  private static func describe(_ push: PushDescription) -> JSON {
    var object: JSONObject = [
      "name": .string(push.name),
      "summary": .string(push.summary),
      "params": .array(push.params.map(describe)),
    ]
    if let result = push.result { object["result"] = ["name": "result", "schema": result] }
    object["example"] = push.example
    return .object(object)
  }
}
