package import JSON
internal import JSONRPC

/// The OpenRPC document of the protocol (spec.open-rpc.org, 1.3.2), made from each message's list and each method's
/// description.
package enum OpenRPCDocument {
  /// The version of the protocol; protocol/wire.md, "Later versions", says which changes raise its first number.
  package static let protocolVersion = "2.0.0"

  /// The document.
  package static let json: JSON = [
    "openrpc": "1.3.2",
    "info": [
      "title": "formd",
      "version": .string(protocolVersion),
      "description":
        "Live form sessions over a Unix socket. The normative text is protocol/README.md; the messages that the daemon sends by itself are under x-pushes.",
    ],
    "methods": .array(Method.allCases.map { describe($0.call) }),
    "x-pushes": .array(PushMethod.allCases.map { describe($0.push) }),
    "components": [
      "errors": .object(JSONObject(commonErrors.map { ($0.name, error($0.rawValue, $0.message)) })),
      "schemas": ["ErrorData": .object(ErrorData.schema)],
    ],
  ]

  /// The document as the text of `protocol/openrpc.json`.
  package static var text: String { json.indentedText + "\n" }

  /// Errors that every request can get.
  private static let commonErrors: [RPCErrorCode] = [
    .parseError, .invalidRequest, .invalidParams, .textTooLarge, .batchTooLarge,
  ]

  private static func error(_ code: Int, _ message: String) -> JSON {
    ["code": .integer(Int64(code)), "message": .string(message)]
  }

  private static func describe<Content: Message>(params type: Content.Type) -> JSON {
    .array(
      MessageSchema.members(of: type).map {
        ["name": .string($0.name), "required": .bool($0.isRequired), "schema": $0.schema]
      }
    )
  }

  private static func describe<Params: Call>(_ type: Params.Type) -> JSON {
    var object: JSONObject = [
      "name": .string(Params.method.wireName.description),
      "summary": .string(Params.title),
      "description": .string(Params.details),
      "paramStructure": "by-name",
      "params": describe(params: type),
    ]
    if !Params.isNotification { object["result"] = ["name": "result", "schema": .object(Params.Answer.schema)] }
    var failures = Params.failures
    if !Params.method.isForOperators, !failures.contains(.overloaded) { failures.append(.overloaded) }
    if !Params.method.isServedWhileDraining { failures.append(.draining) }
    if Params.method.role != nil { failures.append(.roleNeeded) }
    if !failures.isEmpty { object["errors"] = .array(failures.map { error($0.rawValue, $0.message) }) }
    let sample = Params.example
    let params = (sample.params.json.objectValue ?? [:]).map { member -> JSON in
      ["name": .string(member.name), "value": member.value]
    }
    var example: JSONObject = ["name": "example", "params": .array(params)]
    if !Params.isNotification { example["result"] = ["name": "result", "value": sample.answer.json] }
    object["examples"] = [.object(example)]
    return .object(object)
  }

  private static func describe<Params: Push>(_ type: Params.Type) -> JSON {
    var object: JSONObject = [
      "name": .string(Params.push.wireName.description),
      "summary": .string(Params.pushTitle),
      "params": describe(params: type),
    ]
    if let (answer, description) = Params.answer {
      var schema = answer.schema
      schema["description"] = .string(description)
      object["result"] = ["name": "result", "schema": .object(schema)]
    }
    object["example"] = Params.pushExample.json
    return .object(object)
  }
}
