/// URI templates: RFC 6570, section 2.
enum URITemplateSyntax {
  static func accepts(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "{"):
        guard let end = text.firstIndex(of: UInt8(ascii: "}"), from: index) else { return false }
        guard isExpression(text.extracting((index + 1)..<end)) else { return false }
        index = end + 1
      case UInt8(ascii: "%"):
        guard isTriplet(text, at: index) else { return false }
        index += 3
      case 0x80...:
        let (scalar, length) = text.scalar(at: index)
        guard URISyntax.isInternational(scalar) || URISyntax.isPrivate(scalar) else { return false }
        index += length
      default:
        guard isLiteral(byte) else { return false }
        index += 1
      }
    }
    return true
  }

  /// `literals`, section 2.1. The apostrophe is left out there, but erratum 6937 lets it in.
  private static func isLiteral(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: true
    }
  }

  private static func isTriplet(_ text: Span<UInt8>, at index: Int) -> Bool {
    index + 2 < text.count && ASCII.isHexDigit(text[index + 1]) && ASCII.isHexDigit(text[index + 2])
  }

  /// The part between the braces: an operator, if any, and variables. The operators that section 2.2 reserves for later
  /// (`= , ! @ |`) have no meaning yet, so that a template with one cannot be expanded: it is refused.
  private static func isExpression(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0 else { return false }
    var start = 0
    switch text[0] {
    case UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ";"),
      UInt8(ascii: "?"), UInt8(ascii: "&"):
      start = 1
    default: break
    }
    while true {
      let end = text.firstIndex(of: UInt8(ascii: ","), from: start) ?? text.count
      guard isVariable(text.extracting(start..<end)) else { return false }
      if end == text.count { return true }
      start = end + 1
    }
  }

  /// `varspec`, section 2.3: a name, then `*` or `:` and a length from 1 to 9999.
  private static func isVariable(_ text: Span<UInt8>) -> Bool {
    var end = text.count
    if end > 0, text[end - 1] == UInt8(ascii: "*") {
      end -= 1
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let digits = text.count - colon - 1
      guard digits >= 1, digits <= 4, text[colon + 1] != UInt8(ascii: "0") else { return false }
      for index in (colon + 1)..<text.count where !ASCII.isDigit(text[index]) { return false }
      end = colon
    }
    var index = 0
    var isAfterDot = true
    while index < end {
      let byte = text[index]
      if byte == UInt8(ascii: ".") {
        if isAfterDot { return false }
        isAfterDot = true
        index += 1
        continue
      }
      isAfterDot = false
      if byte == UInt8(ascii: "%") {
        guard index + 2 < end, isTriplet(text, at: index) else { return false }
        index += 3
      } else {
        guard ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") else { return false }
        index += 1
      }
    }
    return !isAfterDot
  }
}
