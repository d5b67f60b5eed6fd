import FormProtocol
import JSON
import SessionStore
import Sessions
import Testing
internal import Times

@testable import Server

/// A session that a client uses here, and that another daemon takes.
struct GivenSessionTests {
  private let database = TestSharedDatabase()
  private let connection: TestSharedConnection
  private let daemon: TestDaemon
  private let client: TestClient
  private let key: JSON
  private let id: StoredSessionID

  private static let lease = Duration.seconds(15)

  init() throws {
    database.keep = .seconds(3_600)
    connection = TestSharedConnection("here", database, lease: Self.lease)
    daemon = TestDaemon(sharing: connection)
    client = daemon.connect()
    connection.renewOnce()()
    client.send(#"{"jsonrpc":"2.0","id":"open","method":"session/open","params":{"form":"login","keep":"1h"}}"#)
    connection.commit(connection.jobCount)()
    key = client.messages().last?.at("result", "key") ?? .null
    id = try #require(database.sessions.keys.first)
    _ = database.renew("there", for: Self.lease)
    _ = claim()
  }

  /// The other daemon claims the session, and takes it even if it is in use.
  private func claim(isLast: Bool = false) -> ClaimResult {
    let claim = SessionClaim(id, number: 1, takes: true, isAsked: isLast, isLast: isLast)
    return database.claim(claim, for: Self.lease, by: "there")
  }

  /// This daemon hears of the request, and its answer is under way.
  private func hear() {
    connection.hear()
    connection.renewOnce()()
  }

  private func change(_ value: String) {
    client.send(
      #"{"jsonrpc":"2.0","id":"\#(value)","method":"field/change","params":{"field":"email","value":"\#(value)"}}"#
    )
  }

  private func error(_ id: JSON, in messages: [JSON]) -> JSON {
    messages.first { $0["id"] == id }?["error"] ?? .null
  }

  @Test
  func `moves behind its changes, and what comes in between has changed nothing`() {
    change("before")
    hear()
    change("between")
    client.send(#"{"jsonrpc":"2.0","id":"get","method":"session/get","params":{}}"#)
    let stranger = daemon.connect()
    stranger.send(#"{"jsonrpc":"2.0","id":"attach","method":"session/attach","params":{"key":\#(key)}}"#)
    #expect(client.messages() == [] && stranger.messages() == [])
    connection.commit(connection.jobCount)()
    let told = client.messages()
    #expect(told.contains { $0["id"] == "before" && $0["result"] != nil }, "\(told)")
    #expect(told.last?["method"] == "session/closed", "\(told)")
    for id: JSON in ["between", "get"] { #expect(error(id, in: told).at("data", "reason") == "sessionClosed") }
    #expect(told.filter { $0["method"] == "session/closed" }.map { $0.at("params", "reason") } == ["moved"])
    #expect(error("attach", in: stranger.messages())["code"] == 1011)
    #expect(database.sessions[id]?.owner == "there")
    #expect(database.contains("before") && !database.contains("between"))
    #expect(daemon.server.keptSessions.count == 0)
    #expect(!daemon.logged.contains { $0.message.contains("could not be stored") })
    #expect(daemon.server.statistics.storeFailures == 0)
  }

  @Test
  func `stays if the other daemon does not want it any more`() {
    hear()
    change("between")
    #expect(claim(isLast: true).isOver)
    #expect(client.messages() == [])
    connection.commit(connection.jobCount)()
    let told = client.messages()
    #expect(told.contains { $0["id"] == "between" && $0["result"] != nil }, "\(told)")
    #expect(!told.contains { $0["method"] == "session/closed" })
    #expect(database.sessions[id]?.owner == "here" && database.contains("between"))
  }

  @Test
  func `ends if it is not known whether it has moved`() {
    hear()
    client.send(#"{"jsonrpc":"2.0","id":"get","method":"session/get","params":{}}"#)
    connection.failure = StoreFailure(.other, "the database is away")
    connection.losesAnswers = true
    connection.commit(connection.jobCount)()
    #expect(database.sessions[id]?.owner == "there")
    let told = client.messages()
    #expect(error("get", in: told)["code"] == 1011)
    #expect(told.filter { $0["method"] == "session/closed" }.map { $0.at("params", "reason") } == ["store"])
  }

  @Test
  func `is told to its clients when all that they have not read is sent`() {
    let (slow, number) = (daemon.connect(), client.result("session/list").at("sessions"))
    #expect(number?.arrayValue?.count == 1)
    slow.send(#"{"jsonrpc":"2.0","id":"attach","method":"session/attach","params":{"key":\#(key)}}"#)
    connection.commit(connection.jobCount)()
    #expect(slow.messages().contains { $0["id"] == "attach" })
    change("before")
    connection.commit(connection.jobCount)()
    hear()
    connection.commit(connection.jobCount)()
    let told = slow.messages().map { $0["method"]?.stringValue }
    #expect(told == ["session/update", "session/closed"])
  }
}

extension ClaimResult {
  fileprivate var isOver: Bool { if case .held(_, .isOver) = self { true } else { false } }
}
