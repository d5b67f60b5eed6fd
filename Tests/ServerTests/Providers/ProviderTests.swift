internal import Configuration
import JSON
import Sessions
import Testing

@testable import Server

struct ProviderTests {
  @Test
  func `the first client to register a name has it until it goes`() {
    let daemon = TestDaemon()
    let first = daemon.connect()
    let second = daemon.connect()
    #expect(first.result("provider/register", ["name": "oracle"]) == ["name": "oracle"])
    #expect(second.error("provider/register", ["name": "oracle"])["code"] == 1007)
    #expect(second.error("provider/unregister", ["name": "oracle"])["code"] == 1006)
    first.connection.closed()
    #expect(second.result("provider/register", ["name": "oracle"]) == ["name": "oracle"])
    #expect(second.result("provider/unregister", ["name": "oracle"]) == ["name": "oracle"])
  }

  @Test
  func `a name with a token is for those who know it`() {
    let token = "correct horse battery"
    let daemon = TestDaemon { $0.providers["oracle"] = ProviderConfiguration(secrets: true, token: token) }
    let (thief, client) = (daemon.connect(), daemon.connect())
    for wrong in [nil, "", "correct horse", "correct horse batterY", token + token] as [String?] {
      let error = thief.error(
        "provider/register",
        wrong.map { ["name": "oracle", "token": .string($0)] } ?? ["name": "oracle"]
      )
      #expect(error["code"] == 1009)
      #expect(error["data"] == ["name": "oracle"])
    }
    #expect(client.result("provider/register", ["name": "oracle", "token": .string(token)]) == ["name": "oracle"])
    #expect(thief.result("provider/register", ["name": "free", "token": "any"]) == ["name": "free"])
  }

  @Test
  func `a provider is asked, and its answer is the response`() {
    let daemon = TestDaemon()
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("field/change", ["field": "text", "value": "why"])
    client.request("action/tap", ["action": "ask"])
    let call = provider.messages().first
    #expect(call?["method"] == "provider/evaluate")
    #expect(call?["params"] == ["name": "oracle", "arguments": ["text": "why"]])
    #expect(call?["id"] == "formd:1")
    provider.send(#"{"jsonrpc":"2.0","id":"formd:1","result":42}"#)
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["result"] == 42)
  }

  @Test(arguments: [("an error", "error"), ("its end", "gone"), ("the end of its input", "gone")])
  func `a provider's failure is a value`(_ how: String, _ kind: String) {
    let daemon = TestDaemon()
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    switch how {
    case "an error": provider.send(#"{"jsonrpc":"2.0","id":"formd:1","error":{"code":1,"message":"no"}}"#)
    case "its end": provider.connection.closed()
    default: provider.connection.inputEnded()
    }
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["error"] == .string(kind))
  }

  @Test
  func `a provider that answers and goes has answered, though others went first`() {
    let daemon = TestDaemon()
    let (provider, client, busy) = (daemon.connect(), daemon.connect(), daemon.connect())
    provider.result("provider/register", ["name": "oracle"])
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    // The work takes so long that no connection continues before the event loop has looked for input.
    daemon.timePerLook = .milliseconds(3)
    let ping = TestClient.framed(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#, headers: false)
    ping.withUnsafeBufferPointer { busy.connection.received($0) }
    busy.connection.receivedAll()
    let last =
      #"{"jsonrpc":"2.0","id":"formd:1","result":42}"# + "\n"
      + #"{"jsonrpc":"2.0","id":9,"method":"session/open","params":{"form":"ask"}}"# + "\n"
    Array(last.utf8).withUnsafeBufferPointer { provider.connection.received($0) }
    provider.connection.receivedAll()
    provider.connection.closed()
    daemon.advance(milliseconds: 1_000)
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["result"] == 42)
    // The provider's own request is not executed any more.
    #expect(daemon.connect().result("server/stats")["sessions"] == 1)
  }

  @Test
  func `nobody there is noProvider, at once`() {
    let client = TestDaemon().connect()
    client.open("ask")
    let messages = client.request("action/tap", ["action": "ask", "await": true])
    #expect(messages.last?.at("result", "event", "error") == "noProvider")
  }

  @Test
  func `a provider that is too late is told, and its late answer changes nothing`() {
    let daemon = TestDaemon()
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    _ = provider.messages()
    daemon.advance(milliseconds: 5000)
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["error"] == "timeout")
    let told = provider.messages()
    #expect(told.first?["method"] == "$/cancelRequest")
    #expect(told.first?.at("params", "id") == "formd:1")
    provider.send(#"{"jsonrpc":"2.0","id":"formd:1","result":42}"#)
    #expect(client.messages().isEmpty)
    #expect(client.result("server/stats")["unknownResponses"] == 1)
  }

  @Test
  func `the configuration can bound a provider's time more tightly than the form`() {
    let daemon = TestDaemon { $0.providers["oracle"] = ProviderConfiguration(timeoutMs: 100) }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    daemon.advance(milliseconds: 99)
    #expect(client.messages().isEmpty)
    daemon.advance(milliseconds: 1)
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["error"] == "timeout")
    #expect(provider.messages().map { $0["method"] } == ["provider/evaluate", "$/cancelRequest"])
  }

  @Test
  func `a question that has its answer is not watched any more`() {
    let daemon = TestDaemon { $0.providers["oracle"] = ProviderConfiguration(timeoutMs: 4_000) }
    let client = daemon.connect()
    client.result("provider/register", ["name": "oracle"])
    client.open("ask")
    client.request("action/tap", ["action": "ask"])
    // The timeout of the run, and the timeout of the call.
    #expect(daemon.server.timers.count == 2)
    client.send(#"{"jsonrpc":"2.0","id":"formd:1","result":1}"#)
    // Memory is looked after once, half a second later.
    daemon.advance(milliseconds: 500)
    #expect(daemon.server.timers.count == 0)
    client.request("action/tap", ["action": "ask"])
    client.result("session/close")
    daemon.advance(milliseconds: 500)
    #expect(daemon.server.timers.count == 0)
  }

  @Test
  func `a client can be its own provider`() {
    let client = TestDaemon().connect()
    client.result("provider/register", ["name": "oracle"])
    client.open("ask")
    let messages = client.request("action/tap", ["action": "ask"])
    #expect(messages.contains { $0["method"] == "provider/evaluate" })
    client.send(#"{"jsonrpc":"2.0","id":"formd:1","result":1}"#)
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["kind"] == "succeeded")
  }
}
