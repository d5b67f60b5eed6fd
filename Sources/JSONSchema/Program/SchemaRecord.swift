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
  /// It has an `unevaluated...` keyword, so it must know what the schemas beside it have evaluated.
  var tracks = false
  /// Ways through the schemas lead to it that may come to the same value, and from it to more of them (``SharedSchemas``).
  var isShared = false
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

  /// It is run as it stands.
  var isPlain: Bool { !tracks && !isShared }
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
