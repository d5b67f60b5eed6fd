internal import JSON

/// The schema of an object, made field by field.
struct SchemaTree {
  private(set) var schema: JSON = ["type": "object", "properties": [:]]

  /// The schema at an address; nil if there is none.
  func schema(at field: JSONPointer) -> JSON? { schema.value(at: Self.path(of: field)[...]) }

  /// Puts a schema at an address, with the objects and lists around it. A schema that is there already stays.
  ///
  /// - Returns: whether the schema was put there.
  mutating func insert(_ field: JSONPointer, _ inner: JSON, isRequired: Bool = false) -> Bool {
    guard self.schema(at: field) == nil else { return false }
    guard let result = Self.inserting(inner, field.tokens[...], isRequired, into: schema) else { return false }
    schema = result
    return true
  }

  /// Replaces the schema at an address.
  mutating func replace(_ field: JSONPointer, _ inner: JSON) {
    schema = Self.replacing(schema, Self.path(of: field)[...], inner)
  }

  private static func path(of field: JSONPointer) -> [String] {
    field.tokens.flatMap { $0 == "*" ? ["items"] : ["properties", $0] }
  }

  /// nil if a value with another type is in the way.
  private static func inserting(
    _ inner: JSON,
    _ tokens: ArraySlice<String>,
    _ isRequired: Bool,
    into schema: JSON?
  ) -> JSON? {
    guard let token = tokens.first else { return schema == nil ? inner : nil }
    let type: JSON = token == "*" ? "array" : "object"
    guard case .object(var members) = schema ?? ["type": type], members["type"] == type else { return nil }
    let rest = tokens.dropFirst()
    if token == "*" {
      guard let items = inserting(inner, rest, isRequired, into: members["items"]) else { return nil }
      members["items"] = items
      return .object(members)
    }
    var properties = members["properties"]?.objectValue ?? JSONObject()
    guard let value = inserting(inner, rest, isRequired, into: properties[token]) else { return nil }
    properties[token] = value
    members["properties"] = .object(properties)
    if rest.isEmpty, isRequired {
      members["required"] = .array((members["required"]?.arrayValue ?? []) + [.string(token)])
    }
    return .object(members)
  }

  private static func replacing(_ schema: JSON, _ path: ArraySlice<String>, _ inner: JSON) -> JSON {
    guard let token = path.first else { return inner }
    guard case .object(var members) = schema, let value = members[token] else { return schema }
    members[token] = replacing(value, path.dropFirst(), inner)
    return .object(members)
  }
}
