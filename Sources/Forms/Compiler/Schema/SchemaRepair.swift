internal import JSON
internal import JSONSchema

/// A schema without its wrong keywords, so that the formulas of a definition can still be checked.
///
/// The rest restricts the values no more than the author meant: a formula that is wrong against it is wrong.
struct SchemaRepair {
  /// The repaired schema.
  private(set) var schema: JSON
  /// Whether a removed part may have had fields.
  private(set) var hasHoles = false

  /// Takes those keywords out; nil if the whole schema depends on one of them.
  init?(of schema: JSON, without problems: [SchemaCompileError.Problem]) {
    self.schema = schema
    for problem in problems {
      guard problem.document.isEmpty, let repaired = repaired(self.schema, problem.pointer.tokens[...]) else {
        return nil
      }
      self.schema = repaired
    }
  }

  /// The keywords that may hold schemas of fields.
  private static let holders: Set<String> = [
    "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "allOf", "anyOf", "oneOf",
  ]

  /// A schema without the value at that path; nil if the path has no name that can be removed.
  private mutating func repaired(_ schema: JSON, _ path: ArraySlice<String>) -> JSON? {
    // A value that is not a schema restricts nothing.
    guard let keyword = path.first else { return true }
    guard case .object(var members) = schema else { return schema }
    // An earlier problem has removed it already.
    guard let value = members[keyword] else { return schema }
    let rest = path.dropFirst()
    if rest.isEmpty, Self.holders.contains(keyword) {
      hasHoles = true
      members[keyword] = nil
      return .object(members)
    }
    switch keyword {
    case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
      guard let name = rest.first, case .object(var schemas) = value, let inner = schemas[name] else { return nil }
      guard let repaired = repaired(inner, rest.dropFirst()) else { return nil }
      schemas[name] = repaired
      members[keyword] = .object(schemas)
    case "allOf", "anyOf", "oneOf", "prefixItems":
      guard case .array(var schemas) = value, let index = rest.first.flatMap(JSONPointer.arrayIndex),
        index < schemas.count, let repaired = repaired(schemas[index], rest.dropFirst())
      else { return nil }
      schemas[index] = repaired
      members[keyword] = .array(schemas)
    case "items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains", "propertyNames",
      "not",
      "if", "then", "else":
      guard let repaired = repaired(value, rest) else { return nil }
      members[keyword] = repaired
    case "$ref", "$dynamicRef":
      hasHoles = true
      return true
    default: members[keyword] = nil
    }
    return .object(members)
  }
}
