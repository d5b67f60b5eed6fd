internal import JSON
internal import JSONSchema

/// A schema without the keywords that are wrong in it, so that the formulas of a definition can be checked all the same.
///
/// What is left says no more of the values than was meant: a formula that is wrong against it is wrong.
struct SchemaRepair {
  /// The schema that is left.
  private(set) var schema: JSON
  /// Whether a part of it went that may have had fields.
  private(set) var hasHoles = false

  /// Takes those keywords out; nil where the whole schema hangs on one of them.
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

  /// A schema without what stands at that place; nil where the place has no name that can go.
  private mutating func repaired(_ schema: JSON, _ path: ArraySlice<String>) -> JSON? {
    // What is no schema at all says nothing.
    guard let keyword = path.first else { return true }
    guard case .object(var members) = schema else { return schema }
    // A problem before it has taken it out already.
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
