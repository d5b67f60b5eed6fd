import JSON
internal import SourceTexts
import Testing

/// A slip of the pen, its single problem, and the value that is still read.
struct Slip: Sendable, CustomTestStringConvertible {
  let text: String
  let problem: SyntaxProblem.Code
  /// The text that the problem is about.
  let about: String
  let value: JSON
  /// The text with the problem's replacement; nil if the problem has no replacement.
  var mended: String?

  var testDescription: String { text }

  init(_ text: String, _ problem: SyntaxProblem.Code, _ about: String, _ value: JSON, _ mended: String? = nil) {
    self.text = text
    self.problem = problem
    self.about = about
    self.value = value
    self.mended = mended
  }
}

func scan(_ text: String, allowsComments: Bool = false, limits: JSONLimits = .file) -> ScannedText {
  ScannedText(json: SourceText(text), allowsComments: allowsComments, limits: limits)
}

@Suite struct `A value that a text ends with` {
  @Test(arguments: ["0", "1", "-", "-0", "0.", "1e", "12.5", "\"a", "\"", "\"a\\\""])
  func `is not finished while something around it is open`(_ value: String) throws {
    for (before, token) in [("{\"a\": ", "a"), ("[", "0"), ("{\"b\": 1, \"a\": ", "a")] {
      let node = try #require(scan(before + value).root.child(token))
      #expect(node.kind == .missing || node.isUnfinished, "\(before)\(value)")
      #expect(scan(before + value + " ").root.child(token)?.isUnfinished == value.hasPrefix("\""), "\(before)\(value)")
    }
    #expect(scan(value).root.isUnfinished == value.hasPrefix("\""))
  }

  @Test(arguments: ["true", "null", "\"a\"", "{}", "[1]"])
  func `is finished when nothing can follow`(_ value: String) throws {
    let node = try #require(scan("{\"a\": " + value).root.child("a"))
    #expect(!node.isUnfinished && node.isClosed)
  }
}

@Suite struct `A slip in a text` {
  static let slips: [Slip] = [
    // Commas.
    Slip(#"{"a": 1 "b": 2}"#, .missingComma, "", ["a": 1, "b": 2], #"{"a": 1, "b": 2}"#),
    Slip(#"[1 2]"#, .missingComma, "", [1, 2], #"[1, 2]"#),
    Slip(#"[{"a": 1} {"b": 2}]"#, .missingComma, "", [["a": 1], ["b": 2]], #"[{"a": 1}, {"b": 2}]"#),
    Slip(#"{"a": 1,}"#, .trailingComma, ",", ["a": 1], #"{"a": 1}"#),
    Slip(#"[1,]"#, .trailingComma, ",", [1], #"[1]"#),
    Slip(#"[1,,2]"#, .missingValue, "", [1, .null, 2]),
    Slip(#"{,"a": 1}"#, .unexpected, ",", ["a": 1], #"{"a": 1}"#),
    Slip(#"{"a": 1,,"b": 2}"#, .unexpected, ",", ["a": 1, "b": 2], #"{"a": 1,"b": 2}"#),
    // Colons, names and values.
    Slip(#"{"a" 1}"#, .missingColon, "", ["a": 1], #"{"a": 1}"#),
    Slip(#"{"a"}"#, .missingColon, "", [:]),
    Slip(#"{"a", "b": 2}"#, .missingColon, "", ["b": 2]),
    Slip("{\"a\"\n \"b\": 2}", .missingColon, "", ["b": 2]),
    Slip(#"{"a":}"#, .missingValue, "", [:]),
    Slip(#"{"a":, "b": 2}"#, .missingValue, "", ["b": 2]),
    Slip("{\"a\":\n \"b\": 2}", .missingValue, "", ["b": 2]),
    Slip(#"{"a":: 1}"#, .unexpected, ":", ["a": 1], #"{"a": 1}"#),
    Slip(#"{: 1, "b": 2}"#, .missingName, "", ["b": 2]),
    Slip(#"{{"c": 1}, "b": 2}"#, .missingName, "", ["b": 2]),
    Slip(#"{a: 1}"#, .unquotedName, "a", ["a": 1], #"{"a": 1}"#),
    Slip(#"{oops}"#, .unexpected, "oops", [:]),
    Slip(#"{"a": 1, foo bar, "b": 2}"#, .unexpected, "foo bar", ["a": 1, "b": 2]),
    Slip(#"{"a": 1 foo}"#, .unexpected, "foo", ["a": 1]),
    Slip(#"["a": 1]"#, .unexpected, ":", ["a", 1]),
    // Brackets.
    Slip(#"{"a": [1, 2}"#, .unclosed, "", ["a": [1, 2]], #"{"a": [1, 2]}"#),
    Slip(#"{"a": [1, 2}, "b": 3}"#, .unexpected, "}", ["a": [1, 2], "b": 3], #"{"a": [1, 2], "b": 3}"#),
    Slip(#"[{"a": 1, {"b": 2}]"#, .unclosed, "", [["a": 1], ["b": 2]], #"[{"a": 1}, {"b": 2}]"#),
    Slip(#"[{"a": 1], {"b": 2}]"#, .unexpected, "]", [["a": 1], ["b": 2]], #"[{"a": 1}, {"b": 2}]"#),
    Slip(#"{"a": {"b": [1], "c": 2]}, "d": 3}"#, .unexpected, "]", ["a": ["b": [1], "c": 2], "d": 3]),
    Slip(#"[1, 2}"#, .unexpected, "}", [1, 2], #"[1, 2]"#),
    Slip(#"[1, 2}]"#, .unexpected, "}", [1, 2], #"[1, 2]"#),
    Slip(#"{"a": 1}, "b": 2}"#, .unexpected, "}", ["a": 1, "b": 2], #"{"a": 1, "b": 2}"#),
    Slip(#"{"a": 1}}"#, .trailing, "}", ["a": 1]),
    Slip(#"{"a": 1} {"b": 2}"#, .trailing, #"{"b": 2}"#, ["a": 1]),
    Slip(#"{"a": [{"b": 1"#, .unclosed, "", ["a": [["b": 1]]], #"{"a": [{"b": 1}]}"#),
    Slip("]", .unexpected, "]", .null),
    // Texts.
    Slip("{\"a\": \"x,\n \"b\": 2}", .unclosedString, "\"x", ["a": "x", "b": 2], "{\"a\": \"x\",\n \"b\": 2}"),
    Slip("{\"a\": \"x}\n", .unclosedString, "\"x", ["a": "x"], "{\"a\": \"x\"}\n"),
    Slip("{\"a: 1,\n \"b\": 2}", .unclosedString, "\"a", ["a": 1, "b": 2], "{\"a\": 1,\n \"b\": 2}"),
    Slip(#"{"a: "x", "b": 2}"#, .unclosedString, "\"a", ["a": "x", "b": 2], #"{"a": "x", "b": 2}"#),
    Slip(#"{"a": "x, "b": 2}"#, .unclosedString, "\"x", ["a": "x", "b": 2], #"{"a": "x", "b": 2}"#),
    Slip(#"{'a': 1}"#, .singleQuotes, "'a'", ["a": 1], #"{"a": 1}"#),
    Slip(#"{"a": 'x"y'}"#, .singleQuotes, #"'x"y'"#, ["a": "x\"y"], #"{"a": "x\"y"}"#),
    Slip(#"["\x"]"#, .escape, #"\x"#, ["x"]),
    Slip(#"["\ud800."]"#, .escape, #"\ud800"#, ["\u{fffd}."]),
    Slip(#"["\u12"]"#, .escape, #"\u"#, ["12"]),
    Slip("[\"a\tb\"]", .controlCharacter, "\t", ["a\tb"], #"["a\tb"]"#),
    // Words and numbers.
    Slip(#"{"a": True}"#, .unknownWord, "True", ["a": true], #"{"a": true}"#),
    Slip(#"{"a": tru, "b": 2}"#, .unknownWord, "tru", ["b": 2], #"{"a": true, "b": 2}"#),
    Slip(#"{"a": hello world, "b": 2}"#, .unknownWord, "hello world", ["b": 2], #"{"a": "hello world", "b": 2}"#),
    Slip(#"{"a": aflse}"#, .unknownWord, "aflse", [:], #"{"a": false}"#),
    Slip(#"{"a": trua, "b": 2}"#, .unknownWord, "trua", ["b": 2], #"{"a": true, "b": 2}"#),
    Slip(#"{"a": none", "b": 2}"#, .unclosedString, "none\"", ["a": "none", "b": 2], #"{"a": "none", "b": 2}"#),
    Slip(
      "{\n  \"a\": {\n    \"x\": 1,\n  \"b\": {\n    \"y\": [2]\n  }\n}\n",
      .unclosed,
      "",
      ["a": ["x": 1, "b": ["y": [2]]]],
      "{\n  \"a\": {\n    \"x\": 1},\n  \"b\": {\n    \"y\": [2]\n  }\n}\n"
    ),
    Slip(#"[1, 2 x]"#, .unknownWord, "x", [1, 2, .null]),
    Slip(#"[+1]"#, .number, "+1", [1], "[1]"),
    Slip(#"[.5]"#, .number, ".5", [0.5], "[0.5]"),
    Slip(#"[01]"#, .number, "01", [1], "[1]"),
    Slip(#"[NaN]"#, .number, "NaN", [.null]),
    Slip(#"[9223372036854775808]"#, .integerRange, "9223372036854775808", [9223372036854775808.0]),
    Slip(#"[1e999]"#, .realRange, "1e999", [.null]),
    // Comments and characters.
    Slip("[1 // one\n]", .comment, "// one", [1], "[1 \n]"),
    Slip("[/* one */ 1]", .comment, "/* one */", [1], "[ 1]"),
    Slip("\u{feff}[]", .byteOrderMark, "\u{feff}", [], "[]"),
    Slip(#"{"a": 1, "a": 2}"#, .duplicateKey, #""a""#, ["a": 1]),
    Slip(#"{"\u0000": 1}"#, .nulInKey, #""\u0000""#, ["\u{0}": 1]),
    Slip("", .missingValue, "", .null),
  ]

  @Test(arguments: slips) func `costs one problem`(_ slip: Slip) throws {
    let scanned = scan(slip.text)
    #expect(scanned.problems.map(\.code) == [slip.problem])
    let problem = try #require(scanned.problems.first)
    #expect(String(decoding: scanned.source.bytes[problem.range], as: UTF8.self) == slip.about)
    #expect(scanned.value == slip.value)
    var mended = scanned.source
    if let replacement = problem.replacement, let expected = slip.mended {
      mended.replace(problem.range, with: Array(replacement.utf8))
      #expect(String(decoding: mended.bytes, as: UTF8.self) == expected)
      #expect(ScannedText(json: mended).problems.isEmpty)
    } else {
      #expect(slip.mended == nil)
    }
  }

  @Test func `of bytes that are no UTF-8 is told where they stand`() {
    let scanned = ScannedText(json: SourceText([UInt8]("[\"a".utf8) + [0xff, 0xfe] + [UInt8]("\"]".utf8)))
    #expect(scanned.problems.map(\.code) == [.utf8] && scanned.problems.first?.range.lowerBound == 3)
  }

  @Test func `beyond a limit is one problem`() {
    let limits = JSONLimits(depthMax: 2, nodesMax: 5)
    let deep = scan(#"[[[[1],"]"],2],3]"#, limits: limits)
    #expect(deep.problems.map(\.code) == [.depth] && deep.value == [[.null, 2], 3])
    let many = scan("[1,2,3,4,5,6]", limits: limits)
    #expect(many.problems.map(\.code) == [.nodes] && many.value == [1, 2, 3, 4])
    #expect(scan("[1,2,3,4]", limits: limits).problems.isEmpty)
    #expect(scan(String(repeating: "[", count: 100_000)).problems.map(\.code) == [.depth, .unclosed])
  }

  @Test func `that comes ten thousand times is counted`() {
    let scanned = scan("[" + String(repeating: "x,", count: 10_000) + "1]")
    #expect(scanned.problems.count == 100 && scanned.problemCount == 10_000)
  }

  @Test func `is none in JSON with comments where that allows it`() {
    let scanned = scan("{ // a\n \"a\": [1, /* b */],\n}", allowsComments: true)
    #expect(scanned.problems.isEmpty && scanned.value == ["a": [1]])
    #expect(scan("[1] /* x", allowsComments: true).problems.map(\.code) == [.comment])
  }
}

@Suite struct `A scanned text` {
  private let text = "{\n  \"a\": {\"b\\n\": [10, \"x\\ud83d\\ude00y\"]},\n  \"é\": true\n}"

  @Test(
    arguments: [
      ("", 1, 1), ("/a", 2, 8), ("/a/b\n/0", 2, 17), ("/a/b\n/1", 2, 21), ("/é", 3, 8), ("/a/nope", 2, 8),
    ]
  )
  func `has places by pointer`(_ pointer: String, _ line: Int, _ column: Int) throws {
    let pointer = try #require(JSONPointer(pointer))
    #expect(scan(text).position(of: pointer) == LineColumn(line: line, column: column))
  }

  @Test func `has the places of names, and those within texts`() throws {
    let scanned = scan(text)
    #expect(scanned.positionOfName(JSONPointer(tokens: ["é"])) == LineColumn(line: 3, column: 3))
    // After the x and the escaped pair: 1 for the quote, 1 for x, 12 for the pair.
    let inside = try #require(scanned.offset(at: JSONPointer(tokens: ["a", "b\n", "1"]), codePoint: 2))
    #expect(scanned.source.position(of: inside) == LineColumn(line: 2, column: 21 + 14))
    #expect(scanned.offset(at: JSONPointer(tokens: ["é"]), codePoint: 0) == nil)
  }

  @Test(
    arguments: [
      ("/a", "{\"b\\n\": [10, \"x\\ud83d\\ude00y\"]}"), ("/a/b\n", "[10, \"x\\ud83d\\ude00y\"]"), ("/a/b\n/0", "10"),
      ("/é", "true"),
    ]
  )
  func `has the bytes of a value`(_ pointer: String, _ value: String) throws {
    let scanned = scan(text)
    let position = try #require(JSONPointer(pointer))
    let node = try #require(scanned.node(at: position))
    #expect(String(decoding: scanned.source.bytes[node.range], as: UTF8.self) == value)
    #expect(node.pointer == position)
    #expect(scanned.root.range == 0..<text.utf8.count && scanned.node(at: JSONPointer(tokens: ["b"])) == nil)
  }

  @Test func `finds members and elements of large values`() {
    let members = (0..<500).map { "\"m\($0)\": [\((0..<20).map(String.init).joined(separator: ","))]" }
    let scanned = scan("{\(members.joined(separator: ","))}")
    for index in stride(from: 0, to: 500, by: 7) {
      let pointer = JSONPointer(tokens: ["m\(index)", "19"])
      #expect(scanned.node(at: pointer)?.pointer == pointer)
    }
    #expect(scanned.node(at: JSONPointer(tokens: ["m0", "20"])) == nil)
  }

  /// A bar marks the cursor.
  @Test(
    arguments: [
      (#"{|}"#, "", .newName), (#"{"a|b": 1}"#, "/ab", .name), (#"{"ab"|: 1}"#, "", .elsewhere),
      (#"{"ab":| 1}"#, "/ab", .newValue), (#"{"ab": |1}"#, "/ab", .value), (#"{"ab": 1|}"#, "/ab", .value),
      (#"{"ab": "x|"}"#, "/ab", .value), (#"{"ab": "x"|}"#, "", .elsewhere), (#"{"ab": 1,|}"#, "", .newName),
      (#"{"ab": 1, |"c": 2}"#, "/c", .name), (#"{"ab":|"#, "/ab", .newValue), (#"{"ab|"#, "/ab", .name),
      (#"{"ab": "|"#, "/ab", .value), (#"{"ab": [1, |]}"#, "/ab/1", .newValue), (#"{"ab": [|]}"#, "/ab/0", .newValue),
      (#"{"ab": [1|]}"#, "/ab/0", .value), (#"{"ab": [1, 2]|}"#, "", .elsewhere), ("{\"ab\": 1\n |}", "", .newName),
      (#"{"ab": tr|}"#, "/ab", .value), ("{ // x|\n}", "", .comment), ("{ /* x */| }", "", .newName),
      (#"|{"a": 1}"#, "", .value), (#"{"a": 1}|"#, "", .elsewhere), ("|", "", .newValue), (" {} |", "", .elsewhere),
      (#"{"a": {"b": |}}"#, "/a/b", .newValue), (#"{"a":| , "b": 1}"#, "/a", .newValue),
      (#"{"a": , |"b": 1}"#, "/b", .name), (#"[1, |2]"#, "/1", .value), (#"[[1], |"#, "/1", .newValue),
      ("{\"a\":\n | \n \"b\": 1}", "/a", .newValue),
    ] as [(String, String, TextPath.Spot)]
  )
  func `says what an offset is within`(_ text: String, _ pointer: String, _ spot: TextPath.Spot) throws {
    let bar = try #require(text.utf8.firstIndex(of: UInt8(ascii: "|")))
    let path = scan(text.replacing("|", with: "")).path(atOffset: text.utf8.distance(from: text.startIndex, to: bar))
    #expect(path.pointer.description == pointer && path.spot == spot)
  }
}
