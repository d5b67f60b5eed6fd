import Formats
import Testing

struct IPAddressTests {
  @Test(arguments: [
    ("192.168.0.1", "192.168.0.1"), ("2001:DB8::0068", "2001:db8::68"), ("0:0:0:0:0:0:0:0", "::"), ("::1", "::1"),
    ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
    ("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"),
  ])
  func `an address is written as RFC 5952 has it`(text: String, canonical: String) throws {
    #expect(try IPAddress(parsing: text).description == canonical)
  }

  @Test(arguments: [
    ("192.168.0.1.0", IPAddressError.syntax), ("192.168.0.01", .syntax), ("2001:db8:::68", .syntax), ("", .syntax),
    ("fe80::1%en0", .zone), ("::ffff:192.168.0.1", .embeddedIPv4), ("64:ff9b::192.0.2.1", .embeddedIPv4),
    ("1.2.3.4%a", .syntax),
  ])
  func `what is no plain address is refused with the reason`(text: String, reason: IPAddressError) {
    #expect(throws: reason) { try IPAddress(parsing: text) }
  }

  @Test func `an address knows what it is for`() throws {
    func kinds(_ text: String) throws -> String {
      let address = try IPAddress(parsing: text)
      return [
        address.isUnspecified ? "unspecified" : nil, address.isLoopback ? "loopback" : nil,
        address.isLinkLocalUnicast ? "link-local" : nil, address.isLinkLocalMulticast ? "link-local-multicast" : nil,
        address.isGlobalUnicast ? "global" : nil,
      ].compactMap(\.self).joined(separator: " ")
    }
    #expect(try kinds("0.0.0.0") == "unspecified")
    #expect(try kinds("::") == "unspecified")
    #expect(try kinds("127.9.9.9") == "loopback")
    #expect(try kinds("::1") == "loopback")
    #expect(try kinds("169.254.1.1") == "link-local")
    #expect(try kinds("fe80::1") == "link-local")
    #expect(try kinds("224.0.0.1") == "link-local-multicast")
    #expect(try kinds("ff02::1") == "link-local-multicast")
    #expect(try kinds("224.0.1.1") == "")
    #expect(try kinds("ff05::1") == "")
    #expect(try kinds("255.255.255.255") == "")
    #expect(try kinds("10.0.0.1") == "global")
    #expect(try kinds("2001:db8::1") == "global")
    #expect(try IPAddress(parsing: "::1").family == .v6)
    #expect(try IPAddress(parsing: "1.2.3.4").family == .v4)
  }

  @Test func `a mapped address equals the address it stands for`() throws {
    #expect(try IPAddress(parsing: "::ffff:c0a8:1") == IPAddress(parsing: "192.168.0.1"))
    #expect(try IPAddress(parsing: "::c0a8:1") != IPAddress(parsing: "192.168.0.1"))
  }

  @Test func `a network contains the addresses of its prefix`() throws {
    let network = try CIDR(parsing: "192.168.0.0/24")
    #expect(try network.contains(IPAddress(parsing: "192.168.0.255")))
    #expect(try !network.contains(IPAddress(parsing: "192.168.1.0")))
    #expect(try !network.contains(IPAddress(parsing: "::c0a8:1")))
    #expect(try network.contains(CIDR(parsing: "192.168.0.128/25")))
    #expect(network.contains(network))
    #expect(try !network.contains(CIDR(parsing: "192.168.0.0/23")))
    #expect(try CIDR(parsing: "::/0").contains(IPAddress(parsing: "2001:db8::1")))
    #expect(try !CIDR(parsing: "::/0").contains(IPAddress(parsing: "1.2.3.4")))
    #expect(try CIDR(parsing: "2001:db8::1/64").masked.description == "2001:db8::/64")
    #expect(try CIDR(parsing: "10.1.2.3/8").masked.description == "10.0.0.0/8")
    #expect(try CIDR(parsing: "10.1.2.3/8") != CIDR(parsing: "10.0.0.0/8"))
    #expect(try CIDR(parsing: "2001:db8:ffff::1/33").masked.description == "2001:db8:8000::/33")
    #expect(try CIDR(parsing: "10.1.2.3/8").prefixLength == 8)
  }

  @Test(arguments: [
    ("192.168.0.0/", IPAddressError.syntax), ("192.168.0.0", .syntax), ("192.168.0.0/33", .syntax), ("::/129", .syntax),
    ("192.168.0.0/024", .syntax), ("192.168.0.0/+8", .syntax), ("fe80::1%en0/24", .zone),
    ("::ffff:192.168.0.1/24", .embeddedIPv4),
  ])
  func `what is no network is refused with the reason`(text: String, reason: IPAddressError) {
    #expect(throws: reason) { try CIDR(parsing: text) }
  }
}
