import Forms
import JSON
internal import SourceTexts
import Testing

@Suite struct `A compiled form` {
  private func form(_ text: String) throws -> Form {
    let compilation = Form.compile(Array(text.utf8), fallbackName: "named-by-file")
    for diagnostic in compilation.diagnostics { Issue.record("\(diagnostic)") }
    return try #require(compilation.form)
  }

  @Test func `its fields are the schema's properties, also through a root ref and allOf`() throws {
    let form = try form(
      """
      {"schema": {"$ref": "#/$defs/person", "$defs": {"person": {"type": "object", "required": ["name"],
         "properties": {"name": {"type": "string"}}, "allOf": [{"properties": {"age": {"type": "integer"}}}]}}}}
      """
    )
    #expect(Set(form.fields.map(\.name)) == ["name", "age"])
    #expect(form.name == "named-by-file")
    #expect(form.fields.first { $0.name == "name" }?.isRequiredBySchema == true)
    #expect(form.fields.first { $0.name == "age" }?.isRequiredBySchema == false)
  }

  @Test func `what can be chosen is the schema's enum, or oneOf of const and title`() throws {
    let form = try form(
      """
      {"form": "f", "schema": {"type": "object", "properties": {
         "size": {"enum": ["S", "M"]}, "type": {"oneOf": [{"const": "bug", "title": "Broken"}, {"const": "idea"}]}, "free": {"type": "string"}}}}
      """
    )
    #expect(form.fields[0].options.map(\.value) == ["S", "M"])
    #expect(form.fields[1].options.map(\.label) == [Text("Broken"), nil])
    #expect(form.fields[2].options.isEmpty)
  }

  @Test func `a field knows what the fields block says of it`() throws {
    let form = try form(
      """
      {"form": "f", "title": {"ko": "폼", "en": "Form"}, "locale": "ko", "schema": {"type": "object", "properties": {
         "a": {"type": "string", "default": "x"}, "p": {"type": "string", "writeOnly": true}, "s": {"type": "object", "properties": {"pin": {"writeOnly": true}}}}},
       "fields": {"a": {"label": "A", "help": "h", "show": "edit", "normalize": ["trim", "nfc"], "throttle": "100ms"}},
       "actions": {"go": {"label": "Go"}}, "outputs": {"o": "1"}}
      """
    )
    #expect(form.title?.resolved(for: "en", default: "ko") == "Form")
    #expect(form.fields[0].show == .edit && form.fields[1].show == .blur)
    #expect(form.fields[0].normalize == [.trim, .nfc])
    #expect(form.fields[0].timing == .throttle(.milliseconds(100)))
    #expect(form.fields[0].initial == "x")
    #expect(form.fields.map(\.address) == ["a", "p", "s", "/s/pin"])
    #expect(form.fields.map(\.isSecret) == [false, true, false, true])
    #expect(form.fields.map(\.holdsSecret) == [false, true, true, true])
    #expect(form.actions.map(\.name) == ["go"] && form.outputs.map(\.name) == ["o"])
  }

  @Test func `names are found by text and by bytes, and those that differ only in normal form are two`() throws {
    let many = (0..<20).map { "\"f\($0)\": {}" }.joined(separator: ",")
    let form = try form(
      "{\"form\": \"f\", \"schema\": {\"type\": \"object\", \"properties\": {\"e\u{301}\": {}, \"\u{e9}\": {}, \(many)}}, \"actions\": {\"go\": {}}}"
    )
    #expect(form.field(at: "e\u{301}") == 0 && form.field(at: "\u{e9}") == 1)
    #expect(form.field(at: "f19") == 21 && form.field(at: "nix") == nil)
    let bytes = Array("f7".utf8)
    #expect(form.field(utf8: bytes.span) == 9)
    let action = Array("go".utf8)
    #expect(form.action(utf8: action.span) == 0)
    #expect(form.action(named: "stop") == nil)
  }

  @Test func `what is said of names that differ only in normal form is told apart`() throws {
    let form = try form(
      """
      {"form": "f", "schema": {"type": "object", "properties": {"e\u{301}": {"enum": ["e\u{301}", "\u{e9}"]}, "\u{e9}": {}}},
       "fields": {"\u{e9}": {"label": "composed", "secret": true, "messages": {"e\u{301}": "1", "\u{e9}": "2"}},
         "e\u{301}": {"label": "decomposed", "options": {"\u{e9}": "1", "e\u{301}": "2"}}},
       "rules": [{"id": "e\u{301}", "field": "\u{e9}", "check": "true"}, {"id": "\u{e9}", "field": "\u{e9}", "check": "true"}]}
      """
    )
    #expect(form.fields.map { $0.label } == [Text("decomposed"), Text("composed")])
    #expect(form.fields.map(\.isSecret) == [false, true])
    #expect(form.fields[0].options.map(\.label) == [Text("2"), Text("1")])
  }

  @Test func `the labels of choices are those of the field's options, else the schema's`() throws {
    let form = try #require(
      Form.compile(
        [
          "form": "f",
          "schema": [
            "type": "object",
            "properties": [
              "a": ["oneOf": [["const": "x", "title": "X"], ["const": 2, "title": "Two"], ["const": true]]]
            ],
          ],
          "fields": ["a": ["options": ["2": ["ko": "둘", "en": "two"], "true": "yes"]]],
        ] as JSON
      ).form
    )
    #expect(form.fields[0].options.map(\.value) == ["x", 2, true])
    for (locale, labels) in [("ko", ["X", "둘", "yes"]), ("en", ["X", "two", "yes"])] {
      #expect(form.fields[0].options.map { $0.label?.resolved(for: locale, default: nil) } == labels)
    }
  }

  @Test(arguments: ["user-id", "in", "na me", "é", "a/b", "true"])
  func `a path may name any field`(_ name: String) throws {
    let definition: JSON = [
      "form": "f", "schema": ["type": "object", "properties": .object([name: ["type": "integer"]])],
      "actions": ["go": ["run": ["http": ["service": "s", "path": .string("/users/{\(name)}/posts")]]]],
    ]
    #expect(Form.compile(definition).diagnostics.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"type": "string"}"#, true), (#"{}"#, true), (#"{"type": "string", "maxLength": 2}"#, true),
      (#"{"type": "string", "pattern": "x$"}"#, true), (#"{"type": "string", "format": "uri-reference"}"#, true),
      (#"{"type": "string", "maxLength": 1}"#, false), (#"{"type": "string", "pattern": "^[a-z]+$"}"#, false),
      (#"{"type": "string", "format": "uuid"}"#, false), (#"{"type": "string", "format": "email"}"#, false),
      (#"{"enum": ["a", "b"]}"#, false), (#"{"type": "integer"}"#, false), (#"{"type": "boolean"}"#, false),
    ]
  )
  func `a field that may lead to another path of the server is warned about`(schema: String, isWarned: Bool) {
    let text = """
      {"form": "f", "schema": {"properties": {"a": \(schema)}},
       "actions": {"go": {"run": {"http": {"service": "s", "path": "/users/{a}/x-{a}"}}},
         "ask": {"run": {"http": {"service": "s", "path": "/users?name={a}"}}}}}
      """
    let compilation = Form.compile(Array(text.utf8), file: "f.form.json")
    #expect(compilation.form != nil)
    #expect(compilation.diagnostics.map(\.code) == (isWarned ? ["pathSegment"] : []))
    #expect(compilation.diagnostics.first?.pointer.description == (isWarned ? "/actions/go/run/http/path" : nil))
  }

  @Test(arguments: ["/../admin", "/a/..", "/./a", "/%2e%2E/a", "/a/..%2fb", "/a\\\\..\\\\b", "/..;/a"])
  func `a path does not lead out of the base URL of its service`(path: String) {
    let text = """
      {"form": "f", "schema": {"properties": {"a": {}}},
       "actions": {"go": {"run": {"http": {"service": "s", "path": "\(path)"}}}}}
      """
    let compilation = Form.compile(Array(text.utf8), file: "f.form.json")
    #expect(compilation.form == nil)
    #expect(compilation.diagnostics.map(\.code) == ["path"])
  }

  @Test func `a definition that a client brings along compiles from its value`() {
    let compilation = Form.compile(
      ["form": "f", "schema": ["type": "object", "properties": ["a": [:]]], "nix": 1] as JSON
    )
    #expect(compilation.form == nil)
    #expect(compilation.diagnostics.map(\.code) == ["unknownKey"])
    #expect(compilation.diagnostics.map(\.pointer.description) == ["/nix"])
    #expect(compilation.diagnostics.map(\.position) == [nil])
  }

  /// A schema that holds at the whole and at a member of it. Draft-07 has texts of the member in a copy, so the copy is
  /// another schema.
  @Test(
    arguments: [
      (##"{"$ref": "#/definitions/c"}"##, "#/definitions/c"),
      (#"{"type": "object", "properties": {"x": {}}, "required": ["a"]}"#, "#/properties/c"),
    ]
  )
  func `a schema with texts is a form where what it was written from is one`(member: String, target: String) throws {
    let text = ##"""
      {"form": "t", "fields": {"c": {"label": "C"}},
       "schema": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {}, "c": \##(member)},
         "allOf": [{"$ref": "\##(target)"}],
         "definitions": {"c": {"type": "object", "properties": {"x": {}}, "required": ["a"]}}}}
      """##
    let form = try #require(Form.compile(Array(text.utf8)).form)
    let written = JSON.object(form.annotatedSchema(locale: nil))
    let again = Form.compile(["form": "t", "schema": written] as JSON)
    #expect(again.form != nil && again.warningCount == 1, "\(written) \(again.diagnostics)")
    #expect(again.diagnostics.map(\.message) == ["the schema requires \"a\" and has no such property"])
  }
}
