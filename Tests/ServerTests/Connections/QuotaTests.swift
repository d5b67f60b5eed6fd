internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

struct QuotaTests {
  @Test
  func `sessions of a connection are limited`() {
    let client = TestDaemon { $0.limits[.sessionsPerConnectionMax] = 2 }.connect()
    client.open("login")
    let second = client.open("login")
    let error = client.error("session/open", ["form": "login"])
    #expect(error["code"] == 1012)
    #expect(error["data"] == ["limit": "sessionsPerConnectionMax", "value": 2])
    client.result("session/close", ["session": .integer(second)])
    #expect(client.open("login") > second)
  }

  @Test
  func `a connection at its limit of sessions is told so before anything is done for another one`() {
    let client = TestDaemon { $0.limits[.sessionsPerConnectionMax] = 1 }.connect()
    client.open("login")
    let broken: JSON = ["definition": ["schema": 1]]
    #expect(client.error("session/open", broken).at("data", "limit") == "sessionsPerConnectionMax")
    #expect(client.error("form/validate", broken).at("data", "limit") == "sessionsPerConnectionMax")
  }

  @Test
  func `sessions of the daemon are limited, and come free with a connection`() {
    let daemon = TestDaemon { $0.limits[.sessionsMax] = 1 }
    let first = daemon.connect()
    first.open("login")
    let second = daemon.connect()
    let error = second.error("session/open", ["form": "login"])
    #expect(error["code"] == 1011)
    #expect(error.at("data", "retryAfterMs")?.integerValue != nil)
    first.connection.closed()
    #expect(second.open("login") > 0)
  }

  @Test
  func `large values are counted, replaced ones are not counted twice`() {
    let daemon = TestDaemon { $0.limits[.valueBytesPerConnectionMax] = 10_000 }
    let client = daemon.connect()
    client.open("login")
    let long = JSON.string(String(repeating: "x", count: 6000))
    for _ in 0..<3 {
      #expect(client.request("field/change", ["field": "email", "value": long]).last?["result"] != nil)
    }
    #expect(client.error("field/change", ["field": "password", "value": long])["code"] == 1012)
    client.request("field/change", ["field": "email", "value": "short"])
    #expect(client.request("field/change", ["field": "password", "value": long]).last?["result"] != nil)
  }

  @Test
  func `many small values are counted like one large one`() {
    let names = (0..<1000).map { "field\($0)" }
    let properties = names.map { #""\#($0)":{"type":"string"}"# }.joined(separator: ",")
    let form = TestForms.form(#"{"form":"wide","schema":{"type":"object","properties":{\#(properties)}}}"#)
    let daemon = TestDaemon(catalog: FormCatalog([form])) { $0.limits[.valueBytesPerConnectionMax] = 100_000 }
    let client = daemon.connect()
    client.open("wide")
    let small = JSON.string(String(repeating: "x", count: 500))
    let refused = names.firstIndex {
      client.request("field/change", ["field": .string($0), "value": small]).last?["error"] != nil
    }
    #expect(refused.map { (150...200).contains($0) } == true)
    // The quick way of plain inputs and the long way agree.
    #expect(
      client.error("field/change", ["values": ["field999": small]]).at("data", "limit") == "valueBytesPerConnectionMax"
    )
    #expect(client.request("session/reset", [:]).last?["result"] != nil)
    #expect(client.request("field/change", ["field": "field999", "value": small]).last?["result"] != nil)
  }

  @Test
  func `a toggle marks a choice only if there is room, and takes a mark away without`() {
    let form = TestForms.form(
      #"""
      { "form": "tags", "schema": { "type": "object", "properties": {
          "tags": { "type": "array", "items": { "enum": ["a", "b"] } } } } }
      """#
    )
    let client = TestDaemon(catalog: FormCatalog([form])) { $0.limits[.rowsMax] = 1 }.connect()
    client.open("tags")
    #expect(client.request("field/toggle", ["field": "tags", "value": "a"]).last?["result"] != nil)
    let error = client.error("field/toggle", ["field": "tags", "value": "b"])
    #expect(error["code"] == 1012 && error.at("data", "limit") == "rowsMax")
    #expect(client.request("field/toggle", ["field": "tags", "value": "a"]).last?["result"] != nil)
    #expect(client.request("field/toggle", ["field": "tags", "value": "b"]).last?["result"] != nil)
    #expect(client.result("session/get").at("values", "tags") == ["b"])
  }

  @Test
  func `values of all connections are counted together, and given back when a connection goes`() {
    let daemon = TestDaemon { $0.limits[.valueBytesMax] = 150_000 }
    let (first, second) = (daemon.connect(), daemon.connect())
    first.open("login")
    second.open("login")
    let long = JSON.string(String(repeating: "x", count: 100_000))
    #expect(first.request("field/change", ["field": "email", "value": long]).last?["result"] != nil)
    let error = second.error("field/change", ["field": "email", "value": long])
    #expect(error["code"] == 1011)
    #expect(error.at("data", "limit") == "valueBytesMax")
    first.connection.closed()
    #expect(second.request("field/change", ["field": "email", "value": long]).last?["result"] != nil)
  }

  @Test
  func `a daemon that one client has filled still serves those who need little`() {
    let daemon = TestDaemon { $0.limits[.valueBytesMax] = 100_000 }
    let (greedy, modest) = (daemon.connect(), daemon.connect())
    greedy.open("login")
    modest.open("login")
    greedy.request("field/change", ["field": "email", "value": .string(String(repeating: "x", count: 99_000))])
    let small = JSON.string(String(repeating: "x", count: 6000))
    #expect(greedy.error("field/change", ["field": "password", "value": small]).at("data", "limit") == "valueBytesMax")
    #expect(modest.request("field/change", ["field": "email", "value": small]).last?["result"] != nil)
    modest.open("login")
  }

  /// Outputs that repeat a value many times.
  private static let echo: String = {
    let outputs = (0..<50).map { #""echo\#($0)":"values.text + '\#($0)'""# }.joined(separator: ",")
    return
      #"{"form":"echo","schema":{"properties":{"text":{"type":"string"},"flag":{"type":"string"}}},"outputs":{\#(outputs)}}"#
  }()

  @Test
  func `what a session computes is counted, and who has too much may only take away`() {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.form(Self.echo)])) {
      $0.limits[.valueBytesPerConnectionMax] = 100_000
    }
    let client = daemon.connect()
    client.open("echo")
    let value = JSON.string(String(repeating: "x", count: 4000))
    // The change alone has room. Its fifty outputs are known only afterwards.
    #expect(client.request("field/change", ["field": "text", "value": value]).last?["result"] != nil)
    #expect(
      client.error("field/change", ["field": "flag", "value": "x"]).at("data", "limit") == "valueBytesPerConnectionMax"
    )
    #expect(client.error("field/change", ["values": ["text": value]])["code"] == 1012)
    #expect(client.error("session/open", ["form": "echo"])["code"] == 1012)
    #expect(client.request("field/change", ["field": "text", "value": "x"]).last?["result"] != nil)
    #expect(client.request("field/change", ["field": "flag", "value": "x"]).last?["result"] != nil)
    #expect(client.open("echo") > 0)
  }

  @Test
  func `a session whose outputs have no room is not opened`() {
    let daemon = TestDaemon(catalog: FormCatalog([TestForms.form(Self.echo)])) {
      $0.limits[.valueBytesPerConnectionMax] = 100_000
    }
    let client = daemon.connect()
    let params: JSON = ["form": "echo", "values": ["text": .string(String(repeating: "x", count: 4000))]]
    #expect(client.error("session/open", params)["code"] == 1012)
    #expect(client.error("form/validate", params)["code"] == 1012)
    #expect(client.result("server/stats")["sessions"] == 0)
    #expect(client.open("echo") > 0)
  }

  @Test
  func `unfinished texts are counted together, and who needs much more than others has to go`() {
    let daemon = TestDaemon { $0.limits[.unreadBytesMax] = 200_000 }
    let (greedy, modest, late) = (daemon.connect(), daemon.connect(), daemon.connect())
    modest.send(Array(repeating: UInt8(ascii: " "), count: 10) + Array(#"{"half""#.utf8))
    greedy.send([UInt8](repeating: UInt8(ascii: "x"), count: 150_000))
    #expect(greedy.messages().isEmpty)
    late.send([UInt8](repeating: UInt8(ascii: "x"), count: 150_000))
    #expect(late.messages().first?.at("error", "data", "limit") == "unreadBytesMax")
    #expect(late.isClosing)
    #expect(!greedy.isClosing)
    // Clients that need little are served, and the room becomes free again.
    modest.send(Array(#":1}"#.utf8) + [0x0a])
    #expect(modest.messages().first?.at("error", "code") == -32600)
    late.connection.closed()
    greedy.connection.closed()
    let next = daemon.connect()
    next.send([UInt8](repeating: UInt8(ascii: " "), count: 1) + [UInt8](repeating: UInt8(ascii: "x"), count: 150_000))
    #expect(next.messages().isEmpty)
  }

  @Test
  func `a batch's answer is bounded, and the members behind it are refused`() {
    let client = TestDaemon { $0.limits[.batchBytesMax] = 2_000 }.connect()
    client.open("login")
    let member = #"{"jsonrpc":"2.0","id":1,"method":"session/get","params":{}}"#
    client.send("[" + Array(repeating: member, count: 50).joined(separator: ",") + "]")
    let answers = client.messages().first?.arrayValue ?? []
    #expect(answers.count == 50)
    #expect(answers.first?["result"] != nil)
    #expect(answers.last?.at("error", "data", "limit") == "batchBytesMax")
    #expect(client.result("session/get") != .null)
  }

  @Test
  func `names, locales and ids are short, since they are kept`() {
    let client = TestDaemon().connect()
    let long = JSON.string(String(repeating: "x", count: 257))
    for (method, params, path) in [
      ("session/open", ["form": "login", "locale": long], "/locale"),
      ("form/validate", ["form": "login", "locale": long], "/locale"),
      ("form/describe", ["form": "login", "locale": long], "/locale"),
      ("provider/register", ["name": long], "/name"),
    ] as [(String, JSON, JSON)] {
      let error = client.error(method, params)
      #expect(error["code"] == -32602)
      #expect(error.at("data", "errors")?.arrayValue?.first?["path"] == path)
    }
    client.send(#"{"jsonrpc":"2.0","id":"\#(String(repeating: "i", count: 1_025))","method":"server/ping"}"#)
    let answer = client.messages().first
    #expect(answer?["id"] == .null)
    #expect(answer?.at("error", "code") == -32600)
    client.send(#"{"jsonrpc":"2.0","id":"\#(String(repeating: "i", count: 1_024))","method":"server/ping"}"#)
    #expect(client.messages().first?["result"] != nil)
  }

  @Test
  func `a provider that does not read is asked no more`() {
    let daemon = TestDaemon { $0.limits[.outputHardBytes] = 2_000 }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    provider.roomBytes = 0
    let client = daemon.connect()
    client.open("ask")
    client.request("field/change", ["field": "text", "value": .string(String(repeating: "x", count: 500))])
    var refused = 0
    for _ in 0..<50 {
      for message in client.request("action/tap", ["action": "ask"])
      where message.at("params", "events")?.arrayValue?.first?["kind"] == "failed" { refused += 1 }
    }
    #expect(refused > 30)
    #expect(provider.unsentBytes < 4_000)
  }

  @Test
  func `initial values are counted, and come free with their session`() {
    // A reset needs the initial values, so they are kept beside the current ones.
    let client = TestDaemon { $0.limits[.valueBytesPerConnectionMax] = 20_000 }.connect()
    let params: JSON = ["form": "login", "values": ["email": .string(String(repeating: "x", count: 6000))]]
    let session = client.result("session/open", params)["session"] ?? .null
    #expect(client.error("session/open", params).at("data", "limit") == "valueBytesPerConnectionMax")
    #expect(client.result("server/stats")["sessions"] == 1)
    client.result("session/close", ["session": session])
    #expect(client.result("session/open", params)["session"] != nil)
  }

  @Test
  func `a value that grows piece by piece is counted, one that is replaced piece by piece is not counted twice`() {
    let form = TestForms.form(#"{"form":"list","schema":{"type":"object","properties":{"items":{"type":"array"}}}}"#)
    let client = TestDaemon(catalog: FormCatalog([form])) { $0.limits[.valueBytesPerConnectionMax] = 20_000 }.connect()
    client.open("list")
    let piece = JSON.string(String(repeating: "x", count: 500))
    client.request("field/change", ["field": "items", "value": [piece]])
    for _ in 0..<100 {
      #expect(client.request("field/change", ["field": "/items/0", "value": piece]).last?["result"] != nil)
    }
    var refused = false
    for index in 1..<100 where !refused {
      refused =
        client.request("field/change", ["field": .string("/items/\(index)"), "value": piece]).last?.at("error", "code")
        == 1012
    }
    #expect(refused)
  }

  @Test
  func `several values count each for itself`() {
    let client = TestDaemon { $0.limits[.valueBytesPerConnectionMax] = 10_000 }.connect()
    client.open("login")
    let long = JSON.string(String(repeating: "x", count: 6000))
    client.request("field/change", ["values": ["email": "a", "password": long]])
    client.request("field/change", ["field": "email", "value": "b"])
    #expect(client.error("field/change", ["field": "email", "value": long])["code"] == 1012)
  }

  @Test
  func `definitions that are brought along are limited in number and size`() {
    let daemon = TestDaemon {
      $0.limits[.definitionsPerConnectionMax] = 1
      $0.limits[.definitionBytesMax] = 1024
    }
    let client = daemon.connect()
    let definition: JSON = ["form": "x", "schema": ["type": "object", "properties": ["a": ["type": "string"]]]]
    let session = client.result("session/open", ["definition": definition])["session"] ?? .null
    #expect(
      client.error("session/open", ["definition": definition]).at("data", "limit") == "definitionsPerConnectionMax"
    )
    client.result("session/close", ["session": session])
    var long = definition
    long.merge(["title": .string(String(repeating: "x", count: 2000))])
    #expect(client.error("session/open", ["definition": long]).at("data", "limit") == "definitionBytesMax")
    #expect(client.result("session/open", ["definition": definition])["session"] != nil)
  }

  @Test
  func `requests that wait are limited`() {
    let daemon = TestDaemon { $0.limits[.requestsInFlightMax] = 1 }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    client.request("action/tap", ["action": "ask", "await": true])
    let error = client.error("action/tap", ["action": "ask", "await": true])
    #expect(error["code"] == 1012)
    #expect(error.at("data", "limit") == "requestsInFlightMax")
    #expect(client.result("action/tap", ["action": "ask"])["outcome"] == "started")
  }
}
