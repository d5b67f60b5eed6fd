/// Numbers with check digits, as people write them: spaces and hyphens do not count, and letters may be small.
public enum CheckDigits {
  /// Whether a text is a number whose last digit is right by Luhn's formula (ISO/IEC 7812-1, annex B), as on payment
  /// cards.
  public static func isLuhn(_ text: borrowing String) -> Bool {
    guard let digits = digits(of: text), digits.count >= 2 else { return false }
    var sum = 0
    for (position, digit) in digits.reversed().enumerated() {
      let weighted = position % 2 == 0 ? digit : 2 * digit
      sum += weighted > 9 ? weighted - 9 : weighted
    }
    return sum % 10 == 0
  }

  /// Whether a text is an IBAN (ISO 13616-1): a country's two letters, two check digits that are right, and 11 to 30
  /// letters and digits. The lengths and parts of each country's numbers are not looked at: their registry changes.
  public static func isIBAN(_ text: borrowing String) -> Bool {
    let signs = signs(of: text)
    guard (15...34).contains(signs.count), signs[..<2].allSatisfy(\.isLetter), signs[2..<4].allSatisfy(\.isDigit),
      signs.allSatisfy({ $0.isLetter || $0.isDigit })
    else { return false }
    // ISO/IEC 7064, MOD 97-10: letters count as 10 to 35.
    let remainder = (signs[4...] + signs[..<4]).reduce(0) { remainder, sign in
      sign.isDigit
        ? (remainder * 10 + Int(sign) - 48) % 97 : (remainder * 100 + Int(sign) - 55) % 97
    }
    return remainder == 1 && (2...98).contains(Int(signs[2] - 48) * 10 + Int(signs[3] - 48))
  }

  /// Whether a text is an ISBN of 10 or of 13 digits (ISO 2108).
  public static func isISBN(_ text: borrowing String) -> Bool {
    let signs = signs(of: text)
    if signs.count == 13 { return (signs.starts(with: "978".utf8) || signs.starts(with: "979".utf8)) && isEAN(text) }
    guard signs.count == 10, signs[..<9].allSatisfy(\.isDigit), signs[9].isDigit || signs[9] == UInt8(ascii: "X") else {
      return false
    }
    let sum = signs.enumerated().reduce(0) { sum, sign in
      sum + (10 - sign.offset) * (sign.element == UInt8(ascii: "X") ? 10 : Int(sign.element - 48))
    }
    return sum % 11 == 0
  }

  /// Whether a text is an EAN, UPC or GTIN of 8, 12, 13 or 14 digits (GS1 General Specifications, section 7.9).
  public static func isEAN(_ text: borrowing String) -> Bool {
    guard let digits = digits(of: text), [8, 12, 13, 14].contains(digits.count) else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { $0 + ($1.offset % 2 == 0 ? $1.element : 3 * $1.element) }
    return sum % 10 == 0
  }

  /// The bytes without spaces and hyphens, letters in upper case.
  private static func signs(of text: borrowing String) -> [UInt8] {
    var signs: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
      signs.append((97...122).contains(byte) ? byte - 32 : byte)
    }
    return signs
  }

  /// The digits; nil if there is anything else.
  private static func digits(of text: borrowing String) -> [Int]? {
    let signs = signs(of: text)
    return signs.allSatisfy(\.isDigit) ? signs.map { Int($0) - 48 } : nil
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (48...57).contains(self) }
  fileprivate var isLetter: Bool { (65...90).contains(self) }
}
