internal import Configuration
internal import NIOCore
internal import NIOWebSocket
import Testing
internal import Times

@testable import WebDoor

struct LimitTests {
  private static func address(_ text: String) throws -> InternetAddress { try #require(InternetAddress(text)) }

  @Test
  func `a bucket gives what it holds at once, and then as much as comes`() {
    var bucket = TokenBucket(perSecond: 2, capacity: 4, at: .milliseconds(0))
    for _ in 0..<4 {
      let taken = bucket.take(at: .milliseconds(0))
      #expect(taken)
    }
    let times: [(Int64, Bool)] = [(0, false), (499, false), (500, true), (500, false), (1_500, true), (1_500, true)]
    for (milliseconds, expected) in times {
      let taken = bucket.take(at: .milliseconds(milliseconds))
      #expect(taken == expected, "\(milliseconds)")
    }
    #expect(!bucket.isFull(at: .milliseconds(3_499)) && bucket.isFull(at: .milliseconds(3_500)))
  }

  @Test
  func `connections are bounded in all and by address`() throws {
    var limits = WebLimits()
    limits[.connectionsMax] = 3
    limits[.connectionsPerAddressMax] = 2
    var accounts = AddressAccounts(limits)
    let (one, other) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
    let results = [one, one, one, other, other].map { accounts.connect($0, at: .milliseconds(0))?.text }
    #expect(results == [nil, nil, "too many connections from this address", nil, "too many connections"])
    accounts.left(one)
    #expect(accounts.connect(other, at: .milliseconds(0)) == nil)
  }

  @Test
  func `a network of IPv6 counts as one address`() throws {
    #expect(try Self.address("2001:db8::1").network == Self.address("2001:db8::ffff").network)
    #expect(try Self.address("2001:db8::1").network != Self.address("2001:db8:0:1::1").network)
    #expect(try Self.address("::ffff:192.0.2.1") == Self.address("192.0.2.1"))
    #expect(try Self.address("192.0.2.1").network != Self.address("192.0.2.2").network)
  }

  @Test
  func `messages are bounded by address, whatever connections they come from, and quiet addresses are forgotten`()
    throws
  {
    var limits = WebLimits()
    limits[.messagesPerSecond] = 1
    limits[.connectionsPerAddressMax] = 1
    limits[.connectionsMax] = 100_000
    var accounts = AddressAccounts(limits)
    let address = try Self.address("192.0.2.1")
    for _ in 0..<5 {
      #expect(accounts.connect(address, at: .milliseconds(0)) == nil)
      #expect(accounts.sent(address, at: .milliseconds(0)) == nil)
      accounts.left(address)
    }
    #expect(accounts.connect(address, at: .milliseconds(0))?.code == 1013)
    for number in 0..<5_000 {
      let other = try Self.address("10.0.\(number / 250).\(number % 250)")
      #expect(accounts.connect(other, at: .milliseconds(Int64(number) * 10_000)) == nil)
      accounts.left(other)
    }
    #expect(accounts.count <= 1_100)
  }

  @Test(
    arguments: [
      ([], "127.0.0.1"),
      (["192.0.2.1"], "192.0.2.1"),
      (["198.51.100.1, 192.0.2.1"], "192.0.2.1"),
      (["198.51.100.1", "192.0.2.1"], "192.0.2.1"),
      (["192.0.2.1, 10.0.0.1"], "192.0.2.1"),
      (["192.0.2.1:4711"], "192.0.2.1"),
      (["[2001:db8::1]:4711"], "2001:db8::1"),
      (["2001:db8::1"], "2001:db8::1"),
      (["10.0.0.1"], "10.0.0.1"),
      (["unknown"], "127.0.0.1"),
      (["192.0.2.1, _hidden, 10.0.0.1"], "10.0.0.1"),
      ([""], "127.0.0.1"),
    ] as [([String], String)]
  )
  func `the address of a browser is what the last trusted proxy says`(_ forwarded: [String], _ expected: String) throws
  {
    let trusted = try ["127.0.0.1", "10.0.0.0/8"].map { try #require(InternetNetwork($0)) }
    let peer = try Self.address("127.0.0.1")
    #expect(
      try InternetAddress.client(of: peer, forwarded: forwarded, trusted: trusted) == Self.address(expected)
    )
    #expect(InternetAddress.client(of: peer, forwarded: forwarded, trusted: []) == peer)
  }

  @Test(
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.7/8", "10.1.1.1", true),
      ("192.0.2.64/26", "192.0.2.127", true), ("192.0.2.64/26", "192.0.2.128", false), ("0.0.0.0/0", "192.0.2.1", true),
      ("0.0.0.0/0", "::1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
      ("2001:db8::/33", "2001:db8:8000::1", false), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
      ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1/32", "127.0.0.2", false), ("::1/128", "::1", true),
    ] as [(String, String, Bool)]
  )
  func `a network contains the addresses that share its first bits`(_ text: String, _ other: String, _ isIn: Bool)
    throws
  {
    let network = try #require(InternetNetwork(text))
    #expect(try network.contains(Self.address(other)) == isIn)
  }

  @Test(
    arguments: [
      "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "::/129", "::ffff:1.2.3.4/95",
      "proxy", "10.0.0.0/8 ",
    ]
  )
  func `another text is no network`(_ text: String) { #expect(InternetNetwork(text) == nil) }

  @Test
  func `an address that opens kept sessions waits for the end of their time, and is not forgotten until then`() throws {
    var limits = WebLimits()
    limits[.keptSessionsPerAddressMax] = 2
    limits[.connectionsMax] = 100_000
    var accounts = AddressAccounts(limits)
    let (one, other) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
    for address in [one, other] { #expect(accounts.connect(address, at: .milliseconds(0)) == nil) }
    let opened = [0, 10_000, 10_000, 60_000, 60_000].map {
      accounts.opened(one, keep: .seconds(60), at: .milliseconds($0))?.text
    }
    let refusal = "too many kept sessions from this address"
    #expect(opened == [nil, nil, refusal, nil, refusal])
    #expect(accounts.opened(other, keep: .seconds(60), at: .milliseconds(60_000)) == nil)
    accounts.left(one)
    for number in 0..<2_000 {
      let stranger = try Self.address("10.0.\(number / 250).\(number % 250)")
      #expect(accounts.connect(stranger, at: .milliseconds(61_000)) == nil)
      accounts.left(stranger)
    }
    #expect(accounts.connect(one, at: .milliseconds(61_000)) == nil)
    #expect(accounts.opened(one, keep: .seconds(60), at: .milliseconds(61_000))?.text == refusal)
  }

  private static func frame(_ opcode: WebSocketOpcode, _ text: String, fin: Bool = true) -> WebSocketFrame {
    let key: WebSocketMaskingKey = [1, 2, 3, 4]
    var data = ByteBuffer(string: text)
    data.webSocketMask(key)
    return WebSocketFrame(fin: fin, opcode: opcode, maskKey: key, data: data)
  }

  @Test
  func `frames become messages`() {
    var assembly = MessageAssembly(messageBytesMax: 8)
    let events = [
      Self.frame(.text, "whole"), Self.frame(.text, "in", fin: false), Self.frame(.ping, "p"),
      Self.frame(.continuation, "", fin: false), Self.frame(.continuation, " parts"), Self.frame(.pong, ""),
      Self.frame(.text, ""), Self.frame(.connectionClose, ""),
    ].map { assembly.received($0) }
    #expect(
      events == [
        .text(ByteBuffer(string: "whole")), .nothing, .ping(ByteBuffer(string: "p")), .nothing,
        .text(ByteBuffer(string: "in parts")), .pong, .text(ByteBuffer()), .close(.normal),
      ]
    )
  }

  @Test
  func `a message has a largest size over all its frames`() {
    var assembly = MessageAssembly(messageBytesMax: 8)
    #expect(assembly.received(Self.frame(.text, "12345678")) == .text(ByteBuffer(string: "12345678")))
    #expect(assembly.received(Self.frame(.text, "123456789")) == .violation(.tooLarge(8)))
    var other = MessageAssembly(messageBytesMax: 8)
    #expect(other.received(Self.frame(.text, "12345", fin: false)) == .nothing)
    #expect(other.received(Self.frame(.continuation, "6789")) == .violation(.tooLarge(8)))
  }
}
