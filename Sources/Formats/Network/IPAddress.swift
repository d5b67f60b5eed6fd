/// Why a text is not an IP address or network.
public enum IPAddressError: Error, Hashable, Sendable {
  /// Not the text of an address.
  case syntax
  /// An IPv6 address with a zone (`fe80::1%en0`): it means nothing outside one host.
  case zone
  /// An IPv4 address written inside an IPv6 address (`::ffff:192.0.2.1`): two spellings of one address invite mistakes.
  case embeddedIPv4
}

/// An IP address of either version, as CEL's network extension has it.
///
/// An IPv4-mapped IPv6 address in hexadecimal (`::ffff:c0a8:1`) equals the IPv4 address inside it.
public struct IPAddress: Sendable {
  /// The versions of IP.
  public enum Family: Int, Hashable, Sendable {
    /// RFC 791: 32 bits.
    case v4 = 4
    /// RFC 4291: 128 bits.
    case v6 = 6
  }

  /// The version the address was written in.
  public let family: Family
  /// 128 bits; an IPv4 address is kept as its IPv4-mapped IPv6 address, so that equal addresses have equal bits.
  let high: UInt64
  let low: UInt64

  init(family: Family, high: UInt64, low: UInt64) {
    self.family = family
    self.high = high
    self.low = low
  }

  /// Parses the whole of `text`: dotted decimal or RFC 4291, no zone, no embedded IPv4, no spaces.
  public init(parsing text: String) throws(IPAddressError) {
    let result: Result<IPAddress, IPAddressError> = Self.parse(text.utf8.span)
    self = try result.get()
  }

  static func parse(_ text: Span<UInt8>) -> Result<IPAddress, IPAddressError> {
    if let address = IPv4Text.parse(text) {
      return .success(IPAddress(family: .v4, high: 0, low: 0xFFFF_0000_0000 | UInt64(address)))
    }
    if let percent = text.firstIndex(of: UInt8(ascii: "%")) {
      return .failure(IPv6Text.parse(text.extracting(0..<percent)) == nil ? .syntax : .zone)
    }
    guard let parsed = IPv6Text.parse(text) else { return .failure(.syntax) }
    if parsed.isMixed { return .failure(.embeddedIPv4) }
    return .success(IPAddress(family: .v6, high: parsed.high, low: parsed.low))
  }

  private var isMapped: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// The IPv4 address, written so or mapped.
  private var v4: UInt32? { isMapped ? UInt32(truncatingIfNeeded: low) : nil }

  /// Whether this is 0.0.0.0 or `::`.
  public var isUnspecified: Bool { family == .v4 ? v4 == 0 : high == 0 && low == 0 }

  /// Whether this is in 127.0.0.0/8 or is `::1`.
  public var isLoopback: Bool {
    if let v4 { return v4 >> 24 == 127 }
    return high == 0 && low == 1
  }

  /// Whether this is in 169.254.0.0/16 or fe80::/10.
  public var isLinkLocalUnicast: Bool {
    if let v4 { return v4 >> 16 == 0xA9FE }
    return high >> 54 == 0xFE80 >> 6
  }

  /// Whether this is in 224.0.0.0/24 or ff02::/16 (the flags do not matter).
  public var isLinkLocalMulticast: Bool {
    if let v4 { return v4 >> 8 == 0xE00000 }
    return high >> 48 & 0xFF0F == 0xFF02
  }

  private var isMulticast: Bool {
    if let v4 { return v4 >> 28 == 0xE }
    return high >> 56 == 0xFF
  }

  /// Whether this may be one host's address in some network: not unspecified, loopback, multicast, link-local or the
  /// limited broadcast address. Private addresses are.
  public var isGlobalUnicast: Bool {
    if let v4, v4 == 0 || v4 == 0xFFFF_FFFF { return false }
    return !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast
  }
}

extension IPAddress: Hashable {
  public static func == (first: IPAddress, second: IPAddress) -> Bool {
    first.high == second.high && first.low == second.low
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }
}

extension IPAddress: CustomStringConvertible {
  /// The canonical text: dotted decimal, or RFC 5952.
  public var description: String {
    family == .v4
      ? IPv6Text.dotted(UInt32(truncatingIfNeeded: low)) : IPv6Text.canonical(high: high, low: low)
  }
}
