import JSON
internal import SourceTexts
import Testing

@Suite struct `A diagnostic` {
  private let position = LineColumn(line: 3, column: 4)

  @Test func `is printed as compilers do, the remedy in a line of its own`() {
    let diagnostic = Diagnostic(
      file: "a.json",
      pointer: JSONPointer(tokens: ["b", "c"]),
      position: position,
      code: "unknownKey",
      message: "there is no c",
      remedy: "did you mean d?"
    )
    #expect(diagnostic.description == "a.json:3:4: error: there is no c [/b/c]\n    did you mean d?")
  }

  @Test func `leaves out what it has not`() {
    #expect(Diagnostic(code: "c", message: "m").description == "error: m")
    #expect(Diagnostic(file: "f", code: "c", message: "m", severity: .warning).description == "f: warning: m")
    #expect(Diagnostic(position: position, code: "c", message: "m").description == "3:4: error: m")
    #expect(
      Diagnostic(code: "c", message: "m").json() == ["path": "", "severity": "error", "code": "c", "message": "m"]
    )
  }

  @Test func `is an object for programs`() {
    let span = TextSpan(3..<7, of: SourceText("a\n😀b"))
    let diagnostic = Diagnostic(file: "f", position: position, span: span, code: "c", message: "m", remedy: "r")
    #expect(
      diagnostic.json() == [
        "file": "f", "path": "", "line": 3, "column": 4,
        "range": ["start": ["line": 1, "character": 0], "end": ["line": 1, "character": 3]], "severity": "error",
        "code": "c", "message": "m", "remedy": "r",
      ]
    )
    #expect(diagnostic.json(encoding: .utf8)["range"]?["end"] == ["line": 1, "character": 5])
    #expect(Diagnostic(span: span, code: "c", message: "m").position == LineColumn(line: 2, column: 1))
  }

  @Test func `of a slip in a text has its range`() throws {
    let text = scan("[1,\n ]")
    let problem = try #require(text.problems.first)
    let diagnostic = Diagnostic(problem, of: text.source, file: "f")
    #expect(
      diagnostic.description
        == "f:1:3: error: a comma after the last item is not allowed; remove it"
    )
    #expect(diagnostic.span?.bytes == 2..<3 && diagnostic.code == "trailingComma")
  }

  @Test func `of a text that is no JSON says the place once`() throws {
    let error = try #require(throws: JSONReadError.self) { try JSON(parsing: "{\"email\": oops}") }
    #expect(Diagnostic(error, file: "-").description == "-:1:11: error: this is not JSON")
    #expect(error.description == "this is not JSON (line 1, column 11)")
  }
}

@Suite struct `A collector of diagnostics` {
  @Test func `finds the places of values, of names, and inside of strings`() {
    var collector = DiagnosticCollector(file: "f", text: scan("{\n \"a\": \"é\\n!\"}"))
    let pointer = JSONPointer(tokens: ["a"])
    collector.report("c", at: pointer, "value")
    collector.report("c", at: pointer, spot: .name, "name")
    collector.report("c", at: pointer, spot: .codePoint(2, 1..<3), "code point", severity: .warning)
    collector.report("c", at: .root, spot: .lack, "lack")
    collector.report("c", at: pointer, spot: .lack, "lack")
    collector.report("c", at: pointer.appending("b"), spot: .name, "nowhere")
    #expect(collector.diagnostics.map(\.position?.description) == ["2:7", "2:2", "2:11", "1:1", "2:7", "2:7"])
    #expect(
      collector.diagnostics.map { $0.span?.range(in: .utf16).description } == [
        "1:6-1:12", "1:1-1:4", "1:8-1:11", "0:0-0:1", "1:1-1:4", "1:1-1:4",
      ]
    )
    #expect(collector.diagnostics.allSatisfy { $0.file == "f" })
    #expect(collector.hasErrors)
  }

  @Test func `keeps no more than its bound, and knows warnings from errors`() {
    var collector = DiagnosticCollector(file: nil, text: nil)
    for _ in 0...DiagnosticCollector.countMax { collector.report("c", at: .root, "m", severity: .warning) }
    #expect(collector.diagnostics.count == DiagnosticCollector.countMax + 1)
    #expect(!collector.hasErrors)
    #expect(collector.diagnostics.allSatisfy { $0.position == nil })
  }

  private func collector(errors: Int, warnings: Int) -> DiagnosticCollector {
    var collector = DiagnosticCollector(file: "f", text: nil)
    for _ in 0..<warnings { collector.report("w", at: .root, "odd", severity: .warning) }
    for _ in 0..<errors { collector.report("e", at: .root, "wrong") }
    return collector
  }

  @Test func `tells a hundred errors and a hundred warnings, and how many more there are`() {
    let collector = collector(errors: 10_000, warnings: 101)
    #expect(collector.diagnostics.count == 202)
    #expect(
      collector.diagnostics.suffix(2).map(\.description)
        == ["f: error: and 9,900 more errors", "f: warning: and 1 more warning"]
    )
    #expect(collector.errorCount == 10_000 && collector.warningCount == 101)
  }

  @Test func `tells all where there are no more than that`() {
    let collector = collector(errors: 100, warnings: 100)
    #expect(collector.diagnostics.count == 200 && !collector.diagnostics.contains { $0.code == "more" })
  }

  @Test func `knows of an error behind any number of warnings`() {
    #expect(collector(errors: 1, warnings: 500).hasErrors)
    #expect(!collector(errors: 0, warnings: 500).hasErrors)
  }

  @Test(arguments: [(999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func `groups the digits of a count`(_ count: Int, _ written: String) {
    #expect(Diagnostic(more: count, .error, file: nil).message == "and \(written) more errors")
  }
}
