import Forms
import JSON
import Sessions
import Testing

/// A formula of `enabled` that gives a text: not enabled, for this reason.
@Suite struct `Reasons` {
  private static let definition = """
    {"locale": "en", "texts": {"first": {"en": "Choose a country first.", "ko": "나라를 먼저 고르세요."}},
     "schema": {"properties": {
       "country": {"type": "string", "maxLength": 9},
       "city": {"type": "string", "maxLength": 9},
       "box": {"type": "object", "properties": {
         "a": {"type": "string", "maxLength": 9},
         "inner": {"type": "object", "properties": {"b": {"type": "string", "maxLength": 9}}}}},
       "password": {"type": "string", "maxLength": 9, "writeOnly": true},
       "items": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
         "kind": {"type": "string", "maxLength": 9},
         "size": {"type": "string", "maxLength": 9},
         "parts": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {
           "name": {"type": "string", "maxLength": 9}}}}}}}}},
     "fields": {
       "city": {"enabled": "values.country == '' ? text('first') : true"},
       "box": {"enabled": "values.country == 'x' ? 'No box for x.' : values.country == 'y' ? false : true"},
       "/box/a": {"enabled": "values.city != '' ? true : 'Choose a city.'"},
       "password": {"enabled": "lookups.gate.value"},
       "/items/*/size": {"enabled": "row.kind == '' ? 'Number ' + string(index + 1) + ' has no kind.' : true"},
       "/items/*/parts": {"enabled": "row.kind == 'simple' ? 'A simple item has no parts.' : true"}},
     "lookups": {"gate": {"run": {"provider": {"name": "gate", "arguments": {}}}, "value": "response.body"}},
     "actions": {
       "save": {"enabled": "!form.isDirty ? 'Nothing has changed.' : form.isValid && values.country != 'z'",
         "outcomes": [{"success": "true"}]},
       "plain": {"outcomes": [{"success": "true"}]}}}
    """

  private func driver(_ values: JSONObject = [:]) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(values: values))
  }

  @Test func `of fields and actions are beside isEnabled, and go when it is true`() throws {
    let form = try driver()
    #expect(form["/fields/city/isEnabled"] == false && form["/fields/city/reason"] == "Choose a country first.")
    #expect(form["/actions/save/isEnabled"] == false && form["/actions/save/reason"] == "Nothing has changed.")
    form.tap("save")
    #expect(form.events.last?.kind == .rejected && form.events.last?.message == "Nothing has changed.")
    #expect(form["/actions/plain/isEnabled"] == true && form["/actions/plain/reason"] == nil)
    form.change("country", "ch")
    #expect(form["/fields/city/isEnabled"] == true && form["/fields/city/reason"] == nil)
    #expect(form["/actions/save/isEnabled"] == true && form["/actions/save/reason"] == nil)
    #expect(form.patches.last?["fields"]?["city"] == ["isEnabled": true, "reason": .null])
    form.change("country", "")
    #expect(form.patches.last?["fields"]?["city"] == ["isEnabled": false, "reason": "Choose a country first."])
  }

  @Test func `are absent when the formula gives false`() throws {
    let form = try driver()
    form.change("country", "z")
    #expect(form["/actions/save/isEnabled"] == false && form["/actions/save/reason"] == nil)
    form.change("country", "y")
    #expect(form["/fields/box/isEnabled"] == false && form["/fields/box/reason"] == nil)
    form.change("country", "x")
    #expect(form["/fields/box/isEnabled"] == false && form["/fields/box/reason"] == "No box for x.")
    #expect(form.patches.last?["fields"]?["box"]?["reason"] == "No box for x.")
  }

  @Test func `of a field hold for the fields inside it, before their own`() throws {
    let form = try driver(["country": "ch"])
    #expect(form["/fields/box/fields/a/reason"] == "Choose a city." && form["/fields/box/reason"] == nil)
    #expect(form["/fields/box/fields/inner/fields/b/isEnabled"] == true)
    form.change("country", "x")
    #expect(form["/fields/box/fields/a/reason"] == "No box for x.")
    #expect(form["/fields/box/fields/inner/reason"] == "No box for x.")
    #expect(form["/fields/box/fields/inner/fields/b/reason"] == "No box for x.")
    #expect(form["/fields/box/fields/inner/fields/b/isEnabled"] == false)
    // The field around it stays disabled, without a reason.
    form.change("country", "y")
    #expect(form["/fields/box/fields/a/reason"] == nil && form["/fields/box/fields/a/isEnabled"] == false)
    #expect(form["/fields/box/fields/inner/fields/b/reason"] == nil)
  }

  @Test func `differ by row, and follow the row`() throws {
    let form = try driver()
    let rows = form.insert("items", ["kind": ""], ["kind": "simple", "parts": [["name": "p"]]], [:])
    func field(_ row: Int, _ name: String) -> JSON? { form["/fields/items/rows/\(rows[row])/fields/\(name)"] }
    #expect(field(0, "size")?["reason"] == "Number 1 has no kind." && field(0, "size")?["isEnabled"] == false)
    #expect(field(2, "size")?["reason"] == "Number 3 has no kind.")
    #expect(field(1, "size")?["reason"] == nil && field(1, "parts")?["reason"] == "A simple item has no parts.")
    let inner = field(1, "parts")?["rows"]?.objectValue?.first?.value
    #expect(inner?["reason"] == "A simple item has no parts." && inner?["isEnabled"] == false)
    #expect(inner?["fields"]?["name"]?["reason"] == "A simple item has no parts.")
    form.move("/items/2", to: 0)
    #expect(field(2, "size")?["reason"] == "Number 1 has no kind.")
    #expect(field(0, "size")?["reason"] == "Number 2 has no kind.")
    form.change("/items/0/kind", "k")
    #expect(field(2, "size")?["reason"] == nil && field(2, "size")?["isEnabled"] == nil)
    form.change("/items/2/kind", "k")
    #expect(field(1, "parts")?["reason"] == nil)
    form.remove("/items/1")
    form.reset()
    #expect(form["/fields/items/order"] == [])
  }

  @Test func `are in the session's language`() throws {
    let form = try driver()
    form.apply(.setLocale("ko"))
    #expect(form["/fields/city/reason"] == "나라를 먼저 고르세요.")
  }

  @Test func `may come from a value of unknown type, and a fault is no reason`() throws {
    let form = try driver()
    #expect(form["/fields/password/isEnabled"] == false && form["/fields/password/reason"] == nil)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: "The service is closed."))
    #expect(form["/fields/password/reason"] == "The service is closed." && form.faults.isEmpty)
    let other = try driver()
    other.answer(other.onlyEffect, EffectResponse(kind: .ok, body: 5))
    #expect(other["/fields/password/isEnabled"] == false && other["/fields/password/reason"] == nil)
    #expect(other.faults.map(\.name) == ["fields.password.enabled"])
  }

  @Test func `block no values, and reject taps`() throws {
    let form = try driver()
    #expect(form.tap("save").outcome == .rejected && form.lastTap?.blockers.map(\.code) == ["disabled"])
    form.change("city", "x")
    #expect(form["/fields/city/isValid"] == true && form.values["city"] == "x")
    #expect(form.tap("save").outcome == .started)
  }

  @Test(arguments: [
    ("values.a", "the result is always a text, and so never true; write CONDITION ? true : 'the reason'"),
    ("values.a == '' ? 'x' : 'y'", "the result is always a text, and so never true"),
    ("values.a == '' ? 5 : true", "the result must be of type bool, or a text: the reason; this is of type int"),
    ("values.a == '' ? true : values.n > 1 ? 'x' : values.n", "this is of type wrapper(int)"),
    ("values.n", "the result must be of type bool, or a text: the reason; this is of type wrapper(int)"),
    ("(values.a == '' ? true : 'x') == 'x'", "both sides of ':' must have the same type"),
    ("values.secret == '' ? 'x' : true", "this formula reads a secret and is of type dyn"),
  ])
  func `that make no sense are refused`(_ formula: String, _ message: String) throws {
    for place in [#""fields": {"b": {"enabled": FORMULA}}"#, #""actions": {"go": {"enabled": FORMULA}}"#] {
      let definition = """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9},
           "n": {"type": "integer"}, "secret": {"type": "string", "maxLength": 9, "writeOnly": true}}},
         \(place.replacing("FORMULA", with: "\"\(formula)\""))}
        """
      let found = Form.compile(Array(definition.utf8)).diagnostics
      #expect(found.contains { "\($0)".contains(message) }, "\(found)")
    }
  }
}
