internal import JSON

/// The limits in force, by name.
enum LimitTable: DescribedValue {
  static let schemaName: StaticString? = "Limits"

  static var schema: JSONObject {
    let limits = Limit.allCases.map { limit -> (String, JSON) in
      let value: JSONObject = [
        "type": "integer", "description": .string(limit.summary), "default": .integer(Int64(limit.standard)),
        "minimum": .integer(Int64(limit.least)), "maximum": .integer(Int64(limit.most)),
      ]
      return (limit.wireName.description, .object(value))
    }
    return [
      "type": "object", "description": "The limits in force, by name.", "properties": .object(JSONObject(limits)),
      "required": .array(limits.map { .string($0.0) }),
    ]
  }
}
