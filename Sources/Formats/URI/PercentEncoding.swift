/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// The text with every byte encoded that is neither unreserved (section 2.3) nor kept.
  ///
  /// - Parameter isKept: whether a byte that is not unreserved is kept unescaped, as delimiters are.
  package static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool = { _ in false }) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      if URISyntax.isUnreserved(byte) || isKept(byte) { output.append(byte) } else { append(byte, to: &output) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text with its encoding undone; nil if it is broken or the decoded bytes are not UTF-8.
  package static func decoded(_ text: String) -> String? {
    let utf8 = text.utf8.span
    guard utf8.firstIndex(of: UInt8(ascii: "%")) != nil else { return text }
    var index = 0
    while let percent = utf8.firstIndex(of: UInt8(ascii: "%"), from: index) {
      guard octet(at: percent, of: utf8) != nil else { return nil }
      index = percent + 3
    }
    return String(validating: decodedBytes(utf8), as: UTF8.self)
  }

  /// The bytes with well-formed encoding undone; all other bytes do not change.
  static func decodedBytes(_ text: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let byte = octet(at: index, of: text) {
        output.append(byte)
        index += 3
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return output
  }

  /// The byte that is encoded at `index`; nil if none is.
  private static func octet(at index: Int, of text: Span<UInt8>) -> UInt8? {
    guard index + 2 < text.count, text[index] == UInt8(ascii: "%"), let high = ASCII.hexValue(text[index + 1]),
      let low = ASCII.hexValue(text[index + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Appends a byte encoded, with upper-case digits.
  static func append(_ byte: UInt8, to output: inout [UInt8]) {
    output += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
