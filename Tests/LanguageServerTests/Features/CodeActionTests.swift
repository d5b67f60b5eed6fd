import JSON
import Testing

@Suite struct `What a language server can mend` {
  /// The text after the only fix at the position of a slip, applied.
  private func mended(_ text: String, at slip: String, file: String = "a.form.json") throws -> String {
    let editor = try Editor(files: ["login.form.json": Samples.login], capabilities: [:])
    editor.open(file, text)
    let target = editor.target(file, of: slip)
    let actions = editor.request(
      "textDocument/codeAction",
      [
        "textDocument": target["textDocument"] ?? .null,
        "range": ["start": target["position"] ?? .null, "end": target["position"] ?? .null],
        "context": ["diagnostics": []],
      ]
    )
    let action = try #require(actions.arrayValue?.first, "\(editor.diagnosticsOf(file))")
    #expect(actions.arrayValue?.count == 1)
    #expect(action["kind"] == "quickfix")
    #expect(action["diagnostics"]?.arrayValue?.count == 1)
    return try editor.applying(action["edit"]?["changes"]?[editor.uri(file)]?.arrayValue ?? [], to: file)
  }

  private static func form(_ more: String) -> String {
    #"{"schema": {"properties": {"email": {"type": "string", "maxLength": 9}, "box": {"properties": {"city": {"maxLength": 9, "type": "string"}}}}}, \#(more)}"#
  }

  @Test(arguments: [
    (#""felds": {}"#, "felds", #""fields": {}"#),
    (#""fields": {"email": {"lable": "x"}}"#, "lable", #""fields": {"email": {"label": "x"}}"#),
    (#""fields": {"email": {"show": "blurr"}}"#, "blurr", #""fields": {"email": {"show": "blur"}}"#),
    (#""fields": {"emial": {"label": "x"}}"#, "emial", #""fields": {"email": {"label": "x"}}"#),
    (
      #""rules": [{"id": "a", "field": "emial", "check": "true"}]"#, "emial",
      #""rules": [{"id": "a", "field": "email", "check": "true"}]"#
    ),
    (
      #""rules": [{"id": "a", "field": "/box/cty", "check": "true"}]"#, "/box/cty",
      #""rules": [{"id": "a", "field": "/box/city", "check": "true"}]"#
    ),
    (#""outputs": {"x": "values.emial + 'é'"}"#, "values.emial", #""outputs": {"x": "values.email + 'é'"}"#),
    (
      #""outputs": {"x": "'\u00e9😀' + values.emial"}"#, "values.emial", #""outputs": {"x": "'\u00e9😀' + values.email"}"#
    ),
    (#""outputs": {"x": "values.box.cty"}"#, "cty", #""outputs": {"x": "values.box.city"}"#),
    (#""outputs": {"x": "values.email.contain('x')"}"#, "contain", #""outputs": {"x": "values.email.contains('x')"}"#),
    (#""outputs": {"x": "sise(values.email)"}"#, "sise", #""outputs": {"x": "size(values.email)"}"#),
    (#""outputs": {"x": "math.floot(1.5)"}"#, "floot", #""outputs": {"x": "math.floor(1.5)"}"#),
    (#""outputs": {"x": "fields.emial.isValid"}"#, "emial", #""outputs": {"x": "fields.email.isValid"}"#),
    (
      #""texts": {"left": "l"}, "outputs": {"x": "text('lefd', {})"}"#, "lefd",
      #""texts": {"left": "l"}, "outputs": {"x": "text('left', {})"}"#
    ),
  ])
  func `a slip is replaced by what was meant`(_ slip: String, _ target: String, _ meant: String) throws {
    #expect(try mended(Self.form(slip), at: target) == Self.form(meant))
  }

  @Test func `a keyword of the schema that is none`() throws {
    let text = #"{"schema": {"properties": {"a": {"type": "string", "maxLenght": 9}}}}"#
    #expect(try mended(text, at: "maxLenght") == text.replacing("maxLenght", with: "maxLength"))
  }

  @Test func `a comma that is missing, a quote of the wrong kind`() throws {
    let text = #"{"schema": {"properties": {"a": {"type": "string"} "b": {}}}}"#
    #expect(try mended(text, at: " \"b\"") == text.replacing("} \"b\"", with: "}, \"b\""))
    #expect(
      try mended("{'schema': {\"properties\": {\"a\": {}}}}", at: "'schema'")
        == "{\"schema\": {\"properties\": {\"a\": {}}}}"
    )
  }

  @Test func `a test file's members and names`() throws {
    let text =
      #"{"form": "login.form.json", "cases": [{"nmae": "x", "name": "y", "steps": [{"tap": "sned"}, {"focus": "emial"}]}]}"#
    #expect(try mended(text, at: "sned", file: "login.test.json") == text.replacing("sned", with: "send"))
    #expect(try mended(text, at: "emial", file: "login.test.json") == text.replacing("emial", with: "email"))
  }

  @Test func `other kinds are not offered`() throws {
    let editor = try Editor(capabilities: [:])
    editor.open("a.form.json", Self.form(#""felds": {}"#))
    let target = editor.target("a.form.json", of: "felds")
    let params: JSONObject = [
      "textDocument": target["textDocument"] ?? .null,
      "range": ["start": target["position"] ?? .null, "end": target["position"] ?? .null],
    ]
    for (only, count) in [("refactor", 0), ("quickfix", 1), ("source.organizeImports", 0)] {
      var params = params
      params["context"] = ["diagnostics": [], "only": [.string(only)]]
      #expect(editor.request("textDocument/codeAction", .object(params)).arrayValue?.count == count)
    }
  }
}

extension Editor {
  /// The diagnostics that were pushed for a document, for messages.
  func diagnosticsOf(_ path: String) -> String { (pushed(path) ?? []).map(\.description).joined(separator: "\n") }
}
