/// IPv4 addresses in dotted decimal: RFC 2673, section 3.2 and `IPv4address` of RFC 3986, section 3.2.2. It has four
/// numbers without leading zeros. Elsewhere a leading zero means octal, so such an ambiguous address is refused.
enum IPv4Text {
  /// The address in host order, or nil.
  static func parse(_ text: Span<UInt8>) -> UInt32? {
    guard text.count >= 7, text.count <= 15 else { return nil }
    var address: UInt32 = 0
    var octets = 0
    var index = 0
    while true {
      let start = index
      var value: UInt32 = 0
      while index < text.count, ASCII.isDigit(text[index]) {
        value = value * 10 + UInt32(text[index] - 0x30)
        index += 1
        if value > 255 { return nil }
      }
      let length = index - start
      guard length > 0, length == 1 || text[start] != UInt8(ascii: "0") else { return nil }
      address = address << 8 | value
      octets += 1
      if index == text.count { return octets == 4 ? address : nil }
      guard octets < 4, text[index] == UInt8(ascii: ".") else { return nil }
      index += 1
    }
  }
}
