import Forms
import JSON
import Sessions
import Testing

/// Rules about which of several fields have a value.
@Suite struct `Groups of fields` {
  private func driver(_ rule: String, _ fields: String = "{}", _ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"properties": {"email": {"type": "string", "maxLength": 9}, "phone": {"type": "string", "maxLength": 9},
           "post": {"type": "string", "maxLength": 9}, "hides": {"type": "boolean"}}},
         "fields": \(fields), "rules": [{"id": "contact", \(rule)}],
         "actions": {"send": {}}}
        """,
      options: OpenOptions(values: values)
    )
  }

  private static let names = ["email", "phone", "post"]

  /// The fields at which the error stands.
  private func failing(_ form: SessionDriver) -> [String] { Self.names.filter { form.codes($0) == ["contact"] } }

  struct Case: CustomTestStringConvertible {
    let kind: String
    let given: [String]
    let failing: [String]
    var testDescription: String { "\(kind) with \(given)" }
  }

  private static let cases: [Case] = [
    Case(kind: "exactlyOne", given: [], failing: names), Case(kind: "exactlyOne", given: ["phone"], failing: []),
    Case(kind: "exactlyOne", given: ["email", "post"], failing: ["email", "post"]),
    Case(kind: "atLeastOne", given: [], failing: names), Case(kind: "atLeastOne", given: ["post"], failing: []),
    Case(kind: "atLeastOne", given: ["email", "phone"], failing: []),
    Case(kind: "atMostOne", given: [], failing: []), Case(kind: "atMostOne", given: ["post"], failing: []),
    Case(kind: "atMostOne", given: ["email", "phone"], failing: ["email", "phone"]),
    Case(kind: "allOrNone", given: [], failing: []), Case(kind: "allOrNone", given: names, failing: []),
    Case(kind: "allOrNone", given: ["phone"], failing: ["email", "post"]),
  ]

  @Test(arguments: cases)
  func `the error stands where it can be corrected, and once at the form`(_ one: Case) throws {
    let values = JSONObject(one.given.map { ($0, .string("x")) })
    let form = try driver(#""\#(one.kind)": ["email", "phone", "post"]"#, "{}", values)
    #expect(failing(form) == one.failing)
    let own = form["/errors"]?.arrayValue?.map { $0["code"] } ?? []
    #expect(own == (one.failing.isEmpty ? [] : ["contact"]) && form.isValid == one.failing.isEmpty)
  }

  @Test func `its message shows when each of the fields was left, or after a tap`() throws {
    let form = try driver(#""exactlyOne": ["email", "phone"], "message": "One of them.""#)
    form.blur("email")
    #expect(form.message("email") == nil)
    form.blur("phone")
    #expect(form.message("email") == "One of them." && form.message("phone") == "One of them.")
    form.change("phone", "1")
    #expect(form.message("email") == nil && form.message("phone") == nil && form.isValid)
    let other = try driver(#""exactlyOne": ["email", "phone"]"#)
    #expect(other.tap("send").blockers.map(\.field) == [nil, "email", "phone"])
    #expect(other.message("email") == "Fill in exactly one of these fields.")
  }

  @Test func `other errors of the field do not wait`() throws {
    let form = try driver(#""atLeastOne": ["email", "phone"]"#, #"{"email": {"required": "true"}}"#)
    form.blur("email")
    #expect(form.codes("email") == ["required", "contact"] && form.message("email") == "This is required.")
  }

  @Test func `a hidden field does not count, and while all are hidden nothing is asked`() throws {
    let fields = #"{"phone": {"visible": "!values.hides"}, "post": {"visible": "!values.hides"}}"#
    let form = try driver(#""allOrNone": ["email", "phone", "post"]"#, fields)
    form.change(["email": "x", "phone": "y", "post": "z"])
    form.change("hides", true)
    #expect(form.isValid)
    let hidden = try driver(#""atLeastOne": ["phone", "post"]"#, fields)
    #expect(!hidden.isValid)
    hidden.change("hides", true)
    #expect(hidden.isValid)
  }

  @Test func `when, severity and a formula for the message apply`() throws {
    let rule =
      #""atLeastOne": ["email", "phone"], "when": "!values.hides", "severity": "warning", "messageExpression": "'no ' + 'way'""#
    let form = try driver(rule)
    form.blur("email")
    form.blur("phone")
    #expect(form.isValid && form.message("email") == "no way")
    form.change("hides", true)
    #expect(form.codes("email") == [] && form["/errors"] == [])
  }

  @Test func `in rows each row is judged by itself`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
           "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}}}}},
         "rules": [{"id": "one", "exactlyOne": ["/rows/*/a", "/rows/*/b"], "message": "Row {number}"}]}
        """,
      options: OpenOptions(values: ["rows": [["a": "x"], [:]]])
    )
    #expect(
      form.codes("/rows/#1/a") == [] && form.codes("/rows/#2/a") == ["one"] && form.codes("/rows/#2/b") == ["one"]
    )
    #expect(form.codes("/rows/#2") == ["one"] && form["/errors"] == [])
    form.change("/rows/1/b", "y")
    #expect(form.isValid)
  }

  @Test(arguments: [
    #""rules": [{"id": "one", "exactlyOne": ["/rows/*/a", "/rows/*/b"]}]"#, #""x-in": "the schema of a row""#,
  ])
  func `its message at the row waits for each of the fields, too`(_ rule: String) throws {
    let group = rule.contains("x-in") ? #""oneOf": [{"required": ["a"]}, {"required": ["b"]}], "# : ""
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"rows": {"type": "array", "maxItems": 9, "items": {"type": "object", \(group)"properties": {
           "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}}}}}, \(rule)}
        """,
      options: OpenOptions(values: ["rows": [[:]]])
    )
    #expect(form.codes("/rows/#1").count == 1)
    form.blur("/rows/0/a")
    #expect(form["/messages"] == [:])
    form.blur("/rows/0/b")
    #expect(form["/messages"]?.objectValue?.names.sorted() == ["/rows/#1", "/rows/#1/a", "/rows/#1/b"])
  }

  @Test func `a field of two groups shows the error of the one that was left`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9},
           "c": {"type": "string", "maxLength": 9}}, "allOf": [
           {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"anyOf": [{"required": ["b"]}, {"required": ["c"]}]}]}}
        """
    )
    form.blur("b")
    #expect(form["/messages"] == [:])
    form.blur("c")
    #expect(form["/messages"]?.objectValue?.names.sorted() == ["b", "c"])
  }

  @Test(arguments: ["anyOf", "oneOf"])
  func `a schema that only requires one of several members means the same`(_ keyword: String) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"box": {"type": "object",
           "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}, "c": {}},
           "\(keyword)": [{"required": ["a"]}, {"required": ["b"]}]}}},
         "fields": {"/box/b": {"messages": {"\(keyword)": "A or B."}}}}
        """
    )
    // Nothing is asked of an object that is not there.
    #expect(form.isValid)
    form.change("/box/c", 1)
    #expect(form.codes("/box/a") == [keyword] && form.codes("/box/b") == [keyword] && form.codes("box") == [keyword])
    #expect(form["/fields/box/fields/a/errors/0/source"] == "schema")
    form.blur("/box/a")
    #expect(form["/messages/~1box~1b"] == nil)
    form.blur("/box/b")
    #expect(form["/messages/~1box~1b"] == "A or B." && form["/messages/~1box~1a"] != nil)
    form.change("/box/a", "x")
    #expect(form.isValid && form["/messages/~1box~1b"] == nil)
    form.change("/box/b", "y")
    #expect(form.isValid == (keyword == "anyOf"))
  }

  @Test func `while all members of such a schema are hidden, nothing is asked`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"hides": {"type": "boolean"}, "a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}},
           "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
         "fields": {"a": {"visible": "!values.hides"}, "b": {"visible": "!values.hides"}}}
        """
    )
    #expect(form.codes("a") == ["anyOf"] && form.codes("b") == ["anyOf"] && !form.isValid)
    form.change("hides", true)
    #expect(form.isValid && form.codes("a") == [])
    form.change("hides", false)
    #expect(!form.isValid)
  }

  @Test func `another error with the code of a group does not wait`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {
           "a": {"type": "string", "maxLength": 9, "anyOf": [{"pattern": "^x"}, {"pattern": "^y"}]},
           "b": {"type": "string", "maxLength": 9}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}
        """
    )
    form.change("a", "z")
    form.blur("a")
    #expect(form.codes("a") == ["anyOf"] && form.message("a") != nil)
    let rule = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}},
           "required": ["a"]}, "rules": [{"id": "required", "atLeastOne": ["a", "b"]}]}
        """
    )
    rule.blur("a")
    #expect(rule.codes("a") == ["required", "required"] && rule.message("a") == "This is required.")
  }

  @Test func `the error goes to other fields when they get values in one turn`() throws {
    let form = try driver(#""exactlyOne": ["email", "phone", "post"]"#)
    #expect(failing(form) == Self.names)
    form.change(["email": "x", "phone": "y"])
    #expect(failing(form) == ["email", "phone"])
  }

  @Test func `groups of a hundred fields, and groups in a thousand rows, are judged`() throws {
    let names = (0..<100).map { "f\($0)" }
    let text = #"{"type": "string", "maxLength": 9}"#
    let fields = names.map { "\"\($0)\": \(text)" }.joined(separator: ",")
    let list = names.map { "\"\($0)\"" }.joined(separator: ",")
    let wide = try SessionDriver(
      text: """
        {"schema": {"properties": {\(fields)}}, "rules": [
           {"id": "some", "atLeastOne": [\(list)]}, {"id": "one", "atMostOne": [\(list)]}]}
        """
    )
    #expect(names.allSatisfy { wide.codes($0) == ["some"] })
    wide.change("f7", "x")
    #expect(wide.isValid)
    let members = names.prefix(20).map { "\"\($0)\": \(text)" }.joined(separator: ",")
    let inRow = names.prefix(20).map { "\"/rows/*/\($0)\"" }.joined(separator: ",")
    let rows = try SessionDriver(
      text: """
        {"schema": {"properties": {"rows": {"type": "array", "maxItems": 1000, "items": {"type": "object", "properties": {
           \(members)}}}}}, "rules": [{"id": "one", "exactlyOne": [\(inRow)]}]}
        """,
      options: OpenOptions(values: ["rows": .array((0..<1000).map { $0 == 999 ? [:] : ["f3": "x"] })])
    )
    #expect(rows.codes("/rows/#1000") == ["one"] && rows.codes("/rows/#999") == [])
    rows.change("/rows/999/f0", "y")
    #expect(rows.isValid)
  }

  @Test func `nothing is asked inside a value that is no object`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"o": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
           "rows": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}},
         "rules": [{"id": "o", "exactlyOne": ["/o/a", "/o/b"]}, {"id": "r", "atLeastOne": ["/rows/*/a", "/rows/*/b"]}]}
        """,
      options: OpenOptions(values: ["o": "x", "rows": ["x", [:]]])
    )
    #expect(form.codes("o") == ["type"] && form.codes("/o/a") == [] && form["/errors"] == [])
    #expect(form.codes("/rows/#1") == ["type"] && form.codes("/rows/#1/a") == [] && form.codes("/rows/#2/a") == ["r"])
    form.change("o", [:])
    form.change("/rows/0", [:])
    #expect(form.codes("/o/a") == ["o"] && form.codes("/rows/#1/a") == ["r"])
  }

  @Test func `is explained by its fields`() throws {
    let form = try driver(#""exactlyOne": ["email", "phone"], "when": "values.post == ''""#, "{}", ["post": ""])
    let explained = form.session.explanation()["fields"]?["email"]?["errors"]?.arrayValue?.first
    #expect(explained?["rule"] == "exactlyOne: email, phone" && explained?["at"] == "/rules/0/exactlyOne")
    #expect(explained?["reads"] == ["isEmpty of email": true, "isEmpty of phone": true])
  }
}
