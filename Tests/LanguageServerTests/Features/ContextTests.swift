import JSON
import Testing

/// The context in an editor: names in formulas, and keywords in its schema.
@Suite struct `A language server knows the context` {
  private static func form(_ formula: String) -> String {
    #"""
    {"form": "t", "context": {"properties": {"role": {"enum": ["clerk", "chef"], "description": "What the user may do."},
      "user": {"type": "object", "properties": {"name": {"type": "string"}}}}},
     "schema": {"properties": {"a": {"type": "string"}}}, "outputs": {"o": "\#(formula)"}}
    """#
  }

  private func labels(_ marked: String) throws -> [String] {
    let editor = try Editor(files: [:], capabilities: [:])
    let target = editor.open("a.form.json", marked)
    return (editor.request("textDocument/completion", target)["items"]?.arrayValue ?? []).compactMap {
      $0["label"]?.stringValue
    }
  }

  @Test func `completes its members and their values`() throws {
    #expect(try labels(Self.form("context.¦")).contains("context.role"))
    #expect(try labels(Self.form("context.user.¦")).contains("context.user.name"))
    #expect(try labels(Self.form("context.role == '¦'")) == ["clerk", "chef"])
  }

  @Test func `completes the keywords of its schema`() throws {
    let labels = try labels(#"{"form": "t", "context": {"type": "object", ¦}, "schema": {}}"#)
    #expect(labels.contains("properties") && labels.contains("required"))
  }

  @Test func `says what a member means`() throws {
    let editor = try Editor(files: [:], capabilities: [:])
    editor.open("a.form.json", Self.form("context.role == 'clerk'"))
    let answer = editor.request("textDocument/hover", editor.target("a.form.json", of: "context.role"))
    #expect(answer["contents"]?["value"] == "**context.role**: string\n\nWhat the user may do.")
  }
}
