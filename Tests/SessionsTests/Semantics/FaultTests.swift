import JSON
import Sessions
import Testing

/// Formulas that go wrong: DESIGN 16.
@Suite("Faults") struct FaultTests {
  @Test func `a rule that goes wrong is an error of its own code, and its source is fault`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}},
         "fields": {"n": {"show": "always"}},
         "rules": [{"id": "r.n", "field": "n", "check": "6 / self > 1"}, {"id": "r.form", "check": "[1][values.n] == 1", "severity": "warning"}]}
        """
    )
    form.change("n", 0)
    #expect(form["/fields/n/errors/0/code"] == "r.n" && form["/fields/n/errors/0/source"] == "fault")
    #expect(form["/messages/n"] == "This could not be checked." && !form.isValid && form["/errors"] == [])
    #expect(
      form.faults.map(\.name) == ["rules['r.n'].check"] && form.faults.map(\.message) == ["division by zero: int / int"]
    )
    form.change("n", 2)
    #expect(
      form.isValid && form["/errors/0/code"] == "r.form" && form["/errors/0/source"] == "fault"
        && form["/errors/0/severity"] == "warning"
    )
    #expect(form.faults.last?.message == "index out of bounds: list[int]")
    form.change("m", 5)
    form.change("n", 0)
    form.change("n", 2)
    // Once for each change from right to wrong.
    #expect(form.faults.count == 4)
  }

  @Test func `a formula of a run that goes wrong is in the explanation until the action runs again`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}},
         "actions": {"go": {"scope": "none", "run": {"provider": {"name": "p", "arguments": {
             "n": "6 / values.n", "o": "{?'n': optional.of(values.n), ?'s': optional.of(values.s)}"}}},
           "outcomes": [{"success": "6 / (values.n - 1)"}]}}}
        """,
      options: OpenOptions(values: ["n": 0])
    )
    func faults() -> [JSON?] {
      let faults = form.session.explanation()["form"]?["faults"]?.arrayValue ?? []
      return faults.map { $0["cell"] }
    }
    form.tap("go")
    #expect(form["/errors/0/source"] == "fault")
    let fault = form.session.explanation()["form"]?["faults"]?.arrayValue?.first
    #expect(fault?["reason"] == "division by zero: int / int" && fault?["formula"] == "6 / values.n")
    #expect(fault?["at"] == "/actions/go/run/provider/arguments/n" && fault?["cell"] == form["/errors/0/code"])
    form.change("n", 1)
    form.tap("go")
    #expect(faults().isEmpty && form.onlyProviderRequest?.arguments == ["n": 6, "o": ["n": 1]])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(faults() == [form["/errors/0/code"]] && form["/errors/0/code"] == "actions.go.outcomes[0].success")
    form.change("n", .null)
    form.tap("go")
    // An absent argument is left out, and so is an absent member.
    #expect(faults().isEmpty && form.onlyProviderRequest?.arguments == ["o": [:]])
    form.reset()
    #expect(faults().isEmpty && form["/errors"] == [])
  }

  @Test func `a key that a map constant lacks is a fault, and the conversion of an empty field is absent, in rows too`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"country": {"type": "string"}, "from": {"type": "string"},
            "rows": {"type": "array", "maxItems": 9, "items": {"properties": {
              "country": {"type": "string"}, "from": {"type": "string"}, "code": {"type": "integer"}}}}}},
         "fields": {"/rows/*/code": {"computed": "{'CH': 41, 'DE': 49}[row.country]"}},
         "rules": [{"id": "late", "field": "/rows/*/from", "check": "timestamp(self) < timestamp('2030-01-01T00:00:00Z')"}],
         "outputs": {"code": "{'CH': 41, 'DE': 49}[values.country]", "year": "timestamp(values.from).getFullYear('UTC')"}}
        """
    )
    form.insert("rows", [:])
    #expect(form.isValid && form.faults.isEmpty && form["/outputs"] == [:] && form["/errors"] == [])
    form.change(["country": "CH", "from": "2026-01-01T00:00:00Z"])
    form.change("/rows/#1/country", "DE")
    #expect(form["/outputs"] == ["code": 41, "year": 2026] && form.faults.isEmpty)
    #expect(form.values["rows"]?.arrayValue?.first?["code"] == 49)
    form.change("country", "FR")
    form.change("/rows/#1/country", "FR")
    #expect(form["/errors"]?.arrayValue?.map { $0["code"] } == ["fields['/rows/*/code'].computed", "outputs.code"])
    #expect(form.faults.map(\.message) == ["no such key: map[string]", "no such key: map[string]"])
    form.change("/rows/#1/from", "soon")
    #expect(form["/fields/rows/rows/1/fields/from/errors/0/source"] == "fault")
  }

  @Test func `elsewhere a formula that goes wrong is a warning of the form, and changes no validity`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "d": {}, "x": {"type": "string"}, "a b": {"type": "string"}}},
         "fields": {"x": {"visible": "6 / values.n > 1"}, "a b": {"enabled": "values.d + 1 > 2", "required": "values.d.x == 1"}},
         "rules": [{"id": "r", "when": "6 % values.n > 1", "check": "false"}],
         "outputs": {"total": "6 / values.n", "twice": "outputs.total * 2"},
         "actions": {"go": {"enabled": "6 / values.n > 1"}}}
        """
    )
    #expect(form["/errors"] == [])
    form.change(["n": 0, "d": "x"])
    let errors = form["/errors"]?.arrayValue ?? []
    #expect(
      errors.map { $0["code"]?.stringValue } == [
        "actions.go.enabled", "fields.x.visible", "fields['a b'].enabled", "fields['a b'].required", "outputs.total",
        "rules.r.when",
      ]
    )
    #expect(errors.allSatisfy { $0["source"] == "fault" && $0["severity"] == "warning" } && form.isValid)
    #expect(form["/outputs/total"] == nil && form["/fields/x/isVisible"] == false)
    let faults = form.faults
    #expect(faults.count == 6 && faults.contains { $0.message == "no such overload: string + int" })
    #expect(!"\(faults)".contains("'x'"))
    form.change("d", "y")
    #expect(form.faults.count == 6)
    let explained = form.session.explanation()["form"]?["faults"]?.arrayValue ?? []
    #expect(explained.map { $0["cell"] } == errors.map { $0["code"] })
    #expect(
      explained.first?["reason"] == "division by zero: int / int" && explained.first?["formula"] == "6 / values.n > 1"
    )
    form.change("n", 3)
    #expect(form["/errors"]?.arrayValue?.count == 2 && form["/outputs/twice"] == 4)
    form.change("d", .null)
    #expect(form["/errors"] == [] && form.session.explanation()["form"]?["faults"] == nil)
  }

  @Test func `a formula that goes wrong in several rows is told once, until it does in none`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}}},
         "outputs": {"/items/*/part": "6 / row.n", "sum": "outputs['/items/*/part'].sum()"}}
        """
    )
    form.change("items", [["n": 0], ["n": 2], ["n": 0]])
    #expect(
      form["/errors"]?.arrayValue?.map { $0["code"] } == ["outputs['/items/*/part']"] && form["/outputs/sum"] == 3
    )
    #expect(form.faults.count == 1)
    form.change("/items/0/n", 3)
    #expect(form["/errors"]?.arrayValue?.count == 1)
    form.remove("/items/2")
    #expect(form["/errors"] == [] && form["/outputs/sum"] == 5)
  }

  @Test func `a check whose request or outcome goes wrong is an error of its code, and its source is fault`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"s": {"type": "string"}}},
         "fields": {"s": {"show": "always"}},
         "checks": [{"id": "c.s", "field": "s", "run": {"http": {"service": "x", "method": "GET", "path": "/x", "query": {"q": "6 / (size(self) - 1)"}}},
           "outcomes": [{"when": "response.rows[2].a == 1", "valid": true}]}]}
        """
    )
    form.change("s", "ab")
    form.answer(status: 200, body: [:])
    #expect(form["/fields/s/errors/0/code"] == "c.s" && form["/fields/s/errors/0/source"] == "fault")
    #expect(form.faults.map(\.name) == ["checks['c.s'].outcomes[0].when"])
    form.change("s", "a")
    #expect(form["/fields/s/errors/0/source"] == "fault" && form["/errors"] == [])
    #expect(form.faults.last?.message == "division by zero: int / int")
  }

  @Test
  func
    `an action whose request or outcome goes wrong fails, and the form's errors tell of the formula until it runs again`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}},
         "actions": {"go": {"scope": "none", "enabled": "true", "run": {"http": {"service": "x", "method": "POST", "path": "/x/{s}", "json": {"n": "6 / values.n"}}},
           "outcomes": [{"when": "response.status == 200", "failure": "'no'", "fieldErrors": {"s": "response.body"}},
             {"failure": "[1][response.status]"}]}}}
        """
    )
    form.change("n", 0)
    form.tap("go")
    #expect(
      form["/errors/0/code"] == "actions.go.run.http.path"
        && form.faults.last?.message.hasPrefix("a segment of the path is absent: {") == true
    )
    form.change("s", "a")
    form.tap("go")
    #expect(
      form["/errors"]?.arrayValue?.map { $0["code"] } == ["actions.go.run.http.json.n"]
    )
    form.change("n", 1)
    form.tap("go")
    #expect(form["/errors"] == [])
    form.answer(status: 500, body: [:])
    #expect(form["/errors/0/code"] == "actions.go.outcomes[1].failure" && form.isValid)
    form.tap("go")
    form.answer(status: 200, body: ["too long", "no number"])
    #expect(
      form["/fields/s/errors"]?.arrayValue?.map { $0["message"] } == ["too long", "no number"] && form["/errors"] == []
    )
    form.tap("go")
    form.answer(status: 200, body: ["fine", 7])
    #expect(form["/errors/0/code"] == "actions.go.outcomes[0].fieldErrors.s" && form["/actions/go/error"] == "fault")
  }

  @Test func `texts of the warning are in the session's language`() throws {
    let form = try SessionDriver(
      text: "{\"schema\": {\"properties\": {\"n\": {}}}, \"outputs\": {\"o\": \"1 / 0\"}}",
      options: OpenOptions(locale: "ko")
    )
    #expect(form["/errors/0/message"] == "값을 확인할 수 없습니다.")
  }
}
