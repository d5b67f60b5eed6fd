internal import Configuration
import FormProtocol
import JSON
import Server
import Testing

/// Connecting to a daemon that already has as many connections as it may have.
struct ConnectionSeatsTests {
  /// A full daemon, with the client that has its only seat.
  private func full() -> (daemon: TestDaemon, first: TestClient) {
    let daemon = TestDaemon { $0.limits[.connectionsMax] = 1 }
    let first = daemon.connect()
    first.open("login")
    return (daemon, first)
  }

  @Test
  func `one more is served what operators need, and refused all else`() {
    let (daemon, first) = full()
    let watcher = daemon.connect()
    #expect(watcher.result("server/stats")["connections"] == 2)
    #expect(watcher.result("server/info")["name"] == "formd")
    #expect(watcher.result("initialize")["protocolVersion"] != nil)
    #expect(!watcher.isClosing)
    let client = daemon.connect()
    let error = client.error("session/open", ["form": "login"])
    #expect(error["code"] == 1011)
    #expect(error["data"] == ["limit": "connectionsMax", "value": 1, "retryAfterMs": 1000])
    #expect(client.isClosing)
    #expect(first.result("session/list")["sessions"]?.arrayValue?.count == 1)
  }

  @Test
  func `a batch is refused member by member`() {
    let client = full().daemon.connect()
    let member = #"{"jsonrpc":"2.0","id":1,"method":"form/list"}"#
    client.send("[\(member),\(member)]")
    #expect(client.messages().last?.arrayValue?.compactMap { $0.at("error", "code") } == [1011, 1011])
    #expect(client.isClosing)
  }

  @Test
  func `a notification is refused, too, and its client counted once`() {
    let (daemon, first) = full()
    let client = daemon.connect()
    let messages = client.notify("session/open", ["form": "login"])
    #expect(messages.map { $0["id"] } == [.null])
    #expect(messages.first?.at("error", "code") == 1011)
    #expect(client.isClosing)
    let other = daemon.connect()
    let member = #"{"jsonrpc":"2.0","id":1,"method":"form/list"}"#
    other.send("[\(member),\(member)]")
    #expect(first.result("server/stats")["connectionsRefused"] == 2)
  }

  @Test
  func `who has said nothing for longest makes room`() {
    let (daemon, _) = full()
    let waiting = (0..<16).map { _ in daemon.connect() }
    #expect(waiting.filter(\.isAborted).isEmpty)
    _ = daemon.connect()
    let last = waiting[0].messages()
    #expect(last.map { $0["id"] } == [.null])
    #expect(last.first?.at("error", "code") == 1011)
    #expect(waiting.filter(\.isAborted).count == 1 && waiting[0].isAborted)
    #expect(daemon.logged.last?.metadata["connection"] == "2")
  }

  @Test
  func `of the operators who was silent for longest makes room for the ninth`() {
    let (daemon, _) = full()
    let operators = (0..<8).map { _ in daemon.connect() }
    for client in operators { client.result("server/ping") }
    operators[0].result("server/ping")
    let ninth = daemon.connect()
    #expect(operators.filter(\.isAborted).isEmpty)
    #expect(ninth.result("server/stats")["connections"] == 9)
    #expect(operators.filter(\.isAborted).count == 1 && operators[1].isAborted)
    #expect(operators[1].messages().last?.at("error", "code") == 1011)
    #expect(operators[0].result("server/ping") != .null)
  }

  @Test
  func `clients that try again and again push no operator out`() {
    let (daemon, _) = full()
    let watcher = daemon.connect()
    watcher.result("server/stats")
    var crowd: [TestClient] = []
    for index in 0..<100 {
      let client = daemon.connect()
      crowd.append(client)
      switch index % 4 {
      case 0: break
      case 1: client.request("session/open", ["form": "login"])
      case 2: client.request("initialize")
      default:
        client.request("initialize")
        #expect(client.notify("initialized").isEmpty)
        client.request("form/list")
      }
    }
    #expect(!watcher.isAborted)
    let next = daemon.connect()
    #expect(next.result("server/stats") != .null)
    #expect(!watcher.isAborted)
  }

  @Test
  func `a client that waited is an ordinary one when there is room`() {
    let (daemon, first) = full()
    let next = daemon.connect()
    #expect(next.result("server/ping") != .null)
    first.connection.closed()
    #expect(next.open("login") > 0)
    #expect(daemon.connect().error("form/list")["code"] == 1011)
  }

  @Test
  func `a daemon that ends tells who comes so`() throws {
    let daemon = TestDaemon()
    #expect(daemon.server.refuseIfDraining() == nil)
    daemon.server.drain()
    let refusal = try JSON(parsing: try #require(daemon.server.refuseIfDraining()))
    #expect(refusal.at("error", "code") == 1010)
  }
}
