internal import Configuration
import FormProtocol
import Forms
import JSON
import Logging
import SessionStore
import Sessions
import Testing

@testable import Server

/// Kept sessions without clients, when memory is full.
struct IdleSessionTests {
  /// An action whose result is the text.
  private static let echo = TestForms.form(
    #"""
    { "form": "echo", "schema": { "type": "object", "properties": { "text": { "type": "string" } } },
      "actions": { "go": { "scope": "none", "outcomes": [ { "success": "values.text" } ] },
        "send": { "scope": "none", "timeout": "10s",
          "run": { "http": { "service": "names", "method": "POST", "path": "/" } } } } }
    """#
  )
  private static let catalog = FormCatalog([echo])
  private static let kibibyte = 1 << 10

  private func text(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }

  private func daemon(store: TestStore? = nil, valueBytesMax: Int = 1 << 20) -> TestDaemon {
    TestDaemon(catalog: Self.catalog, store: store) { $0.limits[.valueBytesMax] = valueBytesMax }
  }

  /// Opens a session that is kept for a day, with a text of that size.
  private func open(_ client: TestClient, _ count: Int) throws -> (key: JSON, session: JSON) {
    let opened = try client.openKept(["form": "echo", "keep": "24h"])
    change(client, opened.session, count)
    return opened
  }

  @discardableResult
  private func change(_ client: TestClient, _ session: JSON, _ count: Int) -> JSON {
    client.error("field/change", ["session": session, "field": "text", "value": text(count)])
  }

  /// Opens a session with a text of that size; returns the error of the change, or null.
  private func come(_ client: TestClient, _ count: Int) -> JSON {
    change(client, .integer(client.open("echo")), count)
  }

  private func isThere(_ key: JSON, _ daemon: TestDaemon) -> Bool {
    let client = daemon.connect()
    defer { client.connection.closed() }
    return client.result("session/attach", ["key": key])["session"] != nil
  }

  // MARK: Events

  @Test
  func `one client that left with many events that share their values keeps nobody out`() throws {
    let daemon = TestDaemon(catalog: Self.catalog) { $0.limits[.memoryMax] = 64 << 20 }
    let greedy = daemon.connect()
    var keys: [JSON] = []
    for _ in 0..<32 {
      let (key, session) = try open(greedy, 15 * Self.kibibyte)
      keys.append(key)
      for _ in 0..<255 { greedy.result("action/tap", ["session": session, "action": "go"]) }
    }
    greedy.connection.closed()
    // The texts of the events are 119 MiB.
    #expect(daemon.server.memory.total < 6 << 20, "\(daemon.server.memory)")
    #expect(come(daemon.connect(), 1 << 20) == .null)
    // Nothing had to go for that.
    let attached = daemon.connect().result("session/attach", ["key": keys[0], "seq": 0])
    #expect(attached["events"]?.arrayValue?.count == 255)
    #expect(attached["events"]?.arrayValue?.allSatisfy { $0["result"] == text(15 * Self.kibibyte) } == true)
  }

  /// An event with that result.
  private func event(_ number: Int, _ result: JSON) -> ActionEvent {
    var event = ActionEvent()
    event.sequence = number
    event.action = "go"
    event.kind = .succeeded
    event.result = result
    event.message = number % 3 == 0 ? "message \(number)" : nil
    return event
  }

  @Test
  func `a value that several events have counts once, until the last of them is dropped`() {
    var limits = ServerConfiguration().limits
    limits[.eventsKeptMax] = 5
    var events = KeptEvents()
    let large = text(10_000)
    for number in 1...5 { events.append(event(number, number == 2 ? 7 : large)) }
    #expect(events.dropOldest(limits, isFull: false) == [])
    #expect((10_000..<13_000).contains(events.bytes), "\(events.bytes)")
    for number in 6...9 {
      events.append(event(number, 7))
      _ = events.dropOldest(limits, isFull: false)
      #expect(events.bytes > 10_000)
    }
    events.append(event(10, 7))
    #expect(events.dropOldest(limits, isFull: false) == [5])
    #expect(events.bytes < 3_000, "\(events.bytes)")
  }

  @Test
  func `events have the results that they were given, whatever is equal to them`() {
    let padding = text(1_000)
    let results: [JSON] = [
      ["a": 1, "b": padding], ["b": padding, "a": 1], ["a": .real(1.0), "b": padding], ["a": 1, "b": padding],
    ]
    var events = KeptEvents()
    for (index, result) in results.enumerated() { events.append(event(index + 1, result)) }
    let kept = events.events(after: 0, heard: 1..<1).events
    #expect(kept.map { $0.result?.description } == results.map(\.description))
    #expect((3_000..<4_900).contains(events.bytes), "\(events.bytes)")
  }

  @Test
  func `an answer has at most so many bytes of events, however little memory they take`() throws {
    let daemon = TestDaemon(catalog: Self.catalog) { $0.limits[.outputHardBytes] = 100_000 }
    let client = daemon.connect()
    let (key, session) = try open(client, 30_000)
    for _ in 0..<10 { client.result("action/tap", ["session": session, "action": "go"]) }
    let attached = daemon.connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached["events"]?.arrayValue?.compactMap { $0["seq"] } == [8, 9, 10])
    #expect(attached["eventsLost"] == 7)
  }

  @Test
  func `events count for the client of the session, and give way when it has no room`() throws {
    let daemon = TestDaemon(catalog: Self.catalog) { $0.limits[.valueBytesPerConnectionMax] = 100_000 }
    let client = daemon.connect()
    let (key, session) = try open(client, 0)
    func tap(_ count: Int) {
      change(client, session, count)
      client.result("action/tap", ["session": session, "action": "go"])
    }
    // Each value is in the session twice (as the value and as the result), and once in its event.
    for count in 1...4 { tap(10_000 + count) }
    #expect(daemon.server.memory.queued == 0)
    #expect((60_000..<75_000).contains(client.connection.sessions.bytes), "\(client.connection.sessions.bytes)")
    // A client that has the session next has these bytes then.
    let other = daemon.connect()
    other.result("session/attach", ["key": key])
    let bytes = client.connection.sessions.bytes
    client.result("session/detach", ["session": session])
    #expect(client.connection.sessions.bytes == 0 && other.connection.sessions.bytes > bytes - 200)
    client.result("session/attach", ["key": key])
    other.result("session/detach")
    #expect(client.connection.sessions.bytes > bytes - 200)
    tap(20_000)
    tap(30_000)
    #expect(daemon.server.memory.values < 100_000)
    let attached = daemon.connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached["events"]?.arrayValue?.compactMap { $0["seq"] } == [6])
    #expect(attached["eventsLost"] == 5)
    client.result("session/close", ["session": session])
    #expect(daemon.server.memory.values == 0, "\(daemon.server.memory)")
  }

  // MARK: Who gives way

  @Test
  func `the largest account gives way first, its longest idle session first, and no session with a client`() throws {
    let daemon = daemon()
    let part = 200 * Self.kibibyte
    let (large, small, staying, coming) = (daemon.connect(), daemon.connect(), daemon.connect(), daemon.connect())
    let largeFirst = try open(large, part)
    let largeSecond = try open(large, part)
    let smallOnly = try open(small, part + 50 * Self.kibibyte)
    let attached = try open(staying, part)
    large.result("session/detach", ["session": largeSecond.session])
    daemon.advance(milliseconds: 1_000)
    // This one is the older session, and has been idle for less long.
    large.connection.closed()
    small.connection.closed()
    #expect(daemon.server.keptSessions.count == 4)
    #expect(come(coming, part) == .null)
    #expect(daemon.server.keptSessions.count == 3)
    #expect(daemon.connect().error("session/attach", ["key": largeSecond.key])["code"] == 1001)
    // The account of the other client is the largest now.
    #expect(come(coming, part) == .null)
    #expect(daemon.connect().error("session/attach", ["key": smallOnly.key])["code"] == 1001)
    #expect(come(coming, part) == .null)
    #expect(daemon.server.keptSessions.count == 2)
    #expect(come(coming, part) == .null)
    #expect(daemon.connect().error("session/attach", ["key": largeFirst.key])["code"] == 1001)
    // Only sessions with clients are left.
    let refused = come(coming, part)
    #expect(refused["code"] == 1011 && refused.at("data", "limit") == "valueBytesMax")
    #expect(isThere(attached.key, daemon))
    let line = daemon.logged.first { $0.message.hasPrefix("kept sessions without clients have given way") }
    #expect(line?.level == .warning && line?.metadata["sessions"] == "1")
    for client in [staying, coming] { client.connection.closed() }
    daemon.advance(milliseconds: 86_400_000)
    #expect(daemon.server.memory.total == 0, "\(daemon.server.memory)")
  }

  @Test
  func `sessions of many clients give way to one more, whatever limit is reached`() throws {
    for limit in [Limit.valueBytesMax, .memoryMax] {
      let daemon = TestDaemon(catalog: Self.catalog) { $0.limits[limit] = 1 << 20 }
      for _ in 0..<30 {
        let client = daemon.connect()
        #expect(try open(client, 100_000).session != .null)
        client.connection.closed()
      }
      #expect(come(daemon.connect(), 500_000) == .null)
      // A request that only may become large.
      #expect(daemon.connect().result("form/describe", ["form": "echo"]) != .null)
      #expect(daemon.server.memory.total < 1 << 20)
    }
  }

  @Test
  func `a session in which an action runs does not give way before it has ended`() throws {
    let daemon = daemon()
    let client = daemon.connect()
    let (key, session) = try open(client, 900_000)
    client.result("action/tap", ["session": session, "action": "send"])
    client.connection.closed()
    let coming = daemon.connect()
    #expect(come(coming, 300_000)["code"] == 1011)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200))
    // It has just been looked in vain.
    #expect(come(coming, 300_000)["code"] == 1011)
    daemon.advance(milliseconds: 1_000)
    #expect(come(coming, 300_000) == .null)
    #expect(!isThere(key, daemon))
  }

  @Test
  func `an answer for which there is no room makes a session without clients give way`() throws {
    let daemon = daemon()
    let client = daemon.connect()
    let (_, session) = try open(client, 10)
    client.result("action/tap", ["session": session, "action": "send"])
    let (leaving, filling) = (daemon.connect(), daemon.connect())
    let idle = try open(leaving, 900_000)
    leaving.connection.closed()
    // A computed value may exceed the limit.
    let (_, other) = try open(filling, 60_000)
    filling.result("action/tap", ["session": other, "action": "go"])
    #expect(daemon.server.memory.values > 1 << 20)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: text(80_000)))
    #expect(client.messages().last?.at("params", "events")?.arrayValue?.first?["kind"] == "succeeded")
    #expect(!isThere(idle.key, daemon))
  }

  @Test
  func `a search ends after a few slices, and the next client goes on`() throws {
    let daemon = daemon()
    let client = daemon.connect()
    for _ in 0..<10 { _ = try open(client, 100_000) }
    client.connection.closed()
    let coming = daemon.connect()
    let session = JSON.integer(coming.open("echo"))
    daemon.timePerLook = .milliseconds(3)
    var counts = [daemon.server.keptSessions.count]
    var error: JSON? = .null
    repeat {
      coming.request("field/change", ["session": session, "field": "text", "value": text(900_000)])
      daemon.advance(milliseconds: 100)
      error = coming.messages().last?["error"]
      counts.append(daemon.server.keptSessions.count)
    } while error?["code"] == 1011 && counts.count < 20
    #expect(error == nil && counts.count > 3, "\(counts)")
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 > $1 }, "\(counts)")
  }

  // MARK: Stores

  @Test
  func `with a store a session only leaves the memory, and comes back`() throws {
    let store = TestStore()
    let daemon = daemon(store: store)
    let client = daemon.connect()
    // The value is also the result, and in the event.
    let (key, session) = try open(client, 300_000)
    client.result("action/tap", ["session": session, "action": "go"])
    client.connection.closed()
    #expect(daemon.server.keptSessions.count == 1)
    let coming = daemon.connect()
    #expect(come(coming, 300_000) == .null)
    #expect(daemon.server.keptSessions.count == 0 && store.sessions.count == 1)
    coming.connection.closed()
    let attached = daemon.connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached.at("values", "text")?.approximateBytes == text(300_000).approximateBytes)
    #expect(attached["events"]?.arrayValue?.count == 1 && attached["eventsLost"] == 0)
  }

  @Test
  func `a session from the store finds room in the place of others`() throws {
    let daemon = daemon(store: TestStore())
    let client = daemon.connect()
    let keys = try (0..<6).map { _ in try open(client, 300_000).key }
    client.connection.closed()
    for key in keys + keys { #expect(isThere(key, daemon)) }
    #expect(daemon.server.memory.values < 1 << 20)
  }

  // MARK: server/endSession

  @Test
  func `an operator ends a session for all its clients`() throws {
    let daemon = TestDaemon()
    let (first, second, operating) = (daemon.connect(), daemon.connect(), daemon.connect())
    let (key, session) = try first.openKept()
    second.result("session/attach", ["key": key])
    first.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    first.send(#"{"jsonrpc":"2.0","id":50,"method":"action/tap","params":{"action":"login","await":true}}"#)
    _ = (first.messages(), second.messages())
    #expect(operating.result("server/endSession", ["session": session]) == ["session": session])
    let closed: JSON = ["session": session, "reason": "closed"]
    let messages = first.messages()
    #expect(messages.first { $0["id"] == 50 }?.at("error", "data", "reason") == "sessionClosed")
    #expect(messages.last?["params"] == closed && second.messages().last?["params"] == closed)
    #expect(daemon.effects.isEmpty && daemon.cancelled == 1)
    #expect(second.error("session/attach", ["key": key])["code"] == 1001)
    #expect(daemon.logged.contains { $0.message == "a client has ended a kept session" })
    #expect(daemon.server.memory.total == 0, "\(daemon.server.memory)")
  }

  @Test
  func `an operator that has the session itself gets only the answer`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (_, session) = try client.openKept()
    let messages = client.request("server/endSession", ["session": session])
    #expect(messages.count == 1 && messages[0]["result"] == ["session": session])
    #expect(client.error("session/get")["code"] == 1001)
  }

  @Test
  func `a session that nobody has ends, and one that is not kept or not there is refused`() throws {
    let daemon = TestDaemon()
    let (client, operating) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    let short = daemon.connect()
    let other = JSON.integer(short.open("login"))
    client.connection.closed()
    for wrong in [other, 0, -1, 99] {
      let error = operating.error("server/endSession", ["session": wrong])
      #expect(error["code"] == 1001 && error.at("data", "session") == wrong, "\(error)")
    }
    #expect(operating.error("server/endSession")["code"] == -32602)
    #expect(short.result("session/get")["session"] == other)
    #expect(operating.result("server/endSession", ["session": session]) == ["session": session])
    #expect(operating.error("server/endSession", ["session": session])["code"] == 1001)
    #expect(!isThere(key, daemon))
  }

  @Test
  func `a session that is ended is removed from the store, and stays if the store cannot be written`() throws {
    let store = TestStore()
    let daemon = TestDaemon(store: store)
    let (client, operating) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    daemon.server.storedSessions?.storeChanged(to: .away(StoreFailure(.full, "the disk is full")))
    let error = operating.error("server/endSession", ["session": session])
    #expect(error["code"] == 1011 && error.at("data", "reason") == "store")
    daemon.server.storedSessions?.storeChanged(to: .well)
    #expect(client.result("session/get")["session"] == session)
    #expect(operating.result("server/endSession", ["session": session]) == ["session": session])
    #expect(store.sessions.isEmpty && !isThere(key, daemon))
  }
}
