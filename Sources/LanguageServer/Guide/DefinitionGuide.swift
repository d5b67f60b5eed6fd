internal import FormCases
internal import Forms
internal import JSON

/// The schemas of form definitions and of test files, for completion and hover.
enum DefinitionGuide {
  private static let forms = SchemaGuide(DefinitionSchema.json)
  private static let tests = SchemaGuide(TestFileSchema.json)

  /// The members of a definition that are JSON Schemas.
  private static let schemas = ["schema", "context"]

  /// The guide for a location of a definition, and the location within that guide. Inside of `schema` and `context` it
  /// is JSON Schema's own.
  static func form(at tokens: [String]) -> (guide: SchemaGuide, tokens: ArraySlice<String>) {
    tokens.count > 1 && schemas.contains(tokens[0])
      ? (.ofSchemas, tokens[1...]) : (forms, tokens[...])
  }

  /// The guide for a container. A member directly in such a schema belongs to JSON Schema, too.
  static func form(in tokens: [String]) -> (guide: SchemaGuide, tokens: ArraySlice<String>) {
    tokens.first.map(schemas.contains) ?? false ? (.ofSchemas, tokens[1...]) : (forms, tokens[...])
  }

  /// The guide for a location of a test file.
  static func test(at tokens: [String]) -> (guide: SchemaGuide, tokens: ArraySlice<String>) { (tests, tokens[...]) }

  /// The kind of a text in a definition.
  enum TextKind {
    /// An expression.
    case formula
    /// The address of a field.
    case address
  }

  /// The schemas of a whole definition.
  static let formParts = forms.rootParts

  /// The schemas of what is in a definition, one step further in; none inside of `schema`.
  static func formParts(in parts: [SchemaGuide.Part], at token: String) -> [SchemaGuide.Part] {
    forms.parts(in: parts, at: token)
  }

  /// The kind of a text to which those schemas apply; nil if it is neither formula nor address.
  ///
  /// - Parameter name: the name of the text's member.
  static func textKind(of parts: [SchemaGuide.Part], name: String?) -> TextKind? {
    for part in parts {
      switch part.name {
      case "expression", "template": return .formula
      case "address": return .address
      default: break
      }
    }
    // A single formula that replaces one formula for each address.
    return name == "fieldErrors" ? .formula : nil
  }

  /// The kind of the text at a location of a definition.
  static func textKind(at tokens: [String]) -> TextKind? {
    tokens.first.map(schemas.contains) ?? false ? nil : textKind(of: forms.parts(at: tokens), name: tokens.last)
  }
}
