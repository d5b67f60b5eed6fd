/// The meaning of the keywords of one schema resource: the draft, and which of its vocabularies are in use.
struct Dialect: Hashable, Sendable {
  struct Vocabularies: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let applicator = Vocabularies(rawValue: 1)
    static let unevaluated = Vocabularies(rawValue: 2)
    static let validation = Vocabularies(rawValue: 4)
    static let metaData = Vocabularies(rawValue: 8)
    static let formatAnnotation = Vocabularies(rawValue: 16)
    static let formatAssertion = Vocabularies(rawValue: 32)
    static let content = Vocabularies(rawValue: 64)
    static let standard: Vocabularies = [
      .applicator, .unevaluated, .validation, .metaData, .formatAnnotation, .content,
    ]
  }

  var draft: SchemaDraft
  var vocabularies: Vocabularies

  /// A draft with all of its vocabularies; drafts before 2019-09 have no names for their vocabularies.
  init(_ draft: SchemaDraft) {
    self.draft = draft
    vocabularies = .standard
  }

  static let standard = Dialect(.draft2020)

  /// The dialects that are known without their meta-schemas; `uri` carries no fragment.
  static func known(_ uri: String) -> Dialect? {
    SchemaDraft(metaSchemaURI: uri).map { Dialect($0) }
  }

  /// The vocabularies that a member of `$vocabulary` names; nil for an unknown vocabulary.
  static func vocabulary(_ uri: String) -> (draft: SchemaDraft, set: Vocabularies)? {
    let bases: [(String, SchemaDraft)] = [
      ("https://json-schema.org/draft/2020-12/vocab/", .draft2020),
      ("https://json-schema.org/draft/2019-09/vocab/", .draft2019),
    ]
    for (base, draft) in bases where uri.hasPrefix(base) {
      switch uri.dropFirst(base.count) {
      case "core": return (draft, [])
      // Draft 2019-09 has the unevaluated keywords in its applicator vocabulary.
      case "applicator": return (draft, draft == .draft2019 ? [.applicator, .unevaluated] : .applicator)
      case "unevaluated": return (draft, .unevaluated)
      case "validation": return (draft, .validation)
      case "meta-data": return (draft, .metaData)
      case "format-annotation": return (draft, .formatAnnotation)
      case "format-assertion": return (draft, .formatAssertion)
      case "format": return (draft, .formatAnnotation)
      case "content": return (draft, .content)
      default: return nil
      }
    }
    return nil
  }

  /// The values that the subschemas of a schema object apply to: the value itself, its elements, or its members.
  enum Nesting {
    case value, elements, members
    /// `items` before 2020-12: a schema or an array of them.
    case valueOrElements
    /// `dependencies`: members that are schemas, or arrays of names.
    case someMembers
  }

  /// The kind of schemas that the keyword holds; nil if it holds none.
  func nesting(of keyword: String) -> Nesting? {
    switch keyword {
    case "definitions": return .members
    case "$defs": return draft >= .draft2019 ? .members : nil
    default:
      guard let rule = KeywordRule.named[keyword], rule.drafts.contains(draft) else { return nil }
      return nesting(of: rule.keyword)
    }
  }

  private func nesting(of keyword: Keyword) -> Nesting? {
    switch keyword {
    case .properties, .patternProperties, .dependentSchemas: .members
    case .dependencies: .someMembers
    case .allOf, .anyOf, .oneOf, .prefixItems: .elements
    case .items: draft == .draft2020 ? .value : .valueOrElements
    case .not, .if, .then, .else, .contains, .additionalProperties, .propertyNames, .additionalItems, .unevaluatedItems,
      .unevaluatedProperties, .contentSchema:
      .value
    default: nil
    }
  }
}
