public import JSON

/// The facts about the values of a schema, as far as the schema alone gives them: for controls, types of formulas and
/// bounds.
///
/// `$ref` and `allOf` are seen through; so are `anyOf` and `oneOf` if all alternatives but one are `null` (exporters
/// write optional values like this). Of several texts the outermost counts, of several bounds the narrower.
public struct PropertyFacts: Hashable, Sendable {
  /// One value to choose from.
  public struct Choice: Hashable, Sendable {
    public var value: JSON
    /// Its `title`, in a `oneOf` or `anyOf` of constants.
    public var title: String?
  }

  /// The types that can be valid, of "null", "boolean", "integer", "number", "string", "array", "object"; "number"
  /// includes integers. All if nothing is said.
  public var types: [String] = []
  /// The values of `enum`, `const`, or a `oneOf` or `anyOf` of constants; nil if any value may be.
  public var choices: [Choice]?
  /// `title`.
  public var title: String?
  /// `description`.
  public var description: String?
  /// `default`.
  public var `default`: JSON?
  /// `format`, whether it asserts or not.
  public var format: String?
  /// `writeOnly`.
  public var writeOnly = false
  /// `readOnly`.
  public var readOnly = false
  /// `minLength`, in code points.
  public var minLength: Int?
  /// `maxLength`, in code points.
  public var maxLength: Int?
  /// `minItems`.
  public var minItems: Int?
  /// `maxItems`.
  public var maxItems: Int?
  /// `minimum`.
  public var minimum: JSON?
  /// `maximum`.
  public var maximum: JSON?
  /// `exclusiveMinimum`.
  public var exclusiveMinimum: JSON?
  /// `exclusiveMaximum`.
  public var exclusiveMaximum: JSON?
  /// The first `multipleOf`.
  public var multipleOf: JSON?
  /// `uniqueItems`.
  public var uniqueItems = false
  /// The source of the first `pattern`.
  public var pattern: String?
  /// The members of the schema whose names begin with `x-`: the author's notes for tools.
  public var extensions = JSONObject()
  /// The facts in `items`; empty if there are none, else one.
  public var items: [PropertyFacts] = []
  /// The facts in `properties`, in the order written.
  public var members: [Member] = []

  /// A member of the value.
  public struct Member: Hashable, Sendable {
    public var name: String
    /// The facts about the member.
    public var facts: PropertyFacts
  }

  /// The depth of items and members for which facts are read; recursive schemas have no end.
  package static let nestingMax = 4

  /// Whether null can be valid.
  public var admitsNull: Bool { types.contains("null") }
}
