/// `Mailbox` of RFC 5321, section 4.1.2, and with RFC 6531, section 3.3, its international form: the formats `email`
/// and `idn-email` of JSON Schema. No comments, no folding: they belong to message headers.
enum Mailbox {
  /// RFC 5321, section 4.5.3.1.1.
  private static let localPartMax = 64
  /// A path has 256 octets (section 4.5.3.1.3) with its angle brackets.
  private static let addressMax = 254

  static func accepts(_ text: Span<UInt8>, isInternational: Bool) -> Bool {
    guard text.count <= addressMax, let at = localPartEnd(text, isInternational: isInternational) else { return false }
    guard at >= 1, at <= localPartMax, at < text.count, text[at] == UInt8(ascii: "@") else { return false }
    let domain = text.extracting((at + 1)..<text.count)
    guard domain.count > 0 else { return false }
    if domain[0] == UInt8(ascii: "[") { return isAddressLiteral(domain) }
    // RFC 6531, section 3.3: a label is one of RFC 5890, in its Unicode form or as an A-label that means one.
    if isInternational {
      return domain.isASCII
        ? DomainName.isHostname(domain) : DomainName.isInternational(domain, separators: .fullStop)
    }
    return domain.count <= HostnameText.nameMax && HostnameText.isDottedLabels(domain)
  }

  /// The end of the local part; nil when it is malformed.
  private static func localPartEnd(_ text: Span<UInt8>, isInternational: Bool) -> Int? {
    guard text.count > 0 else { return nil }
    return text[0] == UInt8(ascii: "\"")
      ? quotedStringEnd(text, isInternational: isInternational)
      : dotStringEnd(text, isInternational: isInternational)
  }

  /// `Dot-string`: atoms with single dots between them.
  private static func dotStringEnd(_ text: Span<UInt8>, isInternational: Bool) -> Int? {
    var index = 0
    var isAtAtomStart = true
    while index < text.count {
      let byte = text[index]
      if ASCII.isAtomText(byte) || (isInternational && byte >= 0x80) {
        isAtAtomStart = false
      } else if byte == UInt8(ascii: "."), !isAtAtomStart {
        isAtAtomStart = true
      } else {
        break
      }
      index += 1
    }
    return isAtAtomStart ? nil : index
  }

  /// `Quoted-string`: printable ASCII, with a backslash before quote and backslash.
  private static func quotedStringEnd(_ text: Span<UInt8>, isInternational: Bool) -> Int? {
    var index = 1
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""):
        return index + 1
      case UInt8(ascii: "\\"):
        guard index + 1 < text.count, text[index + 1] >= 0x20, text[index + 1] <= 0x7E else { return nil }
        index += 2
      case 0x20...0x7E:
        index += 1
      default:
        guard isInternational, byte >= 0x80 else { return nil }
        index += 1
      }
    }
    return nil
  }

  /// Section 4.1.3. The only registered tag of a general address literal is `IPv6`.
  private static func isAddressLiteral(_ text: Span<UInt8>) -> Bool {
    guard text.count > 2, text[text.count - 1] == UInt8(ascii: "]") else { return false }
    let inner = text.extracting(1..<(text.count - 1))
    guard inner.hasPrefixIgnoringCase("ipv6:") else { return IPv4Text.parse(inner) != nil }
    guard let address = IPv6Text.parse(inner.extracting(5..<inner.count)) else { return false }
    // Here "::" replaces at least two groups, unlike in RFC 4291.
    return address.elidedGroups != 1
  }
}
