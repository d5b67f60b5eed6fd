internal import JSON

/// The failed value, for the failure's text; short, and never a secret.
public enum FoundValue: Hashable, Sendable {
  /// A text, a number, true, false or null: as JSON, cut if it is long.
  case scalar(String)
  /// An array.
  case array
  /// An object.
  case object

  init(_ value: JSON) {
    switch value {
    case .array: self = .array
    case .object: self = .object
    default: self = .scalar(value.shortText)
    }
  }
}

extension JSON {
  /// How many code points of a value a text contains.
  private static let shortTextMax = 60

  /// The value as JSON, with "…" for the rest beyond some code points.
  var shortText: String {
    guard case .string(let text) = self else { return description.cut(to: Self.shortTextMax) }
    return JSON.string(text.cut(to: Self.shortTextMax)).description
  }
}

extension String {
  /// The text, with "…" for the rest beyond that many code points.
  func cut(to codePointsMax: Int) -> String {
    guard unicodeScalars.count > codePointsMax else { return self }
    return String(unicodeScalars.prefix(codePointsMax - 1)) + "…"
  }
}
