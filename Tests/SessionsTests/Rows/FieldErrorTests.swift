import Forms
import JSON
import Sessions
import Testing

/// Errors of an answer at addresses go to the rows that were sent, at their current positions.
struct FieldErrorTests {
  private func form(_ errors: String = "response.body.errors") throws -> SessionDriver {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a.b": {"type": "string"}, "customer": {"type": "string"},
           "items": {"type": "array", "items": {"properties": {"sku": {"type": "string"}, "tags": {"type": "array", "prefixItems": [{}]}}}}}},
         "actions": {"send": {"enabled": "true", "scope": "none", "run": {"http": {"service": "s", "method": "POST", "path": "/", "json": "values.items"}},
           "outcomes": [{"when": "response.status == 422", "failure": "'invalid'", "fieldErrors": "\(errors)"}, {"success": "1"}]}}}
        """
    )
    form.insert("items", ["sku": "A", "tags": ["x", "y"]], ["sku": "B"], ["sku": "C"])
    return form
  }

  private func codes(_ form: SessionDriver, _ address: String) -> [String] { form.codes(address) }

  @Test(arguments: ["/items/1/sku", "items.1.sku", "items[1].sku"])
  func `places count the rows as they were sent`(_ address: String) throws {
    let form = try form()
    form.tap("send")
    form.move("/items/#2", to: 0)
    form.remove("/items/#1")
    form.answer(status: 422, body: ["errors": [address: "no such article"]])
    #expect(form.codes("/items/#2/sku") == ["server"] && form.codes("/items/#3/sku") == [])
    #expect(form["/messages"] == ["/items/#2/sku": "no such article"])
    #expect(form.isValid && form["/fields/items/rows/2/isValid"] == true)
    form.change("/items/#2/sku", "B2")
    #expect(form.codes("/items/#2/sku") == [] && form["/messages"] == [:])
  }

  @Test func `what is gone or another by now is said of nothing, and what leads nowhere of the form`() throws {
    let form = try form()
    form.tap("send")
    form.remove("/items/#1")
    form.change("/items/#2/sku", "changed")
    form.answer(
      status: 422,
      body: [
        "errors": [
          "items.0.sku": "gone", "items.1.sku": "changed", "items.7.sku": "nowhere", "nothing": ["not", "there"],
          "a.b": "a name with a dot", "items.2": "the row", "items.2.nothing": "nor this",
        ]
      ]
    )
    #expect(
      form.codes("/items/#2/sku") == [] && form.codes("a.b") == ["server"] && form.codes("/items/#3") == ["server"]
    )
    let said = form["/errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
    #expect(said.sorted() == ["nor this", "not", "nowhere", "there"])
    #expect(form.isValid)
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
      .session
    #expect(restored.document == form.session.document && restored.checkInvariants() == [])
    form.tap("send")
    #expect(form["/errors"] == [] && form.codes("/items/#3") == [])
  }

  @Test func `a place inside of a value says where`() throws {
    let form = try form()
    form.tap("send")
    form.answer(status: 422, body: ["errors": ["items.0.tags.1": "bad tag"]])
    #expect(form["/fields/items/rows/1/fields/tags/errors/0/path"] == "/1")
  }

  @Test func `a formula that gives no map is a fault of the run`() throws {
    let form = try form("'oops'")
    form.tap("send")
    form.answer(status: 422, body: [:])
    #expect(form.events.last?.error == "fault")
  }
}
