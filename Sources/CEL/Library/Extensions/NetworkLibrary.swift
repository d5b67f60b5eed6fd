public import Formats
internal import Texts

extension IPAddress: AbstractContent {
  public static let type = TypeValue("net.IP")
  public static let constructor = "ip"
  public var text: String { description }
}

extension CIDR: AbstractContent {
  public static let type = TypeValue("net.CIDR")
  public static let constructor = "cidr"
  public var text: String { description }
}

extension CELType {
  static let ip = CELType.abstract(IPAddress.type.name, [])
  static let cidr = CELType.abstract(CIDR.type.name, [])
}

extension Library {
  /// IP addresses and networks (cel-go, `ext/network.go`).
  public static let network = Library(
    name: "network",
    overloads: addressOverloads + networkOverloads,
    types: [IPAddress.type.name: .ip, CIDR.type.name: .cidr]
  )

  private static let addressOverloads: [Overload] =
    [
      Overload(
        id: "string_to_ip",
        name: "ip",
        parameters: [.string],
        result: .ip,
        cost: .linear([0]),
        implementation: .text { text in Value.address(text) { .abstract($0) } }
      ),
      Overload(
        id: "is_ip",
        name: "isIP",
        parameters: [.string],
        result: .bool,
        cost: .linear([0]),
        implementation: .text { text in .bool((try? IPAddress(parsing: text)) != nil) }
      ),
      Overload(
        id: "ip_is_canonical",
        name: "ip.isCanonical",
        parameters: [.string],
        result: .bool,
        cost: .linear([0]),
        implementation: .text { text in Value.address(text) { .bool($0.description.hasSameUTF8(as: text)) } }
      ),
      Overload(
        id: "ip_to_string",
        name: "string",
        parameters: [.ip],
        result: .string,
        resultSize: .atMost(43),
        implementation: .of(IPAddress.self) { .string($0.description) }
      ),
      Overload(
        id: "ip_family",
        name: "family",
        isMember: true,
        parameters: [.ip],
        result: .int,
        implementation: .of(IPAddress.self) { .int(Int64($0.family.rawValue)) }
      ),
    ]
    + [
      predicate("isUnspecified", "ip_is_unspecified") { $0.isUnspecified },
      predicate("isLoopback", "ip_is_loopback") { $0.isLoopback },
      predicate("isGlobalUnicast", "ip_is_global_unicast") { $0.isGlobalUnicast },
      predicate("isLinkLocalMulticast", "ip_is_link_local_multicast") { $0.isLinkLocalMulticast },
      predicate("isLinkLocalUnicast", "ip_is_link_local_unicast") { $0.isLinkLocalUnicast },
    ]

  private static func predicate(
    _ name: String,
    _ id: String,
    _ test: @escaping @Sendable (IPAddress) -> Bool
  ) -> Overload {
    Overload(
      id: id,
      name: name,
      isMember: true,
      parameters: [.ip],
      result: .bool,
      implementation: .of(IPAddress.self) { .bool(test($0)) }
    )
  }

  private static let networkOverloads: [Overload] = [
    Overload(
      id: "string_to_cidr",
      name: "cidr",
      parameters: [.string],
      result: .cidr,
      cost: .linear([0]),
      implementation: .text { text in Value.network(text) { .abstract($0) } }
    ),
    Overload(
      id: "is_cidr",
      name: "isCIDR",
      parameters: [.string],
      result: .bool,
      cost: .linear([0]),
      implementation: .text { text in .bool((try? CIDR(parsing: text)) != nil) }
    ),
    Overload(
      id: "cidr_to_string",
      name: "string",
      parameters: [.cidr],
      result: .string,
      resultSize: .atMost(47),
      implementation: .of(CIDR.self) { .string($0.description) }
    ),
    Overload(
      id: "cidr_ip",
      name: "ip",
      isMember: true,
      parameters: [.cidr],
      result: .ip,
      implementation: .of(CIDR.self) { .abstract($0.address) }
    ),
    Overload(
      id: "cidr_masked",
      name: "masked",
      isMember: true,
      parameters: [.cidr],
      result: .cidr,
      implementation: .of(CIDR.self) { .abstract($0.masked) }
    ),
    Overload(
      id: "cidr_is_mask",
      name: "isMask",
      isMember: true,
      parameters: [.cidr],
      result: .bool,
      implementation: .of(CIDR.self) { .bool($0.masked == $0) }
    ),
    Overload(
      id: "cidr_prefix_length",
      name: "prefixLength",
      isMember: true,
      parameters: [.cidr],
      result: .int,
      implementation: .of(CIDR.self) { .int(Int64($0.prefixLength)) }
    ),
    Overload(
      id: "cidr_contains_ip_ip",
      name: "containsIP",
      isMember: true,
      parameters: [.cidr, .ip],
      result: .bool,
      implementation: .binary { first, second in
        guard let network = first.content(CIDR.self), let address = second.content(IPAddress.self) else {
          return .error(.noSuchOverload)
        }
        return .bool(network.contains(address))
      }
    ),
    Overload(
      id: "cidr_contains_ip_string",
      name: "containsIP",
      isMember: true,
      parameters: [.cidr, .string],
      result: .bool,
      cost: .linear([1]),
      implementation: .ofText(CIDR.self) { network, text in Value.address(text) { .bool(network.contains($0)) } }
    ),
    Overload(
      id: "cidr_contains_cidr",
      name: "containsCIDR",
      isMember: true,
      parameters: [.cidr, .cidr],
      result: .bool,
      implementation: .ofTwo(CIDR.self) { .bool($0.contains($1)) }
    ),
    Overload(
      id: "cidr_contains_cidr_string",
      name: "containsCIDR",
      isMember: true,
      parameters: [.cidr, .string],
      result: .bool,
      cost: .linear([1]),
      implementation: .ofText(CIDR.self) { network, text in Value.network(text) { .bool(network.contains($0)) } }
    ),
  ]
}

extension Value {
  /// The result for the address that a text spells, or why it spells none.
  fileprivate static func address(_ text: String, _ body: (IPAddress) -> Value) -> Value {
    do throws(IPAddressError) {
      return body(try IPAddress(parsing: text))
    } catch {
      return .failure(.conversion, error.message("IP Address \(text.excerpt)"))
    }
  }

  /// The result for the network that a text spells, or why it spells none.
  fileprivate static func network(_ text: String, _ body: (CIDR) -> Value) -> Value {
    do throws(IPAddressError) {
      return body(try CIDR(parsing: text))
    } catch {
      return .failure(.conversion, error.message("CIDR \(text.excerpt)"))
    }
  }
}

extension IPAddressError {
  fileprivate func message(_ subject: String) -> String {
    switch self {
    case .syntax: "\(subject) parse error during conversion from string"
    case .zone: "\(subject) with zone value is not allowed"
    case .embeddedIPv4: "\(subject): IPv4-mapped IPv6 address is not allowed"
    }
  }
}
