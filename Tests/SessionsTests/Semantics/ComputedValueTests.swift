import Forms
import JSON
import Sessions
import Testing

/// Fields whose values are formulas'.
@Suite struct `Computed values` {
  private static let definition = """
    {"schema": {"properties": {
       "nights": {"type": "integer"}, "price": {"type": "number"}, "total": {"type": "number", "maximum": 1000},
       "box": {"type": ["object", "null", "string"], "properties": {"n": {"type": "integer"}, "next": {"type": "integer"}}},
       "items": {"type": "array", "items": {"type": "object", "properties": {
         "q": {"type": "integer"}, "p": {"type": "number"}, "net": {"type": "number"}}}},
       "sum": {"type": "number"}}},
     "fields": {"total": {"computed": "double(values.nights) * values.price", "show": "always"},
       "/box/next": {"computed": "values.box.n + 1"},
       "/items/*/net": {"computed": "round(double(row.q) * row.p, 2)"},
       "sum": {"computed": "outputs['/items/*/net'].sum()"}},
     "rules": [{"id": "odd", "field": "total", "check": "self != 13.0"}],
     "outputs": {"double": "values.total * 2.0", "/items/*/net": "row.net"},
     "actions": {"go": {"enabled": "true", "scope": "none", "run": {"http": {"service": "s", "method": "POST", "path": "/", "json": "values"}}}}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(values: values))
  }

  @Test func `the value is the formula's, is judged like any other, told, sent, and never dirty`() throws {
    let form = try driver()
    #expect(form.values == ["sum": 0] && form.told.values.isEmpty)
    form.change("nights", 2)
    #expect(form.told.values.isEmpty && form.told.absent.isEmpty)
    form.change("price", 6.5)
    #expect(form.told.values == ["total": 13.0] && form.values == ["nights": 2, "price": 6.5, "total": 13.0, "sum": 0])
    #expect(form["/outputs/double"] == 26.0)
    #expect(form.codes("total") == ["odd"] && !form.isValid)
    form.change("price", 600)
    #expect(form.codes("total") == ["maximum"] && form.message("total") != nil)
    #expect(form["/fields/total/isDirty"] == false && form["/fields/total/isTouched"] == false)
    form.tap("go")
    #expect(form.onlyHTTPRequest?.json?["total"] == 1200.0)
    form.answer(status: 200)
    form.change("nights", .null)
    #expect(form.told.absent == ["total"] && form["/fields/total/isEmpty"] == true)
    form.change("price", .null)
    #expect(form["/isDirty"] == false && form.told.absent.isEmpty)
  }

  @Test(arguments: ["blur", "edit", "submit"])
  func `the message of a computed field shows from the first change of its value on, until a reset`(show: String) throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "integer"}, "total": {"type": "integer"},
           "rows": {"type": "array", "items": {"type": "object", "properties": {
             "q": {"type": "integer"}, "net": {"type": "integer"}}}}}},
         "fields": {"total": {"computed": "values.n.orValue(0)", "show": "\(show)"},
           "/rows/*/net": {"computed": "row.q.orValue(0)", "show": "\(show)"}},
         "rules": [{"id": "r", "field": "total", "check": "self > 5", "message": "Add more."},
           {"id": "s", "field": "/rows/*/net", "check": "self > 5", "message": "Too few."}]}
        """
    )
    let isShown = show != "submit"
    #expect(form.codes("total") == ["r"] && form.message("total") == nil)
    form.change("n", 1)
    #expect((form.message("total") == "Add more.") == isShown)
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now).session
    #expect(restored.document == form.kept)
    form.change("n", 6)
    #expect(form.message("total") == nil)
    form.change("n", 2)
    form.reset()
    #expect(form.codes("total") == ["r"] && form.message("total") == nil)
    let row = try #require(form.insert("rows", [:]).first)
    let message = "/messages/~1rows~1#\(row)~1net"
    #expect(form[message] == nil && form["/fields/rows/rows/\(row)/fields/net/errors/0/code"] == "s")
    form.change("/rows/0/q", 3)
    #expect((form[message] == "Too few.") == isShown)
  }

  @Test
  func `alone addressed the field takes no input, and within a larger value what it says is passed over and corrected`()
    throws
  {
    let form = try driver(["total": 99, "box": ["n": 1, "next": 99]])
    #expect(form.values == ["box": ["n": 1, "next": 2], "sum": 0] && form["/isDirty"] == false)
    let total = FieldChange(field: form.form.field(at: "total")!, value: 5)
    #expect(form.session.firstUnacceptable(in: [total]) == 0)
    #expect(form.session.isComputed(form.resolve("total")) && !form.session.isComputed(form.resolve("nights")))
    form.change("total", 5)
    #expect(form.values["total"] == nil && form.patches.isEmpty)
    form.change("box", ["n": 1, "next": 7])
    #expect(form.told.values == ["/box/next": 2])
    form.change("box", ["n": 5, "next": 6])
    #expect(form.told.values == ["/box/next": 6])
    form.change("box", ["n": 5, "next": 6])
    #expect(form.told.values.isEmpty)
  }

  @Test func `a formula makes an object, and nothing inside of what is none`() throws {
    let form = try driver()
    form.change("/box/n", 1)
    #expect(form.values["box"] == ["n": 1, "next": 2])
    form.change("box", .null)
    #expect(form.values["box"] == .null && form.told.absent == ["/box/next"])
    #expect(form["/fields/box/fields/next/isEmpty"] == true)
    form.change("box", "x")
    #expect(form.values["box"] == "x")
    form.change("box", ["n": 4])
    #expect(form.values["box"] == ["n": 4, "next": 5])
    form.change("/box/n", .null)
    #expect(form.values["box"] == nil)
  }

  @Test func `each row has its own, and the form can compute from all`() throws {
    let form = try driver(["items": [["q": 1, "p": 2.5, "net": 9]]])
    #expect(form.values == ["items": [["q": 1, "p": 2.5, "net": 2.5]], "sum": 2.5])
    form.insert("items", ["q": 2, "p": 2, "net": 7])
    #expect(form.told.values == ["/items/#2/net": 4.0, "sum": 6.5])
    form.change("/items/0/q", 3)
    #expect(form.told.values == ["/items/#1/net": 7.5, "sum": 11.5])
    form.change("items", [["q": 1, "p": 1]])
    #expect(form.values == ["items": [["q": 1, "p": 1, "net": 1.0]], "sum": 1.0])
    form.change("items", [["q": 1, "p": 2.5]])
    #expect(form["/fields/items/isDirty"] == false)
    form.remove("/items/0")
    #expect(form.told.values == ["sum": 0.0] || form.told.absent == ["sum"])
    form.reset()
    #expect(form.values == ["items": [["q": 1, "p": 2.5, "net": 2.5]], "sum": 2.5] && form["/isDirty"] == false)
    #expect(form.told.values == ["items": [["q": 1, "p": 2.5, "net": 2.5]], "sum": 2.5])
  }

  @Test func `a computed value counts as computed, and its row gives it back`() throws {
    let form = try driver()
    let (values, computed) = (form.session.valueBytes, form.session.computedBytes)
    form.insert("items", ["q": 2, "p": 2])
    form.remove("/items/0")
    form.change("items", .null)
    #expect(form.session.computedBytes == computed && form.session.valueBytes == values)
    form.change("/box/n", 1)
    #expect(form.session.computedBytes > computed)
  }

  @Test func `what a server has said of the value before goes with it`() throws {
    let form = try driver(["nights": 1, "price": 1])
    form.apply(.fail(field: form.form.field(at: "total")!, message: "no"))
    #expect(form.codes("total") == ["server"])
    form.change("nights", 2)
    #expect(form.codes("total").isEmpty)
  }

  @Test func `a restored session computes again`() throws {
    let form = try driver(["nights": 2, "items": [["q": 2, "p": 3]]])
    form.change("price", 4)
    let snapshot = form.session.snapshot(for: .resuming)
    #expect(!snapshot.text.contains("8.0") && !snapshot.text.contains("net"))
    let engine = Engine()
    let restored = try engine.restore(form.form, from: snapshot, at: form.now).session
    #expect(restored.document == form.kept && restored.values() == form.values)
    #expect(restored.checkInvariants() == [])
    _ = engine.apply(.set(field: 0, to: 3), to: restored, at: form.now)
    #expect(restored.values()["total"] == 12.0)
  }

  @Test func `the result is normalized like an input, and one of a wrong type is judged`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "t": {"type": "string", "maxLength": 9}, "n": {"type": "integer"}, "w": {"type": "integer"}}},
         "fields": {"t": {"computed": "' ' + values.a + ' '", "normalize": ["trim", "upper"]}, "n": {"computed": "values.a", "coerce": true}, "w": {"computed": "values.a"}}}
        """
    )
    #expect(form.values == [:])
    form.change("a", "7x")
    #expect(form.values == ["a": "7x", "t": "7X", "n": "7x", "w": "7x"])
    #expect(form.codes("n") == ["type"] && form.codes("w") == ["type"])
    form.change("a", "7")
    #expect(form.values["n"] == 7 && form.codes("n").isEmpty && form.codes("w") == ["type"])
  }

  @Test func `a fault leaves the field without a value and is reported`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}, "fields": {"b": {"computed": "1 / values.a"}}}
        """
    )
    form.change("a", 1)
    #expect(form.values["b"] == 1)
    form.change("a", 0)
    #expect(form.values == ["a": 0] && form.told.absent == ["b"])
    #expect(form.faults.map(\.pointer).contains("/fields/b/computed"))
  }

  @Test func `a computed secret is computed from secrets, and told to nobody`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"pin": {"type": "string", "maxLength": 30, "writeOnly": true}, "hash": {"type": "string", "maxLength": 40}}},
         "fields": {"hash": {"secret": true, "computed": "'#' + values.pin"}},
         "actions": {"go": {"run": {"provider": {"name": "p", "arguments": {"h": "values.hash"}}}}}}
        """
    )
    form.change("pin", "CANARY")
    form.change("pin", "CANARY2")
    #expect(form.session.values(includingSecrets: true)["hash"] == "#CANARY2")
    let told =
      "\(form.kept) \(form.values) \(form.patches) \(form.told) \(form.session.explanation()) \(form.session.snapshot(for: .keeping).text)"
    #expect(!told.contains("CANARY"))
    form.tap("go")
    #expect(form.onlyProviderRequest?.arguments == ["h": "#CANARY2"])
  }

  @Test func `its checks run when a tap asks for them, whatever trustInitial says`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}, "fields": {"b": {"computed": "values.a + 1"}},
         "checks": [{"id": "c", "field": "b", "trustInitial": true, "run": {"provider": {"name": "p", "arguments": {"v": "self"}}}, "outcomes": [{"valid": true}]}],
         "actions": {"go": {"run": {"provider": {"name": "q", "arguments": {"b": "values.b"}}}}}}
        """
    )
    form.change("a", 1)
    #expect(form.effects.isEmpty)
    #expect(form.tap("go").outcome == .held)
    #expect(form.onlyProviderRequest?.arguments == ["v": 2])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok))
    #expect(form.onlyProviderRequest?.arguments == ["b": 2])
  }

  @Test func `an explanation says what a value is computed from`() throws {
    let form = try driver(["nights": 2, "price": 4])
    let value = form.session.explanation()["fields"]?["total"]?["value"]
    #expect(
      value == [
        "computed": "double(values.nights) * values.price", "reads": ["values.nights": 2, "values.price": 4.0],
      ]
    )
  }
}
