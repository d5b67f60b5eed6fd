package import Budgets
internal import Formats

extension Normalization {
  /// The text after this step. It is unchanged if a pattern costs more than the rest of the budget.
  package func applied(to text: String, budget: inout WorkBudget) -> String {
    switch self {
    case .trim: Self.trimmed(text)
    case .collapse:
      text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init).joined(separator: " ")
    case .nfc: Formats.nfc(text)
    case .lower: text.lowercased()
    case .upper: text.uppercased()
    case .nfkc: Formats.nfkc(text)
    case .replace(let pattern, with: let other):
      pattern.replacingMatches(in: text, with: other, budget: &budget) ?? text
    }
  }

  /// The text without white space at its ends.
  package static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last else { return text }
    // Printable ASCII at both ends: nothing has to be done, and Unicode's properties need not be read.
    if first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f { return text }
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.first, scalar.properties.isWhitespace { scalars.removeFirst() }
    while let scalar = scalars.last, scalar.properties.isWhitespace { scalars.removeLast() }
    return String(scalars)
  }
}
