import Forms
import JSON
import Sessions
import Testing

/// The word `values` in a request sends all values.
@Suite struct `The word values in a request` {
  @Test func `the word values in a request sends all that is not hidden, in rows too`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}, "secret": {"type": "string", "writeOnly": true}, "hidden": {"type": "string"},
            "box": {"type": "object", "properties": {"n": {"type": "integer"}}},
            "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"x": {"type": "string"}}}}}},
         "fields": {"hidden": {"visible": "false"}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"all": "values"}}}, "outcomes": [{"valid": true}]}],
         "actions": {"go": {"scope": "none", "enabled": "true", "run": {"http": {"service": "s", "path": "/x", "json": "values"}}},
           "in": {"scope": "none", "enabled": "true", "run": {"http": {"service": "s", "path": "/x", "json": {"form": ["values", "values.a"]}}}}}}
        """
    )
    func body(of action: String) -> JSON? {
      form.tap(action)
      guard case .http(let request) = form.onlyEffect.request else { return nil }
      form.answer(status: 200, body: [:])
      return request.json
    }
    #expect(body(of: "go") == ["rows": []] || body(of: "go") == [:])
    form.change(["secret": "s", "hidden": "h", "/box/n": 1, "rows": [["x": "1"], [:]]])
    let all: JSON = ["secret": "s", "box": ["n": 1], "rows": [["x": "1"], [:]]]
    #expect(body(of: "go") == all && body(of: "in") == ["form": [all]])
    // A check that sends all asks again when any of it changes.
    form.change("a", "k")
    guard case .provider(let first) = form.onlyEffect.request else {
      Issue.record("no question")
      return
    }
    #expect(first.readsSecrets && first.arguments["all"]?["box"] == ["n": 1])
    form.answer(status: 200, body: [:])
    form.change("/box/n", 2)
    guard case .provider(let second) = form.onlyEffect.request else {
      Issue.record("the check has not asked again")
      return
    }
    #expect(second.arguments["all"]?["box"] == ["n": 2])
  }

  @Test func `the word values sends what the schema has validated: required lists and objects that are empty`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"required": ["list", "box"], "properties": {"a": {"type": "string"},
            "list": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
            "box": {"type": "object", "required": ["inner"], "properties": {"n": {"type": "integer"},
              "inner": {"type": "object", "properties": {"m": {"type": "integer"}}}}},
            "other": {"type": "object", "required": ["tag"], "properties": {"tag": {"type": "string"}, "gone": {"type": "string"}}}}},
         "fields": {"/other/gone": {"visible": "values.other.tag == 'x'"}},
         "actions": {"go": {"run": {"http": {"service": "s", "path": "/x", "json": "values"}}}}}
        """
    )
    func body() -> JSON? {
      form.tap("go")
      guard case .http(let request) = form.onlyEffect.request else { return nil }
      form.answer(status: 200, body: [:])
      return request.json
    }
    form.change("/other/gone", "x")
    #expect(form.isValid && body() == ["list": [], "box": ["inner": [:]]])
    form.change("/box/n", 1)
    #expect(body() == ["list": [], "box": ["n": 1, "inner": [:]]])
  }
}
