import DataLanguages
import JSON
import Randomness
internal import SourceTexts
import Testing

private func yaml(_ text: String, _ limits: JSONLimits = .file) -> ScannedText {
  ScannedText(SourceText(text), language: .yaml, limits: limits)
}

/// The text that a range has.
private func text(_ scanned: ScannedText, _ range: Range<Int>) -> String {
  String(decoding: scanned.source.bytes[range], as: UTF8.self)
}

@Suite struct `Reading YAML` {
  @Test func `a backslash that begins no escape is told with what to write`() {
    let text = ScannedText(SourceText(#"email: "a\dx""#), language: .yaml)
    #expect(text.problems.map(\.message).first?.contains(#"write \\ for a backslash"#) == true, "\(text.problems)")
    let code = ScannedText(SourceText(#"email: "a\xzz""#), language: .yaml)
    #expect(code.problems.map(\.message).first?.contains("write a code such as") == true, "\(code.problems)")
  }

  @Test(
    arguments: [
      ("a: 1\nb: [x, 'y', \"z\\u00e9\"]\nc:\n  d: null\n", ["a": 1, "b": ["x", "y", "zé"], "c": ["d": .null]]),
      ("- 1\n- - 2\n  - 3\n-\n", [1, [2, 3], .null]),
      ("a: |\n  one\n  two\nb: >-\n  one\n  two\n", ["a": "one\ntwo\n", "b": "one two"]),
      ("a:\n- 1\n- b: 2\n", ["a": [1, ["b": 2]]]),
      ("{a: 1, b: [2], c}", ["a": 1, "b": [2], "c": .null]),
      ("# only\n1: one\ntrue: two\n", ["1": "one", "true": "two"]),
      ("x", "x"), ("--- 5\n...\n", 5), ("%YAML 1.2\n---\na: 1\n", ["a": 1]),
      ("a: &x [1, 2]\nb: *x\nc: {<<: *x}\n", ["a": [1, 2], "b": [1, 2], "c": ["<<": [1, 2]]]),
      ("&k a: 1\nb: *k\n*k : 2\n", ["a": 1, "b": "a"]),
      ("\u{feff}a: é\r\nb: 😀\r\n", ["a": "é", "b": "😀"]),
      ("a: !!str 1\nb: !!int '2'\nc: ! 3\nd: !!float 4\n", ["a": "1", "b": 2, "c": "3", "d": 4.0]),
    ] as [(String, JSON)]
  )
  func `gives the values of JSON`(_ text: String, _ value: JSON) {
    let scanned = yaml(text)
    #expect(scanned.value == value)
    #expect(scanned.problems.map(\.code) == (text.contains("*k :") ? [.duplicateKey] : []))
    checkInvariants(of: scanned)
  }

  /// YAML 1.2.2, section 10.3.2.
  @Test(
    arguments: [
      ("null", .null), ("~", .null), ("Null", .null), ("NULL", .null), ("nULL", "nULL"), ("true", true),
      ("False", false),
      ("yes", "yes"), ("no", "no"), ("on", "on"), ("12", 12), ("-7", -7), ("+7", 7), ("012", 12), ("0o17", 15),
      ("0x1F", 31),
      ("0o9", "0o9"), ("1_000", "1_000"), ("1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("-.5e3", -500.0), ("1e3", 1000.0),
      ("1e", "1e"), (".", "."), ("-", "-"), ("1.2.3", "1.2.3"), ("2026-11-22", "2026-11-22"), ("0x", "0x"), ("+", "+"),
      ("12:30", "12:30"), ("'12'", "12"), ("\"true\"", "true"),
    ] as [(String, JSON)]
  )
  func `resolves scalars by the core schema`(_ text: String, _ value: JSON) {
    guard text != "-" else { return }
    let scanned = yaml("a: \(text)\n")
    #expect(scanned.problems.isEmpty && scanned.value == ["a": value])
    #expect(scanned.value["a"]?.typeName == value.typeName)
  }

  @Test func `keeps the places of names and values`() {
    let scanned = yaml("é: 'x'\r\nlist: # why\r\n  - {😀: 1}\r\n  - |\r\n    a\r\n    b\r\n\r\nlast: 2\r\n")
    #expect(scanned.problems.isEmpty)
    func node(_ pointer: String) -> ScannedNode {
      JSONPointer(pointer).flatMap { scanned.node(at: $0) } ?? scanned.root
    }
    #expect(text(scanned, node("/é").keyRange ?? 0..<0) == "é" && text(scanned, node("/é").range) == "'x'")
    #expect(text(scanned, node("/list/0").range) == "{😀: 1}")
    #expect(text(scanned, node("/list/0/😀").keyRange ?? 0..<0) == "😀")
    #expect(text(scanned, node("/list/1").range) == "|\r\n    a\r\n    b")
    #expect(text(scanned, node("/list").range) == "- {😀: 1}\r\n  - |\r\n    a\r\n    b")
    #expect(scanned.source.range(node("/last").range, in: .utf16).description == "7:6-7:7")
    #expect(scanned.source.range(node("/list/0/😀").range, in: .utf16).description == "2:9-2:10")
  }

  @Test func `gives what an alias brings the place of the alias`() throws {
    let scanned = yaml("a: &x {b: 1}\nc: *x\n")
    let node = try #require(scanned.node(at: JSONPointer(tokens: ["c", "b"])))
    #expect(text(scanned, node.range) == "*x" && node.keyRange == node.range && node.value == 1)
  }
}

@Suite struct `A byte order mark in YAML` {
  @Test(arguments: [
    "\u{feff}a: é\n", "# c\n\u{feff}a: é\n", "\n  # c\r\n\n\u{feff}# d\na: é\n", "\u{feff}# c\n\u{feff}a: é\n",
    "# é\n\u{feff}---\na: é\n",
  ])
  func `may follow comments`(_ source: String) throws {
    let scanned = yaml(source)
    #expect(scanned.problems.isEmpty && scanned.value == ["a": "é"])
    let node = try #require(scanned.node(at: JSONPointer(tokens: ["a"])))
    #expect(text(scanned, node.range) == "é")
    checkInvariants(of: scanned)
  }

  @Test(arguments: ["a: 1\n\u{feff}b: 2\n", "# c\n \u{feff}a: 1\n", "# c \u{feff}\na: 1\n"])
  func `has no place elsewhere`(_ source: String) {
    #expect(yaml(source).problems.map(\.code).contains(.utf8))
  }
}

@Suite struct `A slip in YAML` {
  @Test(
    arguments: [
      ("a: 1\nlab\nb: 2\n", .syntax, "lab", ["a": 1, "b": 2]),
      ("a: 'x\nb: 2\n", .syntax, "'x", ["b": 2]),
      ("a: [1, 2\nb: 3\n", .syntax, "[1, 2", ["b": 3]),
      ("a: 1\n b: 2\nc: 3\n", .syntax, ": 2", ["a": 1, "c": 3]),
      ("a: 1\n\tb: 2\nc: 3\n", .syntax, "b: 2", ["a": 1, "c": 3]),
      ("a: b: c\nd: 1\n", .syntax, ": c", ["d": 1]),
      ("a: *x\nb: 1\n", .alias, "*x", ["b": 1]),
      ("a: &x [*x]\n", .alias, "*x", ["a": [.null]]),
      ("a: 1\n---\nb: 2\n", .documents, "---", ["a": 1]),
      ("a: 1\na: 2\n", .duplicateKey, "a", ["a": 1]),
      ("? [1]\n: 2\nb: 3\n", .nameType, "[", ["b": 3]),
      ("a: .nan\n", .number, ".nan", [:]),
      ("a: 9223372036854775808\n", .integerRange, "9223372036854775808", ["a": 9223372036854775808.0]),
      ("a: !x 1\n", .tag, "!x 1", ["a": 1]),
      ("a: !!int x\n", .tag, "!!int x", ["a": "x"]),
      ("a: b\u{1}c\nd: 1\n", .controlCharacter, "\u{1}", ["a": "b?c", "d": 1]),
      ("", nil, "", .null), ("# only a comment\n", nil, "", .null), ("a:\n", nil, "", ["a": .null]),
    ] as [(String, SyntaxProblem.Code?, String, JSON)]
  )
  func `costs one problem, and the rest is read`(
    _ source: String,
    _ code: SyntaxProblem.Code?,
    _ about: String,
    _ value: JSON
  ) {
    let scanned = yaml(source)
    #expect(scanned.problems.map(\.code) == (code.map { [$0] } ?? []))
    if let problem = scanned.problems.first { #expect(text(scanned, problem.range) == about) }
    #expect(scanned.value == value)
    checkInvariants(of: scanned)
  }

  @Test func `of bytes that are no UTF-8 moves nothing`() throws {
    let scanned = ScannedText(SourceText(Array("a: x".utf8) + [0xff] + Array("\nb: é\n".utf8)), language: .yaml)
    #expect(scanned.problems.map(\.code) == [.utf8] && scanned.value == ["a": "x?", "b": "é"])
    #expect(scanned.node(at: JSONPointer(tokens: ["b"]))?.range == 9..<11)
  }

  @Test func `or a bomb costs little`() {
    var bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
    for level in 1...30 {
      bomb += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ",") + "]\n"
    }
    let scanned = yaml(bomb)
    #expect(scanned.problems.allSatisfy { $0.code == .alias } && scanned.problemCount > 0)
    let chain = "a0: &a0 [x]\n" + (1...400).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
    #expect(yaml(chain, JSONLimits(depthMax: 100, nodesMax: 100_000)).problems.first?.code == .alias)
    #expect(
      yaml(
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        JSONLimits(depthMax: 64, nodesMax: 1_000)
      ).problems.contains {
        $0.code == .depth
      }
    )
    #expect(
      yaml(String(repeating: "- 1\n", count: 5_000), JSONLimits(depthMax: 64, nodesMax: 1_000)).problems.map(\.code)
        == [
          .nodes
        ]
    )
    #expect(yaml(String(repeating: "x\n: 1\n  y", count: 300)).problemCount <= 12)
  }

  @Test(arguments: 1...30) func `of any kind keeps the ranges in order`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a: ", "b:", "- ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ",", "'", "\"", "|", ">", "&x ", "*x", "? ", ": ",
      "#c", "é", "😀",
      "\r\n", "\t", "---", "!!str ", "%YAML", "\u{85}", "1", "null", "\u{2028}", "\u{0}", "\\", "<<: *x",
    ]
    for _ in 0..<60 {
      let text = (0..<random.below(25)).map { _ in random.pick(pieces) }.joined()
      var bytes = Array(text.utf8)
      if random.chance(20), !bytes.isEmpty { bytes[random.below(bytes.count)] = 0xc3 }
      let scanned = ScannedText(SourceText(bytes), language: .yaml)
      checkInvariants(of: scanned, "\(text.debugDescription)")
      _ = scanned.value
    }
  }
}

/// Checks the invariants of every text.
func checkInvariants(of scanned: ScannedText, _ comment: Comment? = nil) {
  let count = scanned.source.bytes.count
  for problem in scanned.problems {
    #expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= count, comment)
  }
  var waiting = [scanned.root]
  while let node = waiting.popLast() {
    #expect(node.range.lowerBound >= 0 && node.range.upperBound <= count, comment)
    var end = node.range.lowerBound
    for child in node.children {
      let isAlias = child.range == node.range
      let start = child.keyRange?.lowerBound ?? child.range.lowerBound
      #expect(isAlias || start >= end, comment)
      #expect(child.range.upperBound <= node.range.upperBound, comment)
      if let key = child.keyRange { #expect(isAlias || key.upperBound <= child.range.lowerBound, comment) }
      end = child.range.upperBound
      waiting.append(child)
    }
  }
}

@Suite struct `Positions in texts of YAML` {
  /// Each text has its value at `/a`, and the name `bc` in it. `¦` is before the name.
  static let texts = [
    "a: ab + ¦bc\n", "a: ab\n  + ¦bc\n", "a: 'it''s ¦bc'\n", "a: 'it''s\n\n  ¦bc'\n",
    "a: \"\\u00e9\\n\\\"¦bc\"\n",
    "a: \"x \\\n  y ¦bc\"\n", "a: |\n    ab\n      + ¦bc\n", "a: |2-\n    ab\n\n  + ¦bc\n",
    "a: > # why\n  ab\n  + ¦bc\n",
    "a: >-\n  ab\n\n\n    more\n  + ¦bc\n", "a: &x !!str 'ab ¦bc'\n", "a: 한글 + ¦bc\r\n",
    "a: |\r\n  ab\r\n  ¦bc\r\n",
    "{a: [ ab, 1 ], b: \"😀\", c: { a: x }}\n",
  ]

  @Test(arguments: texts.filter { $0.contains("¦") })
  func `a code point of a text is found where it is written`(_ marked: String) throws {
    let text = marked.replacing("¦", with: "")
    let scanned = ScannedText(SourceText(text), language: .yaml)
    let value = try #require(scanned.value["a"]?.stringValue)
    let start = try #require(value.firstRange(of: "bc")).lowerBound
    let count = value.unicodeScalars[..<start].count
    let expected = try #require(marked.firstRange(of: "¦")).lowerBound
    let offset = scanned.offset(at: JSONPointer(tokens: ["a"]), codePoint: count)
    #expect(offset == marked.utf8[..<expected].count)
  }

  @Test func `the content of an alias is written elsewhere`() {
    let scanned = ScannedText(SourceText("a: &x text\nb: *x\n"), language: .yaml)
    #expect(scanned.value["b"] == "text")
    #expect(scanned.offset(at: JSONPointer(tokens: ["b"]), codePoint: 1) == nil)
  }

  @Test func `every text has a place within its value, or none`() {
    for text in Self.texts {
      let text = text.replacing("¦", with: "")
      for cut in text.indices {
        let scanned = ScannedText(SourceText(String(text[..<cut])), language: .yaml)
        guard let node = scanned.node(at: JSONPointer(tokens: ["a"])) else { continue }
        for count in 0...(node.value.stringValue?.unicodeScalars.count ?? 0) {
          guard let offset = scanned.offset(at: JSONPointer(tokens: ["a"]), codePoint: count) else { continue }
          #expect(node.range.contains(offset) || offset == node.range.upperBound, "\(text[..<cut]) \(count)")
        }
      }
    }
  }
}
