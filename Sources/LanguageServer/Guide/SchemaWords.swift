internal import TextFormats

/// Words of JSON Schema that its meta-schema does not list.
enum SchemaWords {
  /// The formats that are judged.
  static let formats = TextFormat.allCases.map(\.rawValue)
}
