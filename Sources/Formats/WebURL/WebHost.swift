/// A host of a URL: URL Standard, section 3.
enum WebHost {
  case domain(String)
  case ipv4(UInt32)
  case ipv6(high: UInt64, low: UInt64)
  case opaque(String)
  case empty

  /// The host as a URL writes it (section 3.6).
  var serialized: String {
    switch self {
    case .domain(let name), .opaque(let name): name
    case .ipv4(let address): IPv6Text.dotted(address)
    case .ipv6(let high, let low): "[\(Self.serialize(high: high, low: low))]"
    case .empty: ""
    }
  }

  /// The host parser (section 3.5); nil is failure.
  static func parse(_ input: [Unicode.Scalar], isOpaque: Bool) -> WebHost? {
    if input.first == "[" {
      guard input.last == "]", input.count >= 2 else { return nil }
      let inner = input[1..<(input.count - 1)]
      guard inner.allSatisfy(\.isASCII) else { return nil }
      let bytes = inner.map { UInt8(truncatingIfNeeded: $0.value) }
      guard let address = IPv6Text.parse(bytes.span) else { return nil }
      return .ipv6(high: address.high, low: address.low)
    }
    if isOpaque {
      guard !input.contains(where: isForbidden) else { return nil }
      var output = ""
      for scalar in input { PercentEncodeSet.c0Control.append(scalar, to: &output) }
      return output.isEmpty ? .empty : .opaque(output)
    }
    guard let ascii = WebDomain.toASCII(percentDecoded(input)), !ascii.isEmpty else { return nil }
    guard !ascii.unicodeScalars.contains(where: isForbiddenInDomain) else { return nil }
    return WebIPv4.endsInNumber(ascii) ? WebIPv4.parse(ascii).map { .ipv4($0) } : .domain(ascii)
  }

  /// Percent-decodes, then decodes UTF-8; malformed sequences become U+FFFD, which no domain may contain.
  private static func percentDecoded(_ input: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: input)
    let output = PercentEncoding.decodedBytes(String(view).utf8.span)
    return Array(String(decoding: output, as: UTF8.self).unicodeScalars)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\0", "\t", "\n", "\r", " ", "#", "/", ":", "<", ">", "?", "@", "[", "\\", "]", "^", "|": true
    default: false
    }
  }

  private static func isForbiddenInDomain(_ scalar: Unicode.Scalar) -> Bool {
    isForbidden(scalar) || scalar.value < 0x20 || scalar == "%" || scalar.value == 0x7F
  }

  /// As RFC 5952, but an embedded IPv4 address stays hexadecimal (section 3.6, the IPv6 serializer).
  private static func serialize(high: UInt64, low: UInt64) -> String {
    guard high == 0, low >> 32 == 0xFFFF else { return IPv6Text.canonical(high: high, low: low) }
    return "::ffff:\(String(low >> 16 & 0xFFFF, radix: 16)):\(String(low & 0xFFFF, radix: 16))"
  }
}
