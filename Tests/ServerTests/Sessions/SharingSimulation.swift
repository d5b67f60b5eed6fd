import FormProtocol
import Forms
import JSON
import Randomness
import Sessions

@testable import Server

/// A life of one kept session with several clients, who come and go, type, read slowly and lag behind, as a seed says.
///
/// After each step it must hold that whoever has read all has the daemon's document, the values and each event once, and that no field is
/// edited that nobody is in.
struct SharingSimulation {
  private static let form = TestForms.form(
    #"""
    { "form": "shared", "schema": { "type": "object", "properties": {
        "email": { "type": "string" }, "name": { "type": "string", "minLength": 3 }, "term": { "type": "string" },
        "pin": { "type": "string", "writeOnly": true } } },
      "fields": { "name": { "show": "blur" }, "term": { "debounce": "300ms" } },
      "rules": [ { "id": "email.shape", "field": "email", "check": "self.contains('@')", "message": "no address" } ],
      "checks": [ { "id": "known", "field": "name", "timeout": "5s",
        "run": { "http": { "service": "names", "method": "GET", "path": "/{name}" } },
        "outcomes": [ { "when": "response.kind == 'ok'", "valid": true }, { "code": "unknown" } ] } ],
      "actions": { "go": { "enabled": "true", "scope": "none" },
        "send": { "enabled": "true", "scope": "none", "timeout": "20s", "flight": "queue",
          "run": { "http": { "service": "names", "method": "POST", "path": "/" } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } },
      "outputs": { "echo": "values.term", "hasPin": "values.pin != ''" } }
    """#
  )
  private static let fields = ["email", "name", "term", "pin"]
  private static let keepMilliseconds: Int64 = 60_000

  private var random: SeededGenerator
  private let daemon: TestDaemon
  private let key: JSON
  private var clients: [SimulatedClient] = []
  private var lastText = 0

  /// What went wrong, and when.
  struct Finding: CustomStringConvertible {
    let step: Int
    let what: String
    var description: String { "step \(step): \(what)" }
  }

  init(seed: UInt64, fault: SharingFault? = nil) {
    random = SeededGenerator(seed: seed)
    daemon = TestDaemon(catalog: FormCatalog([Self.form])) { $0.limits[.eventsKeptMax] = 1_000 }
    daemon.server.faults.planted = fault
    let first = SimulatedClient(daemon.connect(), waitsForAnswers: true)
    key = first.open("shared", keep: "1m")
    clients = [first]
  }

  /// Lives, and looks after each step.
  ///
  /// - Returns: the first thing that is wrong; nil when nothing is.
  mutating func live(steps: Int) -> Finding? {
    for step in 0..<steps {
      takeStep()
      if let wrong = look() { return Finding(step: step, what: wrong) }
    }
    // Everybody reads all, and nothing is under way any more.
    for client in clients where client.isBlocked { client.unblock() }
    while !daemon.effects.isEmpty { daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: 1)) }
    daemon.advance(milliseconds: 30_000)
    for client in clients { client.read() }
    if let wrong = look() { return Finding(step: steps, what: wrong) }
    for client in clients { client.close() }
    clients = []
    daemon.advance(milliseconds: Self.keepMilliseconds)
    if daemon.server.keptSessions.count > 0 { return Finding(step: steps, what: "the session is kept for ever") }
    if daemon.server.memory.total != 0 {
      return Finding(step: steps, what: "memory that nobody has: \(daemon.server.memory)")
    }
    return nil
  }

  private mutating func takeStep() {
    let here = clients.filter { $0.isAttached && !$0.isBlocked }
    guard let client = here.isEmpty ? nil : random.pick(here) else { return takeStepAlone() }
    switch random.below(100) {
    case ..<35:
      lastText += 1
      client.type(random.pick(Self.fields), random.chance(30) ? "a@\(lastText)" : "\(lastText)")
    case ..<42: client.focus(random.pick(Self.fields))
    case ..<52: client.blur(random.pick(Self.fields))
    case ..<58: client.send("action/tap", ["action": random.chance(50) ? "go" : "send"])
    case ..<60:
      client.send("session/reset")
      for client in clients { client.sessionWasReset() }
    case ..<66: if !daemon.effects.isEmpty { daemon.answerEffect(answer()) }
    case ..<72: daemon.advance(milliseconds: Int64(random.pick([1, 100, 299, 300, 1_000])))
    case ..<75: client.block()
    case ..<82: unblockOrClose()
    case ..<86: client.detach()
    case ..<89: close(client)
    default: come()
    }
    for client in clients where !client.isBlocked && random.chance(50) { client.read() }
  }

  /// Nobody has the session, or nobody who has it reads.
  private mutating func takeStepAlone() {
    switch random.below(4) {
    case 0: if !daemon.effects.isEmpty { daemon.answerEffect(answer()) }
    case 1: daemon.advance(milliseconds: 300)
    case 2: unblockOrClose()
    default: come()
    }
  }

  private mutating func unblockOrClose() {
    guard let blocked = clients.first(where: \.isBlocked) else { return }
    if random.chance(70) { blocked.unblock() } else { close(blocked) }
  }

  private mutating func close(_ client: SimulatedClient) {
    client.close()
    clients.removeAll { $0 === client }
  }

  private mutating func answer() -> EffectResponse {
    random.chance(70)
      ? EffectResponse(kind: .ok, status: 200, body: .integer(Int64(lastText))) : EffectResponse(kind: .refused)
  }

  private mutating func come() {
    if let away = clients.first(where: { !$0.isAttached }) {
      away.attach(key)
    } else if clients.count < 4 {
      let client = SimulatedClient(daemon.connect(headers: random.chance(50)), waitsForAnswers: random.chance(50))
      client.attach(key)
      clients.append(client)
    }
  }

  /// What is wrong now; nil when nothing is.
  private func look() -> String? {
    guard let session = daemon.server.keptSessions.all.first else { return "the session is gone" }
    let buffer = OutputBuffer()
    daemon.server.engine.writeDocument(of: session.session, into: buffer)
    guard let document = try? JSON(parsing: buffer.bytes) else { return "the document is no JSON" }
    let values = session.session.values()
    for (index, client) in clients.enumerated() where client.isAttached && client.hasReadAll {
      if let fault = client.fault { return "client \(index): \(fault)" }
      if client.document != document { return "client \(index) has \(client.document) instead of \(document)" }
      // What a debounce holds back shows at who typed it alone, until it takes effect.
      for field in Self.fields.dropLast() where field != "term" || session.session.deadline == nil {
        if client.shown[field] != values[field] {
          return
            "client \(index) shows \(client.shown[field] ?? .null) in \(field) instead of \(values[field] ?? .null)"
        }
      }
    }
    return lookAtEditing(session.session)
  }

  /// A field is edited while somebody is in it, and not longer.
  private func lookAtEditing(_ session: Session) -> String? {
    let edited = session.editedPlaces.compactMap { place in
      if case .field(let field, _) = place { session.form.fields[field].name } else { nil }
    }
    for client in clients where client.isAttached {
      if let field = client.entered.first(where: { !edited.contains($0) }) { return "\(field) is not edited any more" }
    }
    let left = edited.first { field in !clients.contains { $0.isAttached && $0.inside.contains(field) } }
    return left.map { "nobody is in \($0), and it is edited" }
  }
}

/// One of the clients of a ``SharingSimulation``, as the protocol wants them to be.
final class SimulatedClient {
  private let client: TestClient
  private var session: JSON = .null
  private(set) var isAttached = false
  private(set) var isBlocked = false
  private(set) var document: JSON = .null
  private(set) var shown = JSONObject()
  private var revision: JSON = .null
  private var lastEvent: Int64 = 0
  private var lastID: Int64 = 0
  /// The fields that the user is in.
  private(set) var inside: Set<String> = []
  /// Those of them that it entered, since the session was last reset.
  private(set) var entered: Set<String> = []
  /// Whether it sends no change before the last one is answered. Then it shows all that it is told; else it passes over what is told of a
  /// field while it has changes of that without an answer.
  private let waitsForAnswers: Bool
  /// By field: changes without an answer.
  private var unanswered: [String: Set<Int64>] = [:]
  /// What the client was told that it must not be.
  private(set) var fault: String?

  init(_ client: TestClient, waitsForAnswers: Bool) {
    self.client = client
    self.waitsForAnswers = waitsForAnswers
  }

  var hasReadAll: Bool { !isBlocked && !client.hasOutput }

  /// Opens a kept session; its key.
  func open(_ form: String, keep: String) -> JSON {
    let state = client.result("session/open", ["form": .string(form), "keep": .string(keep)])
    attached(state)
    return state["key"] ?? .null
  }

  func attach(_ key: JSON) {
    read()
    let state = client.result("session/attach", ["key": key, "seq": .integer(lastEvent)])
    if state["eventsLost"] != 0 { fault = "events are lost: \(state)" }
    attached(state)
    take(state["events"])
  }

  private func attached(_ state: JSON) {
    isAttached = true
    session = state["session"] ?? .null
    document = state["document"] ?? .null
    revision = state["revision"] ?? .null
    shown = state["values"]?.objectValue ?? [:]
    inside = []
    entered = []
    unanswered = [:]
  }

  func send(_ method: String, _ params: JSONObject = [:]) {
    lastID += 1
    var params = params
    params["session"] = session
    let request: JSON = [
      "jsonrpc": "2.0", "id": .integer(1_000 + lastID), "method": .string(method), "params": .object(params),
    ]
    client.send(request.description)
  }

  func type(_ field: String, _ text: String) {
    if waitsForAnswers, unanswered.values.contains(where: { !$0.isEmpty }) { read() }
    inside.insert(field)
    shown[field] = .string(text)
    unanswered[field, default: []].insert(1_001 + lastID)
    send("field/change", ["field": .string(field), "value": .string(text)])
  }

  func focus(_ field: String) {
    inside.insert(field)
    entered.insert(field)
    send("field/focus", ["field": .string(field)])
  }

  func blur(_ field: String) {
    inside.remove(field)
    entered.remove(field)
    send("field/blur", ["field": .string(field)])
  }

  /// Somebody has reset the session: no field is edited until somebody types again.
  func sessionWasReset() {
    entered = []
  }

  func detach() {
    // What is under way arrives first.
    read()
    send("session/detach")
    read()
    isAttached = false
  }

  func close() {
    client.connection.closed()
    isAttached = false
  }

  /// Reads nothing more.
  func block() {
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#)
    isBlocked = true
  }

  func unblock() {
    client.drain()
    isBlocked = false
  }

  /// Reads all that has come.
  func read() {
    for message in client.messages() {
      if let id = message["id"]?.integerValue { for field in unanswered.keys { unanswered[field]?.remove(id) } }
      guard message["method"] == "session/update", let update = message["params"] else { continue }
      if update["from"] != revision { fault = "an update from \(update["from"] ?? .null) after \(revision)" }
      revision = update["revision"] ?? .null
      document.merge(update["patch"] ?? .null)
      for member in update["values"]?.objectValue ?? [:] where shows(member.name) {
        shown[member.name] = member.value
      }
      for name in update["absent"]?.arrayValue?.compactMap(\.stringValue) ?? []
      where shows(name) { shown[name] = nil }
      take(update["events"])
    }
  }

  /// Whether it shows what is told of a field. What a debounce holds back is told behind its answer, so no answer is to be waited for.
  private func shows(_ field: String) -> Bool {
    waitsForAnswers && field != "term" || unanswered[field]?.isEmpty ?? true
  }

  private func take(_ events: JSON?) {
    for event in events?.arrayValue ?? [] {
      guard let number = event["seq"]?.integerValue else { continue }
      if number != lastEvent + 1 { fault = "event \(number) after \(lastEvent)" }
      lastEvent = number
    }
  }
}
