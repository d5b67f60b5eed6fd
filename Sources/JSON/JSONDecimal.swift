/// A number of JSON that neither 64 bits nor a double hold: it keeps the digits of the text, and is compared by its
/// exact decimal value.
public struct JSONDecimal: Sendable {
  /// The number in the spelling of its text (RFC 8259, section 6).
  public let text: String

  /// The number of a text that is one.
  init(_ text: String) {
    self.text = text
  }

  /// Whether it was written without a fraction and an exponent.
  public var isWrittenAsInteger: Bool {
    text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
  }

  /// Whether it is whole, however it was written.
  public var isWhole: Bool { digits.exponent >= 0 }

  /// The nearest double; infinite if the number is beyond all doubles.
  public var doubleValue: Double { Double(text) ?? .nan }

  /// The same as an integer, if 64 bits with sign hold it.
  public var integerValue: Int64? { digits.integer }

  /// The number by its digits.
  package var digits: DecimalDigits { DecimalDigits(text) }
}

extension JSONDecimal: Hashable {
  public static func == (left: JSONDecimal, right: JSONDecimal) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8) || left.digits == right.digits
  }

  public func hash(into hasher: inout Hasher) {
    // As the other kinds of numbers hash that equal it.
    if let whole = integerValue { hasher.combine(whole) } else { hasher.combine(doubleValue) }
  }
}

/// A number as decimal digits: ±digits × 10^exponent.
package struct DecimalDigits: Hashable, Sendable {
  /// Whether it is less than 0.
  package private(set) var isNegative: Bool
  /// 0 to 9, the most significant first, without zeros at either end; none for 0.
  package private(set) var digits: [UInt8] = []
  /// 0 for 0.
  package private(set) var exponent = 0

  /// A larger exponent counts as this one: no sum of exponents and lengths of texts overflows.
  private static let exponentMax = 1_000_000_000_000_000

  /// The number that is written in a text: by JSON's rules, or by the rules of the standard library for a finite
  /// double.
  init(_ text: String) {
    var text = text
    (isNegative, digits, exponent) = text.withUTF8 { Self.read($0) }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  /// The number of an integer.
  init(_ integer: Int64) {
    self.init(String(integer))
  }

  /// The number that a double most probably means: the shortest decimal that reads back as the double. A whole number
  /// beyond 2^53 that 64 bits hold is taken exactly, because it equals the integer.
  init(_ real: Double) {
    if real.magnitude >= 9_007_199_254_740_992, let integer = Int64(exactly: real) {
      self.init(integer)
    } else {
      self.init(real.description)
    }
  }

  /// The number of a value; nil for other values, and for a double that is not finite.
  package init?(_ value: JSON) {
    switch value {
    case .integer(let integer): self.init(integer)
    case .real(let real) where real.isFinite: self.init(real)
    case .decimal(let decimal): self.init(decimal.text)
    default: return nil
    }
  }

  private static func read(_ text: UnsafeBufferPointer<UInt8>) -> (Bool, [UInt8], Int) {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    var exponent = 0
    var isFraction = false
    var position = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { position = 1 }
    while position < text.count, text[position] | 0x20 != UInt8(ascii: "e") {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      if isFraction { exponent -= 1 }
      if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte - UInt8(ascii: "0")) }
    }
    position += 1
    if position < text.count {
      let isBelow = text[position] == UInt8(ascii: "-")
      if isBelow || text[position] == UInt8(ascii: "+") { position += 1 }
      var written = 0
      for byte in text[min(position, text.count)...] {
        written = min(written * 10 + Int(byte - UInt8(ascii: "0")), exponentMax)
      }
      exponent += isBelow ? -written : written
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    return (isNegative, digits, exponent)
  }

  /// The same as an integer, if 64 bits with sign hold it.
  package var integer: Int64? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    var magnitude: UInt64 = 0
    // 19 digits are less than 2^64.
    for digit in digits { magnitude = magnitude * 10 + UInt64(digit) }
    for _ in 0..<exponent { magnitude *= 10 }
    if isNegative { return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }
}

extension DecimalDigits: Comparable {
  package static func < (left: DecimalDigits, right: DecimalDigits) -> Bool {
    guard left.isNegative == right.isNegative else { return left.isNegative }
    return left.isNegative ? right.hasLessMagnitude(than: left) : left.hasLessMagnitude(than: right)
  }

  private func hasLessMagnitude(than other: DecimalDigits) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    // The position of the first digit decides, then the digits.
    let (point, otherPoint) = (digits.count + exponent, other.digits.count + other.exponent)
    return point != otherPoint ? point < otherPoint : digits.lexicographicallyPrecedes(other.digits)
  }
}
