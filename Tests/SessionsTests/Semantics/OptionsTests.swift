import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// Options that a formula gives.
@Suite struct `Options by a formula` {
  private static let form = """
    {"schema": {"required": ["city"], "properties": {"country": {"type": "string"}, "city": {"type": "string"},
        "codes": {"type": "array"}, "count": {"type": "integer"}}},
     "fields": {"city": {"options": "values.country == 'KR' ? dyn(['Seoul', 'Busan']) : values.country == 'CH' ? dyn([{'value': 'Chur', 'label': 'Coire'}]) : dyn(null)",
          "show": "always"},
        "codes": {"options": "[1, 2, 3]"}, "count": {"options": "[1, {'value': 2}, {'label': 'none'}]"}},
     "rules": [{"id": "r", "field": "city", "check": "size(self) < 9"}],
     "checks": [{"id": "c", "field": "city", "run": {"provider": {"name": "p"}}, "outcomes": [{"when": "true", "valid": true}, {"code": "x"}]}],
     "outputs": {"ok": "fields.city.isValid"}}
    """

  /// The ways on which options may depend on the answer of a lookup.
  @Test(arguments: [
    ("outputs.cities", "\"cities\": \"lookups.l.value\""),
    ("outputs.all", "\"all\": \"outputs.cities\", \"cities\": \"lookups.l.value\""),
    ("values.copy", ""), ("[values.box.copy]", ""), ("[values.box].map(b, b.copy)", ""),
    ("outputs.c", "\"c\": \"[values.box.copy]\""),
  ])
  func `that depend on a lookup by any way wait for it`(_ options: String, _ outputs: String) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"country": {"type": "string"}, "city": {"type": "string"}, "copy": {"type": "array"},
           "box": {"type": "object", "properties": {"copy": {"type": "string"}}}}},
         "fields": {"city": {"options": "\(options)"}, "copy": {"computed": "lookups.l.value"},
           "/box/copy": {"suggested": "lookups.l.value.orValue(['']).first().orValue('')"}},
         "lookups": {"l": {"run": {"provider": {"name": "l", "arguments": {"c": "values.country"}}}}},
         "actions": {"go": {"outcomes": [{"success": "values.city"}]}}, "outputs": {\(outputs)}}
        """
    )
    form.change(["country": "KR", "city": "Seoul"])
    #expect(form["/fields/city/isPending"] == true && form.codes("city") == [])
    #expect(form.session.explanation()["fields"]?["city"]?["pending"] == [["lookup": "l", "phase": "running"]])
    #expect(form.tap("go").outcome == .held)
    form.answer(status: 200, body: ["Seoul"])
    #expect(form["/isPending"] == false && form.events.last?.kind == .succeeded)
    form.change("country", "CH")
    // The old options do not judge the value.
    #expect(form["/fields/city/isPending"] == true && form.codes("city") == [])
    form.answer(kind: .refused)
    #expect(form["/isPending"] == false && form.codes("city") == [])
    form.change("country", "FR")
    form.answer(status: 200, body: ["Nice"])
    #expect(form.codes("city") == ["options"])
  }

  @Test func `of rows that read the lookups of all rows do not wait for other rows`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"rows": {"type": "array", "maxItems": 9, "items": {
           "type": "object", "properties": {"a": {"type": "string"}, "own": {"type": "string"}}}}}},
         "fields": {"/rows/*/own": {"options": "outputs.all"}},
         "lookups": {"/rows/*/l": {"run": {"provider": {"name": "l", "arguments": {"a": "row.a"}}}}},
         "outputs": {"/rows/*/name": "lookups['/rows/*/l'].value", "all": "outputs['/rows/*/name']"}}
        """
    )
    form.insert("rows", ["a": "1", "own": "x"], ["a": "2", "own": "y"])
    form.answer(form.effectsInOrder[0], EffectResponse(kind: .ok, body: "x"))
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: "y"))
    #expect(form["/isValid"] == true)
  }

  @Test func `that all rows give wait for the lookup of each row, and go on without a removed row`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"pick": {"type": "string"}, "rows": {"type": "array", "maxItems": 9, "items": {
           "type": "object", "properties": {"a": {"type": "string"}, "own": {"type": "string"}}}}}},
         "fields": {"pick": {"options": "outputs['/rows/*/name']"}, "/rows/*/own": {"options": "outputs['/rows/*/names']"}},
         "lookups": {"/rows/*/l": {"run": {"provider": {"name": "l", "arguments": {"a": "row.a"}}}}},
         "outputs": {"/rows/*/name": "lookups['/rows/*/l'].value", "/rows/*/names": "[outputs['/rows/*/name']]"},
         "actions": {"go": {"outcomes": [{"success": "1"}]}}}
        """
    )
    form.insert("rows", ["a": "1", "own": "x"], ["a": "2", "own": "x"])
    form.change("pick", "x")
    #expect(form["/fields/pick/isPending"] == true && form["/fields/rows/rows/2/fields/own/isPending"] == true)
    form.answer(form.effectsInOrder[0], EffectResponse(kind: .ok, body: "x"))
    #expect(form["/fields/pick/isPending"] == true && form["/fields/rows/rows/1/fields/own/isPending"] == nil)
    #expect(form.tap("go").outcome == .held)
    form.remove("/rows/1")
    #expect(form["/isPending"] == false && form.events.last?.kind == .succeeded)
    form.change("/rows/0/a", "3")
    #expect(form["/fields/pick/isPending"] == true && form.codes("pick") == [])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: "y"))
    #expect(form["/isPending"] == false && form.codes("pick") == ["options"])
  }

  @Test func `follow what the formula reads, and judge the value`() throws {
    let form = try SessionDriver(text: Self.form)
    #expect(form["/fields/city/options"] == nil && form["/fields/country/options"] == nil)
    form.change("city", "Anything")
    #expect(form.codes("city") == [])
    form.answer(status: 200, body: [:])
    form.change("country", "KR")
    #expect(
      form["/fields/city/options"] == [["value": "Seoul", "label": "Seoul"], ["value": "Busan", "label": "Busan"]]
    )
    #expect(form.codes("city") == ["options"] && form["/messages/city"] == "Choose one of the options.")
    #expect(!form.isValid && form["/outputs/ok"] == false)
    form.change("city", "Busan")
    #expect(form.codes("city") == [] && form.isValid == false)
    form.answer(status: 200, body: [:])
    #expect(form.isValid)
    form.change("country", "CH")
    #expect(form["/fields/city/options"] == [["value": "Chur", "label": "Coire"]] && form.codes("city") == ["options"])
    // A value that is not an option is not sent to a check.
    form.change("city", "Bern")
    #expect(form.effects.isEmpty && form.codes("city") == ["options"])
    // If the options are absent, no value is judged.
    form.change("country", "")
    #expect(form["/fields/city/options"] == nil && form.codes("city") == [])
    // Without a value there is only `required`.
    form.change(["city": "", "country": "KR"])
    #expect(form.codes("city") == ["required"])
    #expect(form.faults.isEmpty)
  }

  @Test func `of a list each element has to be among them, and numbers are equal by value`() throws {
    let form = try SessionDriver(text: Self.form)
    #expect(form["/fields/count/options"] == [["value": 1, "label": "1"], ["value": 2, "label": "2"]])
    for (codes, isOffered) in [([], true), ([1, 3.0], true), ([1, 4], false), ([[1]], false)] as [(JSON, Bool)] {
      form.change("codes", codes)
      #expect(form.codes("codes").isEmpty == isOffered, "\(codes)")
    }
    form.change("count", 3)
    #expect(form.codes("count") == ["options"])
    form.change("count", 2)
    #expect(form.codes("count") == [])
  }

  @Test func `a formula that goes wrong lets choose nothing, and says so`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {}, "b": {"type": "string"}, "n": {"type": "integer"}, "c": {"type": "string"}}},
         "fields": {"b": {"options": "values.a"}, "c": {"options": "[['x'], ['y']][values.n]"}}}
        """
    )
    func said(_ field: String) -> JSON? { form["/fields/\(field)/errors/0/source"] }
    form.change(["a": "x", "b": "y"])
    #expect(form["/fields/b/options"] == nil && form.codes("b") == ["options"] && said("b") == "fault")
    // A value that nobody can choose is not an option.
    form.change("a", [["label": "none"]])
    #expect(form["/fields/b/options"] == nil && said("b") == "fault")
    form.change("a", ["y", .null, "y", ["value": "z", "label": 1], ["value": "w", "label": .null]])
    #expect(
      form["/fields/b/options"] == [
        ["value": "y", "label": "y"], ["value": "z", "label": "1"], ["value": "w", "label": "w"],
      ]
    )
    #expect(form.codes("b") == [])
    form.change("a", ["x"])
    #expect(form.codes("b") == ["options"] && said("b") == "schema")
    form.change("a", "x")
    #expect(said("b") == "fault")
    form.change(["c": "z", "n": 9])
    #expect(said("c") == "fault" && !form.isValid)
    form.change("n", 1)
    #expect(said("c") == "schema" && form["/fields/c/options"] == [["value": "y", "label": "y"]])
    form.change(["b": "", "c": "y"])
    #expect(form.isValid)
  }

  @Test func `what the schema refuses is not asked about, nor is a null that it admits`() throws {
    let form = try SessionDriver(
      text: """
        {"coerce": true, "schema": {"properties": {"i": {"type": "integer", "maximum": 9}, "s": {"type": ["string", "null"]}}},
         "fields": {"i": {"options": "[1]"}, "s": {"options": "['a']"}}}
        """
    )
    for (value, codes) in [("x", ["type"]), (10, ["maximum"]), (2, ["options"]), ("1", [])] as [(JSON, [String])] {
      form.change("i", value)
      #expect(form.codes("i") == codes)
    }
    form.change("s", .null)
    #expect(form.codes("s") == [] && form.isValid)
  }

  private static let rows = """
    {"schema": {"properties": {"kinds": {"type": "array", "items": false}, "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
        "kind": {"type": "string"}, "part": {"type": "string"},
        "inner": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"kind": {"type": "string"}}}}}}}}},
     "fields": {"/rows/*/kind": {"options": "['a', 'b']"}, "/rows/*/inner/*/kind": {"options": "form.locale == 'ko' ? ['d'] : ['c']"},
       "/rows/*/part": {"options": "row.kind == 'a' ? ['a1', 'a2'] : row.kind == 'b' ? ['b1'] : []"}}}
    """

  @Test func `in rows, what is the same for all stands once at the list, and the rest in each row`() throws {
    let form = try SessionDriver(text: Self.rows)
    #expect(
      form["/fields/rows/options"] == [
        "/rows/*/kind": [["value": "a", "label": "a"], ["value": "b", "label": "b"]],
        "/rows/*/inner/*/kind": [["value": "c", "label": "c"]],
      ]
    )
    form.change("rows", [["kind": "a", "part": "b1", "inner": [["kind": "c"], ["kind": "x"]]], ["kind": "z"]])
    #expect(form["/fields/rows/order"] == ["1", "4"])
    #expect(form["/fields/rows/rows/1/fields/kind/options"] == nil)
    #expect(form["/fields/rows/rows/1/fields/part/options"]?.arrayValue?.count == 2)
    #expect(form["/fields/rows/rows/1/fields/part/errors/0/code"] == "options")
    #expect(form["/fields/rows/rows/4/fields/kind/errors/0/code"] == "options")
    #expect(form["/fields/rows/rows/4/fields/part/options"] == [])
    let inner = form["/fields/rows/rows/1/fields/inner/rows"]?.objectValue ?? [:]
    #expect(inner.map { $0.value["isValid"] } == [true, false])
    form.change("/rows/0/kind", "b")
    #expect(form["/fields/rows/rows/1/fields/part/options"] == [["value": "b1", "label": "b1"]])
    #expect(form["/fields/rows/rows/1/fields/part/errors"] == nil)
    form.apply(.setLocale("ko"))
    #expect(form["/fields/rows/options/~1rows~1*~1inner~1*~1kind/0/value"] == "d")
  }

  @Test(arguments: [
    (#""rows": {"options": "['a']"}"#, #"write "options" at "/rows/*", for each of its rows"#),
    (#""a": {"options": "size(values.a)"}"#, #""options" must be a list, and this formula is of type int"#),
    (#""a": {"options": "fields.a.isValid ? ['a'] : ['b']"}"#, "these depend on each other in a circle"),
    (#""a": {"options": "[values.s]"}"#, "this formula reads a secret"),
    (
      #""a": {"options": "[1, 2]"}"#, #"the values of "options" are of type int, and the schema of "a" asks for string"#
    ),
    (#""a": {"options": ["a"]}"#, "a choice must be an object with \"value\""),
  ])
  func `what cannot be meant is refused`(fields: String, says: String) {
    let compilation = Form.compile(
      Array(
        """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}, "s": {"type": "string", "writeOnly": true},
          "rows": {"type": "array", "items": {"type": "string"}}}}, "fields": {\(fields)}}
        """.utf8
      )
    )
    #expect(
      compilation.diagnostics.count == 1 && compilation.diagnostics[0].description.contains(says),
      "\(compilation.diagnostics)"
    )
  }
}
