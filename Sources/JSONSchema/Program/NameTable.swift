internal import JSON
internal import Texts

/// The names that one schema object treats by name.
struct NameTable: Sendable {
  struct Entry: Sendable {
    let name: String
    /// The schema of `properties`, or -1 if the name is only required.
    let schema: Int32
    let isRequired: Bool
  }

  let entries: [Entry]
  let requiredCount: Int
  private let positions: [UTF8Key: Int]

  init(_ names: [(name: String, schema: Int32, isRequired: Bool)]) {
    entries = names.map { Entry(name: $0.name, schema: $0.schema, isRequired: $0.isRequired) }
    requiredCount = names.count { $0.isRequired }
    positions = Dictionary(
      names.enumerated().map { (UTF8Key(text: $1.name), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Whether `properties` has a schema for that name.
  func hasSchema(for name: String) -> Bool {
    guard let position = positions[UTF8Key(text: name)] else { return false }
    return entries[position].schema >= 0
  }
}

/// `properties`, `patternProperties`, `additionalProperties` and `required` of one schema.
struct MemberPlan: Sendable {
  /// Names of `properties` and `required` together.
  var names: NameTable
  /// (pattern, schema) pairs.
  var patterns: [(pattern: Int32, schema: Int32)] = []
  /// The schema of `additionalProperties`; -1 if there is none.
  var additional: Int32 = -1
}
