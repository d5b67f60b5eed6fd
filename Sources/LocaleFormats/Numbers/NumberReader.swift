/// Takes the signs off a number, and reads the rest.
struct NumberReader {
  /// The separators.
  let signs: NumberSigns
  /// Whether the number is a percentage, with or without its sign.
  var isPercentage = false
  /// The names of the currency, which may be in front or behind. Empty: it has none.
  var currencies: [String] = []

  /// The number as ASCII that ``DecimalText`` reads; nil if the text is not a number.
  func read(_ text: FoldedText) -> String? {
    var rest = text.scalars[...]
    guard rest.count <= 2 * DecimalText.bytesMax else { return nil }
    var sign: Unicode.Scalar?
    var (hasPercentSign, hasCurrency) = (false, currencies.isEmpty)
    func takePercentSign(_ end: Unicode.Scalar?) -> Bool {
      guard isPercentage, !hasPercentSign, end == "%" else { return false }
      hasPercentSign = true
      return true
    }
    let names = currencies.isEmpty || rest.allSatisfy(isOfNumber) ? [] : foldedCurrencies
    scan: while let first = rest.first {
      if first == " " || takePercentSign(first) {
        rest.removeFirst()
      } else if sign == nil, first == "-" || first == "+" {
        sign = first
        rest.removeFirst()
      } else if !hasCurrency, let name = names.first(where: { rest.lowercased.starts(with: $0) }) {
        hasCurrency = true
        rest.removeFirst(name.count)
      } else {
        break scan
      }
    }
    scan: while let last = rest.last {
      if last == " " || takePercentSign(last) {
        rest.removeLast()
      } else if !hasCurrency, let name = names.first(where: { rest.lowercased.reversed().starts(with: $0.reversed()) })
      {
        hasCurrency = true
        rest.removeLast(name.count)
      } else {
        break scan
      }
    }
    guard let number = signs.number(rest) else { return nil }
    return (sign == "-" ? "-" : "") + number + (isPercentage ? "e-2" : "")
  }

  /// Whether a scalar can be part of a number without the sign of a currency.
  private func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isDigit || scalar == "-" || scalar == "+" || scalar == " " || signs.decimal.contains(scalar)
      || signs.group.contains(scalar)
  }

  /// The folded names of currencies in lower case. The longest come first.
  private var foldedCurrencies: [[Unicode.Scalar]] {
    currencies.map { FoldedText($0).scalars[...].lowercased }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// The scalars in lower case, as far as that is one scalar for each.
  fileprivate var lowercased: [Unicode.Scalar] {
    map { scalar in
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      return lower.count == 1 ? lower.first ?? scalar : scalar
    }
  }
}
