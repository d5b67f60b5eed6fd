internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// All ways to end a connection: the client gets its last messages, and the daemon keeps nothing of the connection.
struct EndTests {
  /// The ways to end a connection, which has the number 2.
  enum Way: CaseIterable {
    case closedByPeer, inputEnded, exit, shutdownAndExit, errorOfFraming
    case disconnectedByAnother, byItself, byItselfInABatch, byItselfBeforeALongMember
    case stalled, refusedInput, drained, drainedInABatch, hurried
  }

  private static let disconnect = #"{"jsonrpc":"2.0","id":20,"method":"server/disconnect","params":{"connection":2}}"#
  private static let ping = #"{"jsonrpc":"2.0","id":21,"method":"server/ping"}"#

  private func end(_ way: Way, _ client: TestClient, _ other: TestClient, _ daemon: TestDaemon) {
    let text = String(repeating: "x", count: 60_000)
    let long = #"{"jsonrpc":"2.0","id":22,"method":"server/ping","params":{"a":"\#(text)"}}"#
    switch way {
    case .closedByPeer: client.connection.closed()
    case .inputEnded: client.connection.inputEnded()
    case .exit: client.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    case .shutdownAndExit:
      client.send(#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#)
      client.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    case .errorOfFraming:
      let headers = daemon.connect(headers: true)
      headers.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#)
      headers.send(Array("Content-Length: x\r\n\r\n".utf8))
      #expect(headers.isClosing)
      headers.connection.closed()
      client.connection.closed()
    case .disconnectedByAnother: other.send(Self.disconnect)
    case .byItself: client.send(Self.disconnect)
    case .byItselfInABatch: client.send("[\(Self.ping),\(Self.disconnect),\(Self.ping)]")
    case .byItselfBeforeALongMember: client.send("[\(Self.disconnect),\(long),\(Self.ping)]")
    case .stalled:
      client.roomBytes = 0
      client.send(Self.ping)
      daemon.advance(milliseconds: 60_000)
    case .refusedInput: client.send([UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
    case .drained: daemon.server.drain()
    case .drainedInABatch:
      daemon.timePerLook = .milliseconds(3)
      client.send("[\(Self.ping),\(long),\(Self.ping)]")
      daemon.timePerLook = .zero
      daemon.server.drain()
    case .hurried:
      daemon.server.drain()
      daemon.server.hurry()
    }
  }

  /// A daemon, and a client with a session, an effect under way, a batch that waits, and unread input.
  private func busy() -> (daemon: TestDaemon, client: TestClient, other: TestClient) {
    let daemon = TestDaemon { $0.limits[.unreadBytesMax] = 100_000 }
    let other = daemon.connect()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "p"]])
    let tap = #"{"jsonrpc":"2.0","id":10,"method":"action/tap","params":{"action":"login","await":true}}"#
    client.send("[\(Self.ping),\(tap)]")
    return (daemon, client, other)
  }

  @Test(arguments: Way.allCases)
  func `nothing is kept of a connection that has ended`(_ way: Way) {
    let (daemon, client, other) = busy()
    let before = daemon.server.memory
    #expect(before.values > 0 && before.sessions > 0 && before.queued > 0)
    end(way, client, other, daemon)
    while !daemon.effects.isEmpty { daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"])) }
    daemon.advance(milliseconds: 60_000)
    #expect(client.isAborted || client.isClosing || way == .closedByPeer || way == .errorOfFraming)
    if !client.isAborted { client.connection.closed() }
    #expect(daemon.server.memory.total == 0, "\(daemon.server.memory)")
    if other.isClosing {
      other.connection.closed()
      #expect(daemon.drained == 1)
    } else {
      #expect(other.result("server/stats")["connections"] == 1)
    }
  }

  @Test(arguments: [false, true])
  func `nothing is kept of a connection that has ended with half a text`(_ byItself: Bool) {
    let daemon = TestDaemon()
    let (other, client) = (daemon.connect(), daemon.connect())
    if byItself {
      client.send(Array("\(Self.disconnect)\n{".utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 10_000))
    } else {
      client.send([UInt8](repeating: UInt8(ascii: "["), count: 10_000))
      #expect(daemon.server.memory.unread > 0)
      other.send(Self.disconnect)
    }
    client.connection.closed()
    #expect(daemon.server.memory.total == 0, "\(daemon.server.memory)")
  }

  @Test
  func `a client can disconnect itself, and has its answer before`() {
    let daemon = TestDaemon()
    _ = daemon.connect()
    let client = daemon.connect()
    client.send("\(Self.disconnect)\n\(Self.ping)")
    let messages = client.messages()
    #expect(messages.map { $0["id"] } == [20, .null])
    #expect(messages.last?.at("error", "code") == 1013)
    #expect(client.isClosing)
  }

  @Test
  func `a client that disconnects itself in a batch gets the batch's answer and is told`() {
    let daemon = TestDaemon()
    _ = daemon.connect()
    let client = daemon.connect()
    client.send("[\(Self.ping),\(Self.disconnect),\(Self.ping)]\n\(Self.ping)")
    let messages = client.messages()
    #expect(messages.count == 2)
    #expect(messages.first?.arrayValue?.map { $0["id"] } == [21, 20, 21])
    #expect(messages.last?.at("error", "code") == 1013)
    #expect(messages.last?["id"] == .null)
    #expect(client.isClosing)
  }

  @Test
  func `a client that is disconnected in the midst of a batch is told`() {
    let daemon = TestDaemon()
    let (other, client) = (daemon.connect(), daemon.connect())
    client.open("login")
    daemon.timePerLook = .milliseconds(3)
    client.send("[\(Self.ping),\(Self.ping),\(Self.ping)]")
    daemon.timePerLook = .zero
    #expect(client.messages().isEmpty)
    other.send(Self.disconnect)
    daemon.advance(milliseconds: 1_000)
    #expect(client.messages().map { $0.at("error", "code") } == [1013])
    #expect(client.isAborted)
    #expect(daemon.server.memory.total == 0)
  }
}
