#if canImport(Glibc)
  internal import Glibc
#endif

/// An IP address: the bytes of IPv4 or IPv6. An IPv4 address within IPv6 (RFC 4291, section 2.5.5.2) is the IPv4
/// address.
package struct InternetAddress: Hashable, Sendable {
  /// 4 or 16 bytes, in the order of the network.
  fileprivate let bytes: [UInt8]

  /// The address in a text such as `192.0.2.7` or `2001:db8::7`, as inet_pton(3) reads it; nil for any other text.
  package init?(_ text: some StringProtocol) {
    var four = in_addr()
    if inet_pton(AF_INET, String(text), &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, String(text), &six) == 1 else { return nil }
    let all = withUnsafeBytes(of: &six) { Array($0) }
    let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xff && all[11] == 0xff
    bytes = isMapped ? Array(all[12...]) : all
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// 0.0.0.0: the system does not tell the address of the connection.
  package static let unspecified = InternetAddress(bytes: [0, 0, 0, 0])

  /// The address, or its IPv6 network of 64 bits, which one customer of a provider gets at least (RFC 6177). A limit
  /// for one address is a limit for the network.
  package var network: InternetAddress {
    bytes.count == 4 ? self : InternetAddress(bytes: Array(bytes[..<8]) + Array(repeating: 0, count: 8))
  }

  /// The address of the client of a request: the last one in `X-Forwarded-For` that is not a trusted proxy's.
  ///
  /// A proxy adds the address of its client at the end. A client may have invented everything before it.
  ///
  /// - Parameters:
  ///   - peer: the address from which the connection comes.
  ///   - forwarded: the values of all fields `X-Forwarded-For`, in their order.
  ///   - trusted: the addresses and networks of proxies.
  package static func client(
    of peer: InternetAddress,
    forwarded: [String],
    trusted: [InternetNetwork]
  ) -> InternetAddress {
    var client = peer
    let entries = forwarded.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    for entry in entries.reversed() {
      guard trusted.contains(where: { $0.contains(client) }), let address = InternetAddress(entry: entry) else {
        return client
      }
      client = address
    }
    return client
  }

  /// An entry of `X-Forwarded-For`: an address, which some proxies write with a port.
  private init?(entry: Substring) {
    let text = entry.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    if let bracket = text.firstIndex(of: "]"), text.first == "[" {
      self.init(text[text.index(after: text.startIndex)..<bracket])
    } else if let colon = text.firstIndex(of: ":"), text[colon...].dropFirst().allSatisfy({ $0 != ":" }) {
      self.init(text[..<colon])
    } else {
      self.init(text)
    }
  }
}

/// A network of IP addresses (RFC 4632), or one address.
package struct InternetNetwork: Hashable, Sendable {
  /// An address of the network. Only its first ``bitCount`` bits count.
  private let address: InternetAddress
  /// How many bits all its addresses share.
  private let bitCount: Int

  /// The network in a text such as `10.0.0.0/8`, `2001:db8::/32`, or an address alone; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = InternetAddress(parts[0]) else { return nil }
    self.address = address
    let bitsMax = 8 * address.bytes.count
    guard parts.count == 2 else {
      bitCount = bitsMax
      return
    }
    // An IPv4 network in the form of IPv6 counts 96 bits more.
    let isMapped = address.bytes.count == 4 && parts[0].contains(":")
    guard parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(parts[1]),
      (0...bitsMax).contains(isMapped ? count - 96 : count)
    else { return nil }
    bitCount = isMapped ? count - 96 : count
  }

  /// Whether the address is in the network.
  package func contains(_ other: InternetAddress) -> Bool {
    guard address.bytes.count == other.bytes.count else { return false }
    return (0..<bitCount).allSatisfy { bit in
      let mask: UInt8 = 0x80 >> (bit % 8)
      return address.bytes[bit / 8] & mask == other.bytes[bit / 8] & mask
    }
  }
}

extension InternetAddress: CustomStringConvertible {
  /// The address as inet_ntop(3) writes it: `192.0.2.7` or `2001:db8::7`.
  package var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      let family = bytes.count == 4 ? AF_INET : AF_INET6
      guard let written = inet_ntop(family, bytes, text.baseAddress, socklen_t(text.count)) else { return "" }
      return String(cString: written)
    }
  }
}
