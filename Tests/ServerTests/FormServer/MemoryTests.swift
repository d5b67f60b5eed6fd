internal import Configuration
import FormProtocol
import JSON
import Randomness
import Server
import Sessions
import Testing

/// The daemon counts, bounds and frees the memory that clients make it keep or queue.
struct MemoryTests {
  private func text(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }

  /// Fills a daemon's memory until less than 100 KB of its 1 MiB are free; returns the last session that it accepted.
  @discardableResult
  private func fill(_ daemon: TestDaemon, _ client: TestClient) -> Int64 {
    var session: Int64 = 0
    while daemon.server.memory.total < (1 << 20) - 100_000 {
      session = client.open("login")
      client.request("field/change", ["session": .integer(session), "field": "email", "value": text(100_000)])
    }
    return session
  }

  @Test
  func `a daemon whose memory is full still serves those who need little`() {
    let daemon = TestDaemon { $0.limits[.memoryMax] = 1 << 20 }
    let (greedy, modest) = (daemon.connect(), daemon.connect())
    greedy.open("login")
    let session = fill(daemon, greedy)
    let more: JSON = ["session": .integer(session), "field": "password", "value": text(100_000)]
    #expect(greedy.error("field/change", more).at("data", "limit") == "memoryMax")
    modest.open("login")
    let large: JSON = ["field": "email", "value": text(100_000)]
    #expect(modest.error("field/change", large).at("data", "limit") == "memoryMax")
    #expect(modest.result("field/change", ["field": "email", "value": text(1_000)]) != .null)
    // A change that frees memory is always accepted.
    let less: JSON = ["session": .integer(session), "field": "email", "value": "kim"]
    #expect(greedy.result("field/change", less) != .null)
    #expect(modest.result("field/change", large) != .null)
  }

  @Test
  func `sessions and definitions count by themselves`() {
    let daemon = TestDaemon { $0.limits[.memoryMax] = 1 << 20 }
    let client = daemon.connect()
    let fields = (0..<200).map { ("f\($0)", ["type": "string"] as JSON) }
    let definition: JSON = ["schema": ["type": "object", "properties": .object(JSONObject(fields))]]
    var opened = 0
    var error = JSON.null
    while error == .null, opened < 20 {
      let answer = client.request("session/open", ["definition": definition]).last ?? .null
      error = answer["error"] ?? .null
      opened += 1
    }
    #expect(error["code"] == 1011)
    #expect(error.at("data", "limit") == "memoryMax")
    #expect((2...12).contains(opened), "\(opened)")
    // Another client's first session is small enough.
    #expect(daemon.connect().open("login") > 0)
    #expect(daemon.server.memory.sessions > 1 << 19)
    client.connection.closed()
    #expect(daemon.server.memory.sessions < 10_000)
  }

  @Test
  func `a definition counts while it compiles`() {
    let daemon = TestDaemon { $0.limits[.memoryMax] = 4 << 20 }
    let fields = (0..<200).map { ("f\($0)", ["type": "string"] as JSON) }
    let definition: JSON = ["schema": ["type": "object", "properties": .object(JSONObject(fields))]]
    let open = JSON.object(["jsonrpc": "2.0", "id": 1, "method": "session/open", "params": ["definition": definition]])
    daemon.holdsOffloadedWork = true
    let clients = (0..<20).map { _ in daemon.connect() }
    for client in clients { client.send(open.description) }
    let compiling = daemon.offloadedWorkCount
    #expect((12...16).contains(compiling), "\(compiling)")
    let refused = clients.compactMap { $0.messages().first?.at("error", "data", "limit") }
    #expect(refused == Array(repeating: "memoryMax", count: 20 - compiling))
    daemon.doOffloadedWork()
    for client in clients { client.connection.closed() }
    #expect(daemon.server.memory.sessions < 10_000)
  }

  @Test
  func `updates are not held back when memory is full`() {
    let daemon = TestDaemon { $0.limits[.memoryMax] = 1 << 20 }
    let (slow, greedy) = (daemon.connect(), daemon.connect())
    let session = slow.open("timed")
    slow.request("field/change", ["session": .integer(session), "field": "term", "value": "before"])
    slow.roomBytes = 0
    slow.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    fill(daemon, greedy)
    for _ in 0..<2 { daemon.connect().send([UInt8](repeating: UInt8(ascii: "x"), count: 60_000)) }
    #expect(daemon.server.memory.total > 1 << 20)
    daemon.advance(milliseconds: 1_000)
    slow.drain()
    #expect(slow.messages().contains { $0["method"] == "session/desync" })
    #expect(daemon.server.memory.queued == 0)
  }

  @Test
  func `answers to batches that are not finished are bounded together`() {
    let daemon = TestDaemon { $0.limits[.batchBytesMax] = 8_000 }
    let provider = daemon.connect()
    provider.result("provider/register", ["name": "oracle"])
    let client = daemon.connect()
    client.open("ask")
    let get = #"{"jsonrpc":"2.0","id":1,"method":"session/get","params":{}}"#
    let wait = #"{"jsonrpc":"2.0","id":2,"method":"action/tap","params":{"action":"ask","await":true}}"#
    for _ in 0..<20 { client.send("[\(wait)," + Array(repeating: get, count: 10).joined(separator: ",") + "]") }
    // From some batch on, the daemon starts no request whose answer would have to wait.
    let refused = client.messages().compactMap(\.arrayValue)
    #expect((1..<20).contains(refused.count))
    #expect(refused.dropFirst().joined().allSatisfy { $0.at("error", "data", "limit") == "batchBytesMax" })
    #expect((8_000..<12_000).contains(daemon.server.memory.queued), "\(daemon.server.memory.queued)")
    for call in provider.messages() {
      let id = call["id"] ?? .null
      provider.send(JSON(dictionaryLiteral: ("jsonrpc", "2.0"), ("id", id), ("result", 1)).description)
    }
    #expect(client.messages().compactMap(\.arrayValue).count == 20 - refused.count)
    #expect(daemon.server.memory.queued == 0)
  }

  @Test
  func `an answer for which there is no memory fails`() {
    let daemon = TestDaemon { $0.limits[.memoryMax] = 1 << 20 }
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "x"]])
    client.request("action/tap", ["action": "login"])
    let greedy = daemon.connect()
    fill(daemon, greedy)
    for _ in 0..<2 { daemon.connect().send([UInt8](repeating: UInt8(ascii: "x"), count: 60_000)) }
    // The connection is busy for long, so the answer has to wait.
    daemon.timePerLook = .milliseconds(3)
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": text(100_000)]))
    daemon.timePerLook = .zero
    daemon.advance(milliseconds: 1_000)
    let event = client.messages().compactMap { $0.at("params", "events")?.arrayValue?.first }.last
    #expect(event?["error"] == "tooLarge", "\(String(describing: event))")
    #expect(daemon.server.memory.queued == 0)
  }

  @Test(arguments: [Limit.valueBytesPerConnectionMax, .valueBytesMax, .memoryMax], [5_000, 20_000, 70_000])
  func `answers that come when a limit is passed fail, and name it`(limit: Limit, answerBytes: Int) {
    let bytesMax = 250_000
    let daemon = TestDaemon { $0.limits[limit] = bytesMax }
    let client = daemon.connect()
    let sessions = (0..<(500_000 / answerBytes)).map { _ in client.open("login") }
    for session in sessions {
      let values: JSON = ["email": "kim@example.com", "password": "x"]
      client.request("field/change", ["session": .integer(session), "values": values])
      client.request("action/tap", ["session": .integer(session), "action": "login"])
    }
    _ = client.messages()
    for _ in sessions {
      daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": text(answerBytes)]))
    }
    let events = client.messages().compactMap { $0.at("params", "events")?.arrayValue?.first }
    let kept = events.prefix { $0["kind"] == "succeeded" }
    #expect(!kept.isEmpty && kept.count < sessions.count)
    #expect(events.count == sessions.count)
    for event in events.dropFirst(kept.count) {
      #expect(event["kind"] == "failed" && event["error"] == "tooLarge", "\(event)")
    }
    // One answer may exceed the limit, and no answer after it.
    #expect(daemon.server.memory.values < bytesMax + answerBytes + 5_000)
    let reason = "the daemon has no memory for the answer (\(limit.wireName))"
    #expect(daemon.logged.contains { $0.metadata["reason"] == reason })
  }

  @Test func `a service that has answered is not asked again because the answer is too large`() {
    let form = TestForms.form(
      #"""
      { "form": "order", "schema": { "type": "object", "properties": { "text": { "type": "string" } } },
        "actions": { "order": { "scope": "none", "timeout": "1s", "retry": { "times": 3 },
          "run": { "http": { "service": "shop", "method": "POST", "path": "/orders" } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } } }
      """#
    )
    let daemon = TestDaemon(catalog: FormCatalog([form])) { $0.limits[.valueBytesPerConnectionMax] = 10_000 }
    let client = daemon.connect()
    client.open("order")
    client.request("field/change", ["field": "text", "value": text(9_000)])
    client.request("action/tap", ["action": "order"])
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: text(5_000)))
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["kind"] == "succeeded")
    client.request("action/tap", ["action": "order"])
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: text(5_001)))
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["error"] == "tooLarge")
    daemon.advance(milliseconds: 60_000)
    #expect(daemon.effects.isEmpty)
  }

  @Test func `rows of an answer that waits count`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "x"]])
    client.request("action/tap", ["action": "login"])
    // The connection is busy for long, so the answer has to wait.
    daemon.timePerLook = .milliseconds(3)
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    daemon.answerEffect(EffectResponse(kind: .ok, rows: [["name": text(100_000)]]))
    #expect(daemon.server.memory.queued >= 100_000)
    daemon.timePerLook = .zero
    daemon.advance(milliseconds: 1_000)
    #expect(daemon.server.memory.queued == 0)
  }

  @Test func `the allocator lets go of a definition when it is freed, however late that is`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(
      #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"definition":{"schema":{"properties":{"a":{}}}}}}"#
    )
    daemon.advance(milliseconds: 1_000)
    let before = daemon.trims
    daemon.holdsOffloadedWork = true
    client.send(#"{"jsonrpc":"2.0","id":2,"method":"session/close"}"#)
    daemon.advance(milliseconds: 1_000)
    #expect(daemon.trims == before + 1)
    daemon.doOffloadedWork()
    daemon.advance(milliseconds: 1_000)
    #expect(daemon.trims == before + 2)
  }

  @Test func `the allocator lets go of what was parsed for a client that is gone, however late that is`() {
    let daemon = TestDaemon()
    daemon.holdsOffloadedWork = true
    let client = daemon.connect()
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"# + String(repeating: " ", count: 200_000))
    client.connection.closed()
    daemon.advance(milliseconds: 1_000)
    let before = daemon.trims
    daemon.doOffloadedWork()
    #expect(daemon.trims == before)
    daemon.advance(milliseconds: 1_000)
    #expect(daemon.trims == before + 1)
  }

  @Test(arguments: 0..<8)
  func `whatever clients do, the accounts come back to nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let daemon = TestDaemon {
      $0.limits[.memoryMax] = 2 << 20
      $0.limits[.unreadBytesMax] = 400_000
      $0.limits[.outputHardBytes] = 20_000
      $0.limits[.eventsKeptMax] = 4
    }
    daemon.holdsOffloadedWork = true
    var clients = (0..<4).map { _ in daemon.connect() }
    for _ in 0..<300 {
      let index = Int.random(in: clients.indices, using: &random)
      let client = clients[index]
      let id = Int.random(in: 1...1_000_000, using: &random)
      let size = [3, 3, 300, 30_000, 200_000].randomElement(using: &random) ?? 3
      let value = String(repeating: "x", count: size)
      let field = ["email", "password", "term", "text"].randomElement(using: &random) ?? "email"
      let session = Int.random(in: 1...20, using: &random)
      let requests = [
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/open","params":{"form":"\#(["login", "ask", "timed"][id % 3])"}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/get","params":{"session":\#(session)}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/close","params":{"session":\#(session)}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"method":"field/change","params":{"session":\#(session),"field":"\#(field)","value":"\#(value)"}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"method":"action/tap","params":{"session":\#(session),"action":"ask","await":true}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"method":"action/tap","params":{"session":\#(session),"action":"login","await":true}}"#,
        #"{"jsonrpc":"2.0","id":\#(id),"method":"provider/register","params":{"name":"oracle"}}"#,
        #"{"jsonrpc":"2.0","id":"formd:\#(id % 20)","result":"\#(value)"}"#,
      ]
      switch Int.random(in: 0..<16, using: &random) {
      case 0:
        client.connection.closed()
        clients[index] = daemon.connect()
      case 1: client.roomBytes = 0
      case 2: client.drain()
      case 3: client.send([UInt8](repeating: UInt8(ascii: " "), count: size))
      case 4: daemon.doOffloadedWork()
      case 5: daemon.advance(milliseconds: Int64(id % 400))
      case 6: daemon.timePerLook = .milliseconds(id % 3)
      case 7:
        if !daemon.effects.isEmpty {
          daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": text(size)]))
        }
      case 8, 9:
        client.send(
          "[" + (0..<6).compactMap { _ in requests.randomElement(using: &random) }.joined(separator: ",") + "]"
        )
      default: client.send(requests.randomElement(using: &random) ?? "")
      }
      let memory = daemon.server.memory
      #expect(min(memory.values, memory.sessions, memory.unread, memory.queued) >= 0, "\(memory)")
    }
    for client in clients { client.connection.closed() }
    daemon.doOffloadedWork()
    daemon.advance(milliseconds: 20_000)
    #expect(daemon.server.memory.total == 0, "\(daemon.server.memory)")
  }
}
