internal import JSON

/// The schemas that have names, each once: `components.schemas` of the OpenRPC document.
struct SchemaComponents {
  private(set) var schemas = JSONObject()

  /// Adds the named schemas of a kind of values, and of its parts.
  mutating func add(_ type: any DescribedValue.Type) {
    if let name = type.schemaName.map({ "\($0)" }) {
      let schema = JSON.object(type.schema)
      if let known = schemas[name] { return precondition(known == schema, "two schemas are called \(name)") }
      schemas[name] = schema
    }
    for part in type.schemaParts { add(part) }
  }

  /// Adds a schema that no type has.
  mutating func add(_ schema: JSONObject, name: String) {
    precondition(schemas[name] == nil, "two schemas are called \(name)")
    schemas[name] = .object(schema)
  }
}
