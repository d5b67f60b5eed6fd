/// An IP address with the length of its network's prefix (RFC 4632, RFC 4291 section 2.3), as CEL's network extension
/// has it. The address may have bits beyond the prefix; ``masked`` is without them.
public struct CIDR: Hashable, Sendable {
  /// The address as written.
  public let address: IPAddress
  /// Bits of the prefix: 0 to 32, or 0 to 128.
  public let prefixLength: Int

  private init(address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = prefixLength
  }

  /// Parses the whole of `text`: an address as ``IPAddress/init(parsing:)`` takes it, `/`, and a decimal length
  /// without leading zeros.
  public init(parsing text: String) throws(IPAddressError) {
    let result: Result<CIDR, IPAddressError> = Self.parse(text.utf8.span)
    self = try result.get()
  }

  private static func parse(_ text: Span<UInt8>) -> Result<CIDR, IPAddressError> {
    guard let slash = text.lastIndex(of: UInt8(ascii: "/")) else { return .failure(.syntax) }
    guard let length = prefixLength(text.extracting((slash + 1)..<text.count)) else { return .failure(.syntax) }
    switch IPAddress.parse(text.extracting(0..<slash)) {
    case .failure(let error): return .failure(error)
    case .success(let address):
      guard length <= (address.family == .v4 ? 32 : 128) else { return .failure(.syntax) }
      return .success(CIDR(address: address, prefixLength: length))
    }
  }

  /// A decimal number up to 128 without leading zeros, or nil.
  static func prefixLength(_ text: Span<UInt8>) -> Int? {
    guard text.count >= 1, text.count <= 3, text.count == 1 || text[0] != UInt8(ascii: "0") else { return nil }
    var value = 0
    for index in 0..<text.count {
      guard ASCII.isDigit(text[index]) else { return nil }
      value = value * 10 + Int(text[index] - 0x30)
    }
    return value <= 128 ? value : nil
  }

  /// Bits of the prefix in the 128-bit form of the address.
  private var bits: Int { address.family == .v4 ? prefixLength + 96 : prefixLength }

  /// The upper `bits` of 128 bits, the rest cleared.
  static func mask(high: UInt64, low: UInt64, bits: Int) -> (high: UInt64, low: UInt64) {
    if bits >= 128 { return (high, low) }
    if bits > 64 { return (high, low & ~(UInt64.max >> UInt64(bits - 64))) }
    if bits == 64 { return (high, 0) }
    return (bits == 0 ? 0 : high & ~(UInt64.max >> UInt64(bits)), 0)
  }

  /// The network itself: the address with the bits beyond the prefix cleared.
  public var masked: CIDR {
    let bits = CIDR.mask(high: address.high, low: address.low, bits: bits)
    let network = IPAddress(family: address.family, high: bits.high, low: bits.low)
    return CIDR(address: network, prefixLength: prefixLength)
  }

  /// Whether `other` is in this network. Addresses of the other version never do.
  public func contains(_ other: IPAddress) -> Bool {
    guard family(of: other) == address.family else { return false }
    let mine = CIDR.mask(high: address.high, low: address.low, bits: bits)
    let theirs = CIDR.mask(high: other.high, low: other.low, bits: bits)
    return mine == theirs
  }

  /// Whether all of `other` is in this network.
  public func contains(_ other: CIDR) -> Bool { other.bits >= bits && contains(other.address) }

  /// A mapped address counts as the address inside it, as in comparing.
  private func family(of other: IPAddress) -> IPAddress.Family {
    other.high == 0 && other.low >> 32 == 0xFFFF && address.family == .v4 ? .v4 : other.family
  }
}

extension CIDR: CustomStringConvertible {
  /// The canonical text of the address, `/` and the length.
  public var description: String { "\(address)/\(prefixLength)" }
}
