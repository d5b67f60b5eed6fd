extension LocaleConventions {
  /// A number.
  ///
  /// - Parameter fractionDigits: how many digits are behind the decimal separator; nil: as many as the number has.
  package func number(_ number: DecimalText, fractionDigits: Int? = nil) -> String {
    signed(number, pattern: "0") { digits($0, fractionDigits, decimal: decimal, group: group) }
  }

  /// A fraction as a percentage: 0.125 is 12.5 %.
  package func percentage(_ number: DecimalText, fractionDigits: Int? = nil) -> String {
    var hundredths = number
    if !number.digits.isEmpty { hundredths.exponent += 2 }
    return signed(hundredths, pattern: percent.replacing("%", with: percentSign)) {
      digits($0, fractionDigits, decimal: decimal, group: group)
    }
  }

  /// An amount of money with the sign of its currency. It has as many digits behind the decimal separator as the
  /// currency has.
  ///
  /// - Parameters:
  ///   - code: of ISO 4217. Nil: an amount without a sign.
  ///   - keepsDigits: whether a number with more digits keeps them.
  package func amount(_ number: DecimalText, code: String?, keepsDigits: Bool = false) -> String {
    let usual = code.map { Currency.fractionDigits(of: $0) } ?? 2
    let fraction = keepsDigits ? max(usual, -number.exponent) : usual
    guard let code else {
      return signed(number, pattern: "0") { digits($0, fraction, decimal: amountDecimal, group: amountGroup) }
    }
    let symbol = symbols[code] ?? code
    return signed(number, pattern: amount, symbol: symbol) {
      digits($0, fraction, decimal: amountDecimal, group: amountGroup)
    }
  }

  /// A pattern filled with a number. A number that is rounded to zero has no sign.
  private func signed(
    _ number: DecimalText,
    pattern: String,
    symbol: String? = nil,
    _ digits: (DecimalText) -> (text: String, isZero: Bool)
  ) -> String {
    let (text, isZero) = digits(number)
    let patterns = pattern.split(separator: ";").map(String.init)
    let isNegative = number.isNegative && !isZero
    var filled = patterns[0]
    if isNegative { filled = patterns.count > 1 ? patterns[1].replacing("-", with: minus) : minus + filled }
    if let symbol { filled = Self.spaced(filled, symbol) }
    return filled.replacing("0", with: text)
  }

  /// A pattern with a currency's sign. A space that does not break separates a letter from the digits (LDML, part 3,
  /// section 5.2, "Currency Spacing").
  private static func spaced(_ pattern: String, _ symbol: String) -> String {
    var sign = symbol
    if pattern.contains("\u{A4}0"), symbol.last?.isLetter ?? false { sign += "\u{A0}" }
    if pattern.contains("0\u{A4}"), symbol.first?.isLetter ?? false { sign = "\u{A0}" + sign }
    return pattern.replacing("\u{A4}", with: sign)
  }

  /// A longer number is not written digit by digit: `1E+300`.
  private static let digitsMax = 40

  private func digits(
    _ number: DecimalText,
    _ fractionDigits: Int?,
    decimal: String,
    group: String
  ) -> (text: String, isZero: Bool) {
    let rounded = number.rounded(to: fractionDigits ?? Self.digitsMax)
    let all = Array(rounded.digits.utf8.map { localDigit($0) })
    guard rounded.exponent <= Self.digitsMax, all.count <= DecimalText.bytesMax else {
      return (String(String.UnicodeScalarView(all)) + "E+\(rounded.exponent)", false)
    }
    let zeros = [Unicode.Scalar](repeating: zero, count: max(0, rounded.exponent))
    let fractionCount = max(0, -rounded.exponent)
    var whole = all.count > fractionCount ? Array((all + zeros).dropLast(fractionCount)) : []
    if whole.isEmpty { whole = [zero] }
    var fraction =
      [Unicode.Scalar](repeating: zero, count: max(0, fractionCount - all.count)) + all.suffix(fractionCount)
    if let fractionDigits, fraction.count < fractionDigits {
      fraction += [Unicode.Scalar](repeating: zero, count: fractionDigits - fraction.count)
    }
    let text = grouped(whole, group) + (fraction.isEmpty ? "" : decimal + String(String.UnicodeScalarView(fraction)))
    return (text, all.isEmpty)
  }

  private func localDigit(_ digit: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(zero.value + UInt32(digit - UInt8(ascii: "0"))) ?? Unicode.Scalar(digit)
  }

  private func grouped(_ digits: [Unicode.Scalar], _ separator: String) -> String {
    guard let last = groupSizes.first, let other = groupSizes.last, digits.count >= last + groupingMin else {
      return String(String.UnicodeScalarView(digits))
    }
    var groups = [digits.suffix(last)]
    var rest = digits.dropLast(last)
    while !rest.isEmpty {
      groups.append(rest.suffix(other))
      rest = rest.dropLast(other)
    }
    return groups.reversed().map { String(String.UnicodeScalarView($0)) }.joined(separator: separator)
  }
}
