internal import JSON

/// One compiled schema: where its instructions stand.
struct SchemaRecord: Sendable {
  /// A range in a flat table.
  struct Span: Sendable {
    var start: Int32 = 0
    var end: Int32 = 0
    var range: Range<Int> { Int(start)..<Int(end) }
    var isEmpty: Bool { start == end }
  }

  /// Types that pass; none for `false`.
  var typeMask: TypeMask = .all
  /// What it takes to run it, beside its instructions; one byte, since each evaluation looks at it.
  private var care: Care = []
  /// No schema is applied to a text, a number, a boolean or null: such an evaluation is as deep as it will get.
  var hasLeavesOnly = true
  /// The resource that it belongs to, for the dynamic scope.
  var resource: Int32 = 0
  /// Instructions in the order for speed, by the class of the instance.
  var scalars = Span()
  var numbers = Span()
  var strings = Span()
  var arrays = Span()
  var objects = Span()

  init(resource: Int32) { self.resource = resource }

  /// It is run as it stands.
  var isPlain: Bool { care.isEmpty }

  private struct Care: OptionSet, Sendable {
    let rawValue: UInt8
    static let tracks = Care(rawValue: 1)
    static let isShared = Care(rawValue: 2)
  }

  /// It has an `unevaluated...` keyword, so it must know what the schemas beside it have evaluated.
  var tracks: Bool {
    get { care.contains(.tracks) }
    set { if newValue { care.insert(.tracks) } else { care.remove(.tracks) } }
  }

  /// More than one way through the schemas leads to it, and on from it (``ProgramTables/markSharedSchemas(root:)``).
  var isShared: Bool {
    get { care.contains(.isShared) }
    set { if newValue { care.insert(.isShared) } else { care.remove(.isShared) } }
  }
}

/// What only the collection of failures and annotations needs of a schema.
struct SchemaSource: Sendable {
  /// Its instructions in the order in which the keywords were written, `unevaluated...` last.
  var written = SchemaRecord.Span()
  /// The schema as it was written.
  var value: JSON
  /// Those of its members whose names begin with `x-`.
  var extensions = JSONObject()
  /// The URI of its resource; empty if it has none.
  var uri: String
  /// Its place, and that of its resource, in ``Program/places``.
  var place: Int32
  var resourcePlace: Int32
  /// Which vocabularies its dialect has.
  var dialect: Dialect
}
