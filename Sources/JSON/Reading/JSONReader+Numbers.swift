/// How numbers are read that neither 64 bits with sign nor a double hold exactly.
public enum JSONNumbers: Hashable, Sendable {
  /// Integers beyond 64 bits and reals beyond all doubles are refused, and other reals are the nearest double.
  case binary
  /// They become a ``JSON/decimal(_:)``.
  case exact
}

extension JSONReader {
  /// Powers of ten that are exact as doubles.
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21,
    1e22,
  ]

  /// 64 bits, and a double, always hold this many decimal digits.
  private static let integerDigitsMax = 18
  private static let doubleDigitsMax = 15

  /// Reads a number (RFC 8259, section 6); nil if it is not a number, or a number that is refused.
  mutating func readNumber() -> JSON? {
    let begin = position
    let isNegative = position.pointee == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var digits = Digits()
    guard position < end, readDigits(&digits) > 0 else { return nil }
    let first = isNegative ? begin + 1 : begin
    if first.pointee == UInt8(ascii: "0"), position - first > 1 { return nil }
    var isInteger = true
    var exponent = 0
    if position < end, position.pointee == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      let count = readDigits(&digits)
      guard count > 0 else { return nil }
      exponent = -count
    }
    if position < end, position.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      guard let written = readExponent() else { return nil }
      exponent += written
    }
    if isInteger {
      if digits.count <= Self.integerDigitsMax {
        let magnitude = Int64(truncatingIfNeeded: digits.value)
        return .integer(isNegative ? -magnitude : magnitude)
      }
      if let integer = Int64(text(from: begin)) { return .integer(integer) }
      return beyond(begin)
    }
    if digits.count <= Self.doubleDigitsMax, exponent.magnitude <= 22 {
      // Both are exact, so that the result is rounded once (Clinger, How to read floating point numbers accurately,
      // 1990).
      let power = Self.powersOfTen[Int(exponent.magnitude)]
      let magnitude = exponent < 0 ? Double(digits.value) / power : Double(digits.value) * power
      let real = isNegative ? -magnitude : magnitude
      // A text of so few digits is the shortest decimal of its double. The double has that value, except for large
      // integers.
      if numbers == .binary || magnitude < 9_007_199_254_740_992 { return .real(real) }
      return exact(real, begin)
    }
    guard let real = Double(text(from: begin)) else { return nil }
    if numbers == .exact { return exact(real, begin) }
    return real.isFinite ? .real(real) : nil
  }

  /// Decimal digits as a number.
  private struct Digits {
    /// The digits up to here, modulo 2^64.
    var value: UInt64 = 0
    /// How many there are, without leading zeros.
    var count = 0
  }

  /// Reads digits; how many there were.
  @inline(__always)
  private mutating func readDigits(_ digits: inout Digits) -> Int {
    let begin = position
    while position < end {
      let digit = position.pointee &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      digits.value = digits.value &* 10 &+ UInt64(digit)
      if digits.count > 0 || digit > 0 { digits.count &+= 1 }
      position += 1
    }
    return position - begin
  }

  /// Reads the digits behind the `e`; nil if they are not an exponent. A huge one counts as a large one.
  private mutating func readExponent() -> Int? {
    guard position < end else { return nil }
    let isNegative = position.pointee == UInt8(ascii: "-")
    if isNegative || position.pointee == UInt8(ascii: "+") { position += 1 }
    let begin = position
    var exponent = 0
    while position < end {
      let digit = position.pointee &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      exponent = min(exponent * 10 + Int(digit), 1_000_000)
      position += 1
    }
    guard position > begin else { return nil }
    return isNegative ? -exponent : exponent
  }

  private func text(from begin: UnsafePointer<UInt8>) -> String {
    String(decoding: UnsafeBufferPointer(start: begin, count: position - begin), as: UTF8.self)
  }

  /// A real if the double equals the written number, else the decimal.
  private mutating func exact(_ real: Double, _ begin: UnsafePointer<UInt8>) -> JSON? {
    guard real.isFinite else { return beyond(begin) }
    let decimal = JSONDecimal(text(from: begin))
    return decimal.digits == DecimalDigits(real) ? .real(real) : .decimal(decimal)
  }

  /// A number that jansson refuses.
  private mutating func beyond(_ begin: UnsafePointer<UInt8>) -> JSON? {
    guard numbers == .exact else { return nil }
    numbersBeyond.append(begin - start..<position - start)
    return .decimal(JSONDecimal(text(from: begin)))
  }
}
