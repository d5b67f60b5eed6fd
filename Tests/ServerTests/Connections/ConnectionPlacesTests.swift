import FormProtocol
import JSON
import Server
import Testing

/// What a client finds when as many are connected as may be.
struct ConnectionPlacesTests {
  /// A daemon that is full, with a client that has its only place.
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
  func `who was silent for longest makes room for the ninth`() {
    let (daemon, _) = full()
    let waiting = (0..<8).map { _ in daemon.connect() }
    waiting[0].result("server/ping")
    let ninth = daemon.connect()
    let last = waiting[1].messages()
    #expect(last.map { $0["id"] } == [.null])
    #expect(last.first?.at("error", "code") == 1011)
    #expect(waiting[1].isAborted)
    #expect(waiting.filter(\.isAborted).count == 1)
    #expect(ninth.result("server/stats")["connections"] == 9)
    #expect(waiting[0].result("server/ping") != .null)
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
    #expect(daemon.server.refusalOfConnection() == nil)
    daemon.server.drain()
    let refusal = try JSON(parsing: try #require(daemon.server.refusalOfConnection()))
    #expect(refusal.at("error", "code") == 1010)
  }
}
