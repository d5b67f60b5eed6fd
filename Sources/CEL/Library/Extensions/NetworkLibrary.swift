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
    functions: addressFunctions + networkFunctions,
    types: [IPAddress.type.name: .ip, CIDR.type.name: .cidr]
  )

  private static let addressFunctions: [Function] =
    [
      Function(
        "ip(text)",
        .networks,
        "the address in a text",
        examples: ["string(ip('10.0.0.1'))": #""10.0.0.1""#],
        overloads: [
          Overload(
            id: "string_to_ip",
            name: "ip",
            parameters: [.string],
            result: .ip,
            cost: .linear([0]),
            implementation: .text { text in Value.address(text) { .abstract($0) } }
          )
        ]
      ),
      Function(
        "isIP(text)",
        .networks,
        "whether a text is an address",
        examples: ["isIP('::1')": "true"],
        overloads: [
          Overload(
            id: "is_ip",
            name: "isIP",
            parameters: [.string],
            result: .bool,
            cost: .linear([0]),
            implementation: .text { text in .bool((try? IPAddress(parsing: text)) != nil) }
          )
        ]
      ),
      Function(
        "ip.isCanonical(text)",
        .networks,
        "whether a text is an address in its canonical notation",
        examples: ["ip.isCanonical('2001:DB8::1')": "false"],
        overloads: [
          Overload(
            id: "ip_is_canonical",
            name: "ip.isCanonical",
            parameters: [.string],
            result: .bool,
            cost: .linear([0]),
            implementation: .text { text in Value.address(text) { .bool($0.description.hasSameUTF8(as: text)) } }
          )
        ]
      ),
      Function(
        "string(address)",
        .networks,
        "an address as a text",
        examples: ["string(ip('::0:1'))": #""::1""#],
        overloads: [
          Overload(
            id: "ip_to_string",
            name: "string",
            parameters: [.ip],
            result: .string,
            resultSize: .atMost(43),
            implementation: .of(IPAddress.self) { .string($0.description) }
          )
        ]
      ),
      Function(
        "address.family()",
        .networks,
        "the IP version of an address, 4 or 6",
        examples: ["ip('::1').family()": "6"],
        overloads: [
          Overload(
            id: "ip_family",
            name: "family",
            isMember: true,
            parameters: [.ip],
            result: .int,
            implementation: .of(IPAddress.self) { .int(Int64($0.family.rawValue)) }
          )
        ]
      ),
    ]
    + [
      predicate(
        "isUnspecified",
        "ip_is_unspecified",
        "whether an address is the unspecified address: 0.0.0.0 or ::",
        examples: ["ip('0.0.0.0').isUnspecified()": "true"]
      ) { $0.isUnspecified },
      predicate(
        "isLoopback",
        "ip_is_loopback",
        "whether an address is a loopback address",
        examples: ["ip('127.0.0.1').isLoopback()": "true"]
      ) { $0.isLoopback },
      predicate(
        "isGlobalUnicast",
        "ip_is_global_unicast",
        "whether an address is a global unicast address",
        examples: ["ip('192.0.2.1').isGlobalUnicast()": "true"]
      ) { $0.isGlobalUnicast },
      predicate(
        "isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        "whether an address is a link-local multicast address",
        examples: ["ip('224.0.0.1').isLinkLocalMulticast()": "true"]
      ) { $0.isLinkLocalMulticast },
      predicate(
        "isLinkLocalUnicast",
        "ip_is_link_local_unicast",
        "whether an address is a link-local unicast address",
        examples: ["ip('169.254.1.1').isLinkLocalUnicast()": "true"]
      ) { $0.isLinkLocalUnicast },
    ]

  private static func predicate(
    _ name: String,
    _ id: String,
    _ summary: String,
    examples: KeyValuePairs<String, String>,
    _ test: @escaping @Sendable (IPAddress) -> Bool
  ) -> Function {
    Function(
      "address.\(name)()",
      .networks,
      summary,
      examples: examples,
      overloads: [
        Overload(
          id: id,
          name: name,
          isMember: true,
          parameters: [.ip],
          result: .bool,
          implementation: .of(IPAddress.self) { .bool(test($0)) }
        )
      ]
    )
  }

  private static let networkFunctions: [Function] = [
    Function(
      "cidr(text)",
      .networks,
      "the network in a text such as '10.0.0.0/8'",
      examples: ["string(cidr('10.1.0.0/8').masked())": #""10.0.0.0/8""#],
      overloads: [
        Overload(
          id: "string_to_cidr",
          name: "cidr",
          parameters: [.string],
          result: .cidr,
          cost: .linear([0]),
          implementation: .text { text in Value.network(text) { .abstract($0) } }
        )
      ]
    ),
    Function(
      "isCIDR(text)",
      .networks,
      "whether a text is a network",
      examples: ["isCIDR('10.0.0.0/8')": "true"],
      overloads: [
        Overload(
          id: "is_cidr",
          name: "isCIDR",
          parameters: [.string],
          result: .bool,
          cost: .linear([0]),
          implementation: .text { text in .bool((try? CIDR(parsing: text)) != nil) }
        )
      ]
    ),
    Function(
      "string(network)",
      .networks,
      "a network as a text",
      examples: ["string(cidr('10.0.0.0/8'))": #""10.0.0.0/8""#],
      overloads: [
        Overload(
          id: "cidr_to_string",
          name: "string",
          parameters: [.cidr],
          result: .string,
          resultSize: .atMost(47),
          implementation: .of(CIDR.self) { .string($0.description) }
        )
      ]
    ),
    Function(
      "network.ip()",
      .networks,
      "the address of a network",
      examples: ["string(cidr('10.1.2.3/8').ip())": #""10.1.2.3""#],
      overloads: [
        Overload(
          id: "cidr_ip",
          name: "ip",
          isMember: true,
          parameters: [.cidr],
          result: .ip,
          implementation: .of(CIDR.self) { .abstract($0.address) }
        )
      ]
    ),
    Function(
      "network.masked()",
      .networks,
      "the network with all bits after its prefix set to zero",
      examples: ["string(cidr('10.1.2.3/8').masked())": #""10.0.0.0/8""#],
      overloads: [
        Overload(
          id: "cidr_masked",
          name: "masked",
          isMember: true,
          parameters: [.cidr],
          result: .cidr,
          implementation: .of(CIDR.self) { .abstract($0.masked) }
        )
      ]
    ),
    Function(
      "network.isMask()",
      .networks,
      "whether all bits of a network after its prefix are zero",
      examples: ["cidr('10.0.0.0/8').isMask()": "true"],
      overloads: [
        Overload(
          id: "cidr_is_mask",
          name: "isMask",
          isMember: true,
          parameters: [.cidr],
          result: .bool,
          implementation: .of(CIDR.self) { .bool($0.masked == $0) }
        )
      ]
    ),
    Function(
      "network.prefixLength()",
      .networks,
      "the length of a network's prefix, in bits",
      examples: ["cidr('10.0.0.0/8').prefixLength()": "8"],
      overloads: [
        Overload(
          id: "cidr_prefix_length",
          name: "prefixLength",
          isMember: true,
          parameters: [.cidr],
          result: .int,
          implementation: .of(CIDR.self) { .int(Int64($0.prefixLength)) }
        )
      ]
    ),
    Function(
      "network.containsIP(address)",
      .networks,
      "whether a network contains an address",
      examples: ["cidr('10.0.0.0/8').containsIP('10.1.2.3')": "true"],
      overloads: [
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
      ]
    ),
    Function(
      "network.containsCIDR(network)",
      .networks,
      "whether a network contains another network",
      examples: ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')": "true"],
      overloads: [
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
