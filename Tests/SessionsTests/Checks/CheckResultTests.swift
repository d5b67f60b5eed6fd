import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

@Suite struct `What checks answer` {
  /// A form with a check of its name; the check has those members.
  private func definition(_ members: JSONObject = [:]) -> JSON {
    var check: JSONObject = [
      "id": "name.free", "field": "name",
      "run": ["provider": ["name": "names", "arguments": ["name": "self"]]],
      "outcomes": [["when": "response.body.free", "valid": true], ["message": "It is taken."]],
      "result": "response.body.?instead",
    ]
    for member in members { check[member.name] = member.value }
    return [
      "schema": [
        "type": "object",
        "properties": ["name": ["type": "string", "maxLength": 40], "size": ["type": "integer"]],
      ], "checks": [.object(check)],
      "outputs": ["instead": "checks['name.free'].result", "has": "has(checks['name.free'].result)"],
      "actions": ["send": [:]],
    ]
  }

  private func open(_ members: JSONObject = [:]) throws -> SessionDriver { try SessionDriver(definition(members)) }

  private func taken(instead: JSON) -> EffectResponse {
    EffectResponse(kind: .ok, body: ["free": false, "instead": instead])
  }

  // MARK: result

  @Test func `a result is there with the answer, whatever the answer says`() throws {
    let form = try open()
    #expect(form["/outputs"] == ["has": false])
    form.change("name", "kim")
    #expect(form["/outputs"] == ["has": false])
    form.answer(form.onlyEffect, taken(instead: "kim2"))
    #expect(form["/outputs"] == ["instead": "kim2", "has": true] && form.codes("name") == ["name.free"])
    form.change("name", "lee")
    #expect(form["/outputs"] == ["has": false])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["free": true, "instead": ["a": 1, "b": .null]]))
    #expect(form["/outputs"] == ["instead": ["a": 1], "has": true] && form.isValid)
  }

  @Test func `it goes when the check no longer applies, and on reset`() throws {
    let form = try open(["when": "values.size == null || values.size > 2"])
    form.change("name", "kim")
    form.answer(form.onlyEffect, taken(instead: "kim2"))
    form.change("size", 1)
    #expect(form["/outputs"] == ["has": false])
    form.change("size", 3)
    form.answer(form.onlyEffect, taken(instead: "kim3"))
    #expect(form["/outputs/instead"] == "kim3")
    form.reset()
    #expect(form["/outputs"] == ["has": false])
  }

  @Test func `a service that fails, and what it says of that, is no result`() throws {
    let form = try open(["outcomes": [["when": "response.status == 200", "valid": true]], "result": "response.kind"])
    form.change("name", "kim")
    form.answer(kind: .timeout)
    #expect(form["/outputs"] == ["has": false])
    _ = form.tap("send")
    form.answer(status: 500)
    #expect(form["/outputs"] == ["has": false])
    _ = form.tap("send")
    form.answer(status: 200)
    #expect(form["/outputs"] == ["instead": "ok", "has": true])
  }

  @Test func `a result that goes wrong is absent and is told, and the answer counts all the same`() throws {
    let form = try open(["result": "1 / int(response.status - 200)"])
    form.change("name", "kim")
    form.answer(status: 200, body: ["free": true])
    #expect(form["/outputs"] == ["has": false] && form.isValid)
    #expect(form.faults.map(\.name) == ["checks['name.free'].result"])
  }

  @Test func `an answer from the cache brings its result along`() throws {
    let form = try open(["cache": true])
    form.change("name", "kim")
    form.answer(form.onlyEffect, taken(instead: "kim2"))
    form.change("name", "lee")
    form.answer(form.onlyEffect, taken(instead: "lee2"))
    form.change("name", "kim")
    #expect(form.effects.isEmpty && form["/outputs/instead"] == "kim2")
  }

  @Test func `an answer from the cache is read with the cells as they are now`() throws {
    let form = try open(["cache": true, "result": "response.body.instead + string(values.size)"])
    form.change("size", 1)
    form.change("name", "kim")
    form.answer(form.onlyEffect, taken(instead: "kim"))
    #expect(form["/outputs/instead"] == "kim1")
    form.change("name", "")
    form.change("size", 2)
    form.change("name", "kim")
    #expect(form.effects.isEmpty && form["/outputs/instead"] == "kim2")
  }

  @Test func `a restored session has it at once`() throws {
    let form = try open()
    form.change("name", "kim")
    form.answer(form.onlyEffect, taken(instead: "kim2"))
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
      .session
    #expect(restored.document == form.kept && restored.checkInvariants().isEmpty)
    #expect(restored.document["outputs"] == ["instead": "kim2", "has": true])
  }

  @Test func `each row has its own`() throws {
    let form = try SessionDriver(
      [
        "schema": [
          "type": "object",
          "properties": [
            "items": [
              "type": "array", "maxItems": 9,
              "items": ["type": "object", "properties": ["sku": ["type": "string", "maxLength": 40]]],
            ]
          ],
        ],
        "checks": [
          [
            "id": "known", "field": "/items/*/sku",
            "run": ["provider": ["name": "skus", "arguments": ["sku": "self"]]],
            "outcomes": [["valid": true]], "result": "response.body.price",
          ]
        ],
        "outputs": [
          "/items/*/price": "checks.known.result.orValue(0)", "total": "outputs['/items/*/price'].sum()",
        ],
      ]
    )
    let rows = form.insert("items", nil, nil)
    form.change("/items/#\(rows[0])/sku", "a")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["price": 2]))
    form.change("/items/#\(rows[1])/sku", "b")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["price": 3]))
    #expect(form["/outputs/total"] == 5)
    // The answer for another row is known, and its result with it.
    form.change("/items/#\(rows[1])/sku", "c")
    #expect(form["/outputs/total"] == 2)
    form.remove("/items/#\(rows[0])")
    #expect(form["/outputs/total"] == 0)
  }

  @Test func `outside of its rows, and by a wrong name, it is refused with what to write`() {
    func problems(_ formula: String) -> [String] {
      Form.compile(
        [
          "schema": [
            "type": "object",
            "properties": ["items": ["type": "array", "items": ["type": "object", "properties": ["sku": [:]]]]],
          ],
          "checks": [
            [
              "id": "known", "field": "/items/*/sku", "run": ["provider": ["name": "skus"]],
              "outcomes": [["valid": true]], "result": "response.body",
            ]
          ],
          "outputs": ["/items/*/a": "checks.known.result == 1", "b": .string(formula)],
        ],
        fallbackName: "test"
      ).diagnostics.map { "\($0.message)\n\($0.remedy ?? "")" }
    }
    #expect(problems("'x'").isEmpty)
    let outside = problems("checks.known.result")
    #expect(outside.count == 1 && outside.contains { $0.contains("each row has its own check \"known\"") })
    let unknown = problems("checks.konwn.result")
    #expect(unknown.count == 1)
    let mute = Form.compile(definition(["result": .null]), fallbackName: "test").diagnostics
    #expect(mute.contains { "\($0)".contains("the check \"name.free\" has no result for formulas") })
  }

  // MARK: failureMessage

  @Test func `while its service fails, the check's own words stand at the field`() throws {
    let form = try open(["failureMessage": ["en": "We cannot look that up now.", "ko": "지금은 확인할 수 없어요."]])
    form.change("name", "kim")
    form.answer(kind: .refused)
    form.blur("name")
    form.answer(kind: .refused)
    #expect(form.message("name") == "We cannot look that up now." && form.codes("name") == ["name.free"])
    form.apply(.setLocale("ko"))
    #expect(form.message("name") == "지금은 확인할 수 없어요.")
    _ = form.tap("send")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["free": true]))
    #expect(form.message("name") == nil && form.isValid)
  }

  @Test func `where a failure says nothing, words for it are a warning`() {
    let compilation = Form.compile(
      definition(["onFailure": "ignore", "failureMessage": "Never."]),
      fallbackName: "test"
    )
    #expect(compilation.form != nil && compilation.diagnostics.map(\.severity) == [.warning])
  }
}
