import DataLanguages
import JSON
internal import SourceTexts
import Testing

private func environment(_ text: String, _ limits: JSONLimits = .file) -> ScannedText {
  ScannedText(SourceText(text), language: .env, limits: limits)
}

@Suite struct `Reading an environment` {
  @Test(
    arguments: [
      ("A=1\nB=two words # why\nC=\n", ["A": "1", "B": "two words", "C": ""]),
      ("export A=x\r\n  # comment\r\n\r\nB = y \r\n", ["A": "x", "B": "y"]),
      ("A='it''s'\n", ["A": "it"]),
      ("A=\"a\\n\\t\\\"\\\\\\$b\\x\" # c\nB='a\\n#'\n", ["A": "a\n\t\"\\$b\\x", "B": "a\\n#"]),
      ("A=\"one\ntwo\"\nB=2", ["A": "one\ntwo", "B": "2"]),
      ("URL=postgres://u:p@h/d?x=1#y\nE=é$HOME\n", ["URL": "postgres://u:p@h/d?x=1#y", "E": "é$HOME"]),
      ("export=1\nexported=2\nA_B.c-d=3\n", ["export": "1", "exported": "2", "A_B.c-d": "3"]),
      ("\u{feff}A=1", ["A": "1"]), ("", [:]),
    ] as [(String, JSON)]
  )
  func `gives texts`(_ text: String, _ value: JSON) {
    let scanned = environment(text)
    #expect(scanned.value == value)
    #expect(scanned.problems.map(\.code) == (text.contains("''s") ? [.unexpected] : []))
    checkInvariants(of: scanned)
  }

  @Test(
    arguments: [
      ("A=1\noops here\nB=2\n", .line, "oops here", ["A": "1", "B": "2"]),
      ("A=1\n=x\n", .line, "=x", ["A": "1"]),
      ("A=\"x\nB=2\n", .unclosedString, "\"x", ["A": "x", "B": "2"]),
      ("A='x' y\nB=2\n", .unexpected, "y", ["A": "x", "B": "2"]),
      ("A=1\nA=2\n", .duplicateKey, "A", ["A": "1"]),
    ] as [(String, SyntaxProblem.Code, String, JSON)]
  )
  func `tells a slip once, and reads the rest`(
    _ text: String,
    _ code: SyntaxProblem.Code,
    _ about: String,
    _ value: JSON
  )
    throws
  {
    let scanned = environment(text)
    let problem = try #require(scanned.problems.first)
    #expect(scanned.problemCount == 1 && problem.code == code && scanned.value == value)
    #expect(String(decoding: scanned.source.bytes[problem.range], as: UTF8.self) == about)
  }

  @Test func `keeps the places of names and values`() throws {
    let scanned = environment("# é\nexport A=\"x y\"\nB=z # w\n")
    let first = try #require(scanned.node(at: JSONPointer(tokens: ["A"])))
    #expect(scanned.source.range(first.range, in: .utf16).description == "1:9-1:14")
    #expect(first.keyRange.map { scanned.source.range($0, in: .utf16).description } == "1:7-1:8")
    let second = try #require(scanned.node(at: JSONPointer(tokens: ["B"])))
    #expect(scanned.source.range(second.range, in: .utf16).description == "2:2-2:3")
  }

  @Test func `keeps to the limits`() {
    #expect(environment("A=1\nB=2\nC=3\n", JSONLimits(depthMax: 4, nodesMax: 2)).problems.map(\.code) == [.nodes])
    #expect(ScannedText(SourceText([0x41, 0x3d, 0xff]), language: .env).problems.map(\.code) == [.utf8])
  }
}

@Suite struct `The language of a file` {
  @Test(
    arguments: [
      ("a.json", .json), ("x/b.test.JSON", .json), ("c.jsonc", .jsonc), ("d.yaml", .yaml), ("d.yml", .yaml),
      (".env", .env),
      ("prod.env", .env), (".env.local", .env), ("notes.txt", nil), ("", nil), ("json", nil),
    ] as [(String, DataLanguage?)]
  )
  func `is told by its name`(_ name: String, _ language: DataLanguage?) {
    #expect(DataLanguage(fileName: name) == language)
  }

  @Test func `says how its text is read`() {
    let text = SourceText("{\"a\": [1,], // x\n}")
    #expect(ScannedText(text, language: .json).problems.map(\.code) == [.trailingComma, .trailingComma, .comment])
    #expect(ScannedText(text, language: .jsonc).problems.isEmpty)
    #expect(DataLanguage.allCases.filter(\.hasOnlyTexts) == [.env])
  }
}
