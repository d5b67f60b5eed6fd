import CEL
internal import Configuration
import FormProtocol
import Forms
import JSON
import SessionStore
import Sessions
import Testing
internal import Times

@testable import Server

/// Kept sessions that are stored: when output is sent, which state survives, and failures of the store.
struct StoredSessionTests {
  private static let failure = StoreFailure(.full, "the disk is full")

  private static func daemon(_ store: TestStore = TestStore(), _ catalog: FormCatalog = TestForms.all) -> TestDaemon {
    TestDaemon(catalog: catalog, store: store)
  }

  /// A daemon that replaces a dead one and has the committed sessions.
  private static func restarted(_ store: TestStore, _ catalog: FormCatalog = TestForms.all) -> TestDaemon {
    daemon(TestStore(store.sessions), catalog)
  }

  // MARK: What leaves when

  @Test
  func `an answer and its update leave when their turn is committed, in order`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (_, session) = try client.openKept()
    store.isHolding = true
    #expect(client.request("field/change", ["field": "email", "value": "kim"]) == [])
    #expect(client.request("field/change", ["field": "email", "value": "kim@b"]) == [])
    #expect(client.request("session/get", ["session": session]) == [])
    // Another session of the same connection goes on.
    #expect(client.result("session/open", ["form": "timed"])["revision"] == 0)
    store.commit(1)
    let first = client.messages()
    #expect(first.map { $0["method"] ?? "answer" } == ["session/update", "answer"])
    #expect(first.first?.at("params", "from") == 0 && first.first?.at("params", "revision") == 1)
    store.commit(1)
    let second = client.messages()
    #expect(second.map { $0["method"] ?? "answer" } == ["session/update", "answer", "answer"])
    #expect(second.last?.at("result", "values", "email") == "kim@b")
    #expect(store.jobCount == 0)
  }

  @Test
  func `a batch is answered when its turns are committed, or with the reason why they are not`() throws {
    for fails in [false, true] {
      let store = TestStore()
      let client = Self.daemon(store).connect()
      let (_, session) = try client.openKept()
      store.isHolding = true
      let batch = [("email", "kim"), ("password", "x")].map { field, value in
        #"{"jsonrpc":"2.0","id":"\#(field)","method":"field/change","params":{"session":\#(session),"field":"\#(field)","value":"\#(value)"}}"#
      }
      client.send("[\(batch.joined(separator: ","))]")
      #expect(client.request("session/get", ["session": session]) == [])
      if fails { store.failure = Self.failure }
      store.isHolding = false
      store.work()
      let messages = client.messages()
      let answers = try #require(messages.first { $0.arrayValue != nil }?.arrayValue)
      #expect(Set(answers.compactMap { $0["id"]?.stringValue }) == ["email", "password"])
      #expect(answers.allSatisfy { ($0["error"] != nil) == fails })
      // The update goes before the answers of its turns, and the last answer behind them.
      let methods = messages.compactMap { $0["method"]?.stringValue }
      #expect(methods.last == (fails ? "session/closed" : "session/update"))
      #expect(messages.contains { $0["id"] != nil && $0["result"] != nil } == !fails)
    }
  }

  @Test
  func `inputs that arrive together share a write`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (_, session) = try client.openKept()
    let before = store.writes
    let inputs = (1...5).map { number in
      #"{"jsonrpc":"2.0","id":\#(100 + number),"method":"field/change","params":{"session":\#(session),"field":"email","value":"\#(number)"}}"#
    }
    client.send(inputs.joined(separator: "\n"))
    #expect(client.messages().count { $0["id"] != nil } == 5)
    #expect(store.writes == before + 1)
  }

  @Test
  func `others hear of a turn when it is committed, and effects start then`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (first, second) = (daemon.connect(), daemon.connect())
    let (key, session) = try first.openKept()
    second.result("session/attach", ["key": key])
    store.isHolding = true
    first.send(
      #"{"jsonrpc":"2.0","id":7,"method":"field/change","params":{"session":\#(session),"values":{"email":"a@b","password":"x"}}}"#
    )
    first.send(#"{"jsonrpc":"2.0","id":8,"method":"action/tap","params":{"session":\#(session),"action":"login"}}"#)
    #expect(first.messages() == [] && second.messages() == [])
    #expect(daemon.effects.isEmpty)
    store.commit(1)
    #expect(daemon.effects.isEmpty)
    #expect(second.messages().count == 1)
    store.commit(1)
    #expect(daemon.effects.count == 1)
    #expect(first.messages().count { $0["id"] != nil } == 2)
  }

  @Test
  func `an effect that is cancelled before its commit is never started`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (_, session) = try client.openKept()
    client.result("field/change", ["session": session, "values": ["email": "a@b", "password": "x"]])
    store.isHolding = true
    client.request("action/tap", ["action": "login"])
    client.request("session/reset")
    store.isHolding = false
    store.work()
    #expect(daemon.effects.isEmpty && daemon.cancelled == 0)
    #expect(client.result("session/get").at("document", "actions", "login", "isRunning") != true)
  }

  @Test
  func `a session that is not kept is not stored`() {
    let store = TestStore()
    store.isHolding = true
    let client = Self.daemon(store).connect()
    client.result("session/open", ["form": "login"])
    #expect(client.result("field/change", ["field": "email", "value": "kim"])["revision"] == 1)
    #expect(store.jobCount == 0)
  }

  @Test
  func `waiting for the store is no slow reading, and what is held back comes in its place`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (first, slow) = (daemon.connect(), daemon.connect())
    let (key, session) = try first.openKept()
    let second = SharingClient(slow, slow.result("session/attach", ["key": key]))
    slow.roomBytes = 0
    slow.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#)
    first.result("field/change", ["session": session, "field": "email", "value": "1"])
    store.isHolding = true
    first.request("field/change", ["session": session, "field": "email", "value": "2"])
    slow.drain()
    #expect(slow.messages().allSatisfy { $0["method"] == nil }, "nothing leaves before its commit")
    store.isHolding = false
    store.work()
    second.receive()
    #expect(second.shown["email"] == "2")
    #expect(second.revision == first.result("session/get")["revision"])
  }

  // MARK: What survives

  @Test
  func `a session survives the daemon with all but its secrets`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (key, _) = try client.openKept()
    client.result("field/change", ["values": ["email": "kim@example.com", "password": "hunter2"]])
    client.result("field/blur", ["field": "email"])
    let before = client.result("session/get")
    #expect(!store.contains("hunter2") && !store.contains(key.stringValue ?? ""))
    let second = Self.restarted(store).connect()
    let attached = second.result("session/attach", ["key": key])
    #expect(attached["form"] == "login" && attached["values"] == ["email": "kim@example.com"])
    #expect(attached.at("document", "fields", "email") == before.at("document", "fields", "email"))
    #expect(try #require(attached["revision"]?.integerValue) >= #require(before["revision"]?.integerValue))
    #expect(attached["isMigrated"] == nil)
    // The session goes on, and its later changes are stored, too.
    let update = second.request("field/change", ["field": "email", "value": "lee"]).first
    #expect(update?.at("params", "from") == attached["revision"])
  }

  @Test
  func `a value that a debounce held back when the daemon died is told to the next client`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (key, _) = try client.openKept(["form": "timed", "keep": "10m"])
    client.result("field/change", ["field": "term", "value": "swift"])
    let daemon = Self.restarted(store)
    let second = daemon.connect()
    let next = SharingClient(second, second.result("session/attach", ["key": key]))
    #expect(next.shown["term"] == nil)
    daemon.advance(milliseconds: 300)
    next.receive()
    #expect(next.shown["term"] == "swift")
    #expect(second.result("session/get")["values"] == ["term": "swift"])
  }

  @Test
  func `a run that was under way ends as interrupted, and is not sent again`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.result("field/change", ["values": ["email": "a@b", "password": "x"]])
    client.request("action/tap", ["action": "login"])
    #expect(daemon.effects.count == 1)
    let next = Self.restarted(store)
    let attached = next.connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached["events"]?.arrayValue?.map { $0["error"] } == ["interrupted"])
    #expect(next.effects.isEmpty)
  }

  @Test
  func `sessions in the store count in keptSessionsMax, and expire although no client attaches`() throws {
    let store = TestStore()
    let first = TestDaemon(store: store) { $0.limits[.keptSessionsMax] = 3 }
    for _ in 0..<2 { _ = try first.connect().openKept(["form": "login", "keep": "10s"]) }
    // Another daemon has the file now. No session is in memory.
    let daemon = TestDaemon(store: TestStore(store.sessions)) { $0.limits[.keptSessionsMax] = 3 }
    daemon.advance(milliseconds: 1_000)
    let client = daemon.connect()
    #expect(client.result("server/stats").at("store", "sessions") == 2)
    #expect(client.result("server/stats")["keptSessions"] == 0)
    _ = try client.openKept(["form": "login", "keep": "1h"])
    let refused = client.error("session/open", ["form": "login", "keep": "1h"])
    #expect(refused["code"] == 1011 && refused.at("data", "limit") == "keptSessionsMax")
    // The two expire, and make room.
    daemon.advance(milliseconds: 61_000)
    #expect(daemon.storedSessions?.count == 1)
    daemon.advance(milliseconds: 61_000)
    #expect(client.result("server/stats").at("store", "sessions") == 1)
    _ = try daemon.connect().openKept(["form": "login", "keep": "1h"])
  }

  @Test
  func `a daemon that lives for less than a minute removes expired sessions, too`() throws {
    let store = TestStore()
    _ = try Self.daemon(store).connect().openKept(["form": "login", "keep": "1s"])
    let next = TestStore(store.sessions)
    let daemon = Self.daemon(next)
    daemon.wallStart = daemon.wallNow.advanced(by: DurationValue(nanoseconds: 10_000_000_000)) ?? daemon.wallStart
    daemon.advance(milliseconds: 2_000)
    #expect(next.sessions.isEmpty)
  }

  /// A form that pays, with an idempotency key.
  private static let payment = FormCatalog([
    TestForms.form(
      """
      { "form": "pay", "schema": { "type": "object", "properties": { "amount": { "type": "integer" } } },
        "actions": { "pay": { "enabled": "true", "scope": "none", "idempotency": true, "flight": "merge",
          "run": { "http": { "service": "bank", "method": "POST", "path": "/", "json": "{'amount': values.amount}" } } } } }
      """
    )
  ])

  private func keys(_ daemon: TestDaemon) -> [String?] {
    daemon.effects.map { effect, _ in
      guard case .http(let request) = effect.request else { return nil }
      return request.headers.first { $0.name == "Idempotency-Key" }?.value
    }
  }

  @Test
  func `a tap that repeats an interrupted run sends the same idempotency key, once`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store, Self.payment)
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "pay", "keep": "1h"])
    for amount: JSON in [10, 20] {
      client.result("field/change", ["field": "amount", "value": amount])
      client.request("action/tap", ["action": "pay"])
    }
    let sent = keys(daemon)
    #expect(sent.count == 2 && sent[0] != sent[1])
    // The daemon dies twice, the second time behind a tap that repeats one of the runs.
    let next = Self.restarted(store, Self.payment)
    let second = next.connect()
    let found = second.result("session/attach", ["key": key, "seq": 0])
    #expect(found["events"]?.arrayValue?.map { $0["error"] } == ["interrupted", "interrupted"])
    second.request("action/tap", ["action": "pay"])
    #expect(keys(next) == [sent[1]])
    let last = TestDaemon(catalog: Self.payment, store: TestStore(try #require(next.storedSessions)))
    let third = last.connect()
    third.result("session/attach", ["key": key])
    third.request("action/tap", ["action": "pay"])
    third.result("field/change", ["field": "amount", "value": 10])
    third.request("action/tap", ["action": "pay"])
    #expect(keys(last) == [sent[1], sent[0]])
    // Each was repeated once: another tap is another payment.
    third.request("action/tap", ["action": "pay"])
    #expect(Set(keys(last)).count == 3)
  }

  @Test
  func `after a tap with other arguments no run repeats an interrupted one`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store, Self.payment)
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "pay", "keep": "1h", "values": ["amount": 10]])
    client.request("action/tap", ["action": "pay"])
    let next = Self.restarted(store, Self.payment)
    let second = next.connect()
    second.result("session/attach", ["key": key])
    for amount: JSON in [20, 10] {
      second.result("field/change", ["field": "amount", "value": amount])
      second.request("action/tap", ["action": "pay"])
    }
    #expect(Set(keys(daemon) + keys(next)).count == 3)
  }

  @Test
  func `events that nobody has heard of survive, those of secret actions are counted`() throws {
    let catalog = FormCatalog([
      TestForms.form(
        """
        { "form": "events", "schema": { "type": "object", "properties": { "a": { "type": "string" } } },
          "actions": { "open": { "scope": "none", "outcomes": [ { "success": "'told'" } ] },
            "hidden": { "scope": "none", "secret": true, "outcomes": [ { "success": "'whispered'" } ] } } }
        """
      )
    ])
    let store = TestStore()
    let client = Self.daemon(store, catalog).connect()
    let (key, _) = try client.openKept(["form": "events", "keep": "1m"])
    for action in ["open", "hidden", "open"] { client.request("action/tap", ["action": .string(action)]) }
    #expect(store.contains("told") && !store.contains("whispered"))
    let second = Self.restarted(store, catalog).connect()
    let attached = second.result("session/attach", ["key": key, "seq": 1])
    #expect(attached["events"]?.arrayValue?.map { $0["seq"] } == [3])
    #expect(attached["eventsLost"] == 1)
    second.result("session/detach")
    let all = second.result("session/attach", ["key": key, "seq": 0])
    #expect(all["events"]?.arrayValue?.map { $0["seq"] } == [1, 3])
  }

  @Test
  func `events that are given up go from the store, too`() throws {
    let store = TestStore()
    let daemon = TestDaemon(store: store) { $0.limits[.eventsKeptMax] = 3 }
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "timed", "keep": "1m"])
    for _ in 1...5 { client.request("action/tap", ["action": "go"]) }
    let parts = try #require(store.sessions.values.first).parts
    #expect(parts.count { $0.number < -15 } == 3)
    let attached = Self.restarted(store).connect().result("session/attach", ["key": key, "seq": 0])
    #expect(attached["events"]?.arrayValue?.map { $0["seq"] } == [3, 4, 5])
    #expect(attached["eventsLost"] == 2)
  }

  @Test
  func `a definition that was brought along comes back, and asks no provider`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let definition: JSON = [
      "form": "own", "schema": ["type": "object", "properties": ["a": ["type": "string"]]],
      "actions": [
        "ask": [
          "run": ["provider": ["name": "mine", "arguments": [:]]], "timeout": "5s",
          "outcomes": [["failure": "response.kind"]],
        ]
      ],
    ]
    client.result("provider/register", ["name": "mine"])
    let (key, _) = try client.openKept(["definition": definition, "keep": "1m"])
    client.result("field/change", ["field": "a", "value": "x"])
    let daemon = Self.restarted(store)
    let second = daemon.connect()
    second.result("provider/register", ["name": "mine"])
    let attached = second.result("session/attach", ["key": key])
    #expect(attached["form"] == "own" && attached["values"] == ["a": "x"])
    let tapped = second.request("action/tap", ["action": "ask"])
    #expect(tapped.contains { $0.at("params", "events")?.arrayValue?.first?["error"] == "noProvider" })
  }

  @Test
  func `a form that has changed meanwhile is followed, never to an older version`() throws {
    func form(_ version: Int, _ field: String) -> FormCatalog {
      FormCatalog([
        TestForms.form(
          """
          { "form": "login", "version": \(version),
            "schema": { "type": "object", "properties": { "email": { "type": "string" }, "\(field)": { "type": "string" } } } }
          """
        )
      ])
    }
    let store = TestStore()
    let client = Self.daemon(store, form(2, "old")).connect()
    let (key, _) = try client.openKept()
    client.result("field/change", ["values": ["email": "a@b", "old": "gone"]])
    let attached = Self.restarted(store, form(3, "new")).connect().result("session/attach", ["key": key])
    #expect(attached["isMigrated"] == true && attached.at("values", "email") == "a@b")
    let older = Self.restarted(store, form(1, "new")).connect().error("session/attach", ["key": key])
    #expect(older["code"] == 1003 && older.at("data", "reason") == "older")
    let without = Self.restarted(store, TestForms.withPages).connect()
    let unknown = Self.restarted(store, FormCatalog([TestForms.timed])).connect().error("session/attach", ["key": key])
    #expect(unknown["code"] == 1003 && unknown.at("data", "form") == "login")
    #expect(without.result("session/attach", ["key": key]) == .null, "the daemon's own form is of version 1")
  }

  // MARK: Its end

  @Test
  func `a closed session is gone when that is acknowledged`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (client, other) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    other.result("session/attach", ["key": key])
    store.isHolding = true
    #expect(client.request("session/close", ["session": session]) == [])
    #expect(other.messages() == [])
    store.commit(1)
    #expect(client.messages().last?.at("result", "session") == session)
    #expect(other.messages().last?.at("params", "reason") == "closed")
    #expect(store.sessions.isEmpty)
    store.isHolding = false
    #expect(client.error("session/attach", ["key": key])["code"] == 1001)
    #expect(Self.restarted(store).connect().error("session/attach", ["key": key])["code"] == 1001)
  }

  @Test
  func `a key that was rotated opens nothing, and is told when that is committed`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.result("session/detach")
    store.isHolding = true
    #expect(client.request("session/attach", ["key": key, "rotate": true]) == [])
    store.isHolding = false
    store.work()
    let fresh = try #require(client.messages().last?.at("result", "key"))
    #expect(fresh != key)
    client.result("field/change", ["field": "email", "value": "kim"])
    let next = Self.restarted(store).connect()
    #expect(next.error("session/attach", ["key": key])["code"] == 1001)
    #expect(next.result("session/attach", ["key": fresh]).at("values", "email") == "kim")
  }

  @Test
  func `time runs from the last commit of a daemon that died, and from the last detach else`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "login", "keep": "10m"])
    // While a client has the session, the daemon tells the store so whenever it looks for expired sessions.
    daemon.advance(milliseconds: 60 * 60_000)
    let next = Self.restarted(store)
    next.wallStart = daemon.wallNow
    #expect(next.connect().result("session/attach", ["key": key])["form"] == "login")
    client.result("session/detach")
    let late = Self.restarted(store)
    late.wallStart = daemon.wallNow
    late.advance(milliseconds: 9 * 60_000)
    #expect(late.connect().result("session/attach", ["key": key])["form"] == "login")
    let tooLate = Self.restarted(store)
    tooLate.wallStart = daemon.wallNow
    tooLate.advance(milliseconds: 11 * 60_000)
    #expect(tooLate.connect().error("session/attach", ["key": key])["code"] == 1001)
    // The session is removed even if no client asks for it.
    let swept = TestStore(store.sessions)
    let sweeping = TestDaemon(store: swept)
    sweeping.wallStart = daemon.wallNow
    sweeping.advance(milliseconds: 12 * 60_000)
    #expect(swept.sessions.isEmpty)
    // The session ends in memory and in the store.
    daemon.advance(milliseconds: 11 * 60_000)
    #expect(store.sessions.isEmpty)
  }

  @Test
  func `a clock that is put forward ends nobody's session`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "login", "keep": "10m"])
    daemon.wallStart = try #require(daemon.wallStart.advanced(by: DurationValue(nanoseconds: 86_400_000_000_000)))
    daemon.advance(milliseconds: 61_000)
    #expect(store.sessions.count == 1)
    client.result("field/change", ["field": "email", "value": "kim"])
    let next = Self.restarted(store)
    next.wallStart = daemon.wallNow
    #expect(next.connect().result("session/attach", ["key": key]).at("values", "email") == "kim")
  }

  // MARK: A store that fails

  @Test
  func `a key that could not be rotated opens the session still`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (key, session) = try client.openKept()
    client.result("field/change", ["session": session, "field": "email", "value": "kim"])
    store.failure = Self.failure
    #expect(client.request("session/attach", ["key": key, "rotate": true]).first?.at("error", "code") == 1011)
    store.failure = nil
    #expect(client.result("session/attach", ["key": key]).at("values", "email") == "kim")
  }

  @Test
  func `who has closed a session that stays in the store is told so, and so are the others`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (client, other) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    other.result("session/attach", ["key": key])
    store.failure = Self.failure
    let told = client.request("session/close", ["session": session])
    #expect(told.contains { $0.at("error", "code") == 1011 } && told.last?.at("params", "reason") == "store")
    #expect(other.messages().map { $0.at("params", "reason") } == ["store"])
    store.failure = nil
    #expect(client.result("session/attach", ["key": key])["form"] == "login")
  }

  @Test
  func `of what is lost everybody hears once, whatever waited for it`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (client, other) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    other.result("session/attach", ["key": key])
    store.isHolding = true
    for text in ["a", "b", "c"] {
      client.request("field/change", ["session": session, "field": "email", "value": .string(text)])
    }
    other.request("field/change", ["session": session, "field": "password", "value": "d"])
    client.request("session/close", ["session": session])
    store.failure = Self.failure
    store.isHolding = false
    store.work()
    let told = client.messages()
    #expect(told.map { $0.at("error", "code") ?? $0.at("params", "reason") } == [1011, 1011, 1011, 1011, "store"])
    #expect(other.messages().map { $0.at("error", "code") ?? $0.at("params", "reason") } == [1011, "store"])
    #expect(daemon.server.storedSessions?.jobs == 0 && client.result("server/stats").at("queues", "requests") == 0)
  }

  @Test
  func `who has just come, and waits for a tap, is refused when the store fails`() throws {
    let store = TestStore()
    let (key, _) = try Self.daemon(store).connect().openKept()
    let next = TestStore(store.sessions)
    let client = Self.daemon(next).connect()
    next.isHolding = true
    client.request("session/attach", ["key": key])
    next.commit(1)
    // The client knows the session from before.
    client.request("field/change", ["session": 1, "values": ["email": "a@b", "password": "x"]])
    client.request("action/tap", ["session": 1, "action": "login", "await": true])
    next.failure = Self.failure
    next.isHolding = false
    next.work()
    #expect(client.messages().map { $0.at("error", "code") } == [1011, 1011, 1011])
    next.failure = nil
    #expect(client.result("server/stats").at("queues", "requests") == 0)
  }

  @Test
  func `who has the session and attaches again, or leaves, is told that it has ended`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (client, other) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    other.result("session/attach", ["key": key])
    store.failure = Self.failure
    let again = client.request("session/attach", ["key": key, "rotate": true])
    #expect(again.map { $0.at("error", "code") ?? $0.at("params", "reason") } == [1011, "store"])
    #expect(other.messages().map { $0.at("params", "reason") } == ["store"])
    store.failure = nil
    let number = client.result("session/attach", ["key": key])["session"] ?? .null
    other.result("session/attach", ["key": key])
    client.result("field/change", ["session": number, "field": "email", "value": "a", "commit": false])
    #expect(session != number)
    _ = other.messages()
    store.failure = Self.failure
    let left = client.request("session/detach", ["session": number])
    #expect(left.map { $0.at("error", "code") ?? $0.at("params", "reason") } == [1011, "store"])
    #expect(other.messages().last?.at("params", "reason") == "store")
    #expect(daemon.server.memory.total == 0 && daemon.server.keptSessions.count == 0)
  }

  @Test
  func `a session that is refused at its opening is kept by nobody`() throws {
    let store = TestStore()
    let daemon = TestDaemon(store: store) { $0.limits[.valueBytesPerConnectionMax] = 1_000 }
    let client = daemon.connect()
    let values: JSON = ["email": .string(String(repeating: "x", count: 2_000))]
    for _ in 0..<3 {
      #expect(client.error("session/open", ["form": "login", "keep": "1m", "values": values])["code"] == 1012)
    }
    #expect(store.jobCount == 0 && store.sessions.isEmpty && daemon.server.storedSessions?.jobs == 0)
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `a turn that cannot be committed ends the session, which is as it was committed last`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (client, other) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept()
    other.result("session/attach", ["key": key])
    client.result("field/change", ["session": session, "values": ["email": "a@b", "password": "x"]])
    _ = other.messages()
    let log = daemon.logged.count
    store.failure = Self.failure
    store.isHolding = true
    client.request("field/change", ["session": session, "field": "email", "value": "lost@b"])
    client.request("action/tap", ["session": session, "action": "login", "await": true])
    store.isHolding = false
    store.work()
    let told = client.messages()
    #expect(told.filter { $0["id"] != nil }.map { $0.at("error", "code") } == [1011, -32800])
    #expect(told.first?.at("error", "data", "reason") == "store")
    #expect(told.first?.at("error", "message")?.stringValue?.contains("the disk is full") == true)
    #expect(told.last?.at("params", "reason") == "store")
    #expect(other.messages().map { $0.at("params", "reason") } == ["store"])
    #expect(daemon.effects.isEmpty)
    #expect(daemon.logged.count == log + 1)
    store.failure = nil
    let attached = client.result("session/attach", ["key": key])
    #expect(attached.at("values", "email") == "a@b")
    client.result("field/change", ["session": attached["session"] ?? .null, "field": "email", "value": "c@d"])
    #expect(Self.restarted(store).connect().result("session/attach", ["key": key]).at("values", "email") == "c@d")
  }

  @Test
  func `who has not been told of a session is not told of its end`() throws {
    let store = TestStore()
    let (key, _) = try Self.daemon(store).connect().openKept()
    let next = TestStore(store.sessions)
    let daemon = TestDaemon(store: next)
    let client = daemon.connect()
    next.isHolding = true
    client.request("session/attach", ["key": key])
    next.commit(1)
    next.failure = Self.failure
    next.commit(1)
    let told = client.messages()
    #expect(told.count == 1 && told.first?.at("error", "code") == 1011)
    daemon.server.storedSessions?.storeChanged(to: .away(Self.failure))
    next.isHolding = false
    #expect(client.error("session/attach", ["key": key]).at("data", "reason") == "store")
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test
  func `while the store is away inputs of kept sessions are refused, and others go on`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (_, session) = try client.openKept()
    let plain = client.open("login")
    daemon.server.storedSessions?.storeChanged(to: .away(Self.failure))
    for (method, params) in [
      ("field/change", ["field": "email", "value": "kim"]), ("field/focus", ["field": "email"]),
      ("field/blur", ["field": "email"]), ("action/tap", ["action": "login"]), ("session/reset", [:]),
      ("session/setLocale", ["locale": "ko"]),
    ] as [(String, JSONObject)] {
      var params = params
      params["session"] = session
      let error = client.error(method, .object(params))
      #expect(error["code"] == 1011 && error.at("data", "reason") == "store", "\(method)")
      params["session"] = .integer(plain)
      #expect(client.error(method, .object(params)) == .null, "\(method)")
    }
    #expect(client.result("session/get", ["session": session])["revision"] == 0)
    #expect(client.error("session/open", ["form": "login", "keep": "1m"])["code"] == 1011)
    #expect(client.result("server/stats")["storeProblem"] == "the disk is full")
    daemon.server.storedSessions?.storeChanged(to: .well)
    #expect(client.result("field/change", ["session": session, "field": "email", "value": "kim"])["revision"] == 1)
    #expect(client.result("server/stats")["storeProblem"] == nil)
  }

  @Test
  func `a daemon whose lease is over says why nothing is stored, as it says it to whoever opens a session`() {
    let daemon = Self.daemon(TestStore())
    let client = daemon.connect()
    daemon.server.storedSessions?.leaseEnd = daemon.server.environment.nowThroughSleep()
    let error = client.error("session/open", ["form": "login", "keep": "1m"])
    #expect(error["code"] == 1011 && error.at("data", "reason") == "store")
    let problem = client.result("server/stats")["storeProblem"]?.stringValue ?? ""
    #expect(!problem.isEmpty && error["message"]?.stringValue == "Kept sessions cannot be stored now: \(problem)")
    daemon.server.storedSessions?.leaseEnd = daemon.server.environment.nowThroughSleep() + .seconds(1)
    #expect(client.result("server/stats")["storeProblem"] == nil)
  }

  @Test
  func `whoever sends more than the store takes is refused until it has caught up, and its bytes are counted`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (_, session) = try client.openKept()
    let queued = daemon.server.memory.queued
    store.isHolding = true
    for number in 0..<1_024 {
      let change: JSON = ["session": session, "field": "email", "value": number % 2 == 0 ? "a@b" : "x"]
      #expect(client.notify("field/change", change) == [])
    }
    #expect(daemon.server.memory.queued > queued + 1_024 * 100)
    let error = client.error("field/change", ["session": session, "field": "email", "value": "more"])
    #expect(error["code"] == 1011 && error.at("data", "reason") == "store")
    store.isHolding = false
    store.work()
    #expect(client.messages().last?.at("params", "revision") == 1_024)
    #expect(daemon.server.memory.queued == queued)
    #expect(client.error("field/change", ["session": session, "field": "email", "value": "more"]) == .null)
  }

  @Test
  func `what nobody was told of may fail, and time does not run while the store is away`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let (client, other) = (daemon.connect(), daemon.connect())
    let (key, session) = try client.openKept(["form": "login", "keep": "1m"])
    other.result("session/attach", ["key": key])
    client.result("field/change", ["session": session, "field": "email", "value": "kim"])
    _ = other.messages()
    store.failure = Self.failure
    daemon.server.storedSessions?.storeChanged(to: .away(Self.failure))
    // The daemon has to tell the store that a client has the session, and cannot.
    daemon.advance(milliseconds: 5 * 60_000)
    other.result("session/detach")
    #expect(client.result("session/get", ["session": session]).at("values", "email") == "kim")
    client.connection.closed()
    store.failure = nil
    let restarted = Self.restarted(store)
    restarted.wallStart = daemon.wallNow
    #expect(
      restarted.connect().error("session/attach", ["key": key])["code"] == 1001,
      "another daemon knows of nothing"
    )
    daemon.server.storedSessions?.storeChanged(to: .well)
    daemon.advance(milliseconds: 30_000)
    let attached = daemon.connect().result("session/attach", ["key": key])
    #expect(attached.at("values", "email") == "kim")
    #expect(store.sessions.count == 1)
  }

  // MARK: Asking for sessions

  @Test
  func `who asks for a session that is on its way here has his answer when it has come`() throws {
    let store = TestStore()
    let (key, _) = try Self.daemon(store).connect().openKept()
    let after = TestStore(store.sessions)
    let daemon = Self.daemon(after)
    let client = daemon.connect()
    after.isHolding = true
    #expect(client.request("session/attach", ["key": key]) == [])
    let id = try #require(after.sessions.keys.first)
    let request = SessionRequest(id: id, asker: "another", number: 1, takes: false)
    daemon.server.enter()
    daemon.server.storedSessions?.asked(for: request)
    daemon.server.endEntry()
    #expect(after.refused == [])
    after.commit(1)
    #expect(after.refused == [request])
    // The answer to the attach waits for a separate commit.
    after.commit(after.jobCount)
    #expect(client.messages().first?["result"] != nil)
  }

  @Test
  func `a session that is closed, or whose key is rotated, is not found by the next of a batch`() throws {
    let store = TestStore()
    let client = Self.daemon(store).connect()
    let (key, session) = try client.openKept()
    func batch(_ first: JSON) -> [JSON] {
      let attach: JSON = ["jsonrpc": "2.0", "id": "second", "method": "session/attach", "params": ["key": key]]
      client.send(JSON.array([first, attach]).description)
      return client.messages().first?.arrayValue ?? []
    }
    let rotated = batch([
      "jsonrpc": "2.0", "id": "first", "method": "session/attach", "params": ["key": key, "rotate": true],
    ])
    #expect(rotated.first { $0["id"] == "second" }?.at("error", "code") == 1001)
    let fresh = try #require(rotated.first { $0["id"] == "first" }?.at("result", "key"))
    let closed = batch(["jsonrpc": "2.0", "id": "first", "method": "session/close", "params": ["session": session]])
    #expect(closed.first { $0["id"] == "second" }?.at("error", "code") == 1001)
    #expect(client.error("session/attach", ["key": fresh])["code"] == 1001)
    #expect(store.sessions.isEmpty)
  }

  @Test
  func `two that ask at the same time get one session`() throws {
    let store = TestStore()
    let (key, _) = try Self.daemon(store).connect().openKept()
    let next = TestStore(store.sessions)
    let daemon = TestDaemon(store: next)
    let (first, second) = (daemon.connect(), daemon.connect())
    next.isHolding = true
    #expect(first.request("session/attach", ["key": key]) == [] && second.request("session/attach", ["key": key]) == [])
    // A client that has disconnected gets nothing.
    let third = daemon.connect()
    third.request("session/attach", ["key": key])
    third.connection.closed()
    next.isHolding = false
    next.work()
    let (one, two) = (first.messages().last, second.messages().last)
    #expect(one?.at("result", "session") == two?.at("result", "session") && one?.at("result", "form") == "login")
    #expect(first.result("server/stats")["keptSessions"] == 1)
  }

  @Test
  func `whatever opens nothing is told the same`() throws {
    let client = Self.daemon().connect()
    let (key, _) = try client.openKept()
    client.result("session/close")
    let errors = [key, "00000000000000000000000000000000", "", "no key at all"].map {
      client.error("session/attach", ["key": $0])
    }
    #expect(Set(errors.map(\.description)).count == 1)
    #expect(errors.first?["code"] == 1001)
  }

  @Test
  func `what is stored and cannot be read is told, and logged`() throws {
    let store = TestStore()
    let (key, _) = try Self.daemon(store).connect().openKept()
    var broken = store.sessions
    for id in broken.keys { broken[id]?.parts = [(number: -1, bytes: Array("{}".utf8))] }
    let daemon = TestDaemon(store: TestStore(broken))
    #expect(daemon.connect().error("session/attach", ["key": key])["code"] == 1011)
    #expect(daemon.logged.contains { $0.message == "a stored session cannot be read" })
  }

  @Test
  func `draining leaves stored sessions as they are`() throws {
    let store = TestStore()
    let daemon = Self.daemon(store)
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.result("field/change", ["field": "email", "value": "kim"])
    daemon.server.drain()
    #expect(client.messages().compactMap { $0["method"] } == ["server/draining"])
    client.connection.closed()
    store.work()
    #expect(Self.restarted(store).connect().result("session/attach", ["key": key]).at("values", "email") == "kim")
  }
}
