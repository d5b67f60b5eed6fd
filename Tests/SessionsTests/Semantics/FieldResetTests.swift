import Forms
import JSON
import Sessions
import Testing

/// One field goes back to its beginning: because a client asks for it, or because the user has changed what it depends
/// on.
@Suite struct `Reset of a field` {
  private static let definition = """
    {"schema": {"required": ["city"], "properties": {
       "country": {"type": "string", "maxLength": 9}, "city": {"type": "string", "maxLength": 9},
       "street": {"type": "string", "maxLength": 9}, "currency": {"type": "string", "maxLength": 9, "default": "EUR"},
       "slug": {"type": "string", "maxLength": 9},
       "box": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}},
       "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
         "kind": {"type": "string", "maxLength": 9}, "size": {"type": "string", "maxLength": 9},
         "parts": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"n": {"type": "string", "maxLength": 9}}}}}}}}},
     "fields": {"city": {"resetOn": ["country"]}, "street": {"resetOn": ["city"], "debounce": "1s"},
       "currency": {"resetWhen": "values.country == 'CH'"}, "slug": {"suggested": "values.country", "resetOn": ["country"]},
       "box": {"resetOn": ["country"]}, "/rows/*/size": {"resetOn": ["/rows/*/kind", "country"]},
       "/rows/*/parts/*/n": {"resetOn": ["/rows/*/kind"]}}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(values: values))
  }

  // MARK: resetOn, resetWhen

  @Test func `a change by the user's hand takes the field back to its initial value`() throws {
    let form = try driver(["country": "KR", "city": "Seoul"])
    form.change(["city": "Busan"], commit: true)
    form.change("country", "CH")
    #expect(form.values["city"] == "Seoul" && form.told.values["city"] == "Seoul")
    #expect(form["/fields/city/isDirty"] == false && form["/fields/city/isTouched"] == false)
    // The suggestion is back, too, and follows.
    #expect(form.values["slug"] == "CH")
  }

  @Test func `without an initial value the field is empty, and shows no message`() throws {
    let form = try driver()
    form.change(["country": "KR"])
    form.change(["city": "Busan"], commit: true)
    form.change("country", "CH")
    #expect(form.values["city"] == nil && form["/messages/city"] == nil && form.told.absent.contains("city"))
    #expect(form["/fields/city/errors/0/code"] == "required")
  }

  @Test func `a formula resets when its result changes, not when it holds`() throws {
    let form = try driver()
    form.change("currency", "USD")
    form.change("country", "KR")
    #expect(form.values["currency"] == "USD")
    form.change("country", "CH")
    #expect(form.values["currency"] == "EUR")
    form.change("currency", "CHF")
    form.change("country", "CH")
    #expect(form.values["currency"] == "CHF")
    form.change("country", "DE")
    #expect(form.values["currency"] == "EUR")
  }

  @Test(arguments: [Origin.program, .restore])
  func `a program's change resets nothing`(_ origin: Origin) throws {
    let form = try driver()
    form.change(["city": "Seoul"])
    form.change(["country": "KR"], origin: origin)
    #expect(form.values["city"] == "Seoul")
    // The next change is compared with that one.
    form.change("country", "KR")
    #expect(form.values["city"] == "Seoul")
    form.change(["country": "CH"], origin: .autofill)
    #expect(form.values["city"] == nil)
  }

  @Test func `a value that the same input gives stays`() throws {
    let form = try driver()
    form.change(["country": "KR", "city": "Seoul", "/box/a": "x"])
    #expect(form.values["city"] == "Seoul" && form.values["box"] == ["a": "x"])
    form.change(["box": ["a": "y", "b": "z"], "country": "CH"])
    #expect(form.values["box"] == ["a": "y", "b": "z"] && form.values["city"] == nil)
  }

  @Test func `a reset resets what depends on it, also a value that is held back`() throws {
    let form = try driver()
    form.change("city", "Seoul")
    form.change("street", "Main")
    form.change("country", "CH")
    #expect(form.values["city"] == nil && form.values["street"] == nil)
    form.advance(milliseconds: 2_000)
    #expect(form.values["street"] == nil)
  }

  @Test func `two fields may reset each other`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"km": {"type": "integer"}, "miles": {"type": "integer"}}},
         "fields": {"km": {"resetOn": ["miles"]}, "miles": {"resetOn": ["km"]}}}
        """
    )
    form.change("km", 5)
    form.change("miles", 3)
    #expect(form.values == ["miles": 3])
    form.change("km", 7)
    #expect(form.values == ["km": 7])
  }

  @Test func `an object goes back as a whole, with its messages`() throws {
    let form = try driver(["box": ["a": "one"]])
    form.change(["/box/a": "two", "/box/b": "x"], commit: true)
    form.change("country", "CH")
    #expect(form.values["box"] == ["a": "one"] && form["/fields/box/isTouched"] == false)
    form.change(["box": "no object"])
    form.change("country", "KR")
    #expect(form.values["box"] == ["a": "one"])
  }

  @Test func `in rows a field of the row resets, and a field of the form resets all rows`() throws {
    let form = try driver(["rows": [["kind": "a", "size": "S"], ["kind": "a"]]])
    form.change(["/rows/0/size": "L", "/rows/1/size": "M"])
    form.change("/rows/0/kind", "b")
    #expect(form.values["rows"] == [["kind": "b", "size": "S"], ["kind": "a", "size": "M"]])
    form.change(["/rows/0/size": "L"])
    form.change("country", "CH")
    #expect(form.values["rows"] == [["kind": "b", "size": "S"], ["kind": "a"]])
    // A new row begins as it is given.
    form.insert("rows", ["kind": "c", "size": "XL"])
    #expect(form.values["rows"]?.arrayValue?[2] == ["kind": "c", "size": "XL"])
  }

  @Test func `a row around the row resets, too`() throws {
    let form = try driver(["rows": [["kind": "a", "parts": [["n": "1"]]], ["kind": "a", "parts": [["n": "2"]]]]])
    form.change(["/rows/0/parts/0/n": "7", "/rows/1/parts/0/n": "8"])
    form.change("/rows/0/kind", "b")
    #expect(
      form.values["rows"]?.arrayValue?[0]["parts"] == [["n": "1"]]
        && form.values["rows"]?.arrayValue?[1]["parts"] == [["n": "8"]]
    )
  }

  @Test func `a tap sends what the held-back change has reset`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"country": {"type": "string", "maxLength": 9}, "city": {"type": "string", "maxLength": 9}}},
         "fields": {"country": {"debounce": "1s"}, "city": {"resetOn": ["country"]}},
         "actions": {"send": {"run": {"provider": {"name": "p", "arguments": {"c": "values.city.orValue('-')"}}}}}}
        """
    )
    form.change("city", "Seoul")
    form.change("country", "CH")
    form.tap("send")
    let request = try #require(form.onlyProviderRequest)
    #expect(request.arguments == ["c": "-"])
  }

  @Test func `nothing is reset when a session comes back`() throws {
    let form = try driver(["country": "KR", "city": "Seoul"])
    form.change(["city": "Busan"])
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now).session
    #expect(restored.values() == form.session.values())
  }

  // MARK: session/reset

  private func reset(_ address: String, _ form: SessionDriver) throws {
    let target = try form.session.resolve(address)
    form.apply(.resetField(field: try #require(target.field), row: target.row))
  }

  @Test func `a client resets one field`() throws {
    let form = try driver(["city": "Seoul", "country": "KR"])
    form.change(["city": ""], commit: true)
    #expect(form["/messages/city"] != nil)
    form.change(["country": "CH"], origin: .program)
    try reset("city", form)
    #expect(form.values == ["city": "Seoul", "country": "CH", "currency": "EUR", "slug": "CH"])
    #expect(form["/messages/city"] == nil && form["/fields/city/isTouched"] == false)
    #expect(form["/fields/city/isDirty"] == false && form["/fields/country/isDirty"] == true)
  }

  @Test func `a server's error and the editing of the field end`() throws {
    let form = try driver(["city": "Seoul"])
    form.focus("city")
    form.apply(.fail(field: try #require(form.session.resolve("city").field), message: "no"))
    try reset("city", form)
    #expect(form["/fields/city/errors"] == [] && form["/messages/city"] == nil)
    form.blur("city")
    #expect(form["/fields/city/isTouched"] == true)
  }

  @Test func `a member of a row, a row and a list go back`() throws {
    let form = try driver(["rows": [["kind": "a", "size": "S"], ["kind": "b"]]])
    form.change(["/rows/0/size": "L", "/rows/0/kind": "x"], commit: true)
    try reset("/rows/0/size", form)
    #expect(form.values["rows"]?.arrayValue?[0] == ["kind": "x", "size": "S"])
    form.change(["/rows/0/size": "L"])
    try reset("/rows/0", form)
    #expect(form.values["rows"]?.arrayValue?[0] == ["kind": "a", "size": "S"] && form["/fields/rows/isDirty"] == false)
    form.remove("/rows/1")
    form.insert("rows", ["kind": "c"])
    try reset("rows", form)
    #expect(form.values["rows"] == [["kind": "a", "size": "S"], ["kind": "b"]])
    #expect(form["/fields/rows/isDirty"] == false && form["/isDirty"] == false)
  }

  @Test func `a member of a value that is no object stays as it is`() throws {
    let form = try driver(["box": ["a": "one"]])
    form.change(["box": 7])
    try reset("/box/a", form)
    #expect(form.values["box"] == 7)
    form.change(["box": .null])
    try reset("/box/a", form)
    #expect(form.values["box"] == ["a": "one"])
  }

  @Test func `the check of the field forgets its answer`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"v": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken"}]}]}
        """,
      options: OpenOptions(values: ["a": "x"])
    )
    form.change("a", "y")
    let id = try #require(form.effects.keys.first)
    form.change("a", "x")
    try reset("a", form)
    #expect(form["/fields/a/isPending"] == false && form.effects[id] == nil && form.effects.isEmpty)
  }
}
