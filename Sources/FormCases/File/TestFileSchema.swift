internal import FormProtocol
package import JSON

/// The JSON Schema of test files: `protocol/schema/test.schema.json`, made from the member lists of the messages.
package enum TestFileSchema {
  /// The text of the schema file in the repository.
  package static var text: String { json.indentedText + "\n" }

  /// The schema.
  package static let json: JSON = {
    var schema: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Test cases of a form of formd",
      "description":
        "The cases of one form, for formctl test. A file NAME.test.json stands beside NAME.form.json; both may also be .jsonc or .yaml. Time is virtual.",
    ]
    for member in referring(TestFile.schema) { schema[member.name] = member.value }
    schema["$defs"] = .object(
      JSONObject(definitions.map { ($0.name, .object(refined($0.name, referring($0.schema)))) })
    )
    return .object(schema)
  }()

  /// The parts with their own definitions.
  private static let definitions: [(name: String, schema: JSONObject)] = [
    ("case", TestCase.schema), ("answer", PromisedAnswer.schema), ("step", TestStep.schema),
    ("expectations", Expectations.schema), ("request", PromisedRequest.schema), ("response", PromisedResponse.schema),
    ("http", HTTPPattern.schema), ("sql", SQLPattern.schema), ("provider", ProviderPattern.schema),
    ("duration", CaseDuration.schema),
  ]

  /// A schema that refers to the parts with their own definitions, and does not allow other members.
  private static func referring(_ schema: JSONObject) -> JSONObject {
    var closed = schema
    if let properties = schema["properties"]?.objectValue {
      closed["properties"] = .object(JSONObject(properties.map { ($0.name, reference(to: $0.value)) }))
      if schema["required"] == [] { closed["required"] = nil }
      closed["additionalProperties"] = false
    }
    if let items = schema["items"] { closed["items"] = reference(to: items) }
    return closed
  }

  private static func reference(to schema: JSON) -> JSON {
    guard var object = schema.objectValue else { return schema }
    let description = object["description"]
    object["description"] = nil
    for (name, definition) in definitions {
      var plain = definition
      plain["description"] = nil
      guard object == plain else { continue }
      var reference: JSONObject = ["$ref": .string("#/$defs/\(name)")]
      if let description, description != definition["description"] { reference["description"] = description }
      return .object(reference)
    }
    return .object(referring(schema.objectValue ?? [:]))
  }

  /// Adds constraints that member lists cannot express: members that exclude or require each other, and the schemas of
  /// members by address.
  private static func refined(_ name: String, _ schema: JSONObject) -> JSONObject {
    var schema = schema
    switch name {
    case "answer", "request":
      schema["oneOf"] = .array(["http", "sql", "provider"].map { ["required": [.string($0)]] })
      if name == "answer" {
        schema["allOf"] = [
          ["if": ["required": ["http"]], "then": ["properties": ["response": ["properties": ["rows": false]]]]],
          [
            "if": ["not": ["required": ["sql"]]],
            "then": ["properties": ["response": ["properties": ["sqlState": false, "constraint": false]]]],
          ],
        ]
      }
    case "step":
      schema["oneOf"] = .array(TestStep.Verb.allCases.map { ["required": [.string($0.wireName.description)]] })
      schema["dependentRequired"] = ["move": ["to"], "fail": ["message"]]
    case "case": schema["properties"] = adding("not", ["required": ["refused"]], to: "expect", of: schema)
    case "response":
      let withStatus = JSON.array(ResponseKind.withStatus.map { .string($0.written) })
      schema["allOf"] = [
        ["if": ["required": ["body"]], "then": ["properties": ["kind": ["const": .string(ResponseKind.ok.written)]]]],
        ["if": ["required": ["status"]], "then": ["properties": ["kind": ["enum": withStatus]]]],
        [
          "if": ["anyOf": [["required": ["sqlState"]], ["required": ["constraint"]]]],
          "then": ["required": ["kind"], "properties": ["kind": ["const": .string(ResponseKind.error.written)]]],
        ],
      ]
    case "expectations":
      for part in Expectations.Part.allCases {
        let name = part.wireName.description
        schema["properties"] = adding("additionalProperties", .object(part.schema), to: name, of: schema)
      }
      let described: [(name: String, kind: Described)] = [
        ("fields", .field), ("steps", .step), ("lookups", .lookup), ("actions", .action),
      ]
      for (name, kind) in described {
        guard let text = schema["properties"]?[name]?["description"]?.stringValue else { continue }
        let members = "\(text) Its members: \(kind.members.joined(separator: ", "))."
        schema["properties"] = adding("description", .string(members), to: name, of: schema)
      }
    default: break
    }
    return schema
  }

  /// The properties of a schema, with one more keyword for one property.
  private static func adding(_ keyword: String, _ value: JSON, to name: String, of schema: JSONObject) -> JSON? {
    guard var properties = schema["properties"]?.objectValue else { return nil }
    var described = properties[name]?.objectValue ?? [:]
    described[keyword] = value
    properties[name] = .object(described)
    return .object(properties)
  }
}
