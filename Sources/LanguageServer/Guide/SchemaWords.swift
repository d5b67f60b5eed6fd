internal import TextFormats

/// Words of JSON Schema that its meta-schema does not list.
enum SchemaWords {
  /// The formats that are judged.
  static let formats = TextFormat.allCases.map(\.rawValue)
  /// Keywords that later ones took the place of; they are offered last.
  static let superseded: Set<String> = ["definitions", "dependencies", "$recursiveAnchor", "$recursiveRef"]
}
