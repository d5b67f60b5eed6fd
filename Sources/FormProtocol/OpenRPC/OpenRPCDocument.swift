package import JSON
internal import JSONRPC

/// The OpenRPC document of the protocol (spec.open-rpc.org, 1.3.2), made from each message's list and each method's
/// description.
package enum OpenRPCDocument {
  /// The version of the protocol; protocol/wire.md, "Later versions", says which changes raise its first number.
  package static let protocolVersion = "2.0.0"

  /// The document that `rpc.discover` answers, and that `protocol/openrpc.json` has.
  package static let json: JSON = [
    "openrpc": "1.3.2",
    "info": [
      "title": "formd",
      "version": .string(protocolVersion),
      "description":
        """
      Live form sessions over a Unix socket. The normative text is protocol/README.md. A method without a result is a \
      notification of the client. The daemon's own messages are x-notifications and x-requests. Every request can \
      fail with x-errors. `data` of an error is the schema of its data.
      """,
    ],
    "methods": .array(Method.allCases.map { describe($0.call) }),
    "x-notifications": .array(PushMethod.allCases.filter { $0.push.answer == nil }.map { describe($0.push) }),
    "x-requests": .array(PushMethod.allCases.filter { $0.push.answer != nil }.map { describe($0.push) }),
    "x-errors": .array(commonErrors.map(reference(toError:))),
    "components": ["errors": .object(errors), "schemas": .object(schemas)],
  ]

  /// The document as the text of `protocol/openrpc.json`.
  package static var text: String { json.indentedText + "\n" }

  /// The names of the errors that every request can get. A batch whose answers are too large gets `quotaExceeded`
  /// for any method.
  private static let commonErrors =
    [RPCErrorCode.parseError, .invalidRequest, .invalidParams, .textTooLarge, .batchTooLarge].map(\.name)
    + [FormErrorCode.quotaExceeded.name]

  /// One error, as the document describes it.
  private struct ErrorEntry {
    let name: String
    let code: Int
    let message: String
    let dataMembers: ErrorDataMembers

    var dataName: String { name + "Data" }
  }

  private static let errorEntries =
    RPCErrorCode.allCases.map {
      ErrorEntry(name: $0.name, code: $0.rawValue, message: $0.message, dataMembers: $0.dataMembers)
    }
    + FormErrorCode.allCases.map {
      ErrorEntry(name: $0.name, code: $0.rawValue, message: $0.message, dataMembers: $0.dataMembers)
    }

  private static var errors: JSONObject {
    JSONObject(
      errorEntries.map { entry in
        var error: JSONObject = ["code": .integer(Int64(entry.code)), "message": .string(entry.message)]
        if entry.dataMembers.schema != nil {
          error["data"] = ["$ref": .string("#/components/schemas/\(entry.dataName)")]
        }
        return (entry.name, .object(error))
      }
    )
  }

  private static var schemas: JSONObject {
    var components = SchemaComponents()
    func add<Params: Call>(_ type: Params.Type) {
      for part in Params.schemaParts { components.add(part) }
      if !Params.isNotification { components.add(Params.Answer.self) }
    }
    for method in Method.allCases { add(method.call) }
    for push in PushMethod.allCases { components.add(push.push) }
    components.add(ErrorData.self)
    for entry in errorEntries {
      if let schema = entry.dataMembers.schema { components.add(schema, name: entry.dataName) }
    }
    return components.schemas
  }

  private static func reference(toError name: String) -> JSON { ["$ref": .string("#/components/errors/\(name)")] }

  private static func describe<Params: Call>(_ type: Params.Type) -> JSON {
    // Required params come first (OpenRPC 1.3.2, "Method Object").
    let members = MessageSchema.members(of: type)
    let ordered = members.filter(\.isRequired) + members.filter { !$0.isRequired }
    var object: JSONObject = [
      "name": .string(Params.name.description),
      "summary": .string(Params.title),
      "description": .string(Params.details),
      "paramStructure": "by-name",
      "params": .array(
        ordered.map { member in
          var param: JSONObject = ["name": .string(member.name)]
          if !member.summary.isEmpty { param["description"] = .string(member.summary) }
          param["required"] = .bool(member.isRequired)
          var schema = member.type.schemaReference
          if let standard = member.standard { schema["default"] = standard }
          param["schema"] = .object(schema)
          return .object(param)
        }
      ),
    ]
    if !Params.isNotification {
      object["result"] = ["name": "result", "schema": .object(Params.Answer.schemaReference)]
    }
    var failures = Params.failures
    if !Params.method.isForOperators { failures.append(.overloaded) }
    if !Params.isServedWhileDraining { failures.append(.draining) }
    if Params.role != nil { failures.append(.roleNeeded) }
    // The session may move to another daemon while the answer waits for the store.
    if Params.meansOnlySession { failures.append(.requestCancelled) }
    if !failures.isEmpty { object["errors"] = .array(failures.map { reference(toError: $0.name) }) }
    let sample = Params.example
    let params = (sample.params.json.objectValue ?? [:]).map { member -> JSON in
      ["name": .string(member.name), "value": member.value]
    }
    var example: JSONObject = ["name": "example", "params": .array(params)]
    if !Params.isNotification { example["result"] = ["name": "result", "value": sample.answer.json] }
    object["examples"] = [.object(example)]
    return .object(object)
  }

  /// Describes a message of the daemon. It is not a method object of OpenRPC: its `params` are one schema, which
  /// answers can share.
  private static func describe<Params: Push>(_ type: Params.Type) -> JSON {
    var object: JSONObject = [
      "name": .string(Params.push.wireName.description),
      "summary": .string(Params.pushTitle),
      "params": .object(Params.schemaReference),
    ]
    if let (answer, description) = Params.answer {
      var schema = answer.schemaReference
      schema["description"] = .string(description)
      object["result"] = .object(schema)
    }
    object["example"] = Params.pushExample.json
    return .object(object)
  }
}
