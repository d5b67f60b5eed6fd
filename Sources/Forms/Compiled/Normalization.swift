public import Formats

/// The steps that change a text before it becomes the field's value.
public enum Normalization: Sendable, Hashable {
  /// Removes white space at both ends (Unicode's White_Space).
  case trim
  /// Runs of white space inside become one space.
  case collapse
  /// Unicode normalization form C.
  case nfc
  /// Lower case.
  case lower
  /// Upper case.
  case upper
  /// Removes each match of the pattern.
  case remove(Pattern)

  /// The steps that a definition names by a word alone.
  static let words: [Normalization] = [.trim, .collapse, .nfc, .lower, .upper]

  /// Its name, and what it removes.
  public var name: String {
    switch self {
    case .trim: "trim"
    case .collapse: "collapse"
    case .nfc: "nfc"
    case .lower: "lower"
    case .upper: "upper"
    case .remove(let pattern): "remove \(pattern.source)"
    }
  }

  /// Whether it may make a text longer; other steps may remove any part of a text.
  package var mayLengthen: Bool {
    switch self {
    case .nfc, .lower, .upper: true
    case .trim, .collapse, .remove: false
    }
  }
}
