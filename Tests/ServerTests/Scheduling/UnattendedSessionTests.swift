import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// The work of kept sessions while no client is attached.
struct UnattendedSessionTests {
  @Test
  func `a value that is held back takes effect though its client is gone, and who comes meanwhile is told`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "timed", "keep": "10m"])
    client.request("field/change", ["field": "term", "value": "abc"])
    client.connection.closed()
    let second = daemon.connect()
    // The user who has disconnected has left the field.
    #expect(second.result("session/attach", ["key": key])["values"] == ["term": "abc"])
    second.result("session/detach")
    daemon.advance(milliseconds: 300)
    #expect(second.result("session/attach", ["key": key]).at("document", "outputs", "echo") == "abc")
  }

  @Test
  func `the end of the only connection ends the editing of its user`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("field/change", ["field": "email", "value": "kim"])
    #expect(client.result("session/get").at("document", "messages") == [:])
    client.connection.closed()
    let attached = daemon.connect().result("session/attach", ["key": key])
    #expect(attached.at("document", "messages") == ["email": "no address"])
    #expect(attached.at("document", "fields", "password", "isTouched") == false)
  }

  @Test
  func `answers to effects wait for their slice though nobody has the session`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    client.connection.closed()
    let other = daemon.connect()
    other.open("login")
    // Every look at the clock takes so long that the next client waits.
    daemon.timePerLook = .milliseconds(5)
    other.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    daemon.timePerLook = .zero
    daemon.advance(milliseconds: 100)
    let attached = daemon.connect().result("session/attach", ["key": key])
    #expect(attached.at("document", "actions", "login", "result") == ["name": "Kim"])
  }

  @Test
  func `what waits for the slice of a connection that goes is done all the same`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    daemon.timePerLook = .milliseconds(5)
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    client.connection.closed()
    daemon.timePerLook = .zero
    daemon.advance(milliseconds: 100)
    let attached = daemon.connect().result("session/attach", ["key": key])
    #expect(attached.at("document", "actions", "login", "result") == ["name": "Kim"])
    #expect(daemon.server.memory.queued < 1_000)
  }

  @Test
  func `a definition that was brought along asks the providers of its opener only, later nobody`() throws {
    let daemon = TestDaemon()
    let definition: JSON = [
      "schema": ["properties": ["x": [:]]],
      "actions": [
        "ask": [
          "flight": "merge", "run": ["provider": ["name": "oracle", "arguments": [:]]],
          "outcomes": [["when": "response.kind == 'ok'", "success": "response.body"], ["failure": "response.kind"]],
        ]
      ],
    ]
    let opener = daemon.connect()
    opener.result("provider/register", ["name": "oracle"])
    let (key, _) = try opener.openKept(["definition": definition, "keep": "10m"])
    let other = daemon.connect()
    other.result("session/attach", ["key": key])
    other.request("action/tap", ["action": "ask"])
    let call = opener.messages().last { $0["method"] == "provider/evaluate" }
    opener.send(#"{"jsonrpc":"2.0","id":\#(call?["id"] ?? .null),"result":7}"#)
    #expect(other.result("session/get").at("document", "actions", "ask", "result") == 7)
    opener.connection.closed()
    _ = other.messages()
    other.result("provider/register", ["name": "oracle"])
    let tapped = other.request("action/tap", ["action": "ask"])
    #expect(tapped.contains { $0["method"] == "provider/evaluate" } == false)
    #expect(other.result("session/get").at("document", "actions", "ask", "error") == "noProvider")
    #expect(other.result("server/stats")["sessions"] == 1)
  }

  @Test
  func `forms that are read anew leave the session its own`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.connection.closed()
    daemon.server.reload(FormCatalog([]))
    #expect(daemon.connect().result("session/attach", ["key": key])["form"] == "login")
  }
}
