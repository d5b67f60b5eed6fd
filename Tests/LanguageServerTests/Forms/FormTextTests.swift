import Forms
import SourceTexts
import Testing

@testable import LanguageServer

@Suite struct `A definition while an author types a formula` {
  private static let place = ["outputs", "typed"]

  private static func text(_ formula: String, cache: FormCache) -> FormText {
    let text = """
      {"form": "a", "schema": {"properties": {"name": {"type": "string"}}},
       "outputs": {"typed": "\(formula)", "other": "values.name"}}
      """
    return FormText(
      SourceText(Array(text.utf8)),
      key: "/a.form.json",
      stamp: 0,
      generation: 0,
      openFiles: [:],
      cache: cache
    )
  }

  @Test func `the form without the formula is compiled once`() throws {
    let cache = FormCache()
    let first = try #require(Self.text("values.n", cache: cache).usable(whileTypingAt: Self.place))
    #expect(first.form.outputs.count == 1)
    #expect(first.form.fields.map(\.name) == ["name"])
    for formula in ["values.name", "values.", "(", ""] {
      #expect(Self.text(formula, cache: cache).usable(whileTypingAt: Self.place) === first, "\(formula)")
    }
  }

  @Test func `a definition that is compiled already is used whole`() {
    let text = Self.text("values.name", cache: FormCache())
    #expect(text.compilation.form != nil)
    #expect(text.usable(whileTypingAt: Self.place)?.form.outputs.count == 2)
  }
}
