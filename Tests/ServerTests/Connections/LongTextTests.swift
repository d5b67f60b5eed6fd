internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// A long text is parsed on another thread, and no other client waits for it.
struct LongTextTests {
  private let blanks = String(repeating: " ", count: 200_000)

  private func ping(_ id: Int, _ blanks: String = "") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),\#(blanks)"method":"server/ping"}"#
  }
  private func ids(_ messages: [JSON]) -> [Int64?] { messages.map { $0["id"]?.integerValue } }
  private func daemon(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> TestDaemon {
    let daemon = TestDaemon(change)
    daemon.holdsOffloadedWork = true
    return daemon
  }

  @Test(arguments: [false, true])
  func `others are served while a long text is parsed, its own client in order`(headers: Bool) {
    let daemon = daemon()
    let (client, other) = (daemon.connect(headers: headers), daemon.connect())
    client.send(ping(1) + (headers ? "" : "\n"))
    client.send(ping(2, blanks))
    client.send(ping(3))
    #expect(ids(client.messages()) == [1])
    #expect(!client.isReading)
    #expect(other.result("server/ping") != .null)
    daemon.doOffloadedWork()
    #expect(ids(client.messages()) == [2, 3])
    #expect(client.isReading)
  }

  @Test
  func `a batch and an error in a long text are answered as in a short one`() {
    let daemon = daemon()
    let client = daemon.connect()
    client.send("[\(ping(1, blanks)),\(ping(2)),7]")
    client.send(#"{"jsonrpc":"2.0","id":3,"method":"server/ping","id":3}"# + blanks)
    client.send(blanks + "oops")
    daemon.doOffloadedWork()
    let messages = client.messages()
    #expect(messages.first?.arrayValue.map(ids) == [1, 2, nil])
    #expect(messages.dropFirst().map { $0.at("error", "data", "reason") } == ["duplicateKey", "syntax"])
  }

  @Test
  func `another thread frees a long text`() {
    let daemon = daemon()
    let client = daemon.connect()
    let values = String(repeating: "{},", count: 45_000) + "{}"
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping","params":[\#(values)]}"#)
    #expect(daemon.offloadedWorkCount == 1)
    daemon.doOffloadedWork()
    #expect(ids(client.messages()) == [1])
    daemon.poll()
    #expect(daemon.offloadedWorkCount == 1)
    daemon.doOffloadedWork()
    #expect(daemon.offloadedWorkCount == 0)
  }

  @Test
  func `the end of the input waits for a long text`() {
    let daemon = daemon()
    let client = daemon.connect()
    client.send(Array(ping(1, blanks).utf8))
    client.connection.inputEnded()
    #expect(!client.isClosing)
    daemon.doOffloadedWork()
    #expect(ids(client.messages()) == [1])
    #expect(client.isClosing)
  }

  @Test
  func `a client that goes takes its long text with it`() {
    let daemon = daemon()
    let client = daemon.connect()
    client.send(ping(1, blanks))
    client.connection.closed()
    daemon.doOffloadedWork()
    #expect(client.messages().isEmpty)
  }

  @Test
  func `a daemon that ends waits for a long text, but not for ever`() {
    let (first, second) = (daemon(), daemon())
    let clients = [first, second].map { $0.connect() }
    for client in clients { client.send(ping(1, blanks)) }
    first.server.drain()
    #expect(!clients[0].isClosing)
    first.doOffloadedWork()
    #expect(ids(clients[0].messages()).contains(1))
    #expect(clients[0].isClosing)
    second.server.drain()
    second.advance(milliseconds: 60_000)
    #expect(clients[1].isClosing)
    second.doOffloadedWork()
    #expect(!ids(clients[1].messages()).contains(1))
  }

  @Test
  func `texts that wait to be parsed stand in the daemon's account`() {
    let daemon = daemon { $0.limits[.unreadBytesMax] = 450_000 }
    let clients = (1...3).map { _ in daemon.connect() }
    for client in clients { client.send(ping(1, blanks)) }
    #expect(clients.map(\.isClosing) == [false, false, true])
    #expect(clients[2].messages().map { $0.at("error", "data", "limit") } == ["unreadBytesMax"])
    daemon.doOffloadedWork()
    #expect(clients.map { ids($0.messages()) } == [[1], [1], []])
    let late = daemon.connect()
    late.send(ping(1, blanks))
    daemon.doOffloadedWork()
    #expect(ids(late.messages()) == [1])
  }

  @Test
  func `a batch that was parsed and waits for its slice stands in the daemon's account`() {
    let daemon = daemon { $0.limits[.unreadBytesMax] = 300_000 }
    let (client, other) = (daemon.connect(), daemon.connect())
    daemon.timePerLook = .milliseconds(1)
    let pings = (1...40).map { ping($0) }.joined(separator: ",")
    let values = String(repeating: "{},", count: 45_000) + "{}"
    client.send(#"[\#(pings),{"jsonrpc":"2.0","id":41,"method":"server/ping","params":[\#(values)]}]"#)
    // The parsed text takes more than 10 MB, so the batch ends after the first members.
    daemon.doOffloadedWork()
    daemon.advance(milliseconds: 1_000)
    let answers = client.messages().first?.arrayValue ?? []
    #expect(answers.last?.at("error", "data", "limit") == "unreadBytesMax")
    #expect(answers.count < 40)
    #expect(ids(answers.dropLast()) == answers.indices.dropLast().map { Int64($0 + 1) })
    #expect(client.isClosing)
    // The account has all its memory back.
    other.send(ping(1, blanks))
    daemon.doOffloadedWork()
    daemon.advance(milliseconds: 1_000)
    #expect(ids(other.messages()) == [1])
  }
}
