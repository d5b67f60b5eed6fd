import DataLanguages
import Findings
import JSON
internal import SourceTexts
import Testing

@Suite struct FileTextTests {
  private func values(_ text: String, _ language: FileLanguage) -> [JSON] {
    FileText.texts(of: Array(text.utf8), language).map { part in
      switch part.read(file: "f") {
      case .value(let value): value
      case .problems(let problems): .array(problems.map { .string($0.description) })
      }
    }
  }

  @Test(
    arguments: [
      ("a: 1\n", [["a": 1]]),
      ("# c\n---\na: 1\n---\nb: 2\n", [["a": 1], ["b": 2]]),
      ("%YAML 1.2\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n", [["a": 1], ["b": 2]]),
      ("--- {a: 1}\n--- [2]\r\n---\r\n3\r\n", [["a": 1], [2], 3]),
      ("t: |\n  ---\n  x\n---x: 1\n", [["t": "---\nx\n", "---x": 1]]),
      ("", [.null]),
      // Directives belong to the document that follows them.
      ("a: 1\n...\n# c\n%YAML 1.2\n---\nb: 2\n...\n%YAML 1.2\n---\nc: 3\n", [["a": 1], ["b": 2], ["c": 3]]),
      ("a: 1\n...\n---\nb: 2\n...\n", [["a": 1], ["b": 2]]),
    ] as [(String, [JSON])]
  )
  func `each document of YAML is a text`(text: String, expected: [JSON]) {
    #expect(values(text, .yaml) == expected)
  }

  @Test func `each line of JSON Lines is a text, and empty lines are none`() {
    #expect(values("{\"a\":1}\n\n[2]\r\n  \n3", .jsonl) == [["a": 1], [2], 3])
    #expect(values("", .jsonl).count == 1)
  }

  @Test func `what is wrong with a text is told by its place in the file`() {
    #expect(values("1\n2\n{\"a\": x}\n", .jsonl)[2].arrayValue?.first?.stringValue?.hasPrefix("f:3:7: error: ") == true)
    #expect(values("a: 1\n---\nb: [1\n", .yaml)[1].arrayValue?.first?.stringValue?.hasPrefix("f:3:4: error: ") == true)
    let parts = FileText.texts(of: Array("é: 1\n---\nb: [x]\n".utf8), .yaml)
    let span = TextSpan(7..<8, of: parts[1].scanned().source)
    let moved = parts[1].moved(Diagnostic(span: span, code: "c", message: "m"))
    #expect(moved.position == LineColumn(line: 3, column: 4))
    #expect(moved.span?.bytes == 13..<14)
    #expect(moved.span?.range(in: .utf16).description == "2:3-2:4")
  }

  @Test func `a directive within a document is told, and not passed over`() {
    #expect(
      values("a: 1\n---\n%b: 2\n", .yaml).last?.arrayValue?.first?.stringValue?.hasPrefix("f:3:3: error: ") == true
    )
  }

  @Test func `numbers are exact, and other slips are told without them`() {
    #expect(values("12345678901234567890123", .json).map(\.description) == ["12345678901234567890123"])
    #expect(values("-0012345678901234567890123", .yaml).map(\.description) == ["-12345678901234567890123"])
    #expect(values("[+1e400, .5e999]", .yaml).map(\.description) == ["[1e400,0.5e999]"])
    let told = values("[12345678901234567890123, x]", .json)[0].arrayValue
    #expect(told?.count == 1 && told?.first?.stringValue?.contains("1:27") == true)
  }

  @Test(
    arguments: [
      ("a.json", .json), ("A.JSONC", .jsonc), ("x/b.ndjson", .jsonl), ("b.jsonl", .jsonl), ("c.yml", .yaml),
      (".env.local", .env), ("d.txt", nil), ("-", nil),
    ] as [(String, FileLanguage?)]
  )
  func `the ending says the language`(name: String, language: FileLanguage?) {
    #expect(FileLanguage(fileName: name) == language)
  }
}
