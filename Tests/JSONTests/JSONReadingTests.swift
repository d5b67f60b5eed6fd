import JSON
import Testing

@Suite struct `reading JSON` {
  @Test(
    arguments: [
      ("{\"a\":1", .truncated), ("{\"a\":1}x", .trailing), ("{oops", .syntax), ("", .truncated),
      ("{\"a\":1,\"a\":2}", .duplicateKey), ("9223372036854775808", .integerRange),
      ("-9223372036854775809", .integerRange),
      ("1e999", .realRange), ("{\"\\u0000\":1}", .nulInKey), ("[1\u{0}]", .nul),
      ("\"\\ud800\"", .surrogate), ("[\"a\\udc00\"]", .surrogate), ("{\"\\ud83d\":1}", .surrogate),
      ("\"\\ud83d\\ud83d\"", .surrogate), ("\"\\ud83d\\u0041\"", .surrogate), ("\"\\ud83d\\n\"", .surrogate),
      ("\"\\ud83\"", .syntax), ("\"\\ud83d\\u\"", .syntax),
      ("12\u{0}", .nul),
      ("\u{feff}{}", .syntax),
    ] as [(String, JSONReadError.Reason)]
  )
  func `names the reason of a refusal`(_ text: String, _ reason: JSONReadError.Reason) {
    let error = #expect(throws: JSONReadError.self) { try JSON(parsing: text) }
    #expect(error?.reason == reason)
  }

  @Test func `refuses bytes that are no UTF-8`() {
    let error = #expect(throws: JSONReadError.self) { try JSON(parsing: [0x22, 0xff, 0x22]) }
    #expect(error?.reason == .utf8)
  }

  @Test func `says where`() {
    let error = #expect(throws: JSONReadError.self) { try JSON(parsing: "{\n  \"ä\": tru\n}") }
    #expect(error?.position == LineColumn(line: 2, column: 8))
  }

  @Test(
    arguments: [
      ("1.0", .real(1.0)), ("-0.0", .real(-0.0)), ("1", .integer(1)), ("9223372036854775807", .integer(.max)),
      ("\"\\u0000\"", .string("\u{0}")), ("null", .null), ("[]", []), ("{\"b\":1,\"a\":2}", ["b": 1, "a": 2]),
    ] as [(String, JSON)]
  )
  func `keeps values as they are written`(_ text: String, _ value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
    #expect(try JSON(parsing: text).description == (text == "\"\\u0000\"" ? text : value.description))
  }

  @Test func `keeps the order of members`() throws {
    #expect(try JSON(parsing: "{\"z\":1,\"a\":2,\"m\":3}").objectValue?.names == ["z", "a", "m"])
  }
}

@Suite struct `limits of what is read` {
  private func violation(of text: String, _ limits: JSONLimits) -> JSONReadError? {
    do throws(JSONReadError) {
      _ = try JSON(parsing: text, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func `allow depth up to them and name the place beyond it`() {
    let limits = JSONLimits(depthMax: 4, nodesMax: 100)
    #expect(violation(of: "[[[[1]]]]", limits) == nil)
    let beyond = violation(of: "{\"a\":[[[[1]]]]}", limits)
    #expect(beyond?.path == "/a/0/0/0")
    #expect(beyond?.reason == .depth)
    #expect(beyond?.offset == 8)
  }

  @Test func `allow values up to them and name the place beyond it`() {
    let limits = JSONLimits(depthMax: 64, nodesMax: 4)
    #expect(violation(of: "[1,2,3]", limits) == nil)
    let beyond = violation(of: "[1,2,3,4]", limits)
    #expect(beyond?.reason == .nodes)
    #expect(beyond?.path == "/3")
    #expect(beyond?.position == LineColumn(line: 1, column: 8))
  }

  @Test(arguments: [
    // Every kind of value counts. Values inside texts and empty brackets do not count.
    ("[\"a,b\",[ ],{\n},null]", nil), ("[[],[],[],[],[]]", "/4"), ("[[1,2],[3,4]]", "/1/0"),
    ("{\"a\":{},\"b\":{\"c\":[], \"d\\\"/é\" :[1]}}", "/b/d\"~1é/0"),
    ("{\"a\":1,\"b\":\"\\\\\",\"c\":[\"[\",2]}", "/c/1"), ("[ 1 , 2 , 3 , 4 , 5 ]", "/4"),
  ])
  func `count what a tree would have`(_ text: String, _ path: String?) {
    #expect(violation(of: text, JSONLimits(depthMax: 3, nodesMax: 5))?.path == path)
    #expect(violation(of: text, .file) == nil)
  }

  @Test func `are looked at before anything is built`() {
    // A reader that first reads the whole text finds that its end is missing.
    #expect(violation(of: "[{},{},{},{}", JSONLimits(depthMax: 64, nodesMax: 4))?.reason == .nodes)
    #expect(
      violation(of: String(repeating: "[", count: 200), JSONLimits(depthMax: 64, nodesMax: 1_000))?.reason == .depth
    )
  }

  @Test(
    arguments: [
      (",,,,,,,,,,", .syntax), ("[,1,2,3,4,5,6]", .syntax), ("[1,,2,3,4,5,6]", .syntax), ("{1,2,3,4,5,6,7}", .syntax),
      ("[]],[1,2,3,4,5]", .trailing), ("[\"1,2,3,4,5,6,7", .truncated), ("[1,2,", .truncated),
    ] as [(String, JSONReadError.Reason)]
  )
  func `say nothing of what ends before them`(_ text: String, _ reason: JSONReadError.Reason) {
    #expect(violation(of: text, JSONLimits(depthMax: 3, nodesMax: 4))?.reason == reason)
  }
}

@Suite struct `JSON pointers` {
  /// RFC 6901, section 5.
  private static let document: JSON = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
  ]

  @Test(
    arguments: [
      ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
      ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ] as [(String, JSON)]
  )
  func `lead where RFC 6901 says`(_ text: String, _ value: JSON) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(Self.document.value(at: pointer) == value)
    #expect(pointer.description == text)
  }

  @Test(arguments: ["foo", "/~", "/~2", "/a~"])
  func `are refused when they are none`(_ text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test(arguments: ["/foo/2", "/foo/00", "/foo/-", "/foo/+1", "/nope", "//"])
  func `lead nowhere without a trap`(_ text: String) throws {
    #expect(Self.document.value(at: try #require(JSONPointer(text))) == nil)
  }

  @Test(
    arguments: [
      ["a": [1, 2.5, true, false, .null, "é\u{0}", "", [:], []], "": ["b": "c"]], ["a\u{0}": 1, "a": 2], "text", .null,
      [],
    ] as [JSON]
  )
  func `a tree of a value has that value, whatever its names are`(_ value: JSON) {
    let tree = JSONTree(value)
    #expect(tree.root.value() == value)
  }
}
