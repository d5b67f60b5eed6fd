/// The grammar of RFC 3986 (appendix A) and, with more characters, of RFC 3987 (section 2.2).
package struct URISyntax {
  /// Whether characters beyond ASCII are allowed without escapes (RFC 3987).
  var isInternational = false
  /// Whether an IPv6 address may have a zone (RFC 6874).
  var allowsZone = false
  /// Whether the percent-encoded octets of a host must be UTF-8, which RFC 3986 asks of producers of host names.
  var checksHostEncoding = false

  static let uri = URISyntax()
  static let iri = URISyntax(isInternational: true)
  static let protovalidate = URISyntax(allowsZone: true, checksHostEncoding: true)

  /// Whether the whole of `text` is a URI, or (`isReference`) a URI or relative reference.
  func accepts(_ text: Span<UInt8>, isReference: Bool) -> Bool {
    let parts = URIParts(text)
    if parts.scheme == nil {
      guard isReference else { return false }
      if parts.authority == nil {
        // path-noscheme: a colon in the first segment would make it a scheme.
        let path = text.extracting(parts.path)
        let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.count
        if path.extracting(0..<end).firstIndex(of: UInt8(ascii: ":")) != nil { return false }
      }
    }
    if let range = parts.authority, !authority(text.extracting(range)) { return false }
    guard consists(text.extracting(parts.path), of: .path) else { return false }
    if let query = parts.query, !consists(text.extracting(query), of: .query) { return false }
    if let fragment = parts.fragment, !consists(text.extracting(fragment), of: .fragment) { return false }
    return true
  }

  private func authority(_ text: Span<UInt8>) -> Bool {
    var hostStart = 0
    if let at = text.firstIndex(of: UInt8(ascii: "@")) {
      guard consists(text.extracting(0..<at), of: .userInformation) else { return false }
      hostStart = at + 1
    }
    let rest = text.extracting(hostStart..<text.count)
    if rest.count > 0, rest[0] == UInt8(ascii: "[") {
      guard let close = rest.firstIndex(of: UInt8(ascii: "]")), literal(rest.extracting(1..<close)) else {
        return false
      }
      return close + 1 == rest.count
        || (rest[close + 1] == UInt8(ascii: ":") && port(rest.extracting((close + 2)..<rest.count)))
    }
    let colon = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.count
    let host = rest.extracting(0..<colon)
    guard consists(host, of: .registeredName), !checksHostEncoding || decodesToUTF8(host) else { return false }
    return colon == rest.count || port(rest.extracting((colon + 1)..<rest.count))
  }

  private func port(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count where !ASCII.isDigit(text[index]) { return false }
    return true
  }

  /// The part between the brackets: `IPv6address`, `IPvFuture` or (RFC 6874) `IPv6addrz`.
  private func literal(_ text: Span<UInt8>) -> Bool {
    if text.count > 0, text[0] | 0x20 == UInt8(ascii: "v") {
      guard let dot = text.firstIndex(of: UInt8(ascii: ".")), dot > 1, dot + 1 < text.count else { return false }
      for index in 1..<dot where !ASCII.isHexDigit(text[index]) { return false }
      for index in (dot + 1)..<text.count {
        let byte = text[index]
        guard Self.isUnreserved(byte) || Self.isSubDelimiter(byte) || byte == UInt8(ascii: ":") else { return false }
      }
      return true
    }
    if allowsZone, let percent = text.firstIndex(of: UInt8(ascii: "%")) {
      guard percent + 3 < text.count, text[percent + 1] == UInt8(ascii: "2"), text[percent + 2] == UInt8(ascii: "5")
      else { return false }
      let zone = text.extracting((percent + 3)..<text.count)
      guard consists(zone, of: .zone), decodesToUTF8(zone) else { return false }
      return IPv6Text.parse(text.extracting(0..<percent)) != nil
    }
    return IPv6Text.parse(text) != nil
  }

  /// The parts of a URI by the characters that they may hold.
  private enum Part {
    case userInformation
    case registeredName
    case zone
    case path
    case query
    case fragment
  }

  private func consists(_ text: Span<UInt8>, of part: Part) -> Bool {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte >= 0x80 {
        guard isInternational, part != .zone else { return false }
        let (scalar, length) = text.scalar(at: index)
        guard Self.isInternational(scalar) || (part == .query && Self.isPrivate(scalar)) else { return false }
        index += length
        continue
      }
      if byte == UInt8(ascii: "%") {
        guard index + 2 < text.count, ASCII.isHexDigit(text[index + 1]), ASCII.isHexDigit(text[index + 2]) else {
          return false
        }
        index += 3
        continue
      }
      guard Self.isUnreserved(byte) || Self.allows(byte, in: part) else { return false }
      index += 1
    }
    return true
  }

  private static func allows(_ byte: UInt8, in part: Part) -> Bool {
    switch part {
    case .zone: false
    case .registeredName: isSubDelimiter(byte)
    case .userInformation: isSubDelimiter(byte) || byte == UInt8(ascii: ":")
    case .path:
      isSubDelimiter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/")
    case .query, .fragment: isInFragment(byte)
    }
  }

  /// Whether a byte that is not unreserved is allowed in a fragment or a query.
  package static func isInFragment(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"): true
    default: isSubDelimiter(byte)
    }
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "~")
  }

  static func isSubDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
      true
    default: false
    }
  }

  /// `ucschar` of RFC 3987.
  static func isInternational(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0x10000...0xDFFFF: scalar & 0xFFFF <= 0xFFFD
    case 0xE1000...0xEFFFD: true
    default: false
    }
  }

  /// `iprivate` of RFC 3987.
  static func isPrivate(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
    default: false
    }
  }

  /// Whether `text`, with its well-formed percent-encodings resolved, is UTF-8.
  private func decodesToUTF8(_ text: Span<UInt8>) -> Bool {
    text.firstIndex(of: UInt8(ascii: "%")) == nil
      || String(validating: PercentEncoding.decodedBytes(text), as: UTF8.self) != nil
  }
}
