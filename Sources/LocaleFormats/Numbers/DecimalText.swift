/// A decimal number as written: `digits` times ten to the power of `exponent`.
package struct DecimalText: Equatable {
  /// A longer text is not a number: reading its digits would take long, and a `Double` keeps 17 of them.
  package static let bytesMax = 100
  /// A `Double` keeps this many digits of any number (`DBL_DIG`).
  package static let exactDigitsMax = 15

  /// Whether there is a minus sign. Zero may have one.
  package var isNegative = false
  /// ASCII digits, without zeros in front and behind. It is empty for zero.
  package var digits = ""
  /// The power of ten.
  package var exponent = 0

  /// Whether the number is whole.
  package var isWhole: Bool { digits.isEmpty || exponent >= 0 }

  /// The number, if it is a whole number that fits in 64 bits.
  package var integer: Int64? {
    if digits.isEmpty { return 0 }
    // 2^63 has 19 digits.
    guard exponent >= 0, exponent <= 19 else { return nil }
    return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }

  /// Reads a "valid floating-point number" of HTML (section 2.3.4.3), also with zeros in front; nil for other texts.
  package init?(_ text: String) {
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
    if digits.isEmpty { exponent = 0 }
  }

  /// The shortest decimal number that is read as this double; nil if it is not finite.
  package init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(number.description)
  }

  /// A whole number.
  package init(_ number: Int64) {
    self = DecimalText(String(number)) ?? DecimalText()
  }

  private init() {}

  /// The number with at most so many digits behind the point. Halves are rounded away from zero.
  func rounded(to fractionDigits: Int) -> DecimalText {
    let dropped = -exponent - fractionDigits
    guard !digits.isEmpty, dropped > 0 else { return self }
    var result = self
    result.exponent = -fractionDigits
    guard dropped <= digits.utf8.count else {
      result.digits = ""
      result.exponent = 0
      return result
    }
    var kept = Array(digits.utf8.dropLast(dropped))
    if Array(digits.utf8)[digits.utf8.count - dropped] >= UInt8(ascii: "5") {
      var position = kept.count - 1
      while position >= 0, kept[position] == UInt8(ascii: "9") {
        kept[position] = UInt8(ascii: "0")
        position -= 1
      }
      if position >= 0 { kept[position] += 1 } else { kept.insert(UInt8(ascii: "1"), at: 0) }
    }
    while kept.last == UInt8(ascii: "0") {
      kept.removeLast()
      result.exponent += 1
    }
    result.digits = String(decoding: kept, as: UTF8.self)
    if kept.isEmpty { result.exponent = 0 }
    return result
  }
}
