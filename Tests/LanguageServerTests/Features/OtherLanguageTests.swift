import JSON
import Testing

/// Forms and tests in YAML and in JSON with comments.
@Suite struct `Forms in YAML in an editor` {
  private static let form = """
    # A note.
    schema:
      properties:
        email: {type: string, maxLength: 100}
        total: {type: integer}
    fields:
      email: {label: "E-mail"}
    rules:
      - id: at
        field: email
        check: self.contains('@')
        message: An @ is missing.
    outputs:
      twice: >-
        values.total
        * 2
    """

  private func editor(_ capabilities: JSON = [:]) throws -> Editor { try Editor(capabilities: capabilities) }

  @Test func `findings have the place in the file`() throws {
    let editor = try editor()
    editor.open("note.form.yaml", Self.form, language: "yaml")
    #expect(editor.pushed("note.form.yaml") == nil)
    editor.change("note.form.yaml", to: Self.form.replacing("* 2", with: "* values.toal"))
    let found = try #require(editor.pushed("note.form.yaml")?.first)
    #expect(found["range"]?["start"] == ["line": 15, "character": 6])
    #expect(found["code"] == "expression")
  }

  @Test func `two files of one name are told in both`() throws {
    let json = #"{"schema": {"properties": {"email": {"type": "string", "maxLength": 9}}}}"#
    let editor = try Editor(files: ["note.form.json": json], capabilities: [:])
    editor.open("note.form.yaml", Self.form, language: "yaml")
    #expect(editor.pushed("note.form.yaml")?.map { $0["code"] } == ["duplicateFile"])
    editor.open("note.form.json", json)
    #expect(editor.pushed("note.form.json")?.map { $0["code"] } == ["duplicateFile"])
  }

  @Test func `a test in YAML finds its form, and the form's names`() throws {
    let editor = try Editor(files: ["note.form.yaml": Self.form], capabilities: [:])
    let test = "cases:\n  - name: x\n    given: {email: a}\n    expect: {values: {emial: a}}\n"
    editor.open("note.test.yaml", test, language: "yaml")
    let found = try #require(editor.pushed("note.test.yaml"))
    #expect(found.map { $0["code"] } == ["unknownName"])
    #expect(found.first?["range"]?["start"] == ["line": 3, "character": 22])
  }

  private func labels(_ marked: String, _ file: String = "note.form.yaml") throws -> [String] {
    let editor = try Editor(files: ["note.form.yaml": Self.form], capabilities: [:])
    let target = editor.open(file, marked, language: "yaml")
    return (editor.request("textDocument/completion", target)["items"]?.arrayValue ?? [])
      .compactMap { $0["label"]?.stringValue }
  }

  @Test func `members, formulas and addresses are completed`() throws {
    #expect(try labels(Self.form + "\n¦").contains("actions"))
    #expect(try labels(Self.form.replacing("message: An", with: "me¦")).contains("message"))
    #expect(try labels(Self.form.replacing("* 2", with: "* values.to¦")).contains("values.total"))
    #expect(try labels(Self.form.replacing("field: email", with: "field: em¦")).contains("email"))
    #expect(try labels("cases:\n  - name: x\n    gi¦\n", "note.test.yaml").contains("given"))
  }

  @Test func `a completion is written as YAML`() throws {
    let editor = try editor()
    let target = editor.open("note.form.yaml", Self.form + "\nact¦", language: "yaml")
    let items = editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
    let item = try #require(items.first { $0["label"] == "actions" })
    #expect(try editor.applying([item["textEdit"] ?? .null], to: "note.form.yaml") == Self.form + "\nactions: ")
  }

  @Test func `a field is renamed in the form and in its tests`() throws {
    let test = "cases:\n  - name: x\n    given: {total: 1}\n    expect: {outputs: {twice: 2}}\n"
    let editor = try Editor(files: ["note.test.yaml": test], capabilities: [:])
    let marked = Self.form.replacing("values.total", with: "values.to¦tal")
    var params = editor.open("note.form.yaml", marked, language: "yaml").objectValue ?? [:]
    params["newName"] = "count"
    let changes = editor.request("textDocument/rename", .object(params))["changes"]
    let own = changes?[editor.uri("note.form.yaml")]?.arrayValue ?? []
    #expect(try editor.applying(own, to: "note.form.yaml") == Self.form.replacing("total", with: "count"))
    #expect(changes?[editor.uri("note.test.yaml")]?.arrayValue?.count == 1)
  }

  @Test func `an alias is not renamed, for it is written elsewhere`() throws {
    let form = """
      schema:
        properties:
          a: &a {type: object, properties: {city: {type: string, maxLength: 9}}}
          b: *a
      outputs:
        x: values.a.city
      """
    let editor = try editor()
    let target = editor.open("a.form.yaml", form.replacing("a.city", with: "a.ci¦ty"), language: "yaml")
    let found = editor.request("textDocument/documentHighlight", target).arrayValue ?? []
    #expect(found.compactMap { $0["range"]?["start"]?["line"] } == [2, 5])
  }

  @Test func `a form with comments is JSON with comments`() throws {
    let editor = try editor()
    let text = "// Why.\n{\"schema\": {\"properties\": {\"a\": {\"type\": \"integer\"}}},}"
    editor.open("a.form.jsonc", text, language: "jsonc")
    #expect(editor.pushed("a.form.jsonc") == nil)
  }
}
