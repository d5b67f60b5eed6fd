internal import Configuration
import FormProtocol
import Forms
import JSON
import Randomness
import Sessions
internal import Times

@testable import Server

/// A random life of a form whose check and actions ask a provider with several clients. The clients come, register,
/// read slowly, answer late, unregister and leave, in an order that a seed determines.
///
/// After each step these statements must hold:
/// - Each call is at one client, and this client could answer it at once.
/// - A call whose action may have been done is made once. Any other call is made again with the same key.
/// - A tap results in the provider's answer, or in the best outcome that was possible.
struct ProviderSimulation {
  private static let form = TestForms.form(
    #"""
    { "form": "asked", "schema": { "type": "object", "properties": { "text": { "type": "string" } } },
      "checks": [ { "id": "known", "field": "text", "timeout": "5s",
        "run": { "provider": { "name": "oracle", "arguments": { "kind": "'check'", "text": "self" } } },
        "outcomes": [ { "when": "response.body == 1", "valid": true }, { "code": "unknown" } ] } ],
      "actions": {
        "plain": { "enabled": "true", "scope": "none", "flight": "merge", "timeout": "5s",
          "run": { "provider": { "name": "oracle", "arguments": { "kind": "'plain'", "text": "values.text" } } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] },
        "keyed": { "enabled": "true", "scope": "none", "flight": "merge", "timeout": "5s", "idempotency": true,
          "run": { "provider": { "name": "oracle", "arguments": { "kind": "'keyed'", "text": "values.text" } } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } } }
    """#
  )
  private static let holdersMax = 3
  private static let hardBytes = 600

  private var random: SeededGenerator
  private let daemon: TestDaemon
  private let client: TestClient
  private var providers: [SimulatedProvider] = []
  /// The taps without an event, by the number of the run.
  private var taps: [Int64: Tap] = [:]
  /// The key that was sent with each call.
  private var keys: [Asked: String] = [:]
  /// The calls that may be made only once and were made.
  private var asked: Set<Asked> = []
  private var lastText = 0
  private var fault: String?

  private struct Tap {
    let asked: Asked
    let time: Instant
    /// The possible outcome; nil as long as a client is asked.
    var outcome: JSON?
  }

  /// The clients that are to be asked, and the outcome if no client can be asked.
  private typealias Best = (holders: [SimulatedProvider], outcome: JSON?)

  /// A violation, and the time at which it was found.
  struct Finding: CustomStringConvertible {
    let step: Int
    let what: String
    var description: String { "step \(step): \(what)" }
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    daemon = TestDaemon(catalog: FormCatalog([Self.form])) {
      $0.limits[.stallMs] = 3_600_000
      $0.limits[.outputHardBytes] = Self.hardBytes
      $0.providers["oracle"] = ProviderConfiguration(holdersMax: Self.holdersMax)
    }
    client = daemon.connect()
    client.open("asked")
  }

  /// Runs the simulation, with a check after each step.
  ///
  /// - Returns: the first violation, or nil.
  mutating func live(steps: Int) -> Finding? {
    for step in 0..<steps {
      takeStep()
      if let wrong = look() { return Finding(step: step, what: wrong) }
    }
    hear(asking: best()) { $0.daemon.advance(milliseconds: 5_000) }
    if let wrong = look() { return Finding(step: steps, what: wrong) }
    if let tap = taps.values.first { return Finding(step: steps, what: "\(tap.asked) comes to nothing") }
    for provider in providers { provider.close() }
    client.connection.closed()
    daemon.advance(milliseconds: 500)
    if daemon.server.providers.holderCount > 0 { return Finding(step: steps, what: "one that went holds a name") }
    if daemon.server.timers.count > 0 { return Finding(step: steps, what: "a timer is left") }
    return nil
  }

  // MARK: Steps

  private mutating func takeStep() {
    switch random.below(100) {
    case ..<25: change()
    case ..<50: tap(random.pick(["plain", "keyed"]))
    case ..<65: hear(asking: best()) { $0.answer() }
    case ..<75: hear(asking: best()) { $0.register() }
    case ..<82: hear(asking: best()) { $0.unregister() }
    case ..<88: goAway()
    case ..<93: if let provider = pick({ !$0.isBlocked }) { provider.block(withMuch: random.chance(50)) }
    case ..<97: if let provider = pick(\.isBlocked) { provider.drain() }
    default: hear(asking: best()) { $0.daemon.advance(milliseconds: Int64($0.random.pick([1, 700, 3_000]))) }
    }
  }

  private mutating func pick(_ isMeant: (SimulatedProvider) -> Bool) -> SimulatedProvider? {
    let meant = providers.filter(isMeant)
    return meant.isEmpty ? nil : random.pick(meant)
  }

  /// The clients that read; if there are none, the clients that read slowly. Clients that have not answered in time are
  /// the last.
  private func best(without gone: SimulatedProvider? = nil) -> Best {
    let holders = providers.filter { $0.isRegistered && $0 !== gone }
    let isHung = { [daemon] (holder: SimulatedProvider) in daemon.server.isPassedOver(holder.number) }
    let ready = holders.filter { !$0.isBlocked && !isHung($0) }
    if !ready.isEmpty { return (ready, nil) }
    let slow = holders.filter { $0.unsentBytes <= Self.hardBytes && !isHung($0) }
    if !slow.isEmpty { return (slow, nil) }
    let hung = holders.filter { !$0.isBlocked || $0.unsentBytes <= Self.hardBytes }
    if !hung.isEmpty { return (hung, nil) }
    return ([], holders.isEmpty ? "noProvider" : "error")
  }

  private mutating func change() {
    lastText += 1
    hear(asking: best()) {
      $0.take($0.client.request("field/change", ["field": "text", "value": .string("\($0.lastText)")]))
    }
  }

  private mutating func tap(_ action: String) {
    change()
    let asked = Asked(kind: action, text: "\(lastText)")
    let best = self.best()
    hear(asking: best) {
      let messages = $0.client.request("action/tap", ["action": .string(action)])
      // An immediate outcome is sent after the answer.
      let run = messages.first { $0["result"] != nil }?.at("result", "run")?.integerValue ?? 0
      $0.taps[run] = Tap(asked: asked, time: $0.daemon.time, outcome: best.outcome)
      $0.take(messages)
    }
  }

  private mutating func answer() {
    guard let provider = pick({ !$0.isBlocked && !$0.open.isEmpty }) else { return }
    let (id, call) = random.pick(provider.open.sorted { $0.value.asked < $1.value.asked })
    let result = JSON.string("answer \(call.asked)")
    for (run, tap) in taps where tap.asked == call.asked { taps[run]?.outcome = result }
    provider.answer(id, result)
  }

  private mutating func register() {
    if providers.count < 5, random.chance(60) { providers.append(SimulatedProvider(daemon.connect())) }
    guard let provider = pick({ !$0.isBlocked }) else { return }
    let isAdmitted = !provider.isRegistered && providers.count(where: \.isRegistered) < Self.holdersMax
    if provider.register() != isAdmitted { fault = "who may hold the name is admitted: \(!isAdmitted)" }
  }

  private mutating func unregister() {
    guard let provider = pick({ $0.isRegistered && !$0.isBlocked }) else { return }
    provider.unregister()
  }

  private mutating func goAway() {
    guard let provider = pick({ _ in true }) else { return }
    provider.read()
    let next = best(without: provider)
    providers.removeAll { $0 === provider }
    for (run, tap) in taps where provider.open.values.contains(where: { $0.asked == tap.asked }) {
      if tap.asked.kind == "plain" || next.holders.isEmpty { taps[run]?.outcome = "gone" }
    }
    hear(asking: next) { if $0.random.chance(50) { provider.close() } else { provider.endInput() } }
  }

  // MARK: What comes of it

  /// Performs a step, and then all clients read. A client with a new call must be one of the clients that may be
  /// called.
  private mutating func hear(asking best: Best, _ happen: (inout Self) -> Void) {
    happen(&self)
    take(client.messages())
    for provider in providers {
      for call in provider.read() {
        if !best.holders.contains(where: { $0 === provider }) { fault = "\(call.asked) is asked of the wrong one" }
        if call.asked.kind == "plain", !asked.insert(call.asked).inserted {
          fault = "\(call.asked) is asked again, and it may have been done"
        }
        noteKey(of: call)
      }
    }
  }

  private mutating func noteKey(of call: SimulatedProvider.Call) {
    guard (call.asked.kind == "keyed") == (call.key != nil) else {
      fault = "\(call.key == nil ? "no" : "a") key for \(call.asked)"
      return
    }
    guard let key = call.key else { return }
    if let known = keys[call.asked], known != key { fault = "another key for \(call.asked)" }
    if keys.contains(where: { $0.value == key && $0.key != call.asked }) { fault = "a key for two taps" }
    keys[call.asked] = key
  }

  private mutating func take(_ messages: [JSON]) {
    for event in messages.flatMap({ $0.at("params", "events")?.arrayValue ?? [] }) {
      guard let run = event["run"]?.integerValue, let tap = taps.removeValue(forKey: run) else {
        fault = "an event of no tap: \(event)"
        continue
      }
      let outcome = event["result"] ?? event["error"]
      let isLate = daemon.time >= tap.time + .seconds(5)
      if outcome != tap.outcome, !(outcome == "timeout" && isLate) {
        fault = "\(tap.asked) comes to \(outcome ?? .null) instead of \(tap.outcome ?? "an answer")"
      }
    }
  }

  /// The current violation, or nil.
  private func look() -> String? {
    if let fault { return fault }
    let problems = daemon.server.providers.checkInvariants()
    if !problems.isEmpty { return "\(problems)" }
    let open = providers.flatMap(\.open.values).map(\.asked)
    for tap in taps.values {
      let count = open.count { $0 == tap.asked }
      if count != 1 { return "\(tap.asked) is at \(count) providers" }
    }
    let isPending = client.result("session/get").at("document", "isPending") == true
    let checks = open.filter { $0.kind == "check" }
    if checks != (isPending ? [Asked(kind: "check", text: "\(lastText)")] : []) {
      return "\(checks) are asked, and the form is \(isPending ? "" : "not ")pending"
    }
    return open.count == taps.count + checks.count ? nil : "more is asked than anybody waits for: \(open)"
  }
}

/// The subject of a call: each text is tapped once.
struct Asked: Hashable, Comparable {
  let kind: String
  let text: String

  static func < (left: Asked, right: Asked) -> Bool { (left.text, left.kind) < (right.text, right.kind) }
}

/// One of the clients that answer, in a ``ProviderSimulation``.
final class SimulatedProvider {
  struct Call {
    let asked: Asked
    let key: String?
  }

  private let client: TestClient
  private(set) var isRegistered = false
  private(set) var isBlocked = false
  /// The calls that it has not answered, by the id.
  private(set) var open: [String: Call] = [:]
  /// The ids of all calls that it got.
  private var seen: Set<String> = []

  init(_ client: TestClient) { self.client = client }

  var number: Int64 { client.connection.number }
  var unsentBytes: Int { client.unsentBytes }

  /// Registers; returns whether the daemon admitted it.
  func register() -> Bool {
    let messages = client.request("provider/register", ["name": "oracle"])
    take(messages)
    let isAdmitted = messages.contains { $0["result"] == ["name": "oracle"] }
    if isAdmitted { isRegistered = true }
    return isAdmitted
  }

  func unregister() {
    isRegistered = false
    take(client.request("provider/unregister", ["name": "oracle"]))
  }

  func answer(_ id: String, _ result: JSON) {
    open[id] = nil
    client.send(JSON.object(["jsonrpc": "2.0", "id": .string(id), "result": result]).description)
  }

  /// Stops reading. If `isFull`, its unread output is already more than the daemon would add to.
  func block(withMuch isFull: Bool) {
    client.roomBytes = 0
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#
    // All answers are written in one piece.
    client.send(Array(repeating: ping, count: isFull ? 20 : 1).joined(separator: "\n"))
    isBlocked = true
  }

  func drain() {
    client.drain()
    isBlocked = false
  }

  func close() { client.connection.closed() }

  func endInput() {
    client.connection.inputEnded()
    client.connection.closed()
  }

  /// Returns its new calls, including calls that it has not read yet.
  @discardableResult
  func read() -> [Call] {
    take(client.messages() + TestClient.messages(client.unsent, headers: false))
  }

  @discardableResult
  private func take(_ messages: [JSON]) -> [Call] {
    var new: [Call] = []
    for message in messages {
      if message["method"] == "$/cancelRequest" {
        open[message.at("params", "id")?.stringValue ?? ""] = nil
      } else if message["method"] == "provider/evaluate", let id = message["id"]?.stringValue, seen.insert(id).inserted
      {
        let arguments = message.at("params", "arguments")
        let asked = Asked(kind: arguments?["kind"]?.stringValue ?? "", text: arguments?["text"]?.stringValue ?? "")
        let call = Call(asked: asked, key: message.at("params", "idempotencyKey")?.stringValue)
        open[id] = call
        new.append(call)
      }
    }
    return new
  }
}
