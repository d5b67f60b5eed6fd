internal import Formats
public import JSON

/// The known drafts of JSON Schema, the oldest first. The raw value is the usual name of a draft.
public enum SchemaDraft: String, CaseIterable, Comparable, Hashable, Sendable {
  /// Draft 4 (2013): draft-fge-json-schema-validation-00 and draft-zyp-json-schema-04.
  case draft4 = "4"
  /// Draft 6 (2017): draft-wright-json-schema-01 and draft-wright-json-schema-validation-01.
  case draft6 = "6"
  /// Draft 7 (2018): draft-handrews-json-schema-01 and draft-handrews-json-schema-validation-01.
  case draft7 = "7"
  /// Draft 2019-09: draft-handrews-json-schema-02 and draft-handrews-json-schema-validation-02.
  case draft2019 = "2019-09"
  /// Draft 2020-12: draft-bhutton-json-schema-01 and draft-bhutton-json-schema-validation-01.
  case draft2020 = "2020-12"

  /// The draft whose meta-schema has that URI, or nil.
  ///
  /// - Parameter metaSchemaURI: without a fragment; with either scheme, since people write both.
  public init?(metaSchemaURI: String) {
    guard let uri = MetaSchemas.canonicalURI(metaSchemaURI),
      let draft = Self.allCases.first(where: { $0.metaSchemaURI == uri })
    else { return nil }
    self = draft
  }

  /// The draft that a document names with `$schema`; nil if it names none, or a meta-schema that does not belong to the
  /// standard.
  public init?(of document: JSON) {
    guard let uri = document["$schema"]?.stringValue else { return nil }
    self.init(metaSchemaURI: URIReference(uri).withoutFragment)
  }

  /// The identifier that a document gives itself: `$id`, or `id` in draft 4.
  public func identifier(of document: JSON) -> String? { document[identifierKeyword]?.stringValue }

  /// The URI of its meta-schema, without a fragment.
  public var metaSchemaURI: String {
    switch self {
    case .draft4, .draft6, .draft7: "http://json-schema.org/draft-0\(rawValue)/schema"
    case .draft2019, .draft2020: "https://json-schema.org/draft/\(rawValue)/schema"
    }
  }

  public static func < (left: SchemaDraft, right: SchemaDraft) -> Bool {
    // Drafts follow each other as numbers, then as years.
    left.order < right.order
  }

  private var order: Int {
    switch self {
    case .draft4: 4
    case .draft6: 6
    case .draft7: 7
    case .draft2019: 2019
    case .draft2020: 2020
    }
  }

  // MARK: Differences

  /// Whether nothing beside a `$ref` counts.
  var hidesSiblingsOfReferences: Bool { self <= .draft7 }

  /// The keyword that identifies a schema.
  var identifierKeyword: String { self == .draft4 ? "id" : "$id" }

  /// Whether an identifier that ends with a name as fragment has the meaning of the later `$anchor`.
  var hasAnchorsInIdentifiers: Bool { self <= .draft7 }

  /// The keyword for schemas that references lead to.
  var definitionsKeyword: String { self <= .draft7 ? "definitions" : "$defs" }

  /// Whether the draft has the keyword. A keyword that the draft does not have is an annotation, in any shape.
  func has(_ keyword: Keyword) -> Bool { KeywordRule.named[keyword.rawValue]?.drafts.contains(self) ?? false }
}

extension SchemaDraft: CustomStringConvertible {
  /// The usual name of the draft.
  public var description: String { rawValue }
}
