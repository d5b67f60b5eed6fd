internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

struct DrainTests {
  @Test
  func `draining says so, ends idle connections and waits for the others`() {
    let daemon = TestDaemon()
    let idle = daemon.connect()
    idle.open("login")
    let busy = daemon.connect()
    busy.open("login")
    busy.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    busy.request("action/tap", ["action": "login", "await": true])
    daemon.server.drain()
    #expect(idle.messages().map { $0["method"] } == ["server/draining", "session/closed"])
    #expect(idle.isClosing)
    #expect(busy.messages().map { $0["method"] } == ["server/draining"])
    #expect(!busy.isClosing)
    #expect(busy.error("session/open", ["form": "login"])["code"] == 1010)
    #expect(busy.result("server/ping")["instanceId"] != nil)
    idle.connection.closed()
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    #expect(
      busy.messages().map { $0["method"] ?? $0["id"].map { _ in "answer" } } == [
        "session/update", "answer", "session/closed",
      ]
    )
    #expect(busy.isClosing)
    #expect(daemon.drained == 0)
    busy.connection.closed()
    #expect(daemon.drained == 1)
  }

  @Test
  func `a connection that was accepted just before is refused its requests and ends`() {
    let daemon = TestDaemon()
    daemon.server.drain()
    let late = daemon.connect()
    #expect(late.error("session/open", ["form": "login"])["code"] == 1010)
    #expect(late.isClosing)
  }

  /// A client taps an action that asks a provider. Returns both, and the id of the daemon's request to the provider.
  private func askProvider(of daemon: TestDaemon) -> (provider: TestClient, client: TestClient, request: JSON) {
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    return (provider, client, provider.messages().last?["id"] ?? .null)
  }

  @Test
  func `no update follows the end of a connection`() {
    let daemon = TestDaemon()
    let (provider, client, call) = askProvider(of: daemon)
    client.connection.inputEnded()
    #expect(client.isClosing)
    _ = client.messages()
    provider.send(#"{"jsonrpc":"2.0","id":\#(call),"result":1}"#)
    #expect(client.messages().isEmpty)
  }

  @Test
  func `who waits too long is answered with 1010`() {
    let daemon = TestDaemon { $0.definitions.services = ["names"] }
    let client = daemon.connect()
    client.result("session/open", ["definition": Self.slow])
    // The second run begins when the first has ended, and would last for three more seconds.
    client.request("action/tap", ["action": "send", "await": true])
    client.request("action/tap", ["action": "send", "await": true])
    daemon.server.drain()
    _ = client.messages()
    daemon.advance(milliseconds: 8_000)
    #expect(client.messages().compactMap { $0["result"] ?? $0.at("error", "code") }.last == 1010)
    #expect(client.isClosing)
    client.connection.closed()
    #expect(daemon.drained == 1)
  }

  private static let slow: JSON = [
    "form": "slow", "schema": ["type": "object", "properties": ["name": ["type": "string"]]],
    "actions": [
      "send": [
        "enabled": "true", "scope": "none", "timeout": "8s", "flight": "queue",
        "run": ["http": ["service": "names", "method": "POST", "path": "/"]],
      ]
    ],
  ]

  @Test
  func `the end waits for runs as long as their timeout, although no request waits for them`() {
    let daemon = TestDaemon { $0.definitions.services = ["names"] }
    let client = daemon.connect()
    client.result("session/open", ["definition": Self.slow])
    client.request("action/tap", ["action": "send"])
    let idle = daemon.connect()
    daemon.server.drain()
    #expect(client.messages().map { $0.at("params", "withinMs") } == [8_000])
    #expect(idle.isClosing && !client.isClosing)
    daemon.advance(milliseconds: 7_000)
    #expect(daemon.effects.count == 1 && daemon.cancelled == 0)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200))
    let told = client.messages()
    #expect(told.first?.at("params", "events")?.arrayValue?.map { $0["kind"] } == ["succeeded"], "\(told)")
    #expect(told.last?["method"] == "session/closed" && client.isClosing)
  }

  @Test
  func `the end waits for the run of a kept session that has no client, and no longer than its timeout`() {
    for answers in [true, false] {
      let daemon = TestDaemon { $0.definitions.services = ["names"] }
      let client = daemon.connect()
      client.result("session/open", ["definition": Self.slow, "keep": "1h"])
      client.request("action/tap", ["action": "send"])
      client.connection.closed()
      daemon.server.drain()
      daemon.advance(milliseconds: 6_000)
      #expect(daemon.drained == 0)
      if answers {
        daemon.answerEffect(EffectResponse(kind: .ok, status: 200))
      } else {
        daemon.advance(milliseconds: 2_000)
      }
      #expect(daemon.drained > 0)
    }
  }

  @Test
  func `a provider that is asked stays until it has answered`() {
    let daemon = TestDaemon()
    let (provider, client, call) = askProvider(of: daemon)
    daemon.server.drain()
    #expect(!provider.isClosing && !client.isClosing)
    provider.send(#"{"jsonrpc":"2.0","id":\#(call),"result":1}"#)
    #expect(provider.isClosing && client.isClosing)
  }

  @Test
  func `nobody is waited for any more when somebody hurries`() {
    let daemon = TestDaemon { $0.limits[.drainMs] = 60_000 }
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login", "await": true])
    daemon.server.drain()
    #expect(client.messages().map { $0["method"] } == ["server/draining"])
    daemon.server.hurry()
    #expect(client.messages().first?.at("error", "code") == 1010)
    #expect(client.isClosing)
  }

  @Test
  func `the end of the input lets accepted requests finish`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.send(Array(#"{"jsonrpc":"2.0","id":9,"method":"action/tap","params":{"action":"login","await":true}}"#.utf8))
    client.connection.inputEnded()
    #expect(!client.isClosing)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    #expect(client.messages().last?["id"] == 9)
    #expect(client.isClosing)
  }

  @Test
  func `a connection that goes takes its sessions and their effects with it`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    #expect(daemon.effects.count == 1)
    client.connection.closed()
    #expect(daemon.effects.isEmpty)
    #expect(daemon.cancelled == 1)
    #expect(daemon.connect().result("server/stats")["sessions"] == 0)
  }

  @Test
  func `live sessions keep their form when forms are read anew`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let session = client.open("login")
    daemon.server.reload(FormCatalog([]))
    #expect(client.error("session/open", ["form": "login"])["code"] == 1003)
    #expect(client.result("session/get", ["session": .integer(session)])["form"] == "login")
  }
}
