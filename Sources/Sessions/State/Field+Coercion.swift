package import Forms
package import JSON

/// Texts are read as numbers and truth values if the form has `coerce`, because HTML forms, terminals and settings
/// files have only texts. The locale has no effect, and no other value becomes a text.
extension Field {
  /// The value that a text is read as. It is the text itself when it cannot be read, and nil when the text is empty.
  /// White space at its ends does not count.
  package func coerced(_ text: String) -> JSON? {
    let trimmed = Normalization.trimmed(text)
    if trimmed.isEmpty { return keepsEmpty ? .string(text) : nil }
    let value: JSON? = type == .bool ? JSON(truth: trimmed) : JSON(number: trimmed)
    return value ?? .string(text)
  }

  /// The text that this field has for an error with that code, in place of the schema's own text. It is only the text
  /// for an input that could not be read.
  func text(_ code: String) -> Text? {
    coerces && code == "type" ? BuiltInTexts.unread(type) : nil
  }
}

extension JSON {
  /// The truth value of a text. `on` and `off` are the words of HTML's check boxes.
  fileprivate init?(truth text: String) {
    switch text {
    case "true", "on": self = .bool(true)
    case "false", "off": self = .bool(false)
    default: return nil
    }
  }

  /// The number in a text, by the rules of HTML ("valid floating-point number", section 2.3.4.3). They are the rules of
  /// JSON with `.5` and `007`. A whole number that fits in 64 bits is an integer, however it is written (`5.0`, `1e3`).
  ///
  /// It is also nil when the number is not finite, or when a `Double` would change it. A `Double` changes a whole
  /// number if it does not keep all its digits, and a fraction if it becomes a whole number.
  fileprivate init?(number text: String) {
    guard let decimal = DecimalText(text) else { return nil }
    if let integer = decimal.integer {
      self = .integer(integer)
      return
    }
    guard let real = Double(text), real.isFinite else { return nil }
    let isKept =
      decimal.isWhole
      ? decimal.digits.utf8.count <= DecimalText.exactDigitsMax : real != real.rounded()
    guard isKept else { return nil }
    self = .real(real)
  }
}

/// A decimal number as written: `digits` times ten to the power of `exponent`.
private struct DecimalText {
  /// A longer text is not a number: reading its digits would take long, and a `Double` keeps 17 of them.
  private static let bytesMax = 100
  /// A `Double` keeps this many digits of any number (`DBL_DIG`).
  static let exactDigitsMax = 15

  var isNegative = false
  /// ASCII digits, without zeros in front and behind. It is empty for zero.
  var digits = ""
  var exponent = 0

  var isWhole: Bool { digits.isEmpty || exponent >= 0 }

  /// The number, if it is a whole number that fits in 64 bits.
  var integer: Int64? {
    if digits.isEmpty { return 0 }
    // 2^63 has 19 digits.
    guard exponent >= 0, exponent <= 19 else { return nil }
    return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }

  init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax else { return nil }
    var rest = text.utf8[...]
    func takeDigits() -> Substring.UTF8View {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits
    }
    func take(_ bytes: Set<UInt8>) -> UInt8? {
      guard let byte = rest.first, bytes.contains(byte) else { return nil }
      rest = rest.dropFirst()
      return byte
    }
    isNegative = take([UInt8(ascii: "-")]) != nil
    let whole = takeDigits()
    var fraction = rest.prefix(0)
    if take([UInt8(ascii: ".")]) != nil {
      fraction = takeDigits()
      if fraction.isEmpty { return nil }
    }
    if whole.isEmpty && fraction.isEmpty { return nil }
    if take([UInt8(ascii: "e"), UInt8(ascii: "E")]) != nil {
      let isDown = take([UInt8(ascii: "+"), UInt8(ascii: "-")]) == UInt8(ascii: "-")
      guard let power = Int(Substring(takeDigits())), power <= Int(Int32.max) else { return nil }
      exponent = isDown ? -power : power
    }
    guard rest.isEmpty else { return nil }
    exponent -= fraction.count
    digits = String(Substring(whole)) + String(Substring(fraction))
    digits = String(digits.drop { $0 == "0" })
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
  }
}
