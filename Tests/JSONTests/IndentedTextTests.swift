import JSON
import Testing

@Suite struct `Indented JSON` {
  @Test(arguments: [
    "null", "[]", "{}", "[1, 2, 3]", "{\"a\": 1, \"b\": [true, {\"c\": \"d\"}]}",
    "\"\(String(repeating: "a long text ", count: 20))\"",
  ])
  func `is one line for what is small, and for what has no parts`(_ text: String) throws {
    #expect(try JSON(parsing: text).indentedText == text)
  }

  @Test func `breaks what is wider than a line, two spaces a level`() throws {
    let word = String(repeating: "x", count: 60)
    let text = """
      {
        "small": {"a": [1, 2]},
        "list": [
          "\(word)",
          {"name": "\(word)"}
        ]
      }
      """
    #expect(try JSON(parsing: text).indentedText == text)
  }
}
