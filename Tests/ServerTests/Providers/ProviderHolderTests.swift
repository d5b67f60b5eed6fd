internal import Configuration
import FormProtocol
import Forms
import JSON
import Sessions
import Testing

@testable import Server

/// Several clients answer for one provider.
struct ProviderHolderTests {
  /// A check, a lookup and two actions that ask the provider `oracle`; only one of them may be asked twice.
  private static let form = TestForms.form(
    #"""
    { "form": "asked",
      "schema": { "type": "object", "properties": { "text": { "type": "string" }, "place": { "type": "string" } } },
      "checks": [ { "id": "known", "field": "text", "timeout": "5s",
        "run": { "provider": { "name": "oracle", "arguments": { "text": "self" } } },
        "outcomes": [ { "when": "response.body == true", "valid": true }, { "code": "unknown" } ] } ],
      "lookups": { "found": { "timeout": "5s", "when": "values.place != ''", "value": "response.body",
        "run": { "provider": { "name": "oracle", "arguments": { "place": "values.place" } } } } },
      "actions": {
        "plain": { "enabled": "true", "scope": "none", "flight": "merge", "timeout": "5s",
          "run": { "provider": { "name": "oracle", "arguments": { "text": "values.text" } } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] },
        "keyed": { "enabled": "true", "scope": "none", "flight": "merge", "timeout": "5s", "idempotency": true,
          "run": { "provider": { "name": "oracle", "arguments": { "text": "values.text" } } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } } }
    """#
  )

  private let daemon: TestDaemon
  private let holders: [TestClient]
  private let client: TestClient

  init() {
    daemon = TestDaemon(catalog: FormCatalog([Self.form])) {
      $0.limits[.outputHardBytes] = 1_000
      $0.providers["oracle"] = ProviderConfiguration(timeoutMs: 4_000, holdersMax: 4)
    }
    holders = [daemon.connect(), daemon.connect(), daemon.connect()]
    for holder in holders { holder.result("provider/register", ["name": "oracle"]) }
    client = daemon.connect()
    client.open("asked")
  }

  /// The calls to that client, in order.
  private func calls(_ holder: TestClient) -> [JSON] {
    holder.messages().filter { $0["method"] == "provider/evaluate" }
  }

  private func answer(_ holder: TestClient, _ call: JSON?, _ result: JSON) {
    holder.send(JSON.object(["jsonrpc": "2.0", "id": call?["id"] ?? .null, "result": result]).description)
  }

  /// The results and errors of the events that the client gets.
  private func outcomes() -> [JSON?] {
    client.messages().flatMap { $0.at("params", "events")?.arrayValue ?? [] }.map { $0["result"] ?? $0["error"] }
  }

  private func document(_ member: String) -> JSON? { client.result("session/get").at("document", member) }

  @Test
  func `they are asked in turn`() {
    for _ in 0..<7 { client.request("action/tap", ["action": "plain"]) }
    #expect(holders.map { calls($0).count } == [3, 2, 2])
  }

  @Test
  func `as many may register as the configuration says, none of them twice`() {
    let (fourth, fifth) = (daemon.connect(), daemon.connect())
    #expect(holders[0].error("provider/register", ["name": "oracle"])["code"] == 1007)
    #expect(fourth.result("provider/register", ["name": "oracle"]) == ["name": "oracle"])
    #expect(
      fifth.error("provider/register", ["name": "oracle"]) == [
        "code": 1007, "message": "The provider is registered already", "data": ["name": "oracle"],
      ]
    )
    #expect(fifth.error("provider/unregister", ["name": "oracle"])["code"] == 1006)
    holders[1].result("provider/unregister", ["name": "oracle"])
    #expect(fifth.result("provider/register", ["name": "oracle"]) == ["name": "oracle"])
    holders[0].connection.closed()
    #expect(holders[1].result("provider/register", ["name": "oracle"]) == ["name": "oracle"])
  }

  @Test(arguments: ["closed", "inputEnded"])
  func `what a check asks of one that goes, the next one is asked`(_ end: String) {
    client.request("field/change", ["field": "text", "value": "x"])
    #expect(calls(holders[0]).count == 1)
    if end == "closed" { holders[0].connection.closed() } else { holders[0].connection.inputEnded() }
    let asked = calls(holders[1])
    #expect(asked.map { $0["params"] } == [["name": "oracle", "arguments": ["text": "x"]]])
    #expect(calls(holders[2]).isEmpty)
    #expect(document("isPending") == true)
    answer(holders[1], asked.first, true)
    #expect(document("isPending") == false)
    #expect(document("isValid") == true)
  }

  @Test
  func `what a lookup asks goes on and on, as long as somebody is left`() {
    client.request("field/change", ["field": "place", "value": "here"])
    for (index, holder) in holders.enumerated() {
      #expect(calls(holder).count == 1, "holder \(index)")
      if index < 2 { holder.connection.closed() } else { answer(holder, ["id": "formd:1"], 42) }
    }
    #expect(document("lookups")?.at("found", "value") == 42)
    #expect(client.result("server/stats")["unknownResponses"] == 0)
  }

  @Test
  func `what an action asks may have been done, and is asked once`() {
    client.request("action/tap", ["action": "plain"])
    #expect(calls(holders[0]).count == 1)
    holders[0].connection.closed()
    #expect(outcomes() == ["gone"])
    #expect(holders.dropFirst().allSatisfy { calls($0).isEmpty })
  }

  @Test
  func `an action with a key is asked again with the same key`() throws {
    client.request("action/tap", ["action": "keyed"])
    let first = try #require(calls(holders[0]).first)
    let key = try #require(first.at("params", "idempotencyKey")?.stringValue)
    holders[0].connection.closed()
    let second = try #require(calls(holders[1]).first)
    #expect(second["params"] == first["params"])
    answer(holders[1], second, 7)
    #expect(outcomes() == [7])
    client.request("action/tap", ["action": "keyed"])
    let other = try #require(calls(holders[2]).first?.at("params", "idempotencyKey")?.stringValue)
    #expect(other != key)
  }

  @Test
  func `when nobody is left it is gone`() {
    client.request("action/tap", ["action": "keyed"])
    for holder in holders { holder.connection.closed() }
    #expect(outcomes() == ["gone"])
    client.request("action/tap", ["action": "keyed"])
    #expect(client.result("server/stats")["providerHolders"] == 0)
  }

  @Test
  func `who unregisters answers what it was asked, and is asked nothing more`() {
    client.request("action/tap", ["action": "plain"])
    let call = calls(holders[0]).first
    #expect(holders[0].result("provider/unregister", ["name": "oracle"]) == ["name": "oracle"])
    for _ in 0..<6 { client.request("action/tap", ["action": "plain"]) }
    #expect(holders.map { calls($0).count } == [0, 3, 3])
    #expect(outcomes().isEmpty)
    answer(holders[0], call, "late, and still good")
    #expect(outcomes() == ["late, and still good"])
  }

  @Test
  func `providers are replaced under load, and no question fails`() throws {
    struct Under {
      let client: TestClient
      var calls: [JSON] = []
    }
    var serving = holders.map { Under(client: $0) }
    var results = 0
    for round in 0..<200 {
      client.request("action/tap", ["action": round % 2 == 0 ? "plain" : "keyed"])
      for index in serving.indices { serving[index].calls += calls(serving[index].client) }
      // Each client has a call or two all the time.
      for index in serving.indices where serving[index].calls.count > 1 {
        answer(serving[index].client, serving[index].calls.removeFirst(), 1)
      }
      if round % 10 == 0 {
        let next = daemon.connect()
        next.result("provider/register", ["name": "oracle"])
        let last = serving.removeFirst()
        serving.append(Under(client: next))
        #expect(!last.calls.isEmpty || round == 0)
        last.client.result("provider/unregister", ["name": "oracle"])
        for call in last.calls { answer(last.client, call, 1) }
        last.client.connection.inputEnded()
        last.client.connection.closed()
      }
      let told = outcomes()
      #expect(told.allSatisfy { $0 == 1 })
      results += told.count
    }
    for under in serving { for call in under.calls { answer(under.client, call, 1) } }
    #expect(results + outcomes().count == 200)
    #expect(daemon.server.providers.checkInvariants().isEmpty)
  }

  @Test
  func `who reads nothing is passed over`() {
    holders[0].roomBytes = 0
    holders[0].send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
    for _ in 0..<4 { client.request("action/tap", ["action": "plain"]) }
    #expect(holders.map { calls($0).count } == [0, 2, 2])
    for holder in holders.dropFirst() { holder.connection.closed() }
    #expect(outcomes() == ["gone", "gone", "gone", "gone"])
    client.request("action/tap", ["action": "plain"])
    #expect(document("actions")?.at("plain", "error") == "error")
  }

  /// Taps, and lets all holders but the first answer at once.
  ///
  /// - Returns: the calls of the first.
  private func tap(times: Int) -> [JSON] {
    var unanswered: [JSON] = []
    for _ in 0..<times {
      client.request("action/tap", ["action": "plain"])
      unanswered += calls(holders[0])
      for holder in holders.dropFirst() { for call in calls(holder) { answer(holder, call, 1) } }
    }
    return unanswered
  }

  @Test
  func `who does not answer in time is passed over for a while, as long as others can be asked`() {
    let passedOver = { client.result("server/stats")["providerHoldersPassedOver"] }
    #expect(tap(times: 6).count == 2)
    daemon.advance(milliseconds: 4_000)
    #expect(passedOver() == 0)
    #expect(tap(times: 3).count == 1)
    daemon.advance(milliseconds: 4_000)
    #expect(passedOver() == 1)
    #expect(tap(times: 6).isEmpty)
    // After the pause one call decides.
    daemon.advance(milliseconds: 30_000)
    #expect(passedOver() == 0)
    let trial = tap(times: 6)
    #expect(trial.count == 1 && passedOver() == 1)
    answer(holders[0], trial.first, 1)
    #expect(passedOver() == 0)
    #expect(tap(times: 3).count == 1)
    // It is better than nobody.
    daemon.advance(milliseconds: 4_000)
    #expect(tap(times: 6).count == 2)
    daemon.advance(milliseconds: 4_000)
    #expect(passedOver() == 1)
    for holder in holders.dropFirst() { holder.connection.closed() }
    #expect(tap(times: 2).count == 2)
  }

  @Test
  func `the configuration's patience counts from the first asking`() {
    client.request("action/tap", ["action": "keyed"])
    daemon.advance(milliseconds: 3_000)
    holders[0].connection.closed()
    #expect(calls(holders[1]).count == 1)
    daemon.advance(milliseconds: 999)
    #expect(outcomes().isEmpty)
    daemon.advance(milliseconds: 1)
    #expect(outcomes() == ["timeout"])
    #expect(holders[1].messages().map { $0["method"] } == ["$/cancelRequest"])
    // Memory is looked after once, half a second after something was freed.
    daemon.advance(milliseconds: 500)
    #expect(daemon.server.timers.count == 0)
  }

  @Test
  func `a question that nobody waits for any more is taken back where it is`() {
    client.request("action/tap", ["action": "keyed"])
    holders[0].connection.closed()
    #expect(calls(holders[1]).count == 1)
    client.result("session/close")
    #expect(holders[1].messages().map { $0.at("params", "id") } == ["formd:1"])
    daemon.advance(milliseconds: 500)
    #expect(daemon.server.timers.count == 0)
  }

  @Test
  func `a definition that was brought along asks its own client, whoever else holds the name`() {
    let own = daemon.connect()
    own.result("provider/register", ["name": "oracle"])
    own.request(
      "session/open",
      [
        "definition": [
          "schema": ["properties": ["x": [:]]],
          "actions": [
            "ask": [
              "flight": "merge", "idempotency": true, "run": ["provider": ["name": "oracle"]],
              "outcomes": [
                ["when": "response.kind == 'ok'", "success": "response.body"], ["failure": "response.kind"],
              ],
            ]
          ],
        ]
      ]
    )
    for _ in 0..<3 {
      let asked = own.request("action/tap", ["action": "ask"]).filter { $0["method"] == "provider/evaluate" }
      #expect(asked.count == 1)
    }
    own.result("provider/unregister", ["name": "oracle"])
    own.request("action/tap", ["action": "ask"])
    #expect(own.result("session/get").at("document", "actions", "ask", "error") == "noProvider")
    #expect(holders.allSatisfy { calls($0).isEmpty })
  }

  @Test
  func `operators are told how many hold each name`() {
    holders[2].result("provider/register", ["name": "another"])
    for _ in 0..<2 { client.request("action/tap", ["action": "plain"]) }
    let statistics = client.result("server/stats", ["providers": 10])
    #expect(statistics["providerHolders"] == 4)
    #expect(
      statistics["providers"] == [
        ["name": "another", "holders": 1, "holdersMax": 1, "questions": 0],
        ["name": "oracle", "holders": 3, "holdersMax": 4, "questions": 2],
      ]
    )
    #expect(client.result("server/stats", ["providers": 1])["providers"]?.arrayValue?.count == 1)
    #expect(client.result("server/stats")["providers"] == nil)
  }
}
