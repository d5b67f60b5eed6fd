import Foundation
import JSON
import Randomness
internal import SourceTexts
import Testing

@Suite struct `Texts that are being written` {
  private static let pulling: JSON = ["textDocument": ["diagnostic": [:]]]

  /// The server's answers for a document. They must not depend on the edits that led to its text.
  private func state(_ editor: Editor, _ file: String, _ target: JSON) -> [JSON] {
    let document: JSON = ["textDocument": ["uri": .string(editor.uri(file))]]
    return [
      editor.request("textDocument/diagnostic", document), editor.request("textDocument/documentSymbol", document),
      editor.request("textDocument/completion", target), editor.request("textDocument/hover", target),
      editor.request("textDocument/definition", target),
    ]
  }

  private static let examples = (try? Samples.examples(".json")) ?? []

  /// So many letters are typed between two checks: 1 with `FORMD_EVERY_PREFIX=1` (`scripts/fuzz prefixes`), which takes
  /// minutes.
  private static let typedAtOnce = ProcessInfo.processInfo.environment["FORMD_EVERY_PREFIX"] == nil ? 11 : 1

  @Test(arguments: examples.map(\.path).filter { $0.hasSuffix(".form.json") })
  func `each example form is read while it is typed, and has one problem, where it ends`(_ path: String) throws {
    let files = Dictionary(uniqueKeysWithValues: Self.examples.map { ($0.path, $0.text) })
    let text = try #require(files[path])
    let editor = try Editor(files: files, capabilities: Self.pulling)
    editor.open(path, "")
    var line: Int64 = 0
    var character: Int64 = 0
    // The last line of the typed text.
    var lastLine: Int64 = 0
    var rest = text.unicodeScalars[...]
    while rest.contains(where: { !$0.properties.isWhitespace }) {
      let typed = rest.prefix(Self.typedAtOnce)
      rest = rest.dropFirst(Self.typedAtOnce)
      let position: JSON = ["line": .integer(line), "character": .integer(character)]
      editor.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(editor.uri(path)), "version": 1],
          "contentChanges": [["range": ["start": position, "end": position], "text": .string(String(typed))]],
        ]
      )
      for scalar in typed {
        if scalar == "\n" { (line, character) = (line + 1, 0) } else { character += scalar.value > 0xffff ? 2 : 1 }
        if !scalar.properties.isWhitespace { lastLine = line }
      }
      guard rest.contains(where: { !$0.properties.isWhitespace }) else { break }
      // A half-typed name may equal the name of a member before it.
      let found = editor.diagnostics(path).filter { $0["code"] != "duplicateKey" }
      #expect(
        found.count == 1 && found[0]["severity"] == 1 && found[0]["range"]?["end"]?["line"] == .integer(lastLine),
        "\(line):\(character): \(found)"
      )
    }
    // The complete text is the repository's file, which has no problems.
    #expect(editor.diagnostics(path) == [])
  }

  /// Pieces of random edits: letters of two and three bytes, one of two units, line ends of all kinds.
  private static let pieces = [
    "é", "😀", "\r\n", "\r", "\n", "\"", "{", "}", ":", ",", "values.", "\\u00e9", "\\", "[", "]", "a", " ", "null",
    "//", "'", "\u{301}", "",
  ]

  @Test(arguments: ["login.form.json", "login.test.json"])
  func `after random edits the state equals that of a fresh server`(_ name: String) throws {
    var generator = SeededGenerator(seed: 20_261_122)
    for encoding in PositionEncoding.allCases {
      let capabilities: JSON = [
        "textDocument": ["diagnostic": [:]], "general": ["positionEncodings": [.string(encoding.rawValue)]],
      ]
      let editor = try Editor(files: ["login.form.json": Samples.login], capabilities: capabilities)
      var text = SourceText(name == "login.form.json" ? Samples.login : Samples.loginTest)
      editor.open(name, String(decoding: text.bytes, as: UTF8.self))
      for _ in 0..<60 {
        let start = Int.random(in: 0...text.bytes.count, using: &generator)
        let end = min(text.bytes.count, start + Int.random(in: 0...12, using: &generator))
        // Positions are always between code points.
        let range = text.range(start..<end, in: encoding)
        let piece = Self.pieces.randomElement(using: &generator) ?? ""
        text.replace(text.offsets(of: range, in: encoding), with: Array(piece.utf8))
        func json(_ position: TextPosition) -> JSON {
          ["line": .integer(Int64(position.line)), "character": .integer(Int64(position.character))]
        }
        editor.notify(
          "textDocument/didChange",
          [
            "textDocument": ["uri": .string(editor.uri(name)), "version": 2],
            "contentChanges": [
              ["range": ["start": json(range.start), "end": json(range.end)], "text": .string(piece)]
            ],
          ]
        )
        let position = json(text.position(of: start, in: encoding))
        let fresh = try Editor(files: ["login.form.json": Samples.login], capabilities: capabilities)
        fresh.open(name, String(decoding: text.bytes, as: UTF8.self))
        // The two folders have different names.
        let one = state(editor, name, editor.target(name, position)).description
          .replacingOccurrences(of: editor.folder.path, with: "F")
        let other = state(fresh, name, fresh.target(name, position)).description
          .replacingOccurrences(of: fresh.folder.path, with: "F")
        #expect(one.replacing(#/"resultId":"\w+"/#, with: "") == other.replacing(#/"resultId":"\w+"/#, with: ""))
      }
    }
  }

  @Test func `positions beyond everything mean the nearest place`() throws {
    let editor = try Editor(capabilities: Self.pulling)
    editor.open("a.form.json", "ab")
    for (line, character) in [(0, 99), (99, 0), (Int64.max, Int64.max), (-1, -1), (Int64.min, 5)] as [(Int64, Int64)] {
      let position: JSON = ["line": .integer(line), "character": .integer(character)]
      editor.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(editor.uri("a.form.json")), "version": .null],
          "contentChanges": [["range": ["start": position, "end": ["line": 0, "character": 0]], "text": "{}"]],
        ]
      )
      _ = state(editor, "a.form.json", editor.target("a.form.json", position))
    }
    #expect(!editor.diagnostics("a.form.json").isEmpty)
  }

  @Test func `a change of what is not open changes nothing`() throws {
    let editor = try Editor(files: ["a.form.json": "{"], capabilities: Self.pulling)
    editor.change("a.form.json", to: Samples.login)
    #expect(!editor.diagnostics("a.form.json").isEmpty)
    editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(editor.uri("a.form.json"))]])
    try editor.folder.remove("a.form.json")
    #expect(editor.diagnostics("a.form.json") == [])
  }
}
