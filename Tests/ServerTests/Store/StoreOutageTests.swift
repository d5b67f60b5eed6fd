import FormProtocol
import JSON
import Testing
internal import Times

@testable import Server
@testable import SessionStore

/// A store that several daemons share does not answer, or is lost: what operators and clients see of it.
struct StoreOutageTests {
  private let database = TestSharedDatabase()
  private let connection: TestSharedConnection
  private let daemon: TestDaemon

  private static let lease = Duration.seconds(15)
  private static let away = StoreFailure(.other, "the database is away")

  init() {
    database.keep = .seconds(3_600)
    connection = TestSharedConnection("here", database, lease: Self.lease)
    daemon = TestDaemon(sharing: connection)
    answer()
  }

  /// The database answers everything that it was asked.
  private func answer() {
    while connection.renewalCount > 0 { connection.renewOnce()() }
    while connection.jobCount > 0 { connection.commit(connection.jobCount)() }
  }

  private func pass(seconds: Int64) {
    database.now = database.now + .seconds(seconds)
    daemon.advance(milliseconds: seconds * 1_000)
  }

  private var notReady: [JSON] {
    daemon.connect().result("server/ping")["notReady"]?.arrayValue ?? []
  }

  private func stats(_ member: String) -> JSON? { daemon.connect().result("server/stats").at("store", member) }

  private func logged(_ text: String) -> Int { daemon.logged.count { $0.message.contains(text) } }

  private func openKept(_ client: TestClient) -> (key: JSON, session: JSON) {
    client.send(#"{"jsonrpc":"2.0","id":"open","method":"session/open","params":{"form":"login","keep":"1h"}}"#)
    answer()
    let opened = client.messages().last?["result"] ?? .null
    return (opened["key"] ?? .null, opened["session"] ?? .null)
  }

  @Test
  func `an idle daemon notices within ten seconds that its database does not answer, and that it is back`() {
    #expect(stats("isUp") == true && notReady == [])
    pass(seconds: 10)
    #expect(stats("isUp") == false)
    #expect(notReady.count == 1 && notReady[0].stringValue?.contains("has not answered for 3 s") == true, "\(notReady)")
    #expect(logged("the lease on kept sessions cannot be renewed") == 1)
    #expect(stats("leaseMs")?.integerValue == 4_250)
    answer()
    #expect(stats("isUp") == true && notReady == [])
    #expect(logged("the lease on kept sessions is renewed again") == 1)
    #expect(stats("leaseMs")?.integerValue ?? 0 > 5_000)
  }

  @Test
  func `a long lease does not hide an outage`() {
    let connection = TestSharedConnection("there", database, lease: .seconds(3_600))
    let daemon = TestDaemon(sharing: connection)
    connection.renewOnce()()
    daemon.advance(milliseconds: 10_000)
    #expect(daemon.connect().result("server/stats").at("store", "isUp") == false)
  }

  @Test
  func `a lost connection is logged once, and so is its return`() {
    let loss = StoreFailure(.other, "the server closed the connection")
    daemon.server.storedSessions?.connectionChanged(StoreConnectionChange(role: .lease, loss: loss))
    #expect(stats("isUp") == false)
    daemon.server.storedSessions?.connectionChanged(StoreConnectionChange(role: .lease, loss: nil))
    #expect(logged("a connection to the store is lost") == 1 && logged("a connection to the store is back") == 1)
    connection.hear()
    pass(seconds: 5)
    answer()
    #expect(stats("isUp") == true)
  }

  @Test
  func `the end of a lease is logged, and lasts until it is renewed`() {
    pass(seconds: 14)
    #expect(logged("the lease on kept sessions has ended") == 0)
    pass(seconds: 1)
    #expect(logged("the lease on kept sessions has ended") == 1)
    #expect(stats("leaseMs") == 0)
    pass(seconds: 60)
    #expect(logged("the lease on kept sessions has ended") == 1)
    // The answer to the renewal of a minute ago is worth nothing.
    answer()
    #expect(logged("the lease on kept sessions is renewed again") == 0 && notReady.count == 1)
    pass(seconds: 1)
    answer()
    #expect(logged("the lease on kept sessions has ended") == 1)
    #expect(logged("the lease on kept sessions is renewed again") == 1 && notReady == [])
  }

  @Test
  func `what waits for the database is answered at the end of the lease, and its session ends as the rules say`() {
    let client = daemon.connect()
    let (key, session) = openKept(client)
    let quiet = daemon.connect()
    let (_, other) = openKept(quiet)
    pass(seconds: 3)
    client.send(
      #"{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"session":\#(session),"field":"email","value":"kim"}}"#
    )
    let stranger = daemon.connect()
    stranger.send(#"{"jsonrpc":"2.0","id":2,"method":"session/attach","params":{"key":"00112233445566778899aabb"}}"#)
    #expect(client.messages() == [] && stranger.messages() == [])
    pass(seconds: 12)
    let told = client.messages()
    #expect(told.first { $0["id"] == 1 }?.at("error", "code") == 1011)
    #expect(told.first { $0["id"] == 1 }?.at("error", "data", "reason") == "store")
    #expect(told.first { $0["method"] == "session/closed" }?.at("params", "reason") == "store")
    let refused = stranger.messages()
    #expect(refused.count == 1 && refused[0].at("error", "code") == 1011)
    // A session with nothing under way stays, and serves nothing for now.
    #expect(quiet.error("session/get", ["session": other])["code"] == 1011)
    #expect(client.error("session/attach", ["key": key])["code"] == 1011)
    answer()
    #expect(client.messages() == [] && stranger.messages() == [])
    #expect(quiet.connection.sessions.count == 1)
    client.send(#"{"jsonrpc":"2.0","id":3,"method":"session/attach","params":{"key":\#(key)}}"#)
    answer()
    // The write was under way, and the database has done it.
    #expect(client.messages().last?.at("result", "values", "email") == "kim")
  }

  @Test(arguments: 0..<60)
  func `a request at the very end of the lease is answered, and its session stays`(_ step: Int) {
    let client = daemon.connect()
    let (_, session) = openKept(client)
    pass(seconds: 14)
    // The lease ends while the daemon handles the request: each look at the clock takes some time.
    daemon.sleep(milliseconds: 249)
    daemon.timePerLook = .microseconds(20 * step)
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"session/get","params":{"session":\#(session)}}"#)
    let told = client.messages()
    #expect(told.count == 1 && told[0]["id"] == 1, "\(told)")
    daemon.timePerLook = .zero
    answer()
    pass(seconds: 1)
    answer()
    #expect(client.result("session/get", ["session": session])["form"] == "login")
  }

  @Test
  func `the end does not wait for a database that does not answer, and leaves no request without an answer`() {
    let client = daemon.connect()
    let (_, session) = openKept(client)
    client.send(
      #"{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"session":\#(session),"field":"email","value":"kim"}}"#
    )
    daemon.server.drain()
    #expect(client.messages().map { $0["method"] } == ["server/draining"])
    daemon.advance(milliseconds: 5_000)
    #expect(client.messages().first { $0["id"] == 1 }?.at("error", "code") == 1011)
    #expect(client.isClosing)
    client.connection.closed()
    #expect(daemon.drained == 1)
  }

  @Test
  func `commits are counted with their time`() {
    let client = daemon.connect()
    let (_, session) = openKept(client)
    client.send(
      #"{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"session":\#(session),"field":"email","value":"kim"}}"#
    )
    daemon.advance(milliseconds: 20)
    answer()
    let times = stats("commitTime")
    #expect(times?["count"] == 2 && times?["totalMicroseconds"] == 20_000, "\(times ?? .null)")
  }

  @Test
  func `forms that cannot be served and the end are reasons for not being ready`() {
    let daemon = TestDaemon()
    #expect(daemon.server.notReady == [])
    _ = daemon.connect()
    daemon.server.drain()
    #expect(daemon.server.notReady == [.ending])
  }
}
