/// IPv6 addresses as text: RFC 4291, section 2.2.
enum IPv6Text {
  struct Parsed {
    var high: UInt64
    var low: UInt64
    /// Whether the last 32 bits were written in dotted decimal.
    var isMixed: Bool
    /// How many groups `::` replaces; 0 when it does not occur.
    var elidedGroups: Int
  }

  /// The address, without zone and without brackets, or nil. `::` replaces one group or more.
  static func parse(_ text: Span<UInt8>) -> Parsed? {
    guard text.count >= 2, text.count <= 45 else { return nil }
    // Groups before and after "::" collect in one 128-bit number each: shifting needs no storage.
    var head: (high: UInt64, low: UInt64) = (0, 0)
    var tail: (high: UInt64, low: UInt64) = (0, 0)
    var headCount = 0
    var tailCount = 0
    var hasGap = false
    var isMixed = false
    var index = 0

    func append(_ group: UInt64) {
      if hasGap {
        tail = (tail.high << 16 | tail.low >> 48, tail.low << 16 | group)
        tailCount += 1
      } else {
        head = (head.high << 16 | head.low >> 48, head.low << 16 | group)
        headCount += 1
      }
    }

    if text[0] == UInt8(ascii: ":") {
      guard text[1] == UInt8(ascii: ":") else { return nil }
      hasGap = true
      index = 2
    }
    while index < text.count {
      let start = index
      var value: UInt64 = 0
      while index < text.count, let digit = ASCII.hexValue(text[index]) {
        value = value << 4 | UInt64(digit)
        index += 1
        if index - start > 4 { return nil }
      }
      if index < text.count, text[index] == UInt8(ascii: ".") {
        guard let address = IPv4Text.parse(text.extracting(start..<text.count)) else { return nil }
        append(UInt64(address >> 16))
        append(UInt64(address & 0xFFFF))
        isMixed = true
        index = text.count
        break
      }
      guard index > start, headCount + tailCount < 8 else { return nil }
      append(value)
      if index == text.count { break }
      guard text[index] == UInt8(ascii: ":") else { return nil }
      index += 1
      // A single colon may not end the address.
      guard index < text.count else { return nil }
      if text[index] == UInt8(ascii: ":") {
        if hasGap { return nil }
        hasGap = true
        index += 1
      }
    }
    let count = headCount + tailCount
    guard hasGap ? count < 8 : count == 8 else { return nil }
    guard hasGap else { return Parsed(high: head.high, low: head.low, isMixed: isMixed, elidedGroups: 0) }
    let shifted = shiftLeft(head, by: (8 - headCount) * 16)
    return Parsed(
      high: shifted.high | tail.high,
      low: shifted.low | tail.low,
      isMixed: isMixed,
      elidedGroups: 8 - count
    )
  }

  private static func shiftLeft(_ value: (high: UInt64, low: UInt64), by bits: Int) -> (high: UInt64, low: UInt64) {
    if bits >= 128 { return (0, 0) }
    if bits >= 64 { return (value.low << UInt64(bits - 64), 0) }
    if bits == 0 { return value }
    return (value.high << UInt64(bits) | value.low >> UInt64(64 - bits), value.low << UInt64(bits))
  }

  /// The one text of an address: RFC 5952, section 4 (lower case, no leading zeros, the longest run of two or more
  /// zero groups elided, the first of equal ones), and section 5 for IPv4-mapped addresses.
  static func canonical(high: UInt64, low: UInt64) -> String {
    if high == 0, low >> 32 == 0xFFFF { return "::ffff:\(dotted(UInt32(truncatingIfNeeded: low)))" }
    let groups = (0..<8).map { index -> UInt16 in
      UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(16 * (3 - index % 4)))
    }
    var best = 0..<0
    var start = 0
    while start < 8 {
      var end = start
      while end < 8, groups[end] == 0 { end += 1 }
      if end - start >= 2, end - start > best.count { best = start..<end }
      start = max(end, start + 1)
    }
    var text = ""
    var index = 0
    while index < 8 {
      if index == best.lowerBound, !best.isEmpty {
        text += "::"
        index = best.upperBound
        continue
      }
      if !text.isEmpty, !text.hasSuffix(":") { text += ":" }
      text += String(groups[index], radix: 16)
      index += 1
    }
    return text
  }

  static func dotted(_ address: UInt32) -> String {
    "\(address >> 24).\(address >> 16 & 0xFF).\(address >> 8 & 0xFF).\(address & 0xFF)"
  }
}
