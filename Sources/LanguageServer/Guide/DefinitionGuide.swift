internal import FormCases
internal import JSON

/// What may stand in form definitions and in test files, by their own schemas.
enum DefinitionGuide {
  /// The schema of definitions, as `protocol/schema` has it.
  private static let forms = SchemaGuide((try? JSON(parsing: PackageResources.form_schema_json)) ?? true)
  private static let tests = SchemaGuide(TestFileSchema.json)

  /// The guide for a place of a definition, and the place as that guide knows it: inside of `schema`, JSON Schema's own.
  static func form(at tokens: [String]) -> (guide: SchemaGuide, tokens: ArraySlice<String>) {
    tokens.count > 0 && tokens[0] == "schema" && tokens.count > 1
      ? (.ofSchemas, tokens[1...]) : (forms, tokens[...])
  }

  /// The same for a container: what stands directly in `schema` is JSON Schema's, too.
  static func form(in tokens: [String]) -> (guide: SchemaGuide, tokens: ArraySlice<String>) {
    tokens.first == "schema" ? (.ofSchemas, tokens[1...]) : (forms, tokens[...])
  }

  /// The guide for a place of a test file.
  static func test(at tokens: [String]) -> (guide: SchemaGuide, tokens: ArraySlice<String>) { (tests, tokens[...]) }

  /// What the texts at a place of a definition are.
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

  /// The schemas of the names of an object's members.
  static func nameParts(of parts: [SchemaGuide.Part]) -> [SchemaGuide.Part] { forms.nameParts(of: parts) }

  /// What a text is for which those schemas hold; nil where it is neither.
  ///
  /// - Parameter name: the name of the member that it stands in.
  static func textKind(of parts: [SchemaGuide.Part], name: String?) -> TextKind? {
    for part in parts {
      switch part.name {
      case "expression", "template": return .formula
      case "address": return .address
      default: break
      }
    }
    // One formula in place of one for each address.
    return name == "fieldErrors" ? .formula : nil
  }

  /// The same for a place of a definition.
  static func textKind(at tokens: [String]) -> TextKind? {
    tokens.first == "schema" ? nil : textKind(of: forms.parts(at: tokens), name: tokens.last)
  }
}
