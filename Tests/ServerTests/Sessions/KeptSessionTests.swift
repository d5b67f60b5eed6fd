import FormProtocol
import JSON
import Randomness
import Sessions
import Testing

@testable import Server

/// Sessions that outlive their connections.
struct KeptSessionTests {
  private static let minute: Int64 = 60_000

  @Test
  func `a session outlives its connection with all that it has`() throws {
    let daemon = TestDaemon()
    let first = daemon.connect()
    let (key, session) = try first.openKept()
    first.request("field/change", ["field": "email", "value": "kim@example.com"])
    first.request("field/blur", ["field": "password"])
    first.request("field/blur", ["field": "email"])
    let before = first.result("session/get")
    first.connection.closed()
    let second = daemon.connect()
    #expect(second.error("session/get", ["session": session])["code"] == 1001)
    let attached = second.result("session/attach", ["key": key])
    #expect(attached["session"] == session)
    #expect(attached["form"] == "login")
    for member in ["revision", "document", "values"] { #expect(attached[member] == before[member]) }
    #expect(attached["events"] == [])
    #expect(attached["eventsLost"] == 0)
    #expect(attached["key"] == nil)
    #expect(attached["isMigrated"] == nil)
    let update = second.request("field/change", ["field": "email", "value": "kim"]).first
    #expect(update?.at("params", "from") == attached["revision"])
  }

  @Test
  func `a session without keep has no key and ends with its connection`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    #expect(client.result("session/open", ["form": "login"])["key"] == nil)
    #expect(client.error("session/detach").at("data", "errors")?.arrayValue?.first?["path"] == "/session")
    client.connection.closed()
    #expect(daemon.connect().result("server/stats")["sessions"] == 0)
  }

  @Test
  func `keys are 128 random bits in hexadecimal, and each session has its own`() throws {
    let client = TestDaemon().connect()
    let keys = try (0..<20).map { _ in try client.openKept().key.stringValue ?? "" }
    #expect(Set(keys).count == 20)
    for key in keys { #expect(key.utf8.count == 32 && key.allSatisfy { "0123456789abcdef".contains($0) }) }
  }

  // MARK: Expiry

  @Test
  func `a session is kept as long as it asks for, counted from the last detach`() throws {
    let daemon = TestDaemon()
    let first = daemon.connect()
    let (key, session) = try first.openKept()
    daemon.advance(milliseconds: 60 * Self.minute)
    #expect(first.result("session/detach", ["session": session]) == ["session": session])
    #expect(first.error("session/get", ["session": session])["code"] == 1001)
    daemon.advance(milliseconds: 10 * Self.minute - 1)
    #expect(first.result("session/attach", ["key": key])["session"] == session)
    first.result("session/detach")
    daemon.advance(milliseconds: 10 * Self.minute)
    #expect(first.error("session/attach", ["key": key])["code"] == 1001)
    // The allocator's timer has its time.
    daemon.advance(milliseconds: 1_000)
    let statistics = first.result("server/stats")
    #expect(statistics["sessions"] == 0)
    #expect(statistics["keptSessions"] == 0)
    #expect(statistics.at("memory", "sessions") == 0)
    #expect(statistics.at("memory", "values") == 0)
    #expect(statistics.at("queues", "timers") == 0)
  }

  @Test
  func `the time does not run while an action does`() throws {
    let form = TestForms.form(
      #"""
      { "form": "slow", "schema": { "properties": { "x": {} } }, "actions": { "go": { "timeout": "1h",
        "run": { "http": { "service": "s", "method": "POST", "path": "/" } }, "outcomes": [{ "success": "1" }] } } }
      """#
    )
    let daemon = TestDaemon(catalog: FormCatalog([form]))
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "slow", "keep": "1m"])
    client.request("action/tap", ["action": "go"])
    client.connection.closed()
    daemon.advance(milliseconds: 30 * Self.minute)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200))
    daemon.advance(milliseconds: Self.minute - 1)
    let second = daemon.connect()
    let attached = second.result("session/attach", ["key": key, "seq": 0])
    #expect(attached["events"]?.arrayValue?.map { $0["kind"] } == ["succeeded"])
    second.connection.closed()
    daemon.advance(milliseconds: Self.minute)
    #expect(daemon.connect().error("session/attach", ["key": key])["code"] == 1001)
  }

  @Test
  func `a session that expires takes what it has in flight with it`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.checked]))
    let client = daemon.connect()
    _ = try client.openKept(["form": "checked", "keep": "1s"])
    client.request("field/change", ["field": "code", "value": "x"])
    #expect(daemon.effects.count == 1)
    client.connection.closed()
    daemon.advance(milliseconds: 1_000)
    #expect(daemon.effects.isEmpty)
    #expect(daemon.cancelled == 1)
  }

  @Test
  func `each key opens its own session, whichever have gone`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    var sessions: [(key: JSON, session: JSON)] = []
    var random = SeededGenerator(seed: 7)
    for round in 0..<200 {
      let (key, session) = try client.openKept()
      sessions.append((key, session))
      // The table fills and empties in turn.
      while random.below(5) < (round / 50 % 2 == 0 ? 1 : 3), !sessions.isEmpty {
        let gone = sessions.remove(at: random.below(sessions.count))
        client.result("session/close", ["session": gone.session])
        #expect(client.error("session/attach", ["key": gone.key])["code"] == 1001)
      }
      for (key, session) in sessions { #expect(client.result("session/attach", ["key": key])["session"] == session) }
    }
    #expect(daemon.server.keptSessions.count == sessions.count && sessions.count > 5)
  }

  @Test
  func `what expires takes no memory, however many there were`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    for _ in 0..<50 {
      _ = try client.openKept(["form": "login", "keep": "1s", "values": ["email": "kim@example.com"]])
    }
    #expect(client.result("server/stats")["keptSessions"] == 50)
    client.connection.closed()
    let other = daemon.connect()
    #expect(daemon.server.memory.values > 0)
    #expect(other.result("server/stats")["keptSessions"] == 50)
    daemon.advance(milliseconds: 1_000)
    #expect(other.result("server/stats")["keptSessions"] == 0)
    #expect(daemon.server.memory.total == 0)
  }

  @Test
  func `nobody is woken for a clock that nobody sees, and who comes back sees what it says now`() throws {
    let form = TestForms.form(#"{"form":"dated","schema":{"properties":{"x":{}}},"outputs":{"day":"today"}}"#)
    let daemon = TestDaemon(catalog: FormCatalog([form]))
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "dated", "keep": "24h", "zone": "UTC"])
    #expect(client.result("session/get").at("document", "outputs", "day") == "1970-01-01")
    client.connection.closed()
    let looks = daemon.wakes
    daemon.advance(milliseconds: 23 * 60 * Self.minute)
    #expect(daemon.wakes <= looks + 2, "for the allocator, and for the look that was planned before")
    let second = daemon.connect()
    second.result("session/attach", ["key": key])
    second.result("session/detach")
    daemon.advance(milliseconds: 2 * 60 * Self.minute)
    let attached = second.request("session/attach", ["key": key])
    #expect(attached.count == 1)
    #expect(attached.last?.at("result", "document", "outputs", "day") == "1970-01-02")
  }
}
