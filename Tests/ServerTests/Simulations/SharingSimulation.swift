internal import Configuration
import FormProtocol
import Forms
import JSON
import Randomness
import Sessions

@testable import Server

/// A random life of one kept session with several clients. They come and go, type, show steps, and change the language.
/// They read slowly and lag behind. The daemon reads other versions of the form. A seed determines the order.
///
/// After each step these statements must hold:
/// - A client that has read all messages has the daemon's document and values, and has each event once.
/// - A field is edited only if a user is in it.
/// - The first client after all clients have left has the current version of the form, and all values.
struct SharingSimulation {
  private static let forms = [
    form(nameMin: 3, message: "no address"), form(nameMin: 4, message: "an address has an @"),
  ]
  private static func form(nameMin: Int, message: String) -> Form {
    TestForms.form(
      #"""
      { "form": "shared", "locale": "en",
        "context": { "type": "object", "properties": { "role": { "enum": ["clerk", "chef"] },
          "token": { "type": "string", "maxLength": 9, "writeOnly": true } } },
        "schema": { "type": "object", "properties": {
          "email": { "type": "string" }, "name": { "type": "string", "minLength": \#(nameMin) }, "term": { "type": "string" },
          "pin": { "type": "string", "writeOnly": true },
          "address": { "type": "object", "properties": {
            "city": { "type": "string", "maxLength": 3 }, "zip": { "type": "string", "minLength": 3 } } },
          "items": { "type": "array", "maxItems": 5, "items": { "type": "object", "properties": {
            "sku": { "type": "string", "maxLength": 2 },
            "lines": { "type": "array", "items": { "type": "object", "properties": { "x": { "type": "string" } } } } } } } } },
        "fields": { "name": { "show": "blur", "label": { "en": "Name", "ko": "이름" } }, "term": { "debounce": "300ms" } },
        "steps": [ { "id": "who", "fields": ["email", "name", "term", "pin"] }, { "id": "where", "fields": ["address"] },
          { "id": "what", "fields": ["items"], "visible": "!values.email.orValue('').contains('@')" } ],
        "lookups": { "zips": { "timeout": "5s", "run": { "http": { "service": "names", "path": "/zips",
          "query": { "city": "values.address.city" } } } } },
        "rules": [ { "id": "email.shape", "field": "email", "check": "self.contains('@')",
          "message": { "en": "\#(message)", "ko": "주소가 아닙니다" } } ],
        "checks": [ { "id": "known", "field": "name", "timeout": "5s",
          "run": { "http": { "service": "names", "method": "GET", "path": "/{name}" } },
          "outcomes": [ { "when": "response.kind == 'ok'", "valid": true }, { "code": "unknown" } ] } ],
        "actions": { "go": { "enabled": "true", "scope": "none" },
          "send": { "enabled": "true", "scope": "none", "timeout": "20s", "flight": "queue",
            "run": { "http": { "service": "names", "method": "POST", "path": "/" } },
            "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } },
        "outputs": { "echo": "values.term", "hasPin": "values.pin != ''", "role": "context.role",
          "hasToken": "context.token != ''" } }
      """#
    )
  }
  private static let fields = ["email", "name", "term", "/address/city", "/address/zip", "pin"]
  private static let keepMilliseconds: Int64 = 60_000

  private var random: SeededGenerator
  private let daemon: TestDaemon
  private let key: JSON
  private var clients: [SimulatedClient] = []
  private var lastText = 0
  /// The context that a client has given last.
  private var context: JSONObject = [:]
  /// The last client that came must not get this.
  private var wrongSession: String?

  /// A violation, and the time at which it was found.
  struct Finding: CustomStringConvertible {
    let step: Int
    let what: String
    var description: String { "step \(step): \(what)" }
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    daemon = TestDaemon(catalog: FormCatalog([Self.forms[0]])) { $0.limits[.eventsKeptMax] = 1_000 }
    let first = SimulatedClient(daemon.connect(), waitsForAnswers: true)
    key = first.open("shared", keep: "1m")
    clients = [first]
  }

  /// Runs the simulation, with a check after each step.
  ///
  /// - Returns: the first violation, or nil.
  mutating func live(steps: Int) -> Finding? {
    for step in 0..<steps {
      takeStep()
      if let wrong = look() { return Finding(step: step, what: wrong) }
    }
    // All clients read everything, and no message is under way any more.
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
    switch random.below(112) {
    case 100..<103: client.send("step/show", ["step": .string(random.pick(["who", "where", "what"]))])
    case 103..<106: client.send("session/setLocale", ["locale": .string(random.pick(["en", "ko"]))])
    case 108...: setContext(client)
    case 106..<108: daemon.server.reload(FormCatalog([random.pick(Self.forms)]))
    case ..<35:
      lastText += 1
      changeSomething(client)
    case ..<42: client.focus(random.pick(Self.fields))
    case ..<52: client.blur(random.pick(Self.fields + ["address"]))
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

  /// A client gives the session another context, which all clients see.
  private mutating func setContext(_ client: SimulatedClient) {
    context = random.pick([[:], ["role": "clerk"], ["role": "chef", "token": "x"], ["token": "y"]])
    client.send("session/setContext", ["context": .object(context)])
  }

  private mutating func changeSomething(_ client: SimulatedClient) {
    switch random.below(100) {
    case ..<10: client.typeAddress("\(lastText)")
    case ..<45: client.send(random.pick(client.rowInputs(text: "\(lastText)")))
    default:
      let text = random.chance(30) ? "a@\(lastText)" : "\(lastText)"
      client.type(random.pick(Self.fields), text, commit: random.chance(15))
    }
  }

  /// Takes a step while no client is attached, or while no attached client reads.
  private mutating func takeStepAlone() {
    switch random.below(5) {
    case 4: daemon.server.reload(FormCatalog([random.pick(Self.forms)]))
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
    if random.chance(20), let here = clients.first(where: { $0.isAttached && !$0.isBlocked }) {
      here.attach(key)
    } else if let away = clients.first(where: { !$0.isAttached }) {
      attach(away)
    } else if clients.count < 4 {
      let client = SimulatedClient(daemon.connect(headers: random.chance(50)), waitsForAnswers: random.chance(50))
      attach(client)
      clients.append(client)
    }
  }

  /// A client attaches. If it is alone, the session follows its form, unless a tap still waits for its event.
  private mutating func attach(_ client: SimulatedClient) {
    guard let before = daemon.server.keptSessions.all.first else { return }
    let (values, outputs) = (before.engineSession.values(), self.outputs(of: before.engineSession))
    let form =
      before.connection != nil || before.engineSession.isActing
      ? before.engineSession.form : daemon.server.catalog.form(named: "shared")
    client.attach(key)
    guard let after = daemon.server.keptSessions.all.first?.engineSession else { return }
    if after.form.fingerprint != form?.fingerprint { wrongSession = "a client has another version of the form" }
    if after.values() != values { wrongSession = "a client has \(after.values()) instead of \(values)" }
    for name in ["hasPin", "role", "hasToken"] where self.outputs(of: after)?[name] != outputs?[name] {
      wrongSession = "a client has another \(name)"
    }
  }

  /// The outputs of the session, which tell its pin and its context.
  private func outputs(of session: Session) -> JSON? {
    let buffer = OutputBuffer()
    daemon.server.engine.writeDocument(of: session, into: buffer)
    return (try? JSON(parsing: buffer.bytes))?["outputs"]
  }

  /// The current violation, or nil.
  private func look() -> String? {
    if let wrongSession { return wrongSession }
    guard let session = daemon.server.keptSessions.all.first else { return "the session is gone" }
    if daemon.server.memory.values != session.contentAndEventBytes {
      return "\(daemon.server.memory) for \(session.contentAndEventBytes) bytes"
    }
    let buffer = OutputBuffer()
    daemon.server.engine.writeDocument(of: session.engineSession, into: buffer)
    guard let document = try? JSON(parsing: buffer.bytes) else { return "the document is no JSON" }
    let problems = session.engineSession.checkInvariants()
    if !problems.isEmpty { return "\(problems)" }
    let told = document["outputs"]
    let isToken = context["token"] != nil
    if told?["role"] != context["role"] ?? "" || told?["hasToken"] != .bool(isToken) {
      return "the context is \(context), and the document has \(told ?? .null)"
    }
    let values = session.engineSession.values()
    for (index, client) in clients.enumerated() where client.isAttached && client.hasReadAll {
      if let fault = client.fault { return "client \(index): \(fault)" }
      if client.document != document { return "client \(index) has \(client.document) instead of \(document)" }
      // Only the client that typed a delayed value shows it, until the value takes effect.
      for field in Self.fields.dropLast() where field != "term" || session.engineSession.deadline == nil {
        let (shown, value) = (client.shown[field], values.objectValue?.value(at: field))
        if shown != value {
          return "client \(index) shows \(shown ?? .null) in \(field) instead of \(value ?? .null)"
        }
      }
    }
    return lookAtEditing(session.engineSession)
  }

  /// A field is edited exactly as long as a user is in it.
  private func lookAtEditing(_ session: Session) -> String? {
    let edited = session.editedValues.compactMap { id in
      if case .field(let field, 0) = id { session.form.fields[field].address } else { nil }
    }.filter(Self.fields.contains)
    for client in clients where client.isAttached {
      if let field = client.entered.first(where: { !edited.contains($0) }) { return "\(field) is not edited any more" }
    }
    let left = edited.first { field in !clients.contains { $0.isAttached && $0.inside.contains(field) } }
    return left.map { "nobody is in \($0), and it is edited" }
  }
}

/// One of the clients of a ``SharingSimulation``, which follows the protocol's rules for clients.
final class SimulatedClient {
  private let client: TestClient
  private var session: JSON = .null
  private(set) var isAttached = false
  private(set) var isBlocked = false
  private(set) var document: JSON = .null
  private(set) var shown = JSONObject()
  private var revision: JSON = .null
  private var lastEvent: Int64 = 0
  /// The last event that it knew when it attached.
  private var knownEvent: Int64 = 0
  private var lastID: Int64 = 0
  /// The fields that the user is in.
  private(set) var inside: Set<String> = []
  /// The subset of these fields that the user entered since the session was last reset.
  private(set) var entered: Set<String> = []
  /// Whether the client sends no change before its last one is answered. If so, it shows all values that it receives.
  /// Otherwise it ignores received values of a field while it has unanswered changes of that field.
  private let waitsForAnswers: Bool
  /// The unanswered changes, by field.
  private var unanswered: [String: Set<Int64>] = [:]
  /// A message that the client must not get.
  private(set) var fault: String?

  init(_ client: TestClient, waitsForAnswers: Bool) {
    self.client = client
    self.waitsForAnswers = waitsForAnswers
  }

  var hasReadAll: Bool { !isBlocked && !client.hasOutput }

  /// Opens a kept session; returns its key.
  func open(_ form: String, keep: String) -> JSON {
    let state = client.result("session/open", ["form": .string(form), "keep": .string(keep)])
    attached(state)
    return state["key"] ?? .null
  }

  func attach(_ key: JSON) {
    read()
    // A client that is already attached gets no event twice.
    if !isAttached { knownEvent = lastEvent }
    let state = client.result("session/attach", ["key": key, "seq": .integer(knownEvent)])
    if state["eventsLost"] != 0 { fault = "events are lost: \(state)" }
    let before = isAttached ? (inside: inside, entered: entered, term: shown["term"]) : nil
    defer {
      if let before {
        // Its own delayed value is not in any answer.
        (inside, entered, shown["term"]) = before
      }
    }
    attached(state)
    take(state["events"])
  }

  private func attached(_ state: JSON) {
    isAttached = true
    session = state["session"] ?? .null
    document = state["document"] ?? .null
    revision = state["revision"] ?? .null
    shown = [:]
    show(state["values"]?.objectValue ?? [:])
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

  func send(_ input: (method: String, params: JSONObject)) {
    send(input.method, input.params)
  }

  func type(_ field: String, _ text: String, commit: Bool) {
    beginChange(of: [field])
    inside.insert(field)
    shown[field] = .string(text)
    send("field/change", ["field": .string(field), "value": .string(text), "commit": .bool(commit)])
    if commit {
      inside.remove(field)
      entered.remove(field)
    }
  }

  /// Changes the address as a whole.
  func typeAddress(_ city: String) {
    beginChange(of: ["/address/city", "/address/zip"])
    inside.formUnion(["/address/city", "/address/zip"])
    shown["/address/city"] = .string(city)
    shown["/address/zip"] = nil
    send("field/change", ["field": "address", "value": ["city": .string(city)]])
  }

  private func beginChange(of fields: [String]) {
    if waitsForAnswers, unanswered.values.contains(where: { !$0.isEmpty }) { read() }
    for field in fields { unanswered[field, default: []].insert(1_001 + lastID) }
  }

  /// The possible inputs for the rows that the client knows. Another client may have removed such a row.
  func rowInputs(text: String) -> [(method: String, params: JSONObject)] {
    var inputs: [(method: String, params: JSONObject)] = [
      ("field/insert", ["field": "items", "value": ["sku": .string(text)]]),
      ("field/insert", ["field": "items", "at": 0, "value": ["lines": [["x": .string(text)], [:]]]]),
    ]
    let rows = document.at("fields", "items", "order")?.arrayValue?.compactMap(\.stringValue) ?? []
    for row in rows {
      inputs += [
        ("field/remove", ["field": .string("/items/#\(row)")]),
        ("field/move", ["field": .string("/items/#\(row)"), "to": 0]),
        ("field/change", ["field": .string("/items/#\(row)/sku"), "value": .string(text), "commit": true]),
        ("field/insert", ["field": .string("/items/#\(row)/lines"), "value": ["x": .string(text)]]),
        ("field/remove", ["field": .string("/items/#\(row)/lines/0")]),
        ("field/change", ["field": .string("/items/#\(row)/lines/0/x"), "value": .string(text)]),
      ]
    }
    if rows.count > 3 { inputs.append(("field/change", ["field": "items", "value": [["sku": .string(text)]]])) }
    return inputs
  }

  func focus(_ field: String) {
    inside.insert(field)
    entered.insert(field)
    send("field/focus", ["field": .string(field)])
  }

  func blur(_ field: String) {
    inside = inside.filter { $0 != field && !$0.hasPrefix("/\(field)/") }
    entered.formIntersection(inside)
    send("field/blur", ["field": .string(field)])
  }

  /// The session was reset: no field is edited until a user types again.
  func sessionWasReset() {
    entered = []
  }

  func detach() {
    // Messages under way arrive first.
    read()
    send("session/detach")
    read()
    isAttached = false
  }

  func close() {
    client.connection.closed()
    isAttached = false
  }

  /// Stops reading.
  func block() {
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#)
    isBlocked = true
  }

  func unblock() {
    client.drain()
    isBlocked = false
  }

  /// Reads all messages that have arrived.
  func read() {
    for message in client.messages() {
      if let id = message["id"]?.integerValue { for field in unanswered.keys { unanswered[field]?.remove(id) } }
      guard message["method"] == "session/update", let update = message["params"] else { continue }
      if update["from"] != revision { fault = "an update from \(update["from"] ?? .null) after \(revision)" }
      revision = update["revision"] ?? .null
      document.merge(update["patch"] ?? .null)
      show(update["values"]?.objectValue ?? [:])
      for name in update["absent"]?.arrayValue?.compactMap(\.stringValue) ?? [] { show(nil, at: name) }
      take(update["events"])
    }
  }

  private func show(_ values: JSONObject) {
    for member in values { show(member.value, at: member.name) }
  }

  /// Takes over a received value of a field, or of the address as a whole.
  private func show(_ value: JSON?, at name: String) {
    if name == "address" {
      for part in ["city", "zip"] { show(value?[part], at: "/address/\(part)") }
    } else if shows(name) {
      shown[name] = value
    }
  }

  /// Whether the client shows a received value of a field. A delayed value (`term`) is sent after the answer to its
  /// change, so the client shows it only if no answer is outstanding.
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

extension JSONObject {
  /// The value at the address of a field, or of a part of one.
  fileprivate func value(at address: String) -> JSON? {
    guard address.hasPrefix("/") else { return self[address] }
    let names = address.dropFirst().split(separator: "/").map(String.init)
    return names.dropFirst().reduce(self[names[0]]) { $0?[$1] }
  }
}
