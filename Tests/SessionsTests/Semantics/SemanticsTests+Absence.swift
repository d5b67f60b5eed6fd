import JSON
import Sessions
import Testing

extension SemanticsTests {
  @Test func `16. Absence: a rule passes, an output is absent, a condition is false, and nothing is a fault`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "b": {"type": "boolean"}, "x": {"type": "string"}}},
         "fields": {"x": {"visible": "values.n > 1", "show": "always"}},
         "rules": [{"id": "r", "check": "values.n < 5"}, {"id": "w", "when": "values.n > 1", "check": "false"},
           {"id": "m", "field": "s", "check": "size(self) < 3", "messageExpression": "string(values.n) + ' at most'"}],
         "outputs": {"sum": "values.n + 1", "text": "values.s + '!'", "not": "!values.b", "or": "values.n > 1 || values.s == ''", "has": "has(values.n)"},
         "actions": {"go": {"enabled": "values.n > 1"}}}
        """
    )
    #expect(form.isValid && form["/outputs"] == ["text": "!", "not": true, "or": true, "has": false])
    #expect(form["/fields/x/isVisible"] == false && form["/actions/go/isEnabled"] == false)
    form.change("s", "long")
    #expect(form.codes("s") == ["m"])
    form.change("n", 2)
    #expect(form["/outputs/sum"] == 3 && form["/fields/x/isVisible"] == true && form["/actions/go/isEnabled"] == true)
    #expect(form["/errors"]?.arrayValue?.count == 1)
    // Of a wrong type, it is absent again.
    form.change("n", "2")
    #expect(form["/outputs/sum"] == nil && form["/errors"] == [])
    #expect(form.faults.isEmpty)
  }

  @Test func `16. Absence: an argument is left out, and a null that the schema admits is none`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "b": {"type": "boolean"}, "l": {"type": "array"},
            "nb": {"type": ["boolean", "null"]}, "ns": {"type": ["string", "null"]}, "nl": {"type": ["array", "null"]}}},
         "actions": {"go": {"enabled": "true", "scope": "none", "run": {"http": {"service": "s", "method": "POST", "path": "/x",
           "query": {"n": "values.n", "s": "values.s", "t": "values.s.orValue('')"}, "headers": {"x-n": "string(values.n)"},
           "json": {"n": "values.n", "s": "values.s", "b": "values.b", "l": "values.l", "m": "values.n + 1", "f": "values.b || false",
             "nb": "values.nb", "ns": "values.ns", "nl": "values.nl"}}}}}}
        """
    )
    form.tap("go")
    guard case .http(let empty) = form.onlyEffect.request else {
      Issue.record("no request")
      return
    }
    #expect(empty.target == "/x?t=" && empty.headers.isEmpty && empty.json == ["f": false])
    form.answer(status: 200, body: [:])
    form.change(["nb": .null, "ns": .null, "nl": .null, "n": 1])
    form.tap("go")
    guard case .http(let given) = form.onlyEffect.request else {
      Issue.record("no request")
      return
    }
    #expect(
      given.target == "/x?n=1&t=" && given.json == ["n": 1, "m": 2, "f": false, "nb": .null, "ns": .null, "nl": .null]
    )
    #expect(form.faults.isEmpty)
  }

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

  @Test func `16. Absence: in sql it is NULL, and an outcome whose condition is absent is not taken`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"s": {"type": "string"}}},
         "actions": {"go": {"enabled": "true", "scope": "none", "run": {"sql": {"database": "d", "query": "select :s, :t",
             "parameters": {"s": "values.s", "t": "values.s + 'x'"}}},
           "outcomes": [{"when": "response.body.a.b > 1", "success": "1"}, {"when": "response.rows[0].n > 5", "success": "2"},
             {"failure": "response.rows[0].none", "messageExpression": "response.rows[0].text"}]}}}
        """
    )
    form.tap("go")
    guard case .sql(let query) = form.onlyEffect.request else {
      Issue.record("no query")
      return
    }
    #expect(query.parameters == ["s": .null, "t": "x"])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, rows: [["n": 3]]))
    #expect(
      form["/actions/go/error"] == "failed" && form["/actions/go/result"] == nil && form["/actions/go/message"] == nil
    )
    #expect(form.faults.isEmpty)
  }
}
