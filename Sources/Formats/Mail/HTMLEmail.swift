/// "A valid email address" of the HTML Standard (section 4.10.5.1.5): the rule of `<input type=email>`. It is a wilful
/// violation of RFC 5322: no quoted strings, no comments, no address literals, dots anywhere in the local part.
enum HTMLEmail {
  static func accepts(_ text: Span<UInt8>) -> Bool {
    guard let at = text.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
    for index in 0..<at {
      let byte = text[index]
      guard ASCII.isAtomText(byte) || byte == UInt8(ascii: ".") else { return false }
    }
    return HostnameText.isDottedLabels(text.extracting((at + 1)..<text.count))
  }
}
