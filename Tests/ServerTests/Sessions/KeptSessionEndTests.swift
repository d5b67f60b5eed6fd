internal import Configuration
import FormProtocol
import JSON
import Sessions
import Testing

@testable import Server

/// The ends of kept sessions, and their statistics for operators.
struct KeptSessionEndTests {
  private static let minute: Int64 = 60_000

  @Test
  func `a daemon that drains closes kept sessions, and serves no attach`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, session) = try client.openKept()
    let busy = daemon.connect()
    busy.result("session/attach", ["key": key])
    busy.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    busy.request("action/tap", ["action": "login", "await": true])
    _ = client.messages()
    daemon.server.drain()
    let closed: JSON = ["session": session, "reason": "draining"]
    #expect(client.messages().suffix(2).map { $0["method"] } == ["server/draining", "session/closed"])
    #expect(busy.error("session/attach", ["key": key])["code"] == 1010)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    #expect(busy.messages().last?["params"] == closed)
    client.connection.closed()
    busy.connection.closed()
    #expect(daemon.drained == 1)
  }

  @Test
  func `shutdown leaves kept sessions and closes the others`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    let short = client.open("login")
    let messages = client.request("shutdown")
    #expect(
      messages.filter { $0["method"] == "session/closed" }.map { $0.at("params", "session") } == [.integer(short)]
    )
    #expect(daemon.connect().result("session/attach", ["key": key])["session"] != nil)
  }

  @Test
  func `a request that waits is cancelled when its client leaves the session`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    _ = try client.openKept()
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.send(#"{"jsonrpc":"2.0","id":50,"method":"action/tap","params":{"action":"login","await":true}}"#)
    let messages = client.request("session/detach")
    #expect(messages.first { $0["id"] == 50 }?.at("error", "data", "reason") == "detached")
    #expect(daemon.effects.count == 1, "the run goes on")
  }

  @Test
  func `sessions whose time is over together end one after the other, and others have their slices between`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    for _ in 0..<3 { _ = try client.openKept(["form": "login", "keep": "1m"]) }
    client.connection.closed()
    daemon.advance(milliseconds: Self.minute - 1)
    // Every look at the clock takes longer than a slice.
    daemon.timePerLook = .milliseconds(5)
    daemon.wake()
    #expect(daemon.server.keptSessions.count == 2)
    daemon.timePerLook = .zero
    daemon.advance(milliseconds: 100)
    #expect(daemon.server.keptSessions.count == 0)
    #expect(daemon.server.memory.total == 0)
  }

  @Test
  func `who comes when the time is over, and before the session has ended, has it`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let keys = try (0..<2).map { _ in try client.openKept(["form": "login", "keep": "1m"]).key }
    client.connection.closed()
    let other = daemon.connect()
    daemon.advance(milliseconds: Self.minute - 1)
    daemon.timePerLook = .milliseconds(5)
    daemon.wake()
    #expect(daemon.server.keptSessions.count == 1)
    daemon.timePerLook = .zero
    // A connection that has used less time goes first.
    let answers = keys.flatMap { other.request("session/attach", ["key": $0]) }
    daemon.advance(milliseconds: 1)
    #expect((answers + other.messages()).map { $0.at("error", "code") } == [1001, nil])
    daemon.advance(milliseconds: 2 * Self.minute)
    #expect(other.result("session/get")["session"] != nil)
  }

  @Test
  func `an idle daemon stays as long as it keeps a session`() throws {
    let daemon = TestDaemon { $0.idleExit = .seconds(5) }
    let client = daemon.connect()
    _ = try client.openKept(["form": "login", "keep": "1m"])
    client.connection.closed()
    daemon.advance(milliseconds: Self.minute)
    #expect(daemon.idled == 0)
    daemon.advance(milliseconds: 5_000)
    #expect(daemon.idled == 1)
  }

  @Test
  func `operators see kept sessions, without keys`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, session) = try client.openKept()
    daemon.advance(milliseconds: 1_500)
    let other = daemon.connect()
    other.result("session/attach", ["key": key])
    let (second, left) = try client.openKept(["form": "ask", "keep": "1m"])
    client.result("session/detach", ["session": left])
    daemon.advance(milliseconds: 500)
    let statistics = client.result("server/stats", ["kept": 10])
    #expect(statistics["keptSessions"] == 2)
    var rows = statistics["kept"]?.arrayValue?.map { $0.objectValue ?? [:] } ?? []
    for index in rows.indices {
      #expect((rows[index]["bytes"]?.integerValue ?? 0) > 300)
      rows[index]["bytes"] = nil
    }
    #expect(
      rows == [
        ["session": session, "form": "login", "ageMs": 2_000, "connections": 2],
        ["session": left, "form": "ask", "ageMs": 500, "connections": 0, "endsInMs": 59_500],
      ]
    )
    for text in [statistics.description, client.result("session/list").description] {
      for key in [key, second] { #expect(!text.contains(key.stringValue ?? "-")) }
    }
    #expect(client.result("server/stats", ["kept": 1])["kept"]?.arrayValue?.count == 1)
    #expect(client.result("server/stats")["kept"] == nil)
    #expect(client.error("server/stats", ["kept": 10_001])["code"] == -32602)
  }
}
