import Forms
import JSON
internal import SourceTexts
import Testing

/// `context` of a definition: its schema, and the formulas that read it.
@Suite struct `The context of a definition` {
  private static func definition(context: String?, _ more: String) -> String {
    let context = context.map { "\"context\": \($0), " } ?? ""
    return """
      {"form": "t", \(context)"schema": {"properties": {"a": {"type": "string", "maxLength": 9},
        "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}}}, \(more)}
      """
  }

  private static let usual = """
    {"type": "object", "properties": {"role": {"enum": ["clerk", "chef"]}, "level": {"type": "integer", "title": "How far."},
      "user": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}, "additionalProperties": false},
      "tags": {"type": "array", "items": {"type": "string"}},
      "token": {"type": "string", "writeOnly": true}}}
    """

  private func diagnostics(_ context: String?, _ more: String) -> [Diagnostic] {
    Form.compile(Array(Self.definition(context: context, more).utf8), file: "t.form.json").diagnostics
  }

  @Test(arguments: [
    "context.role == 'chef'", "has(context.level)", "context.level > 1 && context.user.name.size() > 0",
    "context.tags.exists(tag, tag == 'x')", "size(context.token) > 3", "'b' in context.tags",
  ])
  func `is read with types, by formulas of the form and of rows`(_ formula: String) {
    let more = """
      "outputs": {"o": "\(formula)", "/rows/*/o": "\(formula)"}, "fields": {"/rows/*/n": {"visible": "\(formula)"}}
      """
    #expect(diagnostics(Self.usual, more).map(\.description) == [])
  }

  @Test(arguments: [
    ("context.rol == ''", "did you mean 'context.role'?"), ("context.level + 'x'", "int"),
    ("context.user.nam == ''", "did you mean 'context.user.name'?"), ("context == null", "formulas read one member"),
    ("context.user.name.first", "has no fields"), ("context.token", "this formula reads a secret"),
  ])
  func `a wrong formula is refused`(_ formula: String, _ says: String) throws {
    let found = diagnostics(Self.usual, #""outputs": {"o": "\#(formula)"}"#)
    #expect(found.count == 1 && found[0].severity == .error && found[0].pointer.description == "/outputs/o", "\(found)")
    #expect("\(found)".contains(says), "\(found)")
  }

  @Test func `a comparison with a value that it never has is a warning`() {
    let found = diagnostics(Self.usual, #""outputs": {"o": "context.role == 'clark'"}"#)
    #expect(found.map(\.code) == ["unknownValue"] && found.first?.severity == .warning)
    #expect("\(found)".contains("did you mean 'clerk'?"))
  }

  @Test func `a form without one says how to describe it`() {
    let found = diagnostics(nil, #""outputs": {"o": "context.role"}"#)
    #expect(
      found.count == 1 && "\(found)".contains(#"the definition describes no context: write "context""#),
      "\(found)"
    )
  }

  @Test(arguments: [
    (#"{"type": "objekt"}"#, "schema", "/context/type"),
    (#"{"type": "object"}"#, "context", "/context"),
    (##"{"properties": {"a": {"$ref": "#/$defs/b"}}}"##, "schema", "/context/properties/a/$ref"),
    (#"{"properties": {"a": {"$ref": "other.json"}}}"#, "schema", "/context/properties/a/$ref"),
    (#"7"#, "schema", "/context"),
  ])
  func `a wrong schema is the only error`(_ context: String, _ code: String, _ pointer: String) {
    let found = diagnostics(context, #""outputs": {"o": "context.role == 'x'"}"#)
    #expect(found.map(\.code) == [code] && found.first?.pointer.description == pointer, "\(found)")
  }

  @Test func `a misspelt keyword is a warning at its position`() {
    let found = diagnostics(
      #"{"properties": {"a": {"type": "string", "maxLenght": 3}}}"#,
      #""outputs": {"o": "context.a"}"#
    )
    #expect(found.map(\.pointer.description) == ["/context/properties/a/maxLenght"] && found[0].severity == .warning)
  }

  @Test func `formulas know it by name, type and meaning`() throws {
    let form = try #require(Form.compile(Array(Self.definition(context: Self.usual, #""outputs": {}"#).utf8)).form)
    let group = try #require(form.formulaCells.first { $0.scope == .form })
    let cells = group.cells.filter { $0.name.hasPrefix("context") }
    #expect(
      cells.map { "\($0.name) \($0.type)" } == [
        "context.level int?", "context.role string", "context.tags list(string)", "context.token string",
        "context.user context /user", "context.user.name string",
      ]
    )
    #expect(cells.first?.meaning == "How far.")
  }

  @Test func `a form whose formulas do not read it keeps no cell of it`() throws {
    let form = try #require(
      Form.compile(Array(Self.definition(context: Self.usual, #""outputs": {"o": "1"}"#).utf8)).form
    )
    #expect(form.context?.members.isEmpty == true)
  }

  @Test func `its secrets are left out at every depth`() throws {
    let text = Self.definition(
      context: """
        {"properties": {"user": {"type": "object", "properties": {"pin": {"writeOnly": true}, "name": {}}},
          "keys": {"type": "array", "items": {"type": "object", "properties": {"key": {"writeOnly": true}, "id": {}}}}},
          "patternProperties": {"^s-": {"writeOnly": true}}}
        """,
      #""outputs": {}"#
    )
    let context = try #require(Form.compile(Array(text.utf8)).form?.context)
    let told = context.withoutSecrets([
      "user": ["pin": 1, "name": "Kim"], "keys": [["key": "x", "id": 1], ["id": 2]], "s-x": "secret", "other": "secret",
    ])
    #expect(JSON.object(told) == ["user": ["name": "Kim"], "keys": [["id": 1], ["id": 2]]])
  }
}
