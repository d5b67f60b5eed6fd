internal import Configuration
import JSON
import Logging
import Server
import Sessions
import Testing

/// The lines of the levels `debug` and `trace`, and the lines of failed effects. They have names and no value.
struct MessageLogTests {
  private static func daemon(_ level: Logger.Level) -> TestDaemon {
    TestDaemon(catalog: FormCatalog([TestForms.login, TestForms.ask, TestForms.checked])) { $0.logLevel = level }
  }

  /// The lines of that message, without the time.
  private static func lines(_ daemon: TestDaemon, _ message: String) -> [[String: String]] {
    daemon.logged.filter { $0.message == message }.map { line in
      var metadata = line.metadata
      metadata["microseconds"] = nil
      return metadata
    }
  }

  @Test
  func `each message has a line with its method, session and outcome`() {
    let daemon = Self.daemon(.debug)
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["field": "email", "value": "kim"])
    client.request("field/change", ["field": "emial", "value": "kim"])
    client.request("session/opn")
    client.request("server/ping")
    #expect(
      Self.lines(daemon, "a message was handled") == [
        ["cause": "session/open", "form": "login", "connection": "1", "outcome": "done"],
        [
          "cause": "field/change", "form": "login", "part": "email", "session": "1", "connection": "1",
          "outcome": "done",
        ],
        [
          "cause": "field/change", "form": "login", "part": "emial", "session": "1", "connection": "1",
          "outcome": "error 1004",
        ],
        ["cause": "session/opn", "connection": "1", "outcome": "error -32601"],
        ["cause": "server/ping", "connection": "1", "outcome": "done"],
      ]
    )
    #expect(daemon.logged.allSatisfy { $0.level == .debug && $0.metadata["microseconds"] != nil })
  }

  @Test
  func `a request that waits says so, and the answer to its effect has a line`() {
    let daemon = Self.daemon(.debug)
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "p"]])
    client.request("action/tap", ["action": "login", "await": true])
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    let lines = Self.lines(daemon, "a message was handled").suffix(2)
    #expect(lines.map { $0["outcome"] } == ["waits", "done"])
    #expect(lines.last?["cause"] == "effect" && lines.last?["part"] == "login")
  }

  @Test(arguments: [Logger.Level.info, .debug])
  func `no turn has a line above trace`(_ level: Logger.Level) {
    let daemon = Self.daemon(level)
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["field": "email", "value": "kim"])
    #expect(Self.lines(daemon, "a turn has ended").isEmpty)
    #expect(level == .debug || daemon.logged.isEmpty)
  }

  @Test
  func `trace names what each turn has changed`() throws {
    let daemon = Self.daemon(.trace)
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["field": "email", "value": "kim@example.com"])
    let line = try #require(Self.lines(daemon, "a turn has ended").last)
    #expect(line["form"] == "login" && line["session"] == "1" && line["revision"] != nil)
    let changed = try #require(line["changed"]).split(separator: ",")
    #expect(changed.contains("isDirty") && changed.contains("fields/email/isDirty"), "\(changed)")
    #expect(line["changes"] == "\(changed.count)")
    #expect(!daemon.logged.contains { $0.metadata.values.contains { $0.contains("kim") } })
  }

  @Test
  func `a failed effect is a warning that names its service, and each service and kind has a few lines`() {
    let daemon = Self.daemon(.info)
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "p"]])
    func fail(_ kind: EffectResponse.Kind) {
      client.request("action/tap", ["action": "login"])
      daemon.answerEffect(EffectResponse(kind: kind, reason: "no"))
    }
    for _ in 0..<20 { fail(.refused) }
    fail(.timeout)
    let lines = Self.lines(daemon, "an effect failed")
    #expect(lines.map { $0["kind"] } == Array(repeating: "refused", count: 5) + ["timeout"])
    #expect(lines.allSatisfy { $0["service"] == "accounts" && $0["more"] == nil })
    #expect(daemon.logged.filter { $0.message == "an effect failed" }.allSatisfy { $0.level == .warning })
    daemon.advance(milliseconds: 10_000)
    fail(.refused)
    #expect(Self.lines(daemon, "an effect failed").last?["more"] == "15")
  }

  @Test
  func `an effect without a provider names the provider`() {
    let daemon = Self.daemon(.info)
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    #expect(Self.lines(daemon, "an effect failed").map { $0["provider"] } == ["oracle"])
  }

  @Test
  func `a reload switches the level`() {
    let daemon = Self.daemon(.debug)
    let client = daemon.connect()
    client.open("login")
    var configuration = ServerConfiguration()
    configuration.logLevel = .warning
    daemon.server.reload(TestForms.all, configuration: configuration)
    let count = daemon.logged.count
    client.request("field/change", ["field": "email", "value": "kim"])
    #expect(daemon.logged.count == count)
  }
}
