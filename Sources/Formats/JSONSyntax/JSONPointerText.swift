/// JSON Pointers as text: RFC 6901, and the relative ones of draft-bhutton-relative-json-pointer-00.
enum JSONPointerText {
  /// RFC 6901, section 3.
  static func isPointer(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0 else { return true }
    guard text[0] == UInt8(ascii: "/") else { return false }
    for index in 0..<text.count where text[index] == UInt8(ascii: "~") {
      guard index + 1 < text.count, text[index + 1] == UInt8(ascii: "0") || text[index + 1] == UInt8(ascii: "1") else {
        return false
      }
    }
    return true
  }

  /// A number without leading zeros, optionally `+` or `-` and another such number, then `#` or a JSON Pointer.
  static func isRelative(_ text: Span<UInt8>) -> Bool {
    var index = 0
    guard nonNegativeInteger(text, at: &index) else { return false }
    if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
      index += 1
      guard nonNegativeInteger(text, at: &index) else { return false }
    }
    if index + 1 == text.count, text[index] == UInt8(ascii: "#") { return true }
    return isPointer(text.extracting(index..<text.count))
  }

  private static func nonNegativeInteger(_ text: Span<UInt8>, at index: inout Int) -> Bool {
    let start = index
    while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
    return index > start && (text[start] != UInt8(ascii: "0") || index == start + 1)
  }
}
