import FormProtocol
import JSON
import LanguageServer
internal import SourceTexts
import Testing

@Suite struct `Checks that a daemon runs for an editor` {
  private static let form = #"""
    {
      "schema": { "type": "object", "properties": { "name": { "type": "string", "maxLength": 9 }, "host": { "type": "string" } } },
      "checks": [
        { "id": "name.free", "field": "name",
          "run": { "provider": { "name": "names", "arguments": { "name": "self" } } },
          "outcomes": [ { "when": "response.body.free == true", "valid": true }, { "message": "Taken." } ] }
      ]
    }
    """#
  private static let text = "# formd: service\nname: é kim\nhost: a\n"

  private func editor(
    _ options: JSON = ["checks": true],
    capabilities: JSON = [:],
    form: String = form
  ) throws -> Editor {
    try Editor(files: ["service.form.json": form], capabilities: capabilities, options: options)
  }

  /// A daemon's answer for the sample: the check's error, at the name's value.
  private func judgment() -> CheckAnswer {
    var error = TextProblem()
    error.path = "/name"
    error.code = "name.free"
    error.source = .check
    error.severity = .error
    error.message = "Taken."
    // Positions are counted in bytes: é has two.
    error.range = TextRange(start: TextPosition(line: 1, character: 6), end: TextPosition(line: 1, character: 12))
    var judgment = TextJudgment()
    judgment.errors = [error]
    return .judged(judgment)
  }

  private func codes(_ editor: Editor) -> [String]? {
    editor.pushed("x.yaml")?.compactMap { $0["code"]?.stringValue }
  }

  @Test func `a daemon is asked when data is opened and saved, and what it finds is pushed`() throws {
    let editor = try editor()
    editor.open("x.yaml", Self.text, language: "yaml")
    #expect(editor.pushed("x.yaml") == nil)
    let request = try #require(editor.requests().first)
    #expect(request.params.form == "service")
    #expect(request.params.text == Self.text)
    #expect(request.params.language == .yaml)
    #expect(request.params.checks)
    editor.answer(request, judgment())
    #expect(codes(editor) == ["name.free"])
    let range: JSON = ["start": ["line": 1, "character": 6], "end": ["line": 1, "character": 11]]
    #expect(editor.pushed("x.yaml")?.first?["range"] == range)
    editor.notify("textDocument/didSave", ["textDocument": ["uri": .string(editor.uri("x.yaml"))]])
    let again = try #require(editor.requests().first)
    #expect(again.number != request.number)
    editor.answer(again, .judged(TextJudgment()))
    #expect(codes(editor) == [])
  }

  @Test func `what was found goes with the text that it was found in`() throws {
    let editor = try editor()
    editor.open("x.yaml", Self.text, language: "yaml")
    let request = try #require(editor.requests().first)
    editor.answer(request, judgment())
    #expect(codes(editor) == ["name.free"])
    editor.change("x.yaml", to: Self.text + "\n")
    #expect(codes(editor) == [])
    // A change sends no request to the daemon.
    #expect(editor.requests().isEmpty)
  }

  @Test func `an answer about an older text, or a document that is closed, says nothing`() throws {
    let editor = try editor()
    editor.open("x.yaml", Self.text, language: "yaml")
    let request = try #require(editor.requests().first)
    editor.change("x.yaml", to: Self.text + "\n")
    #expect(editor.answer(request, judgment()).isEmpty)
    editor.notify("textDocument/didSave", ["textDocument": ["uri": .string(editor.uri("x.yaml"))]])
    let later = try #require(editor.requests().first)
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(editor.uri("x.yaml"))]])
    #expect(editor.answer(later, judgment()).isEmpty)
    // A second answer to a request is ignored.
    #expect(editor.answer(later, judgment()).isEmpty)
  }

  private func problem(_ path: String, _ code: String, _ source: TextProblem.Source?, columns: Range<Int>)
    -> TextProblem
  {
    var problem = TextProblem()
    problem.path = path
    problem.code = code
    problem.source = source
    problem.severity = .error
    func position(_ column: Int) -> TextPosition { TextPosition(line: 1, character: column) }
    problem.range = TextRange(start: position(columns.lowerBound), end: position(columns.upperBound))
    problem.keyRange = TextRange(start: position(0), end: position(4))
    return problem
  }

  @Test func `of what a daemon finds, that is added which the server cannot find itself`() throws {
    let definition = Self.form.replacing(
      #""checks""#,
      with: #""rules": [{"id": "short", "field": "name", "check": "size(self) < 9"}], "checks""#
    )
    let editor = try editor(form: definition)
    editor.open("x.yaml", "# formd: service\nname: longer than nine\n", language: "yaml")
    #expect(codes(editor) == ["maxLength", "short"])
    let request = try #require(editor.requests().first)
    var judgment = TextJudgment()
    judgment.errors = [
      problem("/name", "maxLength", .schema, columns: 6..<22), problem("/name", "minLength", .schema, columns: 6..<22),
      problem("/$form", "additionalProperties", .schema, columns: 0..<4),
      problem("/nmae", "unknownName", nil, columns: 0..<4), problem("/name", "short", .rule, columns: 6..<22),
      problem("/name", "reads.lookup", .rule, columns: 6..<22), problem("/name", "name.free", .check, columns: 6..<22),
    ]
    editor.answer(request, .judged(judgment))
    #expect(codes(editor) == ["maxLength", "short", "reads.lookup", "name.free"])
  }

  @Test func `a value that others stand in is marked at its name, as the server does, and told once`() throws {
    let definition = #"""
      {
        "schema": { "type": "object", "properties": { "tags": { "type": "array", "items": { "type": "string" } } } },
        "rules": [ { "id": "few", "field": "tags", "check": "size(self) < 2" } ],
        "checks": [
          { "id": "tags.free", "field": "tags",
            "run": { "provider": { "name": "names", "arguments": { "tags": "self" } } },
            "outcomes": [ { "when": "response.body.free == true", "valid": true }, { "message": "Taken." } ] }
        ]
      }
      """#
    let editor = try editor(form: definition)
    editor.open("x.yaml", "# formd: service\ntags: [a, b]\n", language: "yaml")
    #expect(codes(editor) == ["few"])
    let request = try #require(editor.requests().first)
    var judgment = TextJudgment()
    judgment.errors = [
      problem("/tags", "few", .rule, columns: 6..<12), problem("/tags", "tags.free", .check, columns: 6..<12),
    ]
    editor.answer(request, .judged(judgment))
    #expect(codes(editor) == ["few", "tags.free"])
    let ranges = Set(editor.pushed("x.yaml")?.map { $0["range"] } ?? [])
    #expect(ranges == [["start": ["line": 1, "character": 0], "end": ["line": 1, "character": 4]]])
  }

  private static let unasked: [(options: JSON, form: String, text: String)] = [
    (["checks": false], form, text), ([:], form, text),
    (["checks": true], #"{"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}"#, text),
    (["checks": true], form, "name: kim\n"), (["checks": true], form, "# formd: service\nname: [\n"),
    (["checks": true], form, "# formd: other\nname: kim\n"),
  ]

  @Test(arguments: unasked)
  func `nobody is asked without the setting, a check, a form, or a text that can be read`(
    _ options: JSON,
    _ form: String,
    _ text: String
  ) throws {
    let editor = try editor(options, form: form)
    editor.open("x.yaml", text, language: "yaml")
    #expect(editor.requests().isEmpty)
  }

  @Test func `the setting counts from the moment on that it is set`() throws {
    let editor = try editor([:])
    editor.open("x.yaml", Self.text, language: "yaml")
    func set(_ checks: Bool) {
      editor.notify("workspace/didChangeConfiguration", ["settings": ["formd": ["checks": .bool(checks)]]])
    }
    set(true)
    let request = try #require(editor.requests().first)
    editor.answer(request, judgment())
    #expect(codes(editor) == ["name.free"])
    set(false)
    #expect(codes(editor) == [])
  }

  @Test func `why nobody could be asked is told once, and again after it went well`() throws {
    let editor = try editor()
    editor.open("x.yaml", Self.text, language: "yaml")
    func shown(_ answer: CheckAnswer) throws -> [JSON] {
      editor.notify("textDocument/didSave", ["textDocument": ["uri": .string(editor.uri("x.yaml"))]])
      let request = try #require(editor.requests().last)
      return editor.answer(request, answer).filter { $0["method"] == "window/showMessage" }.compactMap { $0["params"] }
    }
    #expect(try shown(.failed("no daemon")) == [["type": 2, "message": "no daemon"]])
    #expect(try shown(.failed("no daemon")) == [])
    #expect(try shown(judgment()) == [])
    #expect(codes(editor) == ["name.free"])
    // After a failure, earlier findings are not shown.
    #expect(try shown(.failed("no daemon")).count == 1)
    #expect(codes(editor) == [])
  }

  @Test func `an editor that pulls is asked to pull again`() throws {
    let editor = try editor(
      capabilities: ["textDocument": ["diagnostic": [:]], "workspace": ["diagnostics": ["refreshSupport": true]]]
    )
    editor.open("x.yaml", Self.text, language: "yaml")
    #expect(editor.diagnostics("x.yaml") == [])
    let request = try #require(editor.requests().first)
    let said = editor.answer(request, judgment())
    #expect(said.compactMap { $0["method"] } == ["workspace/diagnostic/refresh"])
    #expect(editor.diagnostics("x.yaml").compactMap { $0["code"] } == ["name.free"])
  }
}
