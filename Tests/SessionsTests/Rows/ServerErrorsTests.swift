import JSON
import Sessions
import Testing

/// `serverErrors(body)` over answers as servers of six kinds give them.
struct ServerErrorsTests {
  private static let answers: [(server: String, body: String)] = [
    (
      "RFC 9457",
      """
      {"type": "https://example.net/validation-error", "title": "Your request is not valid.", "status": 422, "errors": [
        {"detail": "is taken", "pointer": "#/email"}, {"detail": "must be positive", "pointer": "#/items/1/quantity"},
        {"detail": "closed today"}]}
      """
    ),
    (
      "JSON:API",
      """
      {"jsonapi": {"version": "1.1"}, "errors": [
        {"status": "422", "source": {"pointer": "/data/attributes/email"}, "title": "Invalid Attribute", "detail": "is taken"},
        {"status": "422", "source": {"pointer": "/data/attributes/items/1/quantity"}, "title": "must be positive"},
        {"status": "422", "source": {"pointer": "/data"}, "title": "closed today"}]}
      """
    ),
    (
      "Laravel",
      """
      {"message": "is taken (and 2 more errors)", "errors": {"email": ["is taken"], "items.1.quantity": ["must be positive"],
        "base": ["closed today"]}}
      """
    ),
    (
      "Rails",
      """
      {"errors": {"email": ["is taken"], "items[1].quantity": ["must be positive"], "base": ["closed today"]}}
      """
    ),
    (
      "Django REST framework",
      """
      {"email": ["is taken"], "items": [{}, {"quantity": ["must be positive"]}], "non_field_errors": ["closed today"]}
      """
    ),
    (
      "FastAPI",
      """
      {"detail": [{"type": "value_error", "loc": ["body", "email"], "msg": "is taken", "input": "kim@example.com"},
        {"type": "greater_than", "loc": ["body", "items", 1, "quantity"], "msg": "must be positive", "ctx": {"gt": 0}},
        {"type": "value_error", "loc": ["body"], "msg": "closed today"}]}
      """
    ),
  ]

  private func form() throws -> SessionDriver {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"email": {"type": "string"}, "items": {"type": "array", "items": {"properties": {
            "sku": {"type": "string"}, "quantity": {"type": "integer"}}}}}},
         "actions": {"send": {"enabled": "true", "scope": "none",
           "run": {"http": {"service": "s", "method": "POST", "path": "/", "json": {"email": "values.email", "items": "values.items"}}},
           "outcomes": [{"when": "response.status == 200", "success": "1"},
             {"failure": "'invalid'", "fieldErrors": "serverErrors(response.body)"}]}}}
        """
    )
    form.insert("items", ["sku": "A"], ["sku": "B", "quantity": 0])
    form.tap("send")
    return form
  }

  @Test(arguments: 0..<answers.count)
  func `what a server says goes to its fields, its rows, and the form`(_ index: Int) throws {
    let (server, body) = Self.answers[index]
    let form = try form()
    form.move("/items/#2", to: 0)
    form.answer(status: 422, body: try JSON(parsing: body))
    #expect(form["/messages"] == ["email": "is taken", "/items/#2/quantity": "must be positive"], "\(server)")
    #expect(form["/errors"]?.arrayValue?.compactMap { $0["message"] } == ["closed today"], "\(server)")
    #expect(form["/actions/send/error"] == "invalid" && form.faults.isEmpty, "\(server)")
  }

  @Test(arguments: [
    (#""nobody is there""#, ["nobody is there"]), (#"{"detail": "Not found."}"#, ["Not found."]),
    (#"{"errors": ["Email is taken", "Name is short"]}"#, ["Email is taken", "Name is short"]),
    (#"{"message": "Too late", "code": 7}"#, ["Too late"]), (#"{"title": "Gone", "status": 410}"#, ["Gone"]),
    ("{}", []), ("7", []), ("null", []),
    (#"{"errors": {"email": [7, "", null]}, "detail": "x"}"#, []), (#"{"errors": [[["deep"]], {"x": 1}]}"#, ["deep"]),
  ])
  func `what names no place is said of the form, and what is no text says nothing`(body: String, said: [String]) throws
  {
    let form = try form()
    form.answer(status: 422, body: try JSON(parsing: body))
    #expect(form["/errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue } == said)
    #expect(form["/messages"] == [:] && form.faults.isEmpty)
  }

  @Test func `fields below fields are found`() throws {
    let form = try form()
    form.answer(
      status: 422,
      body: ["items": ["1": ["quantity": ["a", "b"]], "non_field_errors": ["too many"]], "email": ["c"]]
    )
    #expect(form["/messages"] == ["/items/#2/quantity": "a", "items": "too many", "email": "c"])
  }
}
