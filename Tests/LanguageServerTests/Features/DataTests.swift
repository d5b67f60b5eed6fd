import JSON
import Testing

@Suite struct `Data that a form judges` {
  private static let form = #"""
    {
      "schema": { "type": "object", "required": ["replicas"], "additionalProperties": false, "properties": {
        "replicas": { "type": "integer", "minimum": 1 },
        "zone": { "enum": ["a", "b"] },
        "host": { "type": "string", "maxLength": 20 },
        "ports": { "type": "array", "maxItems": 3, "items": { "type": "object", "properties": {
          "number": { "type": "integer" }, "name": { "type": "string", "maxLength": 9 } } } },
        "labels": { "type": "object", "properties": { "team": { "type": "string", "maxLength": 9 } } }
      } },
      "fields": { "zone": { "label": "Zone", "help": "Where it runs.", "options": { "a": "First", "b": "Second" } } },
      "rules": [ { "id": "host.short", "field": "host", "check": "!self.contains(' ')", "message": { "en": "No blanks.", "ko": "공백 없이." } } ]
    }
    """#

  private func editor(_ more: [String: String] = [:], options: JSON = .null) throws -> Editor {
    try Editor(files: more.merging(["deploy.form.json": Self.form]) { $1 }, capabilities: [:], options: options)
  }

  private func codes(_ editor: Editor, _ file: String) -> [String] {
    (editor.pushed(file) ?? []).compactMap { $0["code"]?.stringValue }
  }

  @Test(arguments: [
    ("x.json", "json", #"{"$form": "deploy", "replicas": 0, "host": "a b"}"#),
    ("x.jsonc", "jsonc", "// formd: deploy\n{\"replicas\": 0, \"host\": \"a b\",}"),
    ("x.yaml", "yaml", "# formd: deploy\nreplicas: 0\nhost: a b\n"),
    ("x.env", "dotenv", "# formd: deploy\nreplicas=0\nhost='a b'\n"),
    ("x.json", "json", #"{"$schema": "deploy", "replicas": 0, "host": "a b"}"#),
    ("x.json", "json", #"{"$form": "./deploy.form.json", "replicas": 0, "host": "a b"}"#),
    ("untitled:Untitled-1", "yaml", "# formd: deploy\nreplicas: 0\nhost: a b\n"),
  ])
  func `a file that names its form is judged by schema and rules`(_ file: String, _ language: String, _ text: String)
    throws
  {
    let editor = try editor()
    editor.open(file, text, language: language)
    #expect(codes(editor, file) == ["minimum", "host.short"], "\(editor.diagnosticsOf(file))")
    editor.change(file, to: text.replacing("0", with: "2").replacing("a b", with: "ab"))
    #expect(editor.pushed(file) == [])
  }

  @Test(arguments: [#""password": hunter2"#, #""password": my hunter2: 1"#, #""password": 'hunter2', hunter2: 1"#])
  func `a broken file with a secret is told without its text`(_ member: String) throws {
    let form = #"{"schema": {"type": "object", "properties": {"password": {"type": "string", "writeOnly": true}}}}"#
    let editor = try Editor(files: ["login.form.json": form], capabilities: [:])
    editor.open("x.json", "{\"$form\": \"login\", \(member)}")
    let pushed = try #require(editor.pushed("x.json"))
    #expect(!pushed.isEmpty && !"\(pushed)".contains("hunter2"), "\(pushed)")
    let end: JSON = ["line": 0, "character": 99]
    let actions = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(editor.uri("x.json"))],
        "range": ["start": ["line": 0, "character": 0], "end": end],
        "context": ["diagnostics": []],
      ]
    )
    #expect(!"\(actions)".contains("hunter2"), "\(actions)")
  }

  @Test func `a file that names none is not judged`() throws {
    let editor = try editor()
    editor.open("x.json", #"{"replicas": "many""#)
    editor.open("y.json", #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": 7}"#)
    #expect(editor.said.isEmpty)
  }

  @Test func `the list in the folder and the settings name forms for patterns`() throws {
    let list = [".formd-files.json": #"{"conf/*.yaml": "deploy"}"#]
    let listed = try editor(list)
    listed.open("conf/a.yaml", "replicas: 0\n", language: "yaml")
    #expect(codes(listed, "conf/a.yaml") == ["minimum"])
    listed.open("other/a.yaml", "replicas: 0\n", language: "yaml")
    #expect(listed.pushed("other/a.yaml") == nil)
    let set = try editor(options: ["files": ["**/*.env": "deploy.form.json"], "locale": "ko"])
    set.open("a/b.env", "replicas=2\nhost='a b'\n", language: "dotenv")
    #expect(set.pushed("a/b.env")?.first?["message"] == "공백 없이.")
  }

  @Test func `a form that is not there, or has errors, is told`() throws {
    let editor = try editor(["bad.form.json": "{"])
    editor.open("x.json", #"{"$form": "deplyo"}"#)
    #expect(editor.pushed("x.json")?.first?["message"]?.stringValue?.contains("did you mean \"deploy\"") == true)
    editor.open("y.json", #"{"$form": "bad"}"#)
    #expect(codes(editor, "y.json") == ["form"])
    try editor.folder.write(Self.form, to: "deplyo.form.json")
    editor.notify(
      "workspace/didChangeWatchedFiles",
      ["changes": [["uri": .string(editor.uri("deplyo.form.json")), "type": 1]]]
    )
    #expect(codes(editor, "x.json") == ["required"])
    #expect(editor.pushed("x.json")?.first?["message"]?.stringValue?.hasPrefix("replicas: ") == true)
  }

  @Test func `a form that changes changes what is said of data`() throws {
    let editor = try editor()
    editor.open("x.json", #"{"$form": "deploy", "replicas": 3}"#)
    #expect(editor.pushed("x.json") == nil)
    editor.open("deploy.form.json", Self.form.replacing("\"minimum\": 1", with: "\"minimum\": 5"))
    #expect(codes(editor, "x.json") == ["minimum"])
  }

  @Test func `settings that change change what is said of data`() throws {
    let editor = try editor(
      ["other.form.json": #"{"schema": {"properties": {"replicas": {"type": "string"}}}}"#],
      options: ["files": ["*.yaml": "deploy"]]
    )
    editor.open("a.yaml", "replicas: 0\nhost: a b\n", language: "yaml")
    #expect(codes(editor, "a.yaml") == ["minimum", "host.short"])
    func set(_ settings: JSON) {
      editor.notify("workspace/didChangeConfiguration", ["settings": ["formd": settings]])
    }
    set(["files": ["*.yaml": "deploy"], "locale": "ko"])
    #expect(editor.pushed("a.yaml")?.last?["message"] == "공백 없이.")
    set(["files": ["*.yaml": "other"]])
    #expect(codes(editor, "a.yaml") == ["type"])
    set([:])
    #expect(editor.pushed("a.yaml") == [])
  }

  @Test func `the list in the folder, and the folder itself, count as they are now`() throws {
    let editor = try editor([
      ".formd-files.json": #"{"*.yaml": "deploy"}"#,
      "other.form.json": #"{"schema": {"properties": {"replicas": {"type": "string"}}}}"#,
    ])
    editor.open("a.yaml", "replicas: 0\n", language: "yaml")
    #expect(codes(editor, "a.yaml") == ["minimum"])
    try editor.folder.write(#"{"*.yaml": "other"}  "#, to: ".formd-files.json")
    editor.notify(
      "workspace/didChangeWatchedFiles",
      ["changes": [["uri": .string(editor.uri(".formd-files.json")), "type": 2]]]
    )
    #expect(codes(editor, "a.yaml") == ["type"])
    let folder: JSON = ["uri": .string(editor.folder.uri), "name": "folder"]
    editor.notify("workspace/didChangeWorkspaceFolders", ["event": ["added": [], "removed": [folder]]])
    #expect(editor.pushed("a.yaml") == [])
  }

  @Test func `a form in a file of its name comes before one of another file`() throws {
    let editor = try editor([
      "first.form.json": #"{"form": "late", "schema": {"properties": {"x": {"type": "string"}}}}"#
    ])
    editor.open("a.yaml", "# formd: late\nx: 0\n", language: "yaml")
    #expect(codes(editor, "a.yaml") == ["type"])
    try editor.folder.write(
      #"{"schema": {"properties": {"x": {"type": "integer", "minimum": 1}}}}"#,
      to: "late.form.json"
    )
    func tell(_ kind: Int64) {
      editor.notify(
        "workspace/didChangeWatchedFiles",
        ["changes": [["uri": .string(editor.uri("late.form.json")), "type": .integer(kind)]]]
      )
    }
    tell(1)
    #expect(codes(editor, "a.yaml") == ["minimum"])
    try editor.folder.remove("late.form.json")
    tell(3)
    #expect(codes(editor, "a.yaml") == ["type"])
  }

  @Test(arguments: [
    ("x.yaml", "# formd: deplyo\nreplicas: 1\n", "# formd: deploy\nreplicas: 1\n"),
    ("x.jsonc", "\t// formd:  deplyo \n{\"replicas\": 1}", "\t// formd:  deploy \n{\"replicas\": 1}"),
    ("x.json", #"{"$form": "deplyo", "replicas": 1}"#, #"{"$form": "deploy", "replicas": 1}"#),
    ("x.yaml", "$form: 'deplyo'\nreplicas: 1\n", "$form: deploy\nreplicas: 1\n"),
  ])
  func `a slip in the name of the form is mended`(_ file: String, _ text: String, _ mended: String) throws {
    let editor = try editor()
    editor.open(file, text, language: file.hasSuffix("yaml") ? "yaml" : "jsonc")
    let range = try #require(editor.pushed(file)?.first?["range"])
    let actions = editor.request(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(editor.uri(file))], "range": range, "context": ["diagnostics": []]]
    )
    let edits = actions.arrayValue?.first?["edit"]?["changes"]?[editor.uri(file)]?.arrayValue ?? []
    #expect(try editor.applying(edits, to: file) == mended)
  }

  @Test func `a slip in a name is mended`() throws {
    let editor = try editor()
    editor.open("x.json", #"{"$form": "deploy", "replicsa": 1}"#)
    let target = editor.target("x.json", of: "replicsa")
    let actions = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": target["textDocument"] ?? .null,
        "range": ["start": target["position"] ?? .null, "end": target["position"] ?? .null],
        "context": ["diagnostics": []],
      ]
    )
    let action = try #require(actions.arrayValue?.first, "\(editor.diagnosticsOf("x.json"))")
    let edits = action["edit"]?["changes"]?[editor.uri("x.json")]?.arrayValue ?? []
    #expect(try editor.applying(edits, to: "x.json") == #"{"$form": "deploy", "replicas": 1}"#)
  }

  @Test(arguments: [
    ("x.json", #"{"$form": "deploy", ¦}"#, ["replicas", "zone", "labels"]),
    ("x.json", #"{"$form": "deploy", "zone": "¦"}"#, ["a", "b"]),
    ("x.json", #"{"$form": "deploy", "labels": {¦}}"#, ["team"]), ("x.json", #"{"$form": "¦"}"#, ["deploy"]),
    ("x.yaml", "# formd: deploy\nreplicas: 1\n¦", ["zone", "host"]),
    ("x.yaml", "# formd: deploy\nlabels:\n  ¦", ["team"]),
    ("x.yaml", "# formd: deploy\nzone: ¦\n", ["a", "b"]), ("x.yaml", "# formd: deploy\nho¦\nreplicas: 1\n", ["host"]),
    ("x.yaml", "# formd: deploy\nports:\n- number: 1\n  na¦", ["name"]),
    ("x.yaml", "# formd: deploy\nports:\n- number: 1\n- na¦", ["name"]),
    ("x.yaml", "# formd: deploy\nports:\n  - number: 1\n    na¦", ["name"]),
    ("x.yaml", "# formd: deploy\nports:\n- number: 1\nho¦", ["host"]),
    ("x.yaml", "# formd: ¦", ["deploy"]), ("x.env", "# formd: dep¦\nhost=a", ["deploy"]),
    ("x.env", "# formd: deploy\n¦", ["replicas", "host"]), ("x.env", "# formd: deploy\nzone=¦", ["a", "b"]),
  ])
  func `members and choices are completed`(_ file: String, _ marked: String, _ some: [String]) throws {
    let editor = try editor()
    let target = editor.open(
      file,
      marked,
      language: file.hasSuffix("json") ? "json" : file.hasSuffix("yaml") ? "yaml" : "dotenv"
    )
    let items = editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
    let labels = items.compactMap { $0["label"]?.stringValue }
    for label in some { #expect(labels.contains(label), "\(labels)") }
  }

  @Test(arguments: [
    ("x.yaml", "# formd: deploy\nreplicas: 1\n¦", "zone", "# formd: deploy\nreplicas: 1\nzone: "),
    ("x.yaml", "# formd: deploy\nho¦\n", "host", "# formd: deploy\nhost: \n"),
    ("x.env", "# formd: deploy\nho¦", "host", "# formd: deploy\nhost="),
    ("x.yaml", "# formd: deploy\nzone: ¦\n", "a", "# formd: deploy\nzone: a\n"),
    ("x.env", "# formd: deploy\nexport ho¦", "host", "# formd: deploy\nexport host="),
    ("x.yaml", "# formd: dep¦loi\n", "deploy", "# formd: deploy\n"),
  ])
  func `what is completed is written in the file's language`(
    _ file: String,
    _ marked: String,
    _ label: String,
    _ result: String
  ) throws {
    let editor = try editor()
    let target = editor.open(file, marked, language: file.hasSuffix("yaml") ? "yaml" : "dotenv")
    let items = editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []
    let item = try #require(items.first { $0["label"]?.stringValue == label })
    #expect(try editor.applying([item["textEdit"] ?? .null], to: file) == result)
  }

  @Test func `hover has label, help and choices`() throws {
    let editor = try editor()
    editor.open("x.yaml", "# formd: deploy\nzone: a\n", language: "yaml")
    let text = editor.request("textDocument/hover", editor.target("x.yaml", of: "zone"))["contents"]?["value"]?
      .stringValue
    #expect(text?.hasPrefix("**Zone**") == true)
    #expect(text?.contains("Where it runs.") == true)
    #expect(text?.contains("First") == true)
  }
}
