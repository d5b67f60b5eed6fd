import FormProtocol
import JSON
import Server
import Sessions
import Testing

@Suite struct `form validate` {
  private static let order = TestForms.form(
    #"""
    { "form": "order",
      "schema": { "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string" }, "pin": { "type": "string", "writeOnly": true },
        "isGift": { "type": "boolean" }, "text": { "type": "string", "minLength": 3 }, "count": { "type": "integer" },
        "items": { "type": "array", "minItems": 3, "items": { "type": "object", "required": ["sku"], "properties": {
          "sku": { "type": "string" }, "isFree": { "type": "boolean" }, "key": { "type": "string", "writeOnly": true } } } } } },
      "fields": { "": { "messages": { "whole": "{label}!" } }, "name": { "normalize": ["trim"] }, "text": { "visible": "values.isGift == true" },
        "count": { "computed": "size(values.name)" }, "/items/*/sku": { "visible": "row.isFree != true" } },
      "messages": { "required": "{label} is missing." },
      "rules": [ { "id": "name.short", "field": "name", "check": "size(self) <= 5", "message": "Too long." },
        { "id": "name.odd", "field": "name", "check": "size(self) == 1", "severity": "warning", "message": "Odd." },
        { "id": "whole", "check": "values.name != 'whole'" } ] }
    """#
  )

  private static let checked = TestForms.form(
    #"""
    { "form": "two",
      "schema": { "type": "object", "properties": { "one": { "type": "string" }, "two": { "type": "string" },
        "rows": { "type": "array", "items": { "type": "object", "properties": { "code": { "type": "string" } } } } } },
      "checks": [ { "id": "one", "field": "one", "run": { "provider": { "name": "p", "arguments": { "v": "self" } } },
          "trustInitial": true, "outcomes": [ { "when": "response.kind != 'ok'", "code": "no" }, { "code": "one.no" } ] },
        { "id": "two", "field": "two", "run": { "http": { "service": "codes", "method": "GET", "path": "/two" } },
          "outcomes": [ { "when": "response.status == 200", "valid": true }, { "code": "two.no", "message": "No." } ] },
        { "id": "row", "field": "/rows/*/code", "run": { "http": { "service": "codes", "method": "GET", "path": "/row", "query": { "c": "self" } } },
          "outcomes": [ { "when": "response.status == 200", "valid": true }, { "code": "row.no", "message": "No." } ] } ] }
    """#
  )

  private func validate(_ values: JSON, _ more: [JSONObject.Member] = []) -> JSON {
    let client = TestDaemon(catalog: FormCatalog([Self.order])).connect()
    var params: JSONObject = ["form": "order", "values": values]
    for member in more { params[member.name] = member.value }
    return client.result("form/validate", .object(params))
  }

  private func errors(_ verdict: JSON) -> [String] {
    (verdict["errors"]?.arrayValue ?? []).map { "\($0["path"]?.stringValue ?? "?") \($0["code"]?.stringValue ?? "?")" }
  }

  @Test(arguments: [false, true])
  func `answers the values of the form without hidden ones and secrets`(_ checks: Bool) {
    let items: JSON = [["sku": "a", "key": "k"], ["sku": "b", "isFree": true], ["sku": "c"], ["sku": "d"]]
    let verdict = validate(
      ["name": " kim ", "pin": "1234", "text": "x", "items": items],
      [.init(name: "checks", value: .bool(checks))]
    )
    #expect(verdict["isValid"] == true && verdict["errors"] == [])
    #expect(
      verdict["values"] == [
        "name": "kim", "count": 3, "items": [["sku": "a"], ["isFree": true], ["sku": "c"], ["sku": "d"]],
      ]
    )
  }

  @Test func `lists the errors with their locations in the values that were sent`() {
    let items: JSON = [["isFree": true], ["sku": "b"], [:]]
    let verdict = validate(["name": "whole", "isGift": true, "text": "x", "items": items])
    #expect(verdict["isValid"] == false)
    #expect(errors(verdict) == ["/text minLength", "/items/2/sku required", " whole"])
    let messages = verdict["errors"]?.arrayValue?.map { $0["message"] }
    #expect(messages == ["This must have at least 3 characters.", "sku is missing.", "order!"])
    let first = verdict["errors"]?.arrayValue?.first
    #expect(
      first?["message"]?.stringValue?.isEmpty == false
        && first?.objectValue?.map(\.name) == ["path", "code", "message"]
    )
  }

  @Test(
    arguments: [
      (["name"], ["/name name.short"]), (["/items/1"], ["/items/1/sku required"]), (["/items/0/sku"], []),
      (["items"], ["/items minItems", "/items/1/sku required"]), ([], []),
      (["text", "name", "/name"], ["/name name.short", "/text minLength"]), (["pin"], []),
    ] as [(JSON, [String])]
  )
  func `with only judges those fields and the fields inside them`(_ only: JSON, _ expected: [String]) {
    let verdict = validate(
      ["name": "too long", "isGift": true, "text": "x", "items": [["sku": "a"], [:]]],
      [.init(name: "only", value: only)]
    )
    #expect(errors(verdict) == expected && verdict["isValid"] == .bool(expected.isEmpty))
  }

  @Test(arguments: [("nmae", 1004), ("/items/7/sku", -32602), ("/bad~7", -32602)] as [(String, Int64)], [false, true])
  func `refuses an address that the values do not have`(_ refused: (String, Int64), _ checks: Bool) {
    let daemon = TestDaemon(catalog: FormCatalog([Self.order]))
    let client = daemon.connect()
    let params: JSON = [
      "form": "order", "values": ["items": [[:]]], "only": ["name", .string(refused.0)], "checks": .bool(checks),
    ]
    let answer = client.request("form/validate", params).last
    #expect(answer?.at("error", "code") == .integer(refused.1))
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test func `with only asks only about those fields`() {
    let daemon = TestDaemon(catalog: FormCatalog([Self.checked]))
    let client = daemon.connect()
    let values: JSON = ["one": "a", "two": "b", "rows": [["code": "c"], ["code": "d"]]]
    let params: JSON = ["form": "two", "values": values, "checks": true, "only": ["two", "/rows/1"]]
    #expect(client.request("form/validate", params).isEmpty)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 404))
    #expect(client.messages().isEmpty)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 404))
    let verdict = client.messages().first?["result"] ?? .null
    #expect(errors(verdict) == ["/two two.no", "/rows/1/code row.no"])
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test func `with only and nothing to ask is answered at once`() {
    let client = TestDaemon(catalog: FormCatalog([Self.checked])).connect()
    let params: JSON = ["form": "two", "values": ["one": "a", "two": "b"], "checks": true, "only": ["rows"]]
    #expect(client.result("form/validate", params)["isValid"] == true)
  }

  private static let choices = TestForms.form(
    #"""
    { "form": "choices",
      "schema": { "type": "object", "properties": { "kind": { "enum": ["a", "b"] }, "size": { "default": "m", "enum": ["m"] },
        "rows": { "type": "array", "maxItems": 3, "items": { "type": "object", "properties": { "kind": { "enum": ["a"] } } } } } },
      "fields": { "kind": { "options": [{ "value": "a", "disabled": true }] },
        "/rows/*/kind": { "options": [{ "value": "a", "disabled": true }] } },
      "outputs": { "isDirty": "form.isDirty", "initial": "initial.kind" } }
    """#
  )

  @Test(arguments: [false, true])
  func `judges the values with which a session begins, and trusts none of them`(_ checks: Bool) {
    let client = TestDaemon(catalog: FormCatalog([Self.choices])).connect()
    let values: JSON = ["kind": "a", "rows": [["kind": "a"]]]
    let verdict = client.result("form/validate", ["form": "choices", "values": values, "checks": .bool(checks)])
    #expect(errors(verdict) == ["/kind options", "/rows/0/kind options"] && verdict["isValid"] == false)
    #expect(verdict.at("document", "outputs") == ["isDirty": false, "initial": "a"])
    let text: JSON = [
      "form": "choices", "text": .string(values.description), "language": "json", "checks": .bool(checks),
    ]
    #expect(errors(client.result("text/validate", text)) == ["/kind options", "/rows/0/kind options"])
  }

  @Test func `with checks asks at once, also about a default`() {
    let form = TestForms.form(
      #"""
      { "form": "late", "schema": { "type": "object", "properties": { "a": { "type": "string" }, "b": { "default": "d" } } },
        "checks": [ { "id": "a", "field": "a", "debounce": "5s", "ask": "leave",
            "run": { "provider": { "name": "p" } }, "outcomes": [ { "code": "a.no", "message": "No." } ] },
          { "id": "b", "field": "b", "debounce": "5s", "ask": "tap",
            "run": { "provider": { "name": "p" } }, "outcomes": [ { "code": "b.no", "message": "No." } ] } ] }
      """#
    )
    let daemon = TestDaemon(catalog: FormCatalog([form]))
    let client = daemon.connect()
    client.result("provider/register", ["name": "p"])
    let calls = client.request("form/validate", ["form": "late", "values": ["a": "x"], "checks": true])
    #expect(calls.map { $0["method"] } == ["provider/evaluate", "provider/evaluate"], "\(calls)")
  }
}
