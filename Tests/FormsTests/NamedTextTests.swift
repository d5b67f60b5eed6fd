import Forms
import JSON
internal import SourceTexts
import Testing

/// `texts` and the function that formulas read them by.
@Suite struct NamedTextTests {
  private func diagnostics(_ formula: String, texts: String = #""hello": {"en": "Hello {name}, {n}", "ko": "{name}"}"#)
    -> [String]
  {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9},
        "p": {"type": "string", "writeOnly": true, "maxLength": 9}}}, "texts": {\(texts)}, "outputs": {"o": "\(formula)"}}
      """
    return Form.compile(Array(text.utf8)).diagnostics.map(\.description)
  }

  @Test func `a text that there is not is refused, with what was meant`() {
    let messages = diagnostics("text('helo', {'name': values.a, 'n': 1})")
    #expect(
      messages.count == 1 && messages[0].contains("2:") && messages[0].contains("did you mean \"hello\"?"),
      "\(messages)"
    )
    let none = diagnostics("text('x')", texts: "")
    #expect(none.count == 1 && none[0].contains("\"texts\" has no \"x\""), "\(none)")
  }

  @Test(arguments: [
    ("text('hello', {'name': values.a, 'n': 1, 'more': 2})", 0), ("text('hello', {'name': values.a})", 1),
    ("text('hello')", 2),
    ("text(values.a)", 0), ("text(values.a, {'x': 1})", 0), ("text('hello', {values.a: 1})", 0),
  ])
  func `placeholders that nothing fills are a warning each`(formula: String, count: Int) {
    let messages = diagnostics(formula)
    #expect(
      messages.count == count && messages.allSatisfy { $0.contains("warning") && $0.contains("nothing replaces it") },
      "\(messages)"
    )
  }

  @Test(arguments: [
    "text(1)", "text('hello', 'x')", "text()", "text('hello', {'name': values.p, 'n': 1})", "text('hello', {1: 2})",
  ])
  func `a call that does not fit is refused, and so is one that would tell a secret`(formula: String) {
    #expect(
      diagnostics(formula).contains { $0.contains("error") || !$0.contains("warning") },
      "\(diagnostics(formula))"
    )
  }

  @Test func `the texts of the block are languages of the form`() throws {
    let form = try #require(
      Form.compile(
        Array(
          #"""
          {"form": "t", "schema": {"type": "object", "properties": {"a": {}}}, "texts": {"x": {"de": "eins", "pt-BR": "um"}}}
          """#.utf8
        )
      ).form
    )
    #expect(form.textLocale(for: "pt-BR") == "pt-BR" && form.textLocale(for: "de-AT") == "de")
  }

  @Test(arguments: [#""texts": []"#, #""texts": {"a": 1}"#, #""texts": {"a": {"en": 1}}"#])
  func `what is no text is refused`(members: String) {
    let text = #"{"form": "t", "schema": {"type": "object", "properties": {"a": {}}}, \#(members)}"#
    #expect(Form.compile(Array(text.utf8)).diagnostics.map(\.code) == ["wrongType"])
  }
}
