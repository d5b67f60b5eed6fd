internal import JSON

/// A number as the decimal that was most probably written: significand × 10^exponent.
///
/// `multipleOf` asks about decimals: 19.99 is a multiple of 0.01, though neither has an exact binary form. The shortest
/// decimal that reads back as the same double is taken as the written number.
struct DecimalNumber {
  /// Without trailing zeros, unless it is 0.
  var significand: UInt64
  var exponent: Int

  /// The magnitude of a finite real.
  init(_ value: Double) {
    var significand: UInt64 = 0
    var exponent = 0
    var isFraction = false
    var text = value.magnitude.description.utf8[...]
    while let byte = text.popFirst() {
      switch byte {
      case 48...57:
        // At most 17 digits, which 64 bits hold; the zeros of "100000.0" count too, up to 10^16.
        significand = significand &* 10 &+ UInt64(byte - 48)
        if isFraction { exponent -= 1 }
      case UInt8(ascii: "."):
        isFraction = true
      default:
        // "e": the rest is a decimal exponent.
        exponent += Int(Substring(text)) ?? 0
        text = text[text.endIndex...]
      }
    }
    self.init(significand: significand, exponent: exponent)
  }

  init(significand: UInt64, exponent: Int) {
    self.significand = significand
    self.exponent = exponent
    guard significand > 0 else {
      self.exponent = 0
      return
    }
    while self.significand.isMultiple(of: 10) {
      self.significand /= 10
      self.exponent += 1
    }
  }

  /// The magnitude of a number; nil for other values and for infinities.
  init?(_ value: JSON) {
    switch value {
    case .integer(let number): self.init(significand: number.magnitude, exponent: 0)
    case .real(let number):
      guard number.isFinite else { return nil }
      self.init(number)
    default: return nil
    }
  }

  /// Whether `value` is a whole number of times `divisor`, exactly.
  func isMultiple(of divisor: DecimalNumber) -> Bool {
    guard significand > 0 else { return true }
    guard divisor.significand > 0 else { return false }
    var shift = exponent - divisor.exponent
    guard shift < 0 else {
      // significand × 10^shift mod divisor, by repeated squaring.
      let modulus = divisor.significand
      var remainder = significand % modulus
      var power = 10 % modulus
      while shift > 0 {
        if shift & 1 == 1 { remainder = Self.multiply(remainder, power, modulo: modulus) }
        power = Self.multiply(power, power, modulo: modulus)
        shift >>= 1
      }
      return remainder == 0
    }
    // The divisor has the factor 10^-shift, and the significand, which does not end in 0, has not.
    return false
  }

  private static func multiply(_ a: UInt64, _ b: UInt64, modulo modulus: UInt64) -> UInt64 {
    modulus.dividingFullWidth(a.multipliedFullWidth(by: b)).remainder
  }

  /// Whether one JSON number is a multiple of another.
  static func isMultiple(_ value: JSON, of divisor: JSON) -> Bool {
    if case .integer(let a) = value, case .integer(let b) = divisor, b > 0 { return a % b == 0 }
    guard let a = DecimalNumber(value), let b = DecimalNumber(divisor) else { return false }
    return a.isMultiple(of: b)
  }
}

extension DecimalDigits {
  /// The same for numbers of any length. Its cost is about ``multipleWork(of:)``.
  func isMultiple(of divisor: DecimalDigits) -> Bool {
    guard !digits.isEmpty else { return true }
    // The digits do not end in 0: see `DecimalNumber`.
    guard !divisor.digits.isEmpty, exponent >= divisor.exponent else { return false }
    var remainder = Remainder(modulo: divisor.digits)
    for digit in digits { remainder.append(digit) }
    // 10^n has all the factors 2 and 5 that the divisor can have when it is as large as that.
    for _ in 0..<min(exponent - divisor.exponent, Self.bits(divisor.digits.count)) {
      if remainder.isZero { return true }
      remainder.append(0)
    }
    return remainder.isZero
  }

  /// The units of work that asking takes.
  func multipleWork(of divisor: DecimalDigits) -> Int {
    let steps = digits.count + Self.bits(divisor.digits.count)
    return steps.multipliedReportingOverflow(by: 1 + divisor.digits.count / Remainder.digitsPerWord).partialValue >> 2
  }

  /// No number of so many digits has more bits.
  private static func bits(_ count: Int) -> Int { count * 10 / 3 + 1 }

  /// The remainder of a division of a number, digit after digit.
  private struct Remainder {
    static let digitsPerWord = 18
    private static let wordMax: UInt64 = 1_000_000_000_000_000_000

    /// In words of 18 decimal digits, the least significant first, with one more than the divisor has.
    private let divisor: [UInt64]
    private var words: [UInt64]

    init(modulo digits: [UInt8]) {
      var divisor: [UInt64] = []
      for end in stride(from: digits.count, to: 0, by: -Self.digitsPerWord) {
        divisor.append(digits[max(0, end - Self.digitsPerWord)..<end].reduce(0) { $0 * 10 + UInt64($1) })
      }
      self.divisor = divisor + [0]
      words = [UInt64](repeating: 0, count: divisor.count + 1)
    }

    var isZero: Bool { words.allSatisfy { $0 == 0 } }

    /// Becomes the remainder of the number with one more digit.
    mutating func append(_ digit: UInt8) {
      var carry = UInt64(digit)
      for index in words.indices {
        let word = words[index] * 10 + carry
        carry = word / Self.wordMax
        words[index] = word % Self.wordMax
      }
      // It was less than the divisor, so it is less than ten times that now.
      while !isLess { subtract() }
    }

    private var isLess: Bool {
      for index in words.indices.reversed() where words[index] != divisor[index] {
        return words[index] < divisor[index]
      }
      return false
    }

    private mutating func subtract() {
      var borrow: UInt64 = 0
      for index in words.indices {
        let taken = divisor[index] + borrow
        borrow = words[index] < taken ? 1 : 0
        words[index] = words[index] &+ borrow * Self.wordMax &- taken
      }
    }
  }
}
