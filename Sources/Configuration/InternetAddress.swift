#if canImport(Glibc)
  internal import Glibc
#endif

/// An IP address: the bytes of IPv4 or IPv6. An IPv4 address within IPv6 (RFC 4291, section 2.5.5.2) is the IPv4
/// address.
package struct InternetAddress: Hashable, Sendable {
  /// 4 or 16 bytes, in the order of the network.
  private let bytes: [UInt8]

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
  ///   - trusted: the addresses of proxies.
  package static func client(
    of peer: InternetAddress,
    forwarded: [String],
    trusted: Set<InternetAddress>
  ) -> InternetAddress {
    var client = peer
    let entries = forwarded.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    for entry in entries.reversed() {
      guard trusted.contains(client), let address = InternetAddress(entry: entry) else { return client }
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
