/// The ranges of the five parts of a URI or a relative reference in its text (RFC 3986, section 3, as appendix B splits
/// it). ``URISyntax`` decides whether their characters are allowed there.
struct URIParts {
  /// Without its colon; nil for a relative reference.
  let scheme: Range<Int>?
  /// Without the two slashes before it.
  let authority: Range<Int>?
  let path: Range<Int>
  /// Without its question mark.
  let query: Range<Int>?
  /// Without its number sign.
  let fragment: Range<Int>?

  init(_ text: Span<UInt8>) {
    let hash = text.firstIndex(of: UInt8(ascii: "#"))
    fragment = hash.map { ($0 + 1)..<text.count }
    let beforeFragment = hash ?? text.count
    let mark = text.extracting(0..<beforeFragment).firstIndex(of: UInt8(ascii: "?"))
    query = mark.map { ($0 + 1)..<beforeFragment }
    let end = mark ?? beforeFragment
    let colon = Self.colonBehindScheme(text.extracting(0..<end))
    scheme = colon.map { 0..<$0 }
    let start = colon.map { $0 + 1 } ?? 0
    guard end - start >= 2, text[start] == UInt8(ascii: "/"), text[start + 1] == UInt8(ascii: "/") else {
      authority = nil
      path = start..<end
      return
    }
    let pathStart = text.extracting(0..<end).firstIndex(of: UInt8(ascii: "/"), from: start + 2) ?? end
    authority = (start + 2)..<pathStart
    path = pathStart..<end
  }

  private static func colonBehindScheme(_ text: Span<UInt8>) -> Int? {
    guard text.count > 0, ASCII.isLetter(text[0]) else { return nil }
    for index in 1..<max(1, text.count) {
      switch text[index] {
      case UInt8(ascii: ":"): return index
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
      case let byte where ASCII.isLetterOrDigit(byte): continue
      default: return nil
      }
    }
    return nil
  }
}
