import JSON
import Sessions
import Testing

@testable import Server

/// Clients that get only what the form calls `public`: the connections of browsers.
@Suite struct PublicResultTests {
  /// A form with a public and a private lookup, also in rows, and with such actions.
  private static let form = TestForms.form(
    #"""
    { "form": "shop",
      "schema": { "type": "object", "properties": {
        "city": { "type": "string", "maxLength": 100 },
        "items": { "type": "array", "maxItems": 5, "items": { "type": "object", "properties": {
          "sku": { "type": "string", "maxLength": 40 } } } } } },
      "fields": { "city": { "options": "lookups.cities.value.map(c, c.name)" } },
      "lookups": {
        "cities": { "run": { "http": { "service": "s", "path": "/" } } },
        "open": { "public": true, "run": { "http": { "service": "s", "path": "/" } } },
        "/items/*/price": { "run": { "http": { "service": "s", "path": "/", "query": { "sku": "row.sku" } } } },
        "/items/*/colour": { "public": true, "run": { "http": { "service": "s", "path": "/", "query": { "sku": "row.sku" } } } }
      },
      "actions": {
        "buy": { "scope": "none", "run": { "http": { "service": "s", "path": "/" } },
          "outcomes": [{ "success": "response.body", "messageExpression": "'Thanks'" }] },
        "look": { "public": true, "scope": "none", "run": { "http": { "service": "s", "path": "/" } },
          "outcomes": [{ "success": "response.body" }] }
      },
      "outputs": { "count": "lookups.cities.value.size()" } }
    """#
  )

  /// Values that no browser may see have this word in them.
  private static let canary = "CANARY"
  private static let cities: JSON = [["name": "Seoul", "note": "CANARY"], ["name": "Busan", "note": "CANARY"]]

  private func daemon() -> TestDaemon { TestDaemon(catalog: FormCatalog([Self.form])) }

  /// Answers the lookups of the form: first `cities`, then `open`.
  private func answerLookups(_ daemon: TestDaemon) {
    daemon.answerEffect(EffectResponse(kind: .ok, body: Self.cities))
    daemon.answerEffect(EffectResponse(kind: .ok, body: "seen"))
  }

  private func expectNoCanary(_ messages: [JSON], _ place: SourceLocation = #_sourceLocation) {
    #expect(!messages.contains { $0.description.contains(Self.canary) }, "\(messages)", sourceLocation: place)
  }

  @Test(arguments: [JSON.null, "10m"])
  func `a browser gets options and outputs, and no private value, and its document is whole`(_ keep: JSON) {
    let daemon = daemon()
    let client = daemon.connect()
    var params: JSONObject = ["form": "shop", "onlyPublic": true]
    if keep != .null { params["keep"] = keep }
    let browser = SharingClient(client, client.result("session/open", .object(params)))
    func follow() {
      let messages = client.messages()
      expectNoCanary(messages)
      browser.merge(messages)
    }
    answerLookups(daemon)
    follow()
    #expect(browser.document.at("fields", "city", "options")?.arrayValue?.count == 2)
    #expect(browser.document.at("outputs", "count") == 2)
    #expect(browser.document.at("lookups", "open", "value") == "seen")
    #expect(browser.document.at("lookups", "cities") == ["isLoading": false])
    browser.merge(client.request("field/insert", ["field": "items", "value": ["sku": "a"]]))
    daemon.answerEffect(EffectResponse(kind: .ok, body: "CANARY"))
    daemon.answerEffect(EffectResponse(kind: .ok, body: "red"))
    follow()
    let lookups = browser.document.at("fields", "items", "rows", "1", "lookups")
    #expect(lookups?.at("/items/*/colour", "value") == "red" || lookups?.description.contains("red") == true)
    for action in ["buy", "look"] {
      let answers = client.request("action/tap", ["action": .string(action)])
      browser.merge(answers)
      daemon.answerEffect(EffectResponse(kind: .ok, body: action == "buy" ? "CANARY" : "seen"))
      follow()
    }
    #expect(browser.document.at("actions", "buy", "message") == "Thanks")
    #expect(browser.document.at("actions", "buy", "result") == nil)
    #expect(browser.document.at("actions", "look", "result") == "seen")
    #expect(browser.events.map { $0["result"] } == [nil, "seen"])
    let whole = client.request("session/get")
    expectNoCanary(whole)
    #expect(whole.last?["result"]?["document"] == browser.document)
  }

  @Test
  func `a tap that waits is answered without its private result`() {
    let daemon = daemon()
    let client = daemon.connect()
    client.result("session/open", ["form": "shop", "onlyPublic": true])
    answerLookups(daemon)
    _ = client.messages()
    client.request("action/tap", ["action": "buy", "await": true])
    daemon.answerEffect(EffectResponse(kind: .ok, body: "CANARY"))
    let messages = client.messages()
    expectNoCanary(messages)
    #expect(messages.last?.at("result", "event", "kind") == "succeeded")
  }

  @Test
  func `of one session a program gets all, and a browser what is public, also late and when it comes back`() throws {
    let daemon = daemon()
    let first = daemon.connect()
    let opened = first.result("session/open", ["form": "shop", "keep": "10m"])
    let key = try #require(opened["key"])
    let program = SharingClient(first, opened)
    let second = daemon.connect()
    let attach: JSON = ["key": key, "seq": 0, "onlyPublic": true]
    let browser = SharingClient(second, second.result("session/attach", attach))
    browser.block()
    answerLookups(daemon)
    program.merge(first.request("action/tap", ["action": "buy"]))
    daemon.answerEffect(EffectResponse(kind: .ok, body: "CANARY"))
    program.receive()
    #expect(program.document.at("actions", "buy", "result") == "CANARY")
    #expect(program.document.at("lookups", "cities", "value") == Self.cities)
    #expect(program.events.first?["result"] == "CANARY")
    // The browser did not read: it gets all of it as one update.
    second.drain()
    let late = second.messages()
    expectNoCanary(late)
    browser.merge(late)
    #expect(browser.events.map { $0["kind"] } == ["succeeded"])
    #expect(second.result("session/get")["document"] == browser.document)
    let third = daemon.connect()
    let again = third.request("session/attach", attach)
    expectNoCanary(again)
    #expect(again.last?.at("result", "events")?.arrayValue?.count == 1)
    #expect(third.result("session/get")["document"] == browser.document)
    #expect(first.result("session/get")["document"] == program.document)
  }

  @Test
  func `a turn that changes nothing public sends a browser nothing`() {
    let daemon = daemon()
    let client = daemon.connect()
    let browser = SharingClient(client, client.result("session/open", ["form": "shop", "onlyPublic": true]))
    answerLookups(daemon)
    browser.receive()
    let update = client.request("action/tap", ["action": "look"])
    browser.merge(update)
    daemon.answerEffect(EffectResponse(kind: .ok, body: "seen"))
    browser.receive()
    // `from` and `revision` stay together over the turns that were not told.
    #expect(client.result("session/get")["revision"] == browser.revision)
  }
}
