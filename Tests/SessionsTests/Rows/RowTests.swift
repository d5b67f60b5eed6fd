import Forms
import JSON
import Sessions
import Testing

/// Rows are inserted, removed and moved, and each keeps its own state.
struct RowTests {
  private func invoice(_ options: OpenOptions = OpenOptions()) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {
           "customer": {"type": "string"},
           "items": {"type": "array", "minItems": 1, "maxItems": 5, "items": {"type": "object", "required": ["sku"], "properties": {
             "sku": {"type": "string", "maxLength": 5}, "quantity": {"type": "integer", "minimum": 1, "default": 1},
             "price": {"type": "number", "minimum": 0}}}}}},
         "fields": {"items": {"key": "sku"}, "/items/*/price": {"show": "always"}},
         "rules": [{"id": "budget", "field": "/items/*/price", "check": "self * double(row.quantity) <= 100.0",
                    "message": "Row {number} is over the budget."}],
         "outputs": {"/items/*/net": "double(row.quantity) * row.price", "total": "outputs['/items/*/net'].sum()",
                     "count": "values.items.size()", "/items/*/place": "index"},
         "actions": {"go": {}}}
        """,
      options: options
    )
  }

  @Test func `rows are inserted, changed, moved and removed`() throws {
    let form = try invoice()
    #expect(form["/fields/items/order"] == [] && form["/fields/items/rows"] == [:])
    #expect(form.insert("items", ["sku": "A", "price": 2.5]) == [1])
    #expect(form.order("items") == ["1"])
    #expect(form["/outputs/total"] == 2.5 && form["/outputs/count"] == 1)
    form.insert("items", at: 0, ["sku": "B", "quantity": 3, "price": 10], ["sku": "C"])
    #expect(form.order("items") == ["2", "3", "1"])
    #expect(form["/outputs/total"] == 32.5)
    #expect(form["/fields/items/rows/1/outputs/place"] == 2)
    form.change("/items/#1/quantity", 2)
    #expect(form["/outputs/total"] == 35.0)
    #expect(form["/fields/items/rows/1/outputs/net"] == 5.0)
    #expect(form["/fields/items/rows/1/fields/quantity/isDirty"] == true)
    form.move("/items/#1", to: 0)
    #expect(form.order("items") == ["1", "2", "3"])
    #expect(form["/fields/items/rows/1/fields/quantity/isDirty"] == true)
    form.remove("/items/1")
    #expect(form.order("items") == ["1", "3"])
    #expect(form["/outputs/total"] == 5.0)
    #expect(form.values["items"] == [["sku": "A", "quantity": 2, "price": 2.5], ["sku": "C", "quantity": 1]])
  }

  @Test func `a row whose values are all hidden or secret is an empty object, and an emptied row is null`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"on": {"type": "boolean"}, "items": {"type": "array", "maxItems": 5, "items": {
           "type": "object", "properties": {"sku": {"type": "string"}, "key": {"type": "string", "writeOnly": true}}}},
           "lines": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}}},
         "fields": {"/items/*/sku": {"visible": "values.on"}, "/lines/*/sku": {"visible": "values.on"}},
         "outputs": {"lines": "values.lines"}}
        """,
      options: OpenOptions(
        values: ["on": true, "items": [["sku": "a"], ["key": "b"], [:], .null], "lines": [["sku": "a"], .null]]
      )
    )
    #expect(form.session.values()["items"] == [["sku": "a"], [:], [:], .null])
    form.change("on", false)
    #expect(form.session.shownValues()["items"] == [[:], [:], [:], .null])
    #expect(form["/outputs/lines"] == [[:], .null])
    #expect(form.session.values(includingSecrets: true)["items"] == [["sku": "a"], ["key": "b"], [:], .null])
  }

  /// The addresses of a required list: at the top, in an object, in a row.
  @Test(arguments: ["items", "/box/items", "/rows/0/items"])
  func `rules judge a required list that is absent as an empty one`(_ address: String) throws {
    let list = """
      {"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "maxItems": 5, "items": {
        "type": "object", "properties": {"a": {"type": "string"}}}}, "k": {"type": "string"}}}
      """
    let form = try SessionDriver(
      text: """
        {"schema": {"required": ["items"], "properties": {"items": {"type": "array", "maxItems": 5, "items": {"type": "object",
           "properties": {"a": {"type": "string"}}}}, "box": \(list), "rows": {"type": "array", "maxItems": 5, "items": \(list)}}},
         "fields": {"items": {"visible": "!values.box.items.exists(i, i.a == 'hide')"}},
         "rules": [{"id": "some", "field": "items", "check": "size(self) > 0"},
           {"id": "box", "field": "/box/items", "check": "size(self) > 0"},
           {"id": "row", "field": "/rows/*/items", "check": "size(self) > 0"}]}
        """,
      options: OpenOptions(values: ["box": ["k": "x"], "rows": [["k": "x"]]])
    )
    func count() -> Int { form.session.errors().errors.count { ["some", "box", "row"].contains($0.code) } }
    #expect(count() == 3)
    form.insert(address, ["a": "x"])
    #expect(count() == 2)
    form.change(address, .null)
    #expect(count() == 3)
    // An optional object, or a hidden list, does not have to have a list.
    form.change("box", .null)
    #expect(count() == 2)
    form.change("box", ["items": [["a": "hide"]]])
    #expect(count() == 1)
  }

  /// The user's inputs before a row is removed.
  @Test(
    arguments: [
      { form in form.focus("/items/#1/sku") }, { form in form.change("/items/#1/sku", "Z") },
      { form in form.change("/items/#2/sku", "Z") }, { form in form.focus("items") }, { _ in },
    ] as [@Sendable (SessionDriver) -> Void]
  )
  func `a removal shows the message of the list, also while a field in it is edited`(
    _ before: @Sendable (SessionDriver) -> Void
  ) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"items": {"type": "array", "minItems": 2, "maxItems": 5, "items": {"type": "object",
           "required": ["n"], "properties": {"sku": {"type": "string"}, "n": {"type": "integer"}}}}}}}
        """,
      options: OpenOptions(values: ["items": [["sku": "A", "n": 1], ["sku": "B", "n": 2]]])
    )
    before(form)
    form.remove("/items/#2")
    #expect(form.codes("items") == ["minItems"] && form.message("items") != nil)
    // A new row is a change and the end of the editing, too.
    form.insert("items", [:])
    form.change("/items/1/sku", "C")
    form.insert("items", ["n": 1])
    #expect(form.message("items") == nil && form.codes("items/#3/n") == ["required"])
  }

  @Test func `a rule of a row stands at its field, says which row it is, and goes with it`() throws {
    let form = try invoice()
    form.insert("items", ["sku": "A", "price": 1], ["sku": "B", "price": 101])
    #expect(form.codes("/items/#2/price") == ["budget"] && form.codes("/items/#1/price") == [])
    #expect(form["/messages"] == ["/items/#2/price": "Row 2 is over the budget."])
    #expect(form["/fields/items/isValid"] == false && !form.isValid)
    form.move("/items/#2", to: 0)
    #expect(form["/messages"] == ["/items/#2/price": "Row 1 is over the budget."])
    form.remove("/items/#2")
    #expect(form["/messages"] == [:] && form.isValid)
  }

  @Test func `a text says where its row stands, where no formula does`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"items": {"type": "array", "items": {"type": "integer"}}}},
         "fields": {"/items/*": {"show": "always"}},
         "rules": [{"id": "small", "field": "/items/*", "check": "self < 10", "message": "{number} ({index}) is too large."}]}
        """
    )
    form.insert("items", 1, 20, 3)
    #expect(form["/messages"] == ["/items/#2": "2 (1) is too large."])
    form.move("/items/#2", to: 0)
    #expect(form["/messages"] == ["/items/#2": "1 (0) is too large."])
    form.insert("items", at: 0, 4)
    #expect(form["/messages"] == ["/items/#2": "2 (1) is too large."])
  }

  @Test func `removing takes a row or what is there`() throws {
    let form = try invoice()
    form.insert("items", ["sku": "A"])
    let list = try form.session.resolve("items")
    let behind = FieldChange(row: list.row, field: list.field ?? 0, path: ["-"], value: nil)
    #expect(form.session.firstUnacceptable(in: [behind]) == 0)
  }

  @Test(arguments: [[:], "none", 7] as [JSON])
  func `a list that holds something else than a list is dirty`(_ value: JSON) throws {
    let form = try invoice()
    form.change("items", value)
    #expect(form["/fields/items/isDirty"] == true && form["/isDirty"] == true)
    form.change("items", .null)
    #expect(form["/fields/items/isDirty"] == false)
    form.change("items", [])
    #expect(form["/fields/items/isDirty"] == false)
  }

  @Test(arguments: Origin.allCases)
  func `only the user edits a list by a row behind its last`(_ origin: Origin) throws {
    let form = try invoice()
    let list = try form.session.resolve("items")
    let row = FieldChange(row: list.row, field: list.field ?? 0, path: ["-"], value: ["sku": "A"])
    form.apply(.change([row], origin: origin))
    #expect(form.order("items") == ["1"])
    #expect(form["/fields/items/isTouched"] == .bool(origin == .user))
  }

  @Test func `a rule names the row as it stands now, also where no formula reads the position`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"tags": {"type": "array", "items": {"type": "string"}}}},
         "fields": {"/tags/*": {"show": "always"}},
         "rules": [{"id": "short", "field": "/tags/*", "check": "size(self) < 3", "message": "Row {number} is too long."}]}
        """
    )
    form.insert("tags", "long")
    form.insert("tags", at: 0, "a", "b")
    #expect(form["/messages"] == ["/tags/#1": "Row 3 is too long."])
  }

  @Test func `a reset ends the editing in rows that it takes away`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"orders": {"type": "array", "items": {"properties": {
           "lines": {"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}}}}}}}
        """
    )
    form.insert("orders", ["lines": []])
    form.reset(keepValues: true)
    form.insert("/orders/0/lines", [:])
    form.change("/orders/0/lines/0/n", 1)
    form.reset()
    #expect(form.order("orders") == ["1"] && form.values == ["orders": [["lines": []]]])
  }

  @Test func `a row that comes back is as it was, without defaults for what it lacked`() throws {
    let form = try invoice(OpenOptions(values: ["items": [["sku": "A", "quantity": ""]]]))
    let before = form.values
    #expect(before == ["items": [["sku": "A"]]])
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
    #expect(restored.session.document == form.session.document)
    form.remove("/items/0")
    form.reset()
    #expect(form.values == before && form["/isDirty"] == false)
  }

  @Test(arguments: ["x", 7, [:]] as [JSON]) func `what is no list takes no row`(_ other: JSON) throws {
    let form = try invoice()
    form.change("items", other)
    let list = form.resolve("items")
    #expect(!form.session.mayInsert([nil], into: list))
    form.apply(.change([FieldChange(field: list.field ?? 0, path: ["-"], value: ["sku": "A"])]))
    form.insert("items", ["sku": "A"])
    #expect(form.values["items"] == other && form.session.rowCount == 0)
  }

  @Test func `a row that is in order costs a few bytes`() throws {
    let form = try invoice()
    form.insert("items", ["sku": "A", "price": 1])
    #expect(
      form["/fields/items/rows/1"]
        == ["isValid": true, "fields": ["sku": ["isRequired": true]], "outputs": ["net": 1.0, "place": 0]]
    )
    form.insert("items", [:])
    #expect(form["/fields/items/rows/2/isValid"] == false)
    #expect(form.codes("/items/#2/sku") == ["required"])
    form.change("/items/#2/sku", "B")
    form.change("/items/#2/price", 1)
    form.reset(keepValues: true)
    #expect(
      form["/fields/items/rows/2"]
        == ["isValid": true, "fields": ["sku": ["isRequired": true]], "outputs": ["net": 1.0, "place": 1]]
    )
  }

  @Test func `a list is as long as its schema says`() throws {
    let form = try invoice(OpenOptions(values: ["items": []]))
    #expect(form.codes("items") == ["minItems"])
    form.insert("items", ["sku": "A"], ["sku": "B"], ["sku": "C"], ["sku": "D"], ["sku": "E"])
    #expect(form.codes("items") == [] && form.isValid)
    form.insert("items", ["sku": "F"])
    #expect(form.codes("items") == ["maxItems"] && !form.isValid)
  }

  @Test func `a whole list matches its rows by their key`() throws {
    let form = try invoice()
    form.insert("items", ["sku": "A", "price": 1], ["sku": "B", "price": 2], ["sku": "C", "price": 3])
    form.change("items", [["sku": "C", "price": 3], ["sku": "A", "price": 9], ["sku": "X", "price": 4]])
    #expect(form.order("items") == ["3", "1", "4"])
    let third: JSON = ["sku": "X", "quantity": 1, "price": 4]
    #expect(form.values["items"] == [["sku": "C", "price": 3], ["sku": "A", "price": 9], third])
    form.change("items", [["sku": "A"], ["sku": "A"]])
    #expect(form.codes("/items/#1/sku") == [] && form.order("items").first == "1")
    #expect(form.codes("/items/#\(form.order("items")[1])/sku") == ["duplicate"])
  }

  @Test func `reset brings back the rows of the beginning, those that stayed with their identities`() throws {
    let form = try invoice(OpenOptions(values: ["items": [["sku": "A"], ["sku": "B"]]]))
    #expect(form.order("items") == ["1", "2"] && form["/isDirty"] == false)
    form.remove("/items/#1")
    form.insert("items", ["sku": "C"])
    form.change("/items/#2/sku", "Z")
    #expect(form["/isDirty"] == true && form["/fields/items/isDirty"] == true)
    form.reset()
    #expect(form.order("items") == ["4", "2"] && form["/isDirty"] == false)
    #expect(form.values["items"] == [["sku": "A", "quantity": 1], ["sku": "B", "quantity": 1]])
    #expect(form.told.values["items"] == form.values["items"])
  }

  @Test func `a list that was emptied is as it was when it had none`() throws {
    let form = try invoice()
    form.insert("items", ["sku": "A"])
    #expect(form["/isDirty"] == true)
    form.remove("/items/0")
    #expect(form["/isDirty"] == false && form.values["items"] == [])
  }

  @Test func `a snapshot keeps rows with their identities and their state`() throws {
    let form = try invoice()
    form.insert("items", ["sku": "A", "price": 1], ["sku": "B", "price": 2])
    form.change("/items/#2/price", 500)
    form.blur("/items/#2/price")
    form.remove("/items/#1")
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
      .session
    #expect(restored.document == form.session.document)
    #expect(restored.values() == form.values)
    #expect(restored.checkInvariants() == [])
  }

  @Test func `a snapshot keeps rows whose identities the form would give to other lists`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {
           "a": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
           "b": {"type": "array", "items": {"type": "string"}, "default": ["x", "y"]}}}}
        """,
      options: OpenOptions(values: ["a": [["p"], ["q"]], "b": []])
    )
    let engine = Engine()
    let snapshot = form.session.snapshot(for: .resuming)
    let restored = try engine.restore(form.form, from: snapshot, at: form.now).session
    #expect(restored.document == form.session.document && restored.checkInvariants() == [])
    let turn = engine.apply(.insert(list: form.resolve("b").field ?? 0, at: 0, ["z"]), to: restored, at: form.now)
    #expect(turn.rows == form.insert("b", "z"))
    #expect(restored.values() == form.values)
  }

  @Test func `rows of rows`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"orders": {"type": "array", "items": {"properties": {
           "id": {"type": "string"}, "lines": {"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}}}}}},
         "rules": [{"id": "small", "field": "/orders/*/lines/*/n", "check": "self < outer.lines.size() + 5", "message": "x"}],
         "outputs": {"/orders/*/lines/*/twice": "row.n * 2", "/orders/*/sum": "outputs['/orders/*/lines/*/twice'].sum()",
           "all": "outputs['/orders/*/lines/*/twice'].sum()", "sums": "outputs['/orders/*/sum']"}}
        """
    )
    form.insert("orders", ["id": "a", "lines": [["n": 1], ["n": 2]]], ["id": "b"])
    #expect(form["/outputs/all"] == 6 && form["/outputs/sums"] == [6, 0])
    form.insert("/orders/1/lines", ["n": 5])
    #expect(form["/outputs/all"] == 16 && form["/outputs/sums"] == [6, 10])
    form.change("/orders/1/lines/0/n", 6)
    #expect(form["/fields/orders/isValid"] == false)
    form.insert("/orders/1/lines", ["n": 1])
    #expect(form.isValid)
    form.remove("/orders/0")
    #expect(form["/outputs/all"] == 14)
  }

  @Test func `a list of texts`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"tags": {"type": "array", "maxItems": 3, "items": {"type": "string", "minLength": 2}}}},
         "fields": {"/tags/*": {"normalize": ["trim"], "unique": true}}}
        """
    )
    form.change("tags", ["ab", " cd ", ""])
    #expect(form.values["tags"] == ["ab", "cd", ""])
    #expect(form.isValid && form["/fields/tags/rows/3/isValid"] == true && form["/fields/tags/rows/3/isEmpty"] == true)
    #expect(form["/fields/tags/rows/3/errors"] == nil)
    form.change("/tags/2", "ab")
    #expect(form["/fields/tags/rows/3/errors/0/code"] == "duplicate")
    form.change("/tags/-", "x")
    #expect(form.codes("tags") == ["maxItems"] && form["/fields/tags/rows/4/errors/0/code"] == "minLength")
  }
}
