internal import Configuration
import FormProtocol
import Forms
import JSON
import Randomness
import SessionStore
import Sessions

@testable import Server

/// A random life of one kept session. Its daemon dies and starts again. Its store commits late, fails, or commits
/// without a report, in an order that a seed determines.
///
/// These statements must hold at any time:
/// - A change that was reported to the client is not lost.
/// - The session is in the state after one of the inputs.
/// - The client gets each event once.
/// - No request to a service is sent twice.
/// - Former keys open nothing.
/// - No secret is stored.
struct StoringSimulation {
  /// No two requests of `send` are equal, so that no run has the key of an interrupted one.
  private static let form = TestForms.form(
    #"""
    { "form": "stored", "schema": { "type": "object", "properties": {
        "name": { "type": "string" }, "email": { "type": "string" }, "pin": { "type": "string", "writeOnly": true } } },
      "checks": [ { "id": "known", "field": "name", "timeout": "5s",
        "run": { "http": { "service": "names", "method": "GET", "path": "/{name}" } },
        "outcomes": [ { "when": "response.kind == 'ok'", "valid": true }, { "code": "unknown" } ] } ],
      "actions": { "go": { "enabled": "true", "scope": "none", "outcomes": [ { "success": "values.name" } ] },
        "send": { "enabled": "true", "scope": "none", "timeout": "20s", "flight": "queue", "idempotency": true,
          "run": { "http": { "service": "names", "method": "POST", "path": "/", "json": "actions.send.attempts" } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } } }
    """#
  )
  private static let secret = "topsecret"

  private var random: SeededGenerator
  private var store: TestStore
  private var daemon: TestDaemon
  private var client: TestClient
  private var key: JSON = .null
  /// Keys that open nothing any more.
  private var deadKeys: [JSON] = []
  private var session: JSON = .null
  private var isAttached = false
  private var document: JSON = .null
  /// The last revision that the client received.
  private var revision: Int64 = 0
  private var lastEvent: Int64 = 0
  /// The session's values after each change that may be the last surviving one, the earliest change first.
  private var states: [(id: Int64, values: JSONObject)] = [(0, [:])]
  private var lastID: Int64 = 0
  private var attachID: Int64?
  /// The idempotency keys of requests that were sent.
  private var sentKeys: Set<String> = []
  /// Requests that were checked.
  private var seenEffects: [EffectID] = []
  private var problem: String?

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    store = TestStore()
    daemon = Self.daemon(store)
    client = daemon.connect()
    let opened = client.result("session/open", ["form": "stored", "keep": "1h"])
    key = opened["key"] ?? .null
    attached(opened)
    store.isHolding = true
  }

  private static func daemon(_ store: TestStore) -> TestDaemon {
    TestDaemon(catalog: FormCatalog([form]), store: store) { $0.limits[.eventsKeptMax] = 1_000 }
  }

  /// Runs the simulation, with a check after each step.
  ///
  /// - Returns: the first violation with its time, or nil.
  mutating func live(steps: Int) -> String? {
    for step in 0..<steps {
      takeStep()
      look()
      if let problem { return "step \(step): \(problem)" }
    }
    end()
    return problem.map { "at the end: \($0)" }
  }

  private mutating func takeStep() {
    switch random.below(100) {
    case ..<30: change()
    case ..<40: if isAttached { send("action/tap", ["session": session, "action": random.chance(50) ? "go" : "send"]) }
    case ..<44: if isAttached { send("field/blur", ["session": session, "field": "name"]) }
    case ..<50: if !daemon.effects.isEmpty { daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: "done")) }
    case ..<54: daemon.advance(milliseconds: Int64(random.pick([1, 100, 1_000, 30_000])))
    case ..<74: if store.jobCount > 0 { store.commit(1 + random.below(store.jobCount)) }
    case ..<77: fail()
    case ..<83: die()
    case ..<86: detach()
    case ..<89: rotate()
    default: attach()
    }
    if random.chance(60) { read() }
  }

  private mutating func send(_ method: String, _ params: JSONObject) {
    lastID += 1
    client.send(
      JSON.object([
        "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": .object(params),
      ]).description
    )
  }

  private mutating func change() {
    guard isAttached else { return }
    if random.chance(15) {
      send("field/change", ["session": session, "field": "pin", "value": .string(Self.secret)])
      return
    }
    let field = random.pick(["name", "email"])
    let text = JSON.string("\(lastID)")
    send("field/change", ["session": session, "field": .string(field), "value": text])
    var values = states[states.count - 1].values
    values[field] = text
    states.append((lastID, values))
  }

  private mutating func attach() {
    guard !isAttached, attachID == nil else { return }
    send("session/attach", ["key": key, "seq": .integer(lastEvent)])
    attachID = lastID
  }

  private mutating func detach() {
    guard isAttached else { return }
    send("session/detach", ["session": session])
    isAttached = false
  }

  /// Rotates the key. A client that loses the answer loses the session, so nothing else happens in between.
  private mutating func rotate() {
    settle()
    guard !isAttached else { return }
    send("session/attach", ["key": key, "seq": .integer(lastEvent), "rotate": true])
    attachID = lastID
    settle()
  }

  /// The store commits all waiting jobs, and the client reads all messages.
  private mutating func settle() {
    store.isHolding = false
    store.work()
    store.isHolding = true
    read()
  }

  /// The store cannot commit its waiting jobs.
  private mutating func fail() {
    guard store.jobCount > 0 else { return }
    store.failure = StoreFailure(.full, "the disk is full")
    store.commit(1 + random.below(store.jobCount))
    store.failure = nil
  }

  /// The daemon dies. Its pending jobs may be committed, but nothing is reported.
  private mutating func die() {
    if random.chance(50), store.jobCount > 0 { store.commit(random.below(store.jobCount + 1), tells: false) }
    let wall = daemon.wallNow
    store = TestStore(store.sessions)
    store.isHolding = true
    daemon = Self.daemon(store)
    daemon.wallStart = wall
    client = daemon.connect()
    isAttached = false
    attachID = nil
    seenEffects = []
  }

  /// Commits everything and delivers the results. The session is then closed, and removed from the store.
  private mutating func end() {
    settle()
    attach()
    settle()
    guard problem == nil else { return }
    guard isAttached, let live = daemon.server.keptSessions.all.first else { return find("the session is gone") }
    let buffer = OutputBuffer()
    daemon.server.engine.writeDocument(of: live.engineSession, into: buffer)
    if document != (try? JSON(parsing: buffer.bytes)) { return find("the client has another document") }
    send("session/close", ["session": session])
    settle()
    deadKeys.append(key)
    for _ in 0..<2 {
      for dead in deadKeys {
        send("session/attach", ["key": dead])
        store.isHolding = false
        store.work()
        if client.messages().last?.at("error", "code") != 1001 { return find("a key of before opens something") }
      }
      daemon = Self.daemon(TestStore(store.sessions))
      client = daemon.connect()
    }
  }

  // MARK: What is heard

  private mutating func read() {
    for message in client.messages() {
      if message["method"] == "session/update" {
        take(update: message["params"] ?? .null)
      } else if message["method"] == "session/closed" {
        if message.at("params", "session") == session { isAttached = false }
      } else if let id = message["id"]?.integerValue, let result = message["result"] {
        if id == attachID {
          attachID = nil
          attached(result)
        } else if let known = states.firstIndex(where: { $0.id == id }) {
          states.removeFirst(known)
        }
      } else if message["id"]?.integerValue == attachID, let code = message.at("error", "code") {
        attachID = nil
        if code == 1001 { find("the key opens nothing: \(message)") }
      }
    }
  }

  private mutating func attached(_ state: JSON) {
    isAttached = true
    session = state["session"] ?? .null
    document = state["document"] ?? .null
    let now = state["revision"]?.integerValue ?? -1
    if now < revision { find("revision \(revision) was told, and is \(now) now") }
    revision = now
    if let fresh = state["key"], fresh != key {
      deadKeys.append(key)
      key = fresh
    }
    if state["eventsLost"] ?? 0 != 0 { find("events are lost: \(state)") }
    take(events: state["events"])
    var values = state["values"]?.objectValue ?? [:]
    values["pin"] = nil
    guard let known = states.firstIndex(where: { $0.values == values }) else {
      return find("\(values) is behind none of \(states)")
    }
    states = [states[known]]
  }

  private mutating func take(update: JSON) {
    guard isAttached, update["session"] == session else { return }
    if update["from"]?.integerValue != revision { find("an update from \(update["from"] ?? .null) after \(revision)") }
    revision = update["revision"]?.integerValue ?? -1
    document.merge(update["patch"] ?? .null)
    take(events: update["events"])
  }

  private mutating func take(events: JSON?) {
    for event in events?.arrayValue ?? [] {
      let number = event["seq"]?.integerValue ?? -1
      if number != lastEvent + 1 { find("event \(number) after \(lastEvent)") }
      lastEvent = number
    }
  }

  private mutating func find(_ what: String) { problem = problem ?? what }

  // MARK: What is looked at

  private mutating func look() {
    if store.contains(Self.secret) { find("a secret is stored") }
    let effects = daemon.effects.map(\.effect)
    for effect in effects where !seenEffects.contains(effect.id) {
      seenEffects.append(effect.id)
      guard case .http(let request) = effect.request, request.method == "POST" else { continue }
      let key = request.headers.first { $0.name == "Idempotency-Key" }?.value ?? ""
      if !sentKeys.insert(key).inserted { find("the request \(key) was sent twice") }
    }
  }
}
