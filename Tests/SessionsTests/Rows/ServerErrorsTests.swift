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

  /// The same errors with codes: Django's `get_json_data`, and the shapes that have a code beside each text.
  private static let answersWithCodes: [String] = [
    """
    {"email": [{"message": "is taken", "code": "taken"}],
     "items": [{}, {"quantity": [{"message": "must be positive", "code": 7}]}],
     "non_field_errors": [{"message": "closed today", "code": "closed"}]}
    """,
    """
    {"errors": {"email": {"message": "is taken", "code": "taken"},
      "items.1.quantity": [{"code": 7, "message": "must be positive"}], "base": {"message": "closed today", "code": "closed"}}}
    """,
    """
    {"title": "Not valid", "errors": [{"detail": "is taken", "pointer": "#/email", "code": "taken"},
      {"detail": "must be positive", "pointer": "#/items/1/quantity", "code": 7},
      {"detail": "closed today", "code": "closed"}]}
    """,
    """
    {"errors": [{"code": "taken", "source": {"pointer": "/data/attributes/email"}, "title": "T", "detail": "is taken"},
      {"code": 7, "source": {"pointer": "/data/attributes/items/1/quantity"}, "title": "must be positive"},
      {"code": "closed", "source": {"pointer": "/data"}, "title": "closed today"}]}
    """,
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

  @Test(arguments: answersWithCodes)
  func `a code is a parameter of its error, also after a restart`(_ body: String) throws {
    let form = try form()
    form.answer(status: 422, body: try JSON(parsing: body))
    #expect(form["/messages"] == ["email": "is taken", "/items/#2/quantity": "must be positive"])
    #expect(form["/fields/email/errors/0/params"] == ["code": "taken"])
    #expect(form["/fields/items/rows/2/fields/quantity/errors/0/params"] == ["code": 7])
    #expect(form["/errors/0/message"] == "closed today" && form["/errors/0/params"] == ["code": "closed"])
    #expect(form["/errors/0/code"] == "server" && form.faults.isEmpty)
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .keeping), at: form.now)
    #expect(restored.session.document == form.kept)
  }

  @Test func `a formula may give codes, too`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
         "actions": {"one": {"enabled": "true", "scope": "none", "run": {"http": {"service": "s", "path": "/"}},
             "outcomes": [{"failure": "'x'", "fieldErrors": {"a": "response.body"}}]},
           "map": {"enabled": "true", "scope": "none", "run": {"http": {"service": "s", "path": "/"}},
             "outcomes": [{"failure": "'x'", "fieldErrors": "{'b': response.body}"}]}}}
        """
    )
    let body: JSON = [["message": "no", "code": "n"], "plain", ["message": "only"], ["message": "odd", "code": [1]]]
    for (action, field) in [("one", "a"), ("map", "b")] {
      form.tap(action)
      form.answer(status: 422, body: body)
      let errors = form["/fields/\(field)/errors"]?.arrayValue ?? []
      #expect(errors.map { $0["message"] } == ["no", "plain", "only", "odd"])
      #expect(errors.map { $0["params"] } == [["code": "n"], [:], [:], [:]])
      // A code without a text is not for people.
      form.tap(action)
      form.answer(status: 422, body: ["code": "n"])
      #expect(form["/fields/\(field)/errors"] == [] && !form.faults.isEmpty)
    }
  }

  @Test(arguments: [
    (#"{"message": "Too late", "code": 7}"#, #"{"": [{"message": "Too late", "code": 7}]}"#),
    // A row with fields of these names.
    (
      #"{"items": [{"message": ["too long"], "code": ["unknown"]}]}"#,
      #"{"/items/0/message": ["too long"], "/items/0/code": ["unknown"]}"#
    ),
    (#"{"errors": {"code": ["unknown"], "message": "too long"}}"#, #"{"code": ["unknown"], "message": ["too long"]}"#),
    (#"{"errors": [{"code": "lonely"}]}"#, "{}"), (#"{"errors": {"email": [{"message": "", "code": "x"}]}}"#, "{}"),
    (#"{"email": {"message": "a", "code": ""}}"#, #"{"/email/message": ["a"]}"#),
  ])
  func `only a text with a code has one`(_ body: String, _ read: String) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string"}}},
         "actions": {"send": {"enabled": "true", "scope": "none", "run": {"http": {"service": "s", "path": "/"}},
           "outcomes": [{"success": "serverErrors(response.body)"}]}}}
        """
    )
    form.tap("send")
    form.answer(status: 422, body: try JSON(parsing: body))
    #expect(form["/actions/send/result"] == (try JSON(parsing: read)))
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
