internal import JSON

/// One compiled schema: the ranges of its instructions.
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
  /// The care that running it needs, in addition to its instructions; one byte, since each evaluation looks at it.
  private var care: Care = []
  /// No schema is applied to a text, a number, a boolean or null: such an evaluation is as deep as it will get.
  var hasLeavesOnly = true
  /// The schema's resource, which the dynamic scope needs.
  var resource: Int32 = 0
  /// Instructions in the order for speed, by the class of the instance.
  var scalars = Span()
  var numbers = Span()
  var strings = Span()
  var arrays = Span()
  var objects = Span()

  init(resource: Int32) { self.resource = resource }

  /// Whether the instructions alone are enough to run it.
  var isPlain: Bool { care.isEmpty }

  private struct Care: OptionSet, Sendable {
    let rawValue: UInt8
    static let tracks = Care(rawValue: 1)
    static let isShared = Care(rawValue: 2)
  }

  /// Whether it has an `unevaluated...` keyword, so it must know the marks of the schemas beside it.
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

/// The data of a schema that only the collection of failures and annotations needs.
struct SchemaSource: Sendable {
  /// Its instructions in the order in which the keywords were written, `unevaluated...` last.
  var written = SchemaRecord.Span()
  /// The schema as the document contains it.
  var value: JSON
  /// The schema's members whose names begin with `x-`.
  var extensions = JSONObject()
  /// The URI of its resource; empty if it has none.
  var uri: String
  /// Its location, and the location of its resource, in ``Program/locations``.
  var location: Int32
  var resourceLocation: Int32
  /// Which vocabularies its dialect has.
  var dialect: Dialect
}
