public import TextFormats

/// A value of the type `net.IP`. The address is shared, so that a value of the language stays small.
public final class IPValue: Sendable {
  /// The address.
  public let address: IPAddress
  /// The value of that address.
  public init(_ address: IPAddress) { self.address = address }
}

/// A value of the type `net.CIDR`.
public final class CIDRValue: Sendable {
  /// The address with its prefix length.
  public let network: CIDR
  /// The value of that network.
  public init(_ network: CIDR) { self.network = network }
}
