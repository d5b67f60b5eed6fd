/// Base64 with the standard alphabet (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var position = 0
    while position < bytes.count {
      let remaining = bytes.count - position
      let group =
        Int(bytes[position]) << 16 | (remaining > 1 ? Int(bytes[position + 1]) << 8 : 0)
        | (remaining > 2 ? Int(bytes[position + 2]) : 0)
      text.append(alphabet[group >> 18])
      text.append(alphabet[group >> 12 & 63])
      text.append(remaining > 1 ? alphabet[group >> 6 & 63] : UInt8(ascii: "="))
      text.append(remaining > 2 ? alphabet[group & 63] : UInt8(ascii: "="))
      position += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// With or without padding; nil for a character outside the alphabet, an impossible length, or bits that no encoder
  /// sets.
  package static func decode(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    if digits.last == UInt8(ascii: "=") {
      guard digits.count % 4 == 0 else { return nil }
      digits.removeLast()
      if digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var collected = 0
    var bits = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      collected = (collected << 6 | value) & 0xffff
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: collected >> bits))
      }
    }
    guard collected & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  /// With padding; nil for any other text.
  package static func decode(padded text: String) -> [UInt8]? { text.utf8.count % 4 == 0 ? decode(text) : nil }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 0x41
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 0x61 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
