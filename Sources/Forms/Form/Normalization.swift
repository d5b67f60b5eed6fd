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
  /// Unicode normalization form KC: full-width and other variants of characters become the usual ones.
  case nfkc
  /// Replaces each match of the pattern with a text.
  case replace(Pattern, with: String)

  /// The steps that a definition names by a word alone.
  static let words: [Normalization] = [.trim, .collapse, .nfc, .nfkc, .lower, .upper]

  /// Its name, and what it replaces.
  public var name: String {
    switch self {
    case .trim: "trim"
    case .collapse: "collapse"
    case .nfc: "nfc"
    case .lower: "lower"
    case .upper: "upper"
    case .nfkc: "nfkc"
    case .replace(let pattern, with: ""): "remove \(pattern.source)"
    case .replace(let pattern, with: let text): "replace \(pattern.source) with \(text)"
    }
  }

  /// The bound of ``Field/growthMax`` for each field.
  package static let mostGrowth = 27

  /// How many times longer, in bytes of UTF-8, it may make a text (Unicode Standard Annex #15, "expansion factors";
  /// SpecialCasing.txt). The steps that may exceed ``mostGrowth`` are left out if they do.
  var growthMax: Int {
    switch self {
    case .trim, .collapse: 1
    case .nfc, .lower, .upper: 3
    case .nfkc: Self.mostGrowth
    // A match has one byte at least.
    case .replace(_, with: let text): text.utf8.count > 1 ? Self.mostGrowth : 1
    }
  }

  /// Whether it may make a text longer. Only ``replace(_:with:)`` makes a text of ASCII longer.
  package var mayLengthen: Bool { growthMax > 1 }

  /// Whether it may remove any part of a text.
  var mayShorten: Bool {
    switch self {
    case .nfc, .lower, .upper: false
    case .trim, .collapse, .nfkc, .replace: true
    }
  }

  /// Whether it is the composition of characters, which may take long.
  package var composes: Bool { self == .nfc || self == .nfkc }

  /// Whether it leaves a text of printable ASCII unchanged that has no white space at its ends.
  var keepsPlainText: Bool { self == .trim || composes }
}

extension Field {
  /// How many times longer, in bytes of UTF-8, a text becomes at most when the field normalizes and reads it.
  package var growthMax: Int {
    if read != nil || coerces { return Normalization.mostGrowth }
    return normalize.reduce(1) { min($0 * $1.growthMax, Normalization.mostGrowth) }
  }
}
