import Forms
import JSON
import Sessions
import Testing

/// Values that formulas read and that are absent.
@Suite struct `Absent values` {
  @Test func `Absence: a rule passes, an output is absent, a condition is false, and nothing is a fault`() throws {
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
    // With a wrong type, it is absent again.
    form.change("n", "2")
    #expect(form["/outputs/sum"] == nil && form["/errors"] == [])
    #expect(form.faults.isEmpty)
  }

  @Test func `Absence: an argument is left out, and a null that the schema admits is none`() throws {
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

  @Test func `Absence: in sql it is NULL, and an outcome whose condition is absent is not taken`() throws {
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

  // MARK: The types of parts of values

  @Test
  func `Types are known at every depth: what elements and objects lack reads as empty, and wrong types are absent`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {
           "items": {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string"}, "done": {"type": "boolean"},
             "q": {"type": "integer"}, "price": {"type": "number"}, "at": {"type": "object", "properties": {"city": {"type": "string"}}}}}},
           "box": {"type": "object", "properties": {"a.b": {"type": "string"}, "inner": {"type": "object", "properties": {"n": {"type": "integer"}}}},
             "additionalProperties": true},
           "tags": {"type": "array", "items": {"type": "string"}}, "a.b": {"type": "string"}}},
         "outputs": {"open": "values.items.exists(i, !i.done)", "none": "values.items.all(i, i.s == '' && !has(i.s) && i.at == {} && i.at.city == '')",
           "twice": "values.items.map(i, i.q * 2)", "sum": "values.items.map(i, i.price * 1.5).sum()", "box": "values.box == {} && values.box.other == null",
           "has": "has(values['a.b'])", "hasIn": "has(values.box['a.b']) || has(values.box.inner.n)", "tags": "values.tags.map(t, t + '!')"}}
        """
    )
    #expect(form["/outputs/box"] == true && form["/outputs/has"] == false && form["/outputs/hasIn"] == false)
    form.change("items", [[:], ["at": [:]]])
    #expect(form["/outputs/open"] == true && form["/outputs/none"] == true && form["/outputs/sum"] == 0.0)
    form.change(
      "items",
      [["q": 2, "price": 3, "done": true, "s": "x"], ["q": "5x", "price": "free", "done": true, "s": "y"]]
    )
    #expect(form["/outputs/open"] == false && form["/outputs/none"] == false && form["/outputs/sum"] == 4.5)
    #expect(form["/outputs/twice"] == [4, .null])
    form.change("a.b", "x")
    form.change(["tags": ["a", 1], "box": ["a.b": "y", "other": 3]])
    #expect(form["/outputs/has"] == true && form["/outputs/hasIn"] == true && form["/outputs/tags"] == ["a!", "!"])
    #expect(form.faults.isEmpty, "\(form.faults)")
  }

  @Test
  func `Types are known on every way to a value: optionals, whole lists, and the keys that rows are sorted by`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {
           "o": {"type": "object", "properties": {"n": {"type": "number"}, "a": {"type": "integer"}}},
           "n": {"type": "array", "items": {"type": "number"}}, "i": {"type": "array", "items": {"type": "integer"}},
           "l": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}}}},
         "outputs": {"o": "values.o.?n.orValue(0.0) + 0.5", "a": "values.o.?a.orValue(7)", "at": "values.n[?0].orValue(0.0) + 0.5",
           "first": "values.n.first().orValue(0.0) + 0.5", "l": "values.l[?0].?n.orValue(0) + 1", "max": "values.n.max() + 0.5", "sorted": "values.n.sort()",
           "sum": "values.i.sum() + 1", "i": "values.i.sort().map(x, x + 1)", "by": "values.l.sortBy(r, r.n).map(r, r.s)"}}
        """
    )
    form.change([
      "o": ["n": 2, "a": "x"], "n": [1, 2.5], "i": [3, "x", .null, 1.0], "l": [["s": "a"], ["s": "b", "n": 1]],
    ])
    #expect(form["/outputs/o"] == 2.5 && form["/outputs/a"] == 7 && form["/outputs/at"] == 1.5)
    #expect(form["/outputs/first"] == 1.5 && form["/outputs/l"] == 1 && form["/outputs/max"] == 3.0)
    #expect(form["/outputs/sorted"] == [1.0, 2.5] && form["/outputs/sum"] == 5 && form["/outputs/i"] == [2, 4])
    #expect(form["/outputs/by"] == ["b", "a"])
    #expect(form.faults.isEmpty, "\(form.faults)")
  }
}
