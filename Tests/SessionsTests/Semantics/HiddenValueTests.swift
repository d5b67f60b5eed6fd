import Forms
import JSON
import Sessions
import SourceTexts
import Testing

/// Values of fields that are hidden, and rows that hide themselves.
@Suite struct `Hidden values` {
  private static let definition = """
    {"whenHidden": "clear",
     "schema": {"properties": {"kind": {"type": "string", "maxLength": 9}, "card": {"type": "string", "maxLength": 9},
       "note": {"type": "string", "maxLength": 9}, "count": {"type": "integer", "default": 1},
       "slug": {"type": "string", "maxLength": 9},
       "bank": {"type": "object", "properties": {"iban": {"type": "string", "maxLength": 9}, "bic": {"type": "string", "maxLength": 9}}},
       "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
         "sku": {"type": "string", "maxLength": 9}, "isRemoved": {"type": "boolean"}}}},
       "more": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}}}},
     "fields": {"card": {"visible": "values.kind == 'card'"}, "note": {"visible": "values.kind == 'card'", "whenHidden": "keep"},
       "count": {"visible": "values.kind == 'card'"}, "slug": {"visible": "values.kind == 'card'", "suggested": "values.kind"},
       "bank": {"visible": "values.kind == 'bank'"}, "/bank/bic": {"whenHidden": "keep"},
       "/rows/*": {"visible": "!row.isRemoved"}, "more": {"visible": "values.kind == 'card'"}},
     "outputs": {"skus": "values.rows.map(r, r.sku)"}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.definition, options: OpenOptions(values: values))
  }

  @Test func `a value goes when its field is hidden, and the field is as in the beginning`() throws {
    let form = try driver(["kind": "card", "note": "n"])
    form.change(["card": "4111", "count": 5, "slug": "mine"], commit: true)
    form.change("kind", "bank")
    #expect(form.values == ["kind": "bank", "note": "n", "count": 1, "slug": "bank"])
    #expect(form.told.absent == ["card"] && form.told.values == ["count": 1, "slug": "bank"])
    #expect(form["/fields/card/isTouched"] == false && form["/fields/card/isDirty"] == false)
    form.change("kind", "card")
    #expect(form.values == ["kind": "card", "note": "n", "count": 1, "slug": "card"])
  }

  @Test func `members of a hidden object and rows of a hidden list go, if they do not say otherwise`() throws {
    let form = try driver(["kind": "bank"])
    form.change(["/bank/iban": "CH1", "/bank/bic": "B"])
    form.change("kind", "card")
    #expect(form.values["bank"] == ["bic": "B"])
    form.insert("more", ["a": "x"], ["a": "y"])
    form.change("kind", "")
    #expect(form.values["more"] == nil && form.order("more") == [])
  }

  @Test func `at the opening and after a reset hidden values stay`() throws {
    let form = try driver(["kind": "bank", "card": "4111"])
    #expect(form.values["card"] == "4111")
    form.change("kind", "card")
    form.reset()
    #expect(form.values["card"] == "4111" && form["/fields/card/isVisible"] == false)
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now).session
    #expect(restored.values() == form.session.values())
    form.change("kind", "card")
    form.change("kind", "bank")
    #expect(form.values["card"] == nil && form["/fields/card/isDirty"] == true)
  }

  @Test func `a program's change clears, too`() throws {
    let form = try driver(["kind": "card", "card": "4111"])
    form.change(["kind": "bank"], origin: .program)
    #expect(form.values["card"] == nil)
  }

  @Test func `a suggestion does not replace a value of the opening`() throws {
    let form = try driver(["kind": "card", "slug": "mine"])
    form.change("kind", "bank")
    form.change("kind", "card")
    #expect(form.values["slug"] == nil)
    form.reset()
    #expect(form.values["slug"] == "mine")
  }

  @Test func `a delayed value, a typed text and an error of the server go with the value`() throws {
    let form = try SessionDriver(
      text: """
        {"whenHidden": "clear", "locale": "de",
         "schema": {"properties": {"isOn": {"type": "boolean"}, "note": {"type": "string", "maxLength": 9},
           "amount": {"type": "number"}}},
         "fields": {"note": {"visible": "values.isOn", "debounce": "1s"}, "amount": {"visible": "values.isOn", "read": "number"}}}
        """,
      options: OpenOptions(values: ["isOn": true])
    )
    form.change(["note": "n", "amount": "1,50"])
    #expect(form["/fields/amount/text"] == "1,50")
    form.change("isOn", false)
    form.advance(milliseconds: 2_000)
    #expect(form.values == ["isOn": false] && form["/fields/amount/text"] == nil)
    form.change("isOn", true)
    #expect(form.values == ["isOn": true])
  }

  @Test func `a removed object does not come back with a default`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"isOn": {"type": "boolean"}, "box": {"type": "object", "properties": {
           "count": {"type": "integer", "default": 1}, "note": {"type": "string", "maxLength": 9}}}}},
         "fields": {"/box/count": {"visible": "values.isOn", "whenHidden": "clear"}}}
        """,
      options: OpenOptions(values: ["isOn": true])
    )
    form.apply(
      .change(
        [FieldChange(field: form.resolve("box").field!, path: [], value: nil)],
        origin: .user,
        isComposing: false,
        commit: false
      )
    )
    form.change("isOn", false)
    #expect(form.values == ["isOn": false])
    form.change(["isOn": true, "/box/note": "n"])
    form.change("/box/count", 5)
    form.change("isOn", false)
    #expect(form.values == ["isOn": false, "box": ["count": 1, "note": "n"]])
  }

  @Test func `a field that is hidden only for a while, and a field that was hidden before, stay`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9, "default": "y"},
           "c": {"type": "string", "maxLength": 9}}},
         "fields": {"b": {"resetOn": ["a"]}, "c": {"visible": "values.b == 'y'", "whenHidden": "clear"}}}
        """,
      options: OpenOptions(values: ["c": "kept"])
    )
    form.change("b", "n")
    #expect(form.values["c"] == nil)
    form.change(["c": "kept"], origin: .program)
    // The change of a shows the field, by the reset of b.
    form.change("a", "1")
    #expect(form.values == ["a": "1", "b": "y", "c": "kept"])
  }

  @Test func `a hidden step loses the values of its fields`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}},
         "fields": {"b": {"whenHidden": "clear"}}, "steps": [{"id": "s", "fields": ["b"], "visible": "values.a == ''"}]}
        """
    )
    form.change("b", "x")
    form.change("a", "x")
    #expect(form.values == ["a": "x"])
  }

  @Test func `a row that is marked as removed is hidden, and comes back`() throws {
    let form = try driver(["rows": [["sku": "a"], ["sku": "b"]]])
    form.change("/rows/0/isRemoved", true)
    #expect(form["/outputs/skus"] == ["b"] && form.values["rows"]?.arrayValue?[0] == ["isRemoved": true])
    form.change("/rows/#1/isRemoved", false)
    #expect(form["/outputs/skus"] == ["", "b"])
    form.change("/rows/#2/isRemoved", true)
    form.insert("rows", ["sku": "c", "isRemoved": true])
    #expect(form["/outputs/skus"] == [""] && form.values["rows"]?.arrayValue?[2] == ["sku": "c", "isRemoved": true])
    // A value of a wrong type is absent.
    form.change("/rows/#3/isRemoved", "yes")
    #expect(form["/outputs/skus"] == ["", "c"])
  }

  @Test(arguments: ["/orders/0/rows/0", "/orders/0/rows/1"])
  func `a row inside a row is hidden by a member of its object`(_ row: String) throws {
    let form = try SessionDriver(
      text: """
        {"whenHidden": "clear", "schema": {"properties": {"orders": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
           "isOpen": {"type": "boolean"},
           "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
             "sku": {"type": "string", "maxLength": 9},
             "state": {"type": "object", "properties": {"isRemoved": {"type": "boolean"}}}}}}}}}}},
         "fields": {"/orders/*/rows/*": {"visible": "outer.isOpen && !row.state.isRemoved"}},
         "outputs": {"count": "values.orders.map(o, o.rows.size())"}}
        """,
      options: OpenOptions(values: [
        "orders": [["isOpen": true, "rows": [["sku": "a"], ["sku": "b"]]], ["isOpen": true]]
      ])
    )
    form.change("\(row)/state/isRemoved", true)
    #expect(form["/outputs/count"] == [1, 0])
    let hidden = form.session.value(of: form.resolve(row))
    #expect(hidden == ["state": ["isRemoved": true]])
    form.change("\(row)/state/isRemoved", false)
    #expect(form["/outputs/count"] == [2, 0])
    form.change("/orders/0/isOpen", false)
    #expect(form["/outputs/count"] == [0, 0])
  }

  @Test func `a text row can hide itself`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"tags": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 9}}}},
         "fields": {"/tags/*": {"visible": "row != 'x'"}}, "outputs": {"count": "size(values.tags)"}}
        """,
      options: OpenOptions(values: ["tags": ["a", "x"]])
    )
    #expect(form["/outputs/count"] == 1)
    form.change("/tags/1", "b")
    #expect(form["/outputs/count"] == 2)
  }

  @Test func `a value that shows its row and depends on the row is a circle`() throws {
    let compilation = Form.compile(
      try JSON(
        parsing: """
          {"form": "t", "schema": {"properties": {"rows": {"type": "array", "maxItems": 9, "items": {"properties": {
             "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}}}}},
           "fields": {"/rows/*": {"visible": "row.b == ''"}, "/rows/*/b": {"computed": "row.a"}}}
          """
      )
    )
    #expect(compilation.form == nil && compilation.diagnostics.map(\.code) == ["cycle"])
  }

  @Test func `Hidden fields do not count and are not sent; their value is remembered`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["b"], "properties": {"a": {"type": "boolean"}, "b": {"type": "string", "minLength": 3, "maxLength": 9}}},
         "fields": {"b": {"visible": "values.a == true", "show": "always"}},
         "rules": [{"id": "r", "field": "b", "check": "self != 'bad'"}],
         "outputs": {"b": "values.b"},
         "actions": {"go": {"enabled": "true", "run": {"http": {"service": "s", "path": "/", "query": {"q": "values.b"}, "json": {"a": "values.a", "b": "values.b", "list": ["values.b"]}}}}}}
        """
    )
    #expect(form.isValid && form["/fields/b/isVisible"] == false)
    form.change(["a": true, "b": "x"])
    #expect(form.codes("b") == ["minLength"] && form.message("b") != nil && form["/outputs/b"] == "x")
    form.change("a", false)
    #expect(form.isValid && form.message("b") == nil && form["/outputs/b"] == "")
    form.tap("go")
    let request = try #require(form.onlyHTTPRequest)
    #expect(request.json == ["a": false, "list": []])
    #expect(request.target == "/")
    form.answer(status: 200)
    form.change("b", "bad")
    #expect(form.isValid)
    form.change("a", true)
    #expect(form.codes("b") == ["r"])
    #expect(form.session.values() == ["a": true, "b": "bad"])
  }
}
