/// The lenient IPv4 addresses of the URL Standard, section 3.5: hexadecimal and octal numbers, fewer than four parts.
enum WebIPv4 {
  /// The "ends in a number" checker: such a host must be an address.
  static func endsInNumber(_ input: String) -> Bool {
    var parts = input.split(separator: ".", omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true {
      if parts.count == 1 { return false }
      parts.removeLast()
    }
    guard let last = parts.last else { return false }
    if !last.isEmpty, last.utf8.allSatisfy(ASCII.isDigit) { return true }
    return number(last) != nil
  }

  /// The address, or nil: failure.
  static func parse(_ input: String) -> UInt32? {
    var parts = input.split(separator: ".", omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true, parts.count > 1 { parts.removeLast() }
    guard parts.count <= 4 else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard let value = number(part) else { return nil }
      numbers.append(value)
    }
    guard let last = numbers.last, numbers.dropLast().allSatisfy({ $0 <= 255 }) else { return nil }
    guard last < 1 << UInt64(8 * (5 - numbers.count)) else { return nil }
    var address = last
    for (index, value) in numbers.dropLast().enumerated() { address += value << UInt64(8 * (3 - index)) }
    return UInt32(truncatingIfNeeded: address)
  }

  /// The IPv4 number parser. A number beyond 32 bits becomes 2^32, which no part may be.
  private static func number(_ part: Substring) -> UInt64? {
    var digits = Array(part.utf8)
    guard !digits.isEmpty else { return nil }
    var radix: UInt64 = 10
    if digits.count >= 2, digits[0] == UInt8(ascii: "0") {
      if digits[1] | 0x20 == UInt8(ascii: "x") {
        radix = 16
        digits.removeFirst(2)
      } else {
        radix = 8
        digits.removeFirst()
      }
    }
    var value: UInt64 = 0
    for digit in digits {
      guard let digitValue = ASCII.hexValue(digit), UInt64(digitValue) < radix else { return nil }
      value = min(value * radix + UInt64(digitValue), 1 << 32)
    }
    return value
  }
}
