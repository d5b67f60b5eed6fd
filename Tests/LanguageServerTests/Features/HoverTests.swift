import JSON
import Testing

@Suite struct `What a language server says of what stands at a place` {
  private func hover(_ file: String, _ text: String, at target: String, skipping: String = "") throws -> String? {
    let editor = try Editor(files: ["login.form.json": Samples.login], capabilities: [:])
    editor.open(file, text)
    let at = editor.target(file, of: skipping + target)
    var position = at["position"]?.objectValue ?? [:]
    position["character"] = .integer((position["character"]?.integerValue ?? 0) + Int64(skipping.utf16.count))
    let answer = editor.request(
      "textDocument/hover",
      ["textDocument": at["textDocument"] ?? .null, "position": .object(position)]
    )
    return answer["contents"]?["value"]?.stringValue
  }

  @Test func `a field has its type, its texts, and what depends on it`() throws {
    let text = try #require(try hover("login.form.json", Samples.login, at: "email\": { \"type\""))
    #expect(text.hasPrefix("**email**: string field"))
    #expect(text.contains("Email") && text.contains("Where we write to."))
    #expect(text.contains("rule email.at") && text.contains("actions.send.isEnabled"))
  }

  @Test func `an output has its type and its formula`() throws {
    let text = try #require(try hover("login.form.json", Samples.login, at: "total"))
    #expect(text.hasPrefix("**total**: "))
    #expect(text.contains("outputs['/items/*/twice'].sum()"))
  }

  @Test func `a name in a formula is what it names, a function what it gives`() throws {
    #expect(try hover("login.form.json", Samples.login, at: "quantity * 2")?.contains("integer field") == true)
    #expect(
      try hover("login.form.json", Samples.login, at: "contains('@')")?.contains("whether a text contains another text")
        == true
    )
    #expect(try hover("login.form.json", Samples.login, at: "sum()")?.contains("sum") == true)
    let above = Samples.login.replacing("row.quantity * 2", with: "above.quantity * 2")
    #expect(try hover("login.form.json", above, at: "quantity * 2")?.contains("integer field") == true)
    #expect(try hover("login.form.json", above, at: "above")?.hasPrefix("**above.quantity**") == true)
  }

  @Test func `a member is what its schema says`() throws {
    #expect(try hover("login.form.json", Samples.login, at: "visible")?.contains("visible") == true)
    #expect(try hover("login.test.json", Samples.loginTest, at: "given")?.contains("Initial values") == true)
  }

  @Test func `a test file's names are the form's`() throws {
    #expect(try hover("login.test.json", Samples.loginTest, at: "city")?.hasPrefix("**city**") == true)
    #expect(try hover("login.test.json", Samples.loginTest, at: "send")?.hasPrefix("**send**: action") == true)
  }

  @Test func `there is nothing to say of white space`() throws {
    #expect(try hover("login.form.json", "  " + Samples.login, at: "  {") == nil)
  }
}
