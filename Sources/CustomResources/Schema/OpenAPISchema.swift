internal import JSON

/// A schema of OpenAPI as draft 4 of JSON Schema says the same: `nullable` beside `type`, `x-kubernetes-int-or-string`, and formats by
/// other rules than JSON Schema's.
enum OpenAPISchema {
  /// The schema of a resource: what is said of each of them is said, too.
  static func plainResource(_ schema: JSON) -> JSON { withMetadata(plain(schema)) }

  private static func withMetadata(_ schema: JSON) -> JSON {
    guard case .object(var members) = schema else { return schema }
    var properties = members["properties"]?.objectValue ?? JSONObject()
    properties["apiVersion"] = properties["apiVersion"] ?? ["type": "string"]
    properties["kind"] = properties["kind"] ?? ["type": "string"]
    let declared = properties["metadata"]?["properties"]
    let texts: JSON = ["type": "object", "additionalProperties": ["type": "string"]]
    properties["metadata"] = [
      "type": "object",
      "properties": [
        "name": declared?["name"] ?? ["type": "string"],
        "generateName": declared?["generateName"] ?? ["type": "string"],
        "namespace": ["type": "string"], "labels": texts, "annotations": texts,
      ],
    ]
    members["properties"] = .object(properties)
    return .object(members)
  }

  private static func plain(_ schema: JSON) -> JSON {
    guard case .object(var members) = schema else { return schema }
    if members["x-kubernetes-int-or-string"] == true { members["type"] = ["integer", "string"] }
    if members["nullable"] == true {
      switch members["type"] {
      case .string(let type)?: members["type"] = [.string(type), "null"]
      case .array(let types)?: members["type"] = .array(types + ["null"])
      default: break
      }
      if case .array(let values)? = members["enum"] { members["enum"] = .array(values + [.null]) }
    }
    // Draft 4 wants at least one name.
    if members["required"]?.arrayValue?.isEmpty == true { members["required"] = nil }
    if let format = members["format"]?.stringValue, !sharedFormats.contains(format) { members["format"] = nil }
    for keyword in ["items", "additionalProperties", "not"] {
      if let inner = members[keyword] { members[keyword] = plain(inner) }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
      if case .array(let inner)? = members[keyword] { members[keyword] = .array(inner.map(plain)) }
    }
    if case .object(let properties)? = members["properties"] {
      members["properties"] = .object(JSONObject(properties.map { ($0.name, plain($0.value)) }))
    }
    if members["x-kubernetes-embedded-resource"] == true {
      let required = members["required"]?.arrayValue ?? []
      members["required"] = .array(required + ["apiVersion", "kind"].filter { !required.contains($0) })
      return withMetadata(.object(members))
    }
    return .object(members)
  }

  /// The formats that mean there what they mean here.
  private static let sharedFormats: Set<String> = [
    "date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid",
  ]
}
