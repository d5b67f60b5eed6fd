import JSON
internal import SourceTexts
import Testing

@Suite struct `The structure and the layout of documents` {
  private static let form = #"""
    {
      "form": "sum",
      "schema": {
        "properties": {
          "a": {"type": "integer"},
          "note": {"type": "string", "maxLength": 9},
          "place": {"$ref": "place.schema.json#/$defs/city"}
        }
      },
      "outputs": {
        "twice": "values.a * 2",
        "loud": "values.note.upperAscii() + '!'"
      }
    }
    """#
  private static let tests =
    #"{"cases": [{"name": "first", "given": {"a": 4, "note": "hi"}, "expect": {"outputs": {"twice": 8}}}, {"name": "second", "given": {"a": 1}, "expect": {"outputs": {"twice": 3}}}]}"#
  private static let files = [
    "sum.form.json": form, "sum.test.json": tests,
    "place.schema.json": ##"{"$defs": {"city": {"type": "string", "maxLength": 9}}}"##,
  ]

  private func editor(_ capabilities: JSON = [:]) throws -> Editor {
    let editor = try Editor(files: Self.files, capabilities: capabilities)
    editor.open("sum.form.json", Self.form)
    return editor
  }

  private func document(_ file: String, _ editor: Editor) -> JSON {
    ["textDocument": ["uri": .string(editor.uri(file))]]
  }

  /// The text of a range of an open document.
  private func text(_ range: JSON?, of source: String) -> String {
    let text = SourceText(source)
    func position(_ end: String) -> TextPosition {
      TextPosition(
        line: Int(range?[end]?["line"]?.integerValue ?? -1),
        character: Int(range?[end]?["character"]?.integerValue ?? -1)
      )
    }
    return String(
      decoding: text.bytes[text.offsets(of: TextRange(start: position("start"), end: position("end")), in: .utf16)],
      as: UTF8.self
    )
  }

  @Test func `all places of a name in its document are marked`() throws {
    let editor = try editor()
    let found = editor.request("textDocument/documentHighlight", editor.target("sum.form.json", of: "a\": {\"type"))
    #expect(found.arrayValue?.map { text($0["range"], of: Self.form) } == ["a", "a"])
    #expect(found.arrayValue?.map { $0["kind"] } == [3, 2])
  }

  @Test func `objects, lists and comments can be folded`() throws {
    let editor = try editor()
    let found = editor.request("textDocument/foldingRange", document("sum.form.json", editor))
    #expect(
      found.arrayValue?.map { [$0["startLine"]?.integerValue, $0["endLine"]?.integerValue] }
        == [[0, 12], [2, 7], [3, 6], [9, 11]]
    )
    editor.open("x.yaml", "# formd: sum\n# a remark\na:\n  b: 1\n  c:\n    - 1\n    - 2\n", language: "yaml")
    let lines = editor.request("textDocument/foldingRange", document("x.yaml", editor)).arrayValue ?? []
    #expect(lines.contains(["startLine": 0, "endLine": 1, "kind": "comment"]))
    #expect(lines.contains(["startLine": 2, "endLine": 6]))
  }

  @Test func `a selection grows from the text to the member and outwards`() throws {
    let editor = try editor()
    var params = document("sum.form.json", editor).objectValue ?? [:]
    params["positions"] = [editor.target("sum.form.json", of: "integer")["position"] ?? .null]
    var range = editor.request("textDocument/selectionRange", .object(params)).arrayValue?.first
    var texts: [String] = []
    while let current = range {
      texts.append(text(current["range"], of: Self.form))
      range = current["parent"]
    }
    #expect(
      texts.starts(with: [
        "integer", "\"integer\"", "\"type\": \"integer\"", "{\"type\": \"integer\"}", "\"a\": {\"type\": \"integer\"}",
      ]),
      "\(texts)"
    )
    #expect(texts.last == Self.form)
    for (inner, outer) in zip(texts, texts.dropFirst()) { #expect(outer.contains(inner)) }
  }

  @Test func `references to files are links`() throws {
    let editor = try editor()
    let links = editor.request("textDocument/documentLink", document("sum.form.json", editor)).arrayValue ?? []
    #expect(links.map { $0["target"] } == [.string(editor.uri("place.schema.json"))])
    #expect(text(links.first?["range"], of: Self.form) == "place.schema.json#/$defs/city")
    editor.open("x.yaml", "# formd: sum\na: 1\n", language: "yaml")
    let data = editor.request("textDocument/documentLink", document("x.yaml", editor)).arrayValue ?? []
    #expect(data.map { $0["target"] } == [.string(editor.uri("sum.form.json"))])
  }

  @Test(arguments: [
    ("values.note.startsWith(¦)", "string.startsWith(string) -> bool", 0), ("math.greatest(1, ¦", "math.greatest", 1),
    ("size([1, 2].map(x, ¦", "map", 1), ("'a(b'.contains('x'¦", "string.contains(string) -> bool", 0),
  ])
  func `the function at the caret has its signatures`(_ formula: String, _ label: String, _ parameter: Int64) throws {
    let editor = try editor()
    let target = editor.open("sum.form.json", Self.form.replacing("values.a * 2", with: formula))
    let help = editor.request("textDocument/signatureHelp", target)
    let labels = help["signatures"]?.arrayValue?.compactMap { $0["label"]?.stringValue } ?? []
    #expect(labels.contains { $0.contains(label) }, "\(help)")
    #expect(help["activeParameter"] == .integer(parameter))
    if label.hasPrefix("string.") {
      #expect(help["signatures"]?.arrayValue?.first?["parameters"] == [["label": "string"]])
    }
  }

  @Test func `outside of calls there is no signature`() throws {
    let editor = try editor()
    #expect(editor.request("textDocument/signatureHelp", editor.target("sum.form.json", of: "values.a")) == .null)
    #expect(editor.request("textDocument/signatureHelp", editor.target("sum.form.json", of: "sum")) == .null)
  }

  @Test func `words of formulas have their kinds`() throws {
    let editor = try editor()
    let numbers =
      editor.request("textDocument/semanticTokens/full", document("sum.form.json", editor))["data"]?.arrayValue?
      .compactMap(\.integerValue) ?? []
    let legend = ["variable", "property", "function", "method", "keyword", "string", "number", "operator", "comment"]
    var (line, character) = (0, 0)
    var words: [String] = []
    let lines = Self.form.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for start in stride(from: 0, to: numbers.count, by: 5) {
      line += Int(numbers[start])
      character = Int(numbers[start + 1]) + (numbers[start] == 0 ? character : 0)
      words.append(
        "\(lines[line].dropFirst(character).prefix(Int(numbers[start + 2]))) \(legend[Int(numbers[start + 3])])"
      )
    }
    #expect(
      words == [
        "values variable", "a property", "* operator", "2 number", "values variable", "note property",
        "upperAscii method", "+ operator", "'!' string",
      ]
    )
  }

  @Test func `a case can be run from the line above it`() throws {
    let editor = try editor()
    editor.open("sum.test.json", Self.tests)
    let lenses = editor.request("textDocument/codeLens", document("sum.test.json", editor)).arrayValue ?? []
    #expect(lenses.map { $0["command"]?["title"] } == ["Run case", "Run case"])
    for (lens, passes) in zip(lenses, [true, false]) {
      let command = lens["command"] ?? .null
      let result = editor.request(
        "workspace/executeCommand",
        ["command": command["command"] ?? .null, "arguments": command["arguments"] ?? .null]
      )
      #expect(result["passed"] == .bool(passes))
      #expect(editor.said.last?["method"] == "window/showMessage")
      #expect(editor.said.last?["params"]?["type"] == (passes ? 3 : 1))
    }
    #expect(editor.said.last?["params"]?["message"]?.stringValue?.contains("\"second\" fails") == true)
    #expect(editor.request("workspace/executeCommand", ["command": "x"])["error"]?["code"] == -32803)
  }

  @Test func `a form can be opened by an editor that has the command`() throws {
    #expect(try editor().request("textDocument/codeLens", document("sum.form.json", try editor())) == [])
    let able = try editor(["experimental": ["commands": ["commands": ["formd.openForm"]]]])
    let lenses = able.request("textDocument/codeLens", document("sum.form.json", able)).arrayValue ?? []
    #expect(lenses.map { $0["command"]?["arguments"] } == [["sum", .string(able.uri("sum.form.json"))]])
  }

  @Test func `outputs show their values at the end of the first case`() throws {
    let editor = try editor()
    var params = document("sum.form.json", editor).objectValue ?? [:]
    params["range"] = ["start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0]]
    let hints = editor.request("textDocument/inlayHint", .object(params)).arrayValue ?? []
    #expect(hints.map { $0["label"] } == ["= 8", #"= "HI!""#])
    #expect(hints.first?["tooltip"] == #"at the end of the case "first" of sum.test.json"#)
    params["range"] = ["start": ["line": 0, "character": 0], "end": ["line": 5, "character": 0]]
    #expect(editor.request("textDocument/inlayHint", .object(params)) == [])
  }

  // MARK: Formatting

  private func formatted(_ file: String, _ text: String, language: String = "json") throws -> String {
    let editor = try Editor(files: Self.files, capabilities: [:])
    editor.open(file, text, language: language)
    var params = document(file, editor).objectValue ?? [:]
    params["options"] = ["tabSize": 2, "insertSpaces": true]
    let edits = editor.request("textDocument/formatting", .object(params)).arrayValue ?? []
    return try editor.applying(edits, to: file)
  }

  @Test(arguments: [
    (#"{"a":1,"b":[1,2,{"c":null}],"d":{}}"#, "{ \"a\": 1, \"b\": [1, 2, { \"c\": null }], \"d\": {} }\n"),
    ("{\"a\":1,\n\"b\":{\n\"c\":[ ]}}", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n    ]\n  }\n}\n"),
    ("{\n  \"a\": 1,\n\n\n\n  \"b\": 2\n}", "{\n  \"a\": 1,\n\n  \"b\": 2\n}\n"),
    (
      "{ // why\n\"a\":1, // one\n/* two */ \"b\":2 // last\n// end\n}",
      "{ // why\n  \"a\": 1, // one\n  /* two */ \"b\": 2 // last\n  // end\n}\n"
    ),
    ("// first\n{\"a\":1}", "// first\n{ \"a\": 1 }\n"), ("{\"a\":\n1}", "{\n  \"a\": 1\n}\n"),
    ("{\r\n\"a\":1\r\n}", "{\r\n  \"a\": 1\r\n}\r\n"),
    ("{\"a\": \"é\\\"{:,\" ,\"b\":-1.5e3}", "{ \"a\": \"é\\\"{:,\", \"b\": -1.5e3 }\n"),
  ])
  func `JSON gets a layout, and keeps its comments`(_ text: String, _ laidOut: String) throws {
    let found = try formatted("x.jsonc", text, language: "jsonc")
    #expect(found == (laidOut.contains("[\n    ]") ? laidOut.replacing("[\n    ]", with: "[]") : laidOut))
    #expect(try formatted("x.jsonc", found, language: "jsonc") == found)
  }

  @Test func `the layout of a broken text stays`() throws {
    #expect(try formatted("a.form.json", #"{"a":1,,"b" 2}"#) == #"{"a":1,,"b" 2}"#)
    #expect(try formatted("x.yaml", "a: [1\nb:  2", language: "yaml") == "a: [1\nb:  2")
  }

  private static let examples = (try? Samples.examples(".json")) ?? []

  @Test(arguments: examples.map(\.path))
  func `a layout changes no value, and is its own layout`(_ path: String) throws {
    let text = try #require(Self.examples.first { $0.path == path }?.text)
    let once = try formatted("x.json", text)
    #expect(try JSON(parsing: once) == JSON(parsing: text))
    #expect(try formatted("x.json", once) == once)
    #expect(once.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test(arguments: [
    ("a:   1  \nb:\n  - x:  y   # why\n\n\n\nc: 'x  y'\n\n", "a: 1\nb:\n  - x: y   # why\n\nc: 'x  y'\n"),
    ("t: |\n  one:   two  \n\n\n  three\nz:   1", "t: |\n  one:   two  \n\n\n  three\nz: 1\n"),
    ("# top  \na: {b:  1}\n", "# top\na: {b:  1}\n"),
  ])
  func `YAML loses superfluous blanks, and keeps comments and texts`(_ text: String, _ laidOut: String) throws {
    #expect(try formatted("x.yaml", text, language: "yaml") == laidOut)
  }
}
