internal import Formats

/// Words of JSON Schema that its meta-schema does not list.
enum SchemaWords {
  /// The formats that are validated.
  static let formats = TextFormat.allCases.map(\.rawValue)
  /// Keywords that newer keywords replace; they are offered last.
  static let superseded: Set<String> = ["definitions", "dependencies", "$recursiveAnchor", "$recursiveRef"]
}
