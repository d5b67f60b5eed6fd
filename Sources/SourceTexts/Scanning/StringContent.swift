internal import JSON

/// Reads the content between the quotes of a text of JSON (RFC 8259, section 7).
enum StringContent {
  /// The text that those bytes mean, and their problems.
  ///
  /// - Parameter endsText: whether the text ends within the quotes; then an escape that is cut off is not a problem.
  static func read(_ range: Range<Int>, of bytes: [UInt8], endsText: Bool) -> (String, [SyntaxProblem]) {
    var isPlain = true
    var isASCII = true
    bytes.withUnsafeBufferPointer { bytes in
      for offset in range {
        let byte = bytes[offset]
        if byte < 0x20 || byte == UInt8(ascii: "\\") { isPlain = false }
        if byte >= 0x80 { isASCII = false }
      }
    }
    var problems: [SyntaxProblem] = []
    if !isASCII, let invalid = invalidUTF8(in: bytes[range]) {
      problems.append(SyntaxProblem(.utf8, at: invalid, "this is not UTF-8; save the text as UTF-8"))
    }
    if isPlain { return (String(decoding: bytes[range], as: UTF8.self), problems) }
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = bytes[offset]
      if byte < 0x20 {
        let escape = escape(of: byte)
        problems.append(
          SyntaxProblem(
            .controlCharacter,
            at: offset..<offset + 1,
            "a control character must be escaped; write \(escape)",
            replacement: escape
          )
        )
      }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        offset += 1
        continue
      }
      offset = readEscape(at: offset, before: range.upperBound, of: bytes, endsText: endsText, into: &text, &problems)
    }
    return (String(decoding: text, as: UTF8.self), problems)
  }

  /// Reads the escape that begins there; returns its end.
  private static func readEscape(
    at start: Int,
    before end: Int,
    of bytes: [UInt8],
    endsText: Bool,
    into text: inout [UInt8],
    _ problems: inout [SyntaxProblem]
  ) -> Int {
    func isCutOff(_ length: Int) -> Bool { endsText && start + length > end }
    guard start + 1 < end else {
      if !isCutOff(2) { problems.append(problem(start..<end, "a backslash needs a character to escape; write \\\\")) }
      return end
    }
    if let plain = plainEscape(bytes[start + 1]) {
      text.append(plain)
      return start + 2
    }
    guard bytes[start + 1] == UInt8(ascii: "u") else {
      var next = start + 2
      while next < end, bytes[next] & 0xc0 == 0x80 { next += 1 }
      problems.append(problem(start..<next, "there is no such escape; write \\\\ for a backslash"))
      text += bytes[start + 1..<next]
      return next
    }
    guard let unit = unit(at: start, in: bytes, before: end) else {
      if !isCutOff(6) {
        problems.append(problem(start..<start + 2, "\\u needs four hexadecimal digits; write them, as in \\u00e9"))
      }
      return start + 2
    }
    var scalar = UInt32(unit)
    var next = start + 6
    if unit & 0xfc00 == 0xd800 {
      if let low = self.unit(at: next, in: bytes, before: end), low & 0xfc00 == 0xdc00 {
        scalar = 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(low & 0x3ff))
        next += 6
      } else if endsText && isPrefixOfUnit(bytes[next..<end]) {
        return next
      }
    }
    if let scalar = Unicode.Scalar(scalar) {
      text += scalar.utf8
    } else {
      problems.append(
        problem(start..<next, "this is half of a surrogate pair; write both halves, or the character itself")
      )
      text += "\u{fffd}".utf8
    }
    return next
  }

  private static func problem(_ range: Range<Int>, _ message: String) -> SyntaxProblem {
    SyntaxProblem(.escape, at: range, message)
  }

  private static func plainEscape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// The unit of UTF-16 of the escape `\uXXXX` that begins there; nil if none does.
  static func unit(at start: Int, in bytes: [UInt8], before end: Int) -> UInt16? {
    guard start + 6 <= end, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt16 = 0
    for byte in bytes[start + 2..<start + 6] {
      guard let digit = hexadecimalValue(byte) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Whether more bytes could make an escape `\uXXXX` of these.
  private static func isPrefixOfUnit(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count < 6 else { return false }
    return zip(bytes, "\\u".utf8).allSatisfy { $0 == $1 }
      && bytes.dropFirst(2).allSatisfy { hexadecimalValue($0) != nil }
  }

  private static func escape(of control: UInt8) -> String {
    let text = JSON.string(String(Unicode.Scalar(control))).description
    return String(text.dropFirst().dropLast())
  }

  /// The first bytes that are not UTF-8; nil if all are UTF-8.
  private static func invalidUTF8(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return bytes.startIndex + error.byteOffsets.lowerBound..<bytes.startIndex + error.byteOffsets.upperBound
    }
  }
}
