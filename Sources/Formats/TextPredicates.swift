/// The predicates on text that protovalidate adds to CEL, with its definitions
/// (protovalidate.com/reference/cel_extensions). They differ on purpose from JSON Schema's formats of like names.
public enum TextPredicates {
  /// Whether `text` is an address by the HTML Standard's definition of a valid e-mail address: one `@`, no quotes, no
  /// comments, ASCII only.
  public static func isEmail(_ text: borrowing String) -> Bool { HTMLEmail.accepts(text.utf8.span) }

  /// Whether `text` is a host name: at most 253 characters, labels of letters, digits and hyphens, the last one not
  /// all digits; a dot at the end is allowed.
  public static func isHostname(_ text: borrowing String) -> Bool { isHostname(text.utf8.span) }

  /// Whether `text` is an IP address of the given version (4 or 6; 0 means either). An IPv6 address may have a zone.
  public static func isIP(_ text: borrowing String, version: Int = 0) -> Bool {
    isIP(text.utf8.span, version: version)
  }

  /// Whether `text` is an address with a prefix length, of the given version (0 means either). When `isStrict`, all
  /// bits beyond the prefix must be zero.
  public static func isIPPrefix(_ text: borrowing String, version: Int = 0, isStrict: Bool = false) -> Bool {
    let span = text.utf8.span
    guard let slash = span.lastIndex(of: UInt8(ascii: "/")),
      let length = CIDR.prefixLength(span.extracting((slash + 1)..<span.count))
    else { return false }
    let address = span.extracting(0..<slash)
    let high: UInt64
    let low: UInt64
    let bits: Int
    if version == 0 || version == 4, let v4 = IPv4Text.parse(address) {
      guard length <= 32 else { return false }
      (high, low, bits) = (0, UInt64(v4), length + 96)
    } else if version == 0 || version == 6, let v6 = IPv6Text.parse(address) {
      (high, low, bits) = (v6.high, v6.low, length)
    } else {
      return false
    }
    return !isStrict || CIDR.mask(high: high, low: low, bits: bits) == (high, low)
  }

  /// Whether `text` is a URI with a scheme (RFC 3986; zones of IPv6 addresses by RFC 6874). Percent-encoded octets of a
  /// host must be UTF-8.
  public static func isURI(_ text: borrowing String) -> Bool {
    URISyntax.protovalidate.accepts(text.utf8.span, isReference: false)
  }

  /// Whether `text` is a URI or a relative reference.
  public static func isURIReference(_ text: borrowing String) -> Bool {
    URISyntax.protovalidate.accepts(text.utf8.span, isReference: true)
  }

  /// Whether `text` is a host name, an IPv4 address or an IPv6 address in brackets, with a port behind a colon, which
  /// may be missing unless `isPortRequired`. A port is a decimal number up to 65535 without leading zeros.
  public static func isHostAndPort(_ text: borrowing String, isPortRequired: Bool) -> Bool {
    let span = text.utf8.span
    guard span.count > 0 else { return false }
    let colon = span.lastIndex(of: UInt8(ascii: ":"))
    if span[0] == UInt8(ascii: "[") {
      guard let end = span.lastIndex(of: UInt8(ascii: "]")), isIP(span.extracting(1..<end), version: 6) else {
        return false
      }
      if end + 1 == span.count { return !isPortRequired }
      return end + 1 == colon && isPort(span.extracting((end + 2)..<span.count))
    }
    guard let colon else { return !isPortRequired && isHost(span) }
    return isHost(span.extracting(0..<colon)) && isPort(span.extracting((colon + 1)..<span.count))
  }

  private static func isHost(_ text: Span<UInt8>) -> Bool { isHostname(text) || IPv4Text.parse(text) != nil }

  private static func isPort(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 1, text.count <= 5, text.count == 1 || text[0] != UInt8(ascii: "0") else { return false }
    var value = 0
    for index in 0..<text.count {
      guard ASCII.isDigit(text[index]) else { return false }
      value = value * 10 + Int(text[index] - 0x30)
    }
    return value <= 65_535
  }

  private static func isHostname(_ text: Span<UInt8>) -> Bool {
    var end = text.count
    if end > 0, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard end <= HostnameText.nameMax else { return false }
    let name = text.extracting(0..<end)
    guard HostnameText.isDottedLabels(name) else { return false }
    let last = name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
    for index in last..<name.count where !ASCII.isDigit(name[index]) { return true }
    return false
  }

  private static func isIP(_ text: Span<UInt8>, version: Int) -> Bool {
    if version == 0 || version == 4, IPv4Text.parse(text) != nil { return true }
    guard version == 0 || version == 6 else { return false }
    guard let percent = text.firstIndex(of: UInt8(ascii: "%")) else { return IPv6Text.parse(text) != nil }
    // A zone is any text without a null character (RFC 4007, section 11.2 leaves its form to the host).
    guard percent + 1 < text.count, text.firstIndex(of: 0, from: percent) == nil else { return false }
    return IPv6Text.parse(text.extracting(0..<percent)) != nil
  }
}
