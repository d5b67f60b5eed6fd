internal import JSON

extension JSONObject {
  /// An object with values of one kind, by names of the form.
  static func byName(_ type: any DescribedValue.Type, _ description: String) -> JSONObject {
    [
      "type": "object", "description": .string(description), "additionalProperties": .object(type.schemaReference),
    ]
  }
}

extension JSON {
  /// A member of a kind, with a description.
  static func described(_ type: any DescribedValue.Type, _ description: String) -> JSON {
    var schema = type.schemaReference
    schema["description"] = .string(description)
    return .object(schema)
  }

  /// A list of values of a kind, with a description.
  static func list(of type: any DescribedValue.Type, _ description: String) -> JSON {
    ["type": "array", "items": .object(type.schemaReference), "description": .string(description)]
  }
}
