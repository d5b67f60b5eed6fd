import CEL
import Randomness
import Testing

@Suite struct StringsLibraryTests {
  @Test(arguments: [
    "'tacocat'.charAt(3) == 'o' && 'tacocat'.charAt(7) == '' && '©αT'.charAt(1) == 'α'",
    "'tacocat'.indexOf('') == 0 && 'tacocat'.indexOf('ac') == 1 && 'tacocat'.indexOf('none') == -1",
    "'tacocat'.indexOf('', 3) == 3 && 'tacocat'.indexOf('a', 3) == 5 && 'tacocat'.indexOf('', 7) == 7",
    "'ta©o©αT'.indexOf('©', 3) == 4 && 'ta©o©αT'.indexOf('©α', 5) == -1",
    "'tacocat'.lastIndexOf('at') == 5 && 'tacocat'.lastIndexOf('none') == -1 && 'tacocat'.lastIndexOf('') == 7",
    "'tacocat'.lastIndexOf('', 3) == 3 && 'tacocat'.lastIndexOf('a', 4) == 1 && 'tacocat'.lastIndexOf('t', 6) == 6",
    "'ta©o©αT'.lastIndexOf('©') == 4 && 'ta©o©αT'.lastIndexOf('©', 3) == 2 && 'ta©o©αT'.lastIndexOf('©α', 4) == 4",
    "'TacoCÆt'.lowerAscii() == 'tacocÆt' && 'tacoCαt'.upperAscii() == 'TACOCαT'",
    "'a-b-c'.replace('-', '') == 'abc' && 'a-b-c'.replace('-', '+', 1) == 'a+b-c'",
    "'a-b'.replace('-', '+', 0) == 'a-b'",
    "'aaa'.replace('aa', 'b') == 'ba' && 'abc'.replace('', '-') == '-a-b-c-' && 'éa'.replace('', '-', 2) == '-é-a'",
    "'a,b,,c'.split(',') == ['a', 'b', '', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'a'.split(',', 0) == []",
    "''.split(',') == [''] && ''.split('') == [] && 'é😀'.split('') == ['é', '😀']",
    "'abc'.split('', 2) == ['a', 'bc']",
    "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco' && 'ta©o©αT'.substring(2, 6) == '©o©α'",
    "' \\f\\n\\r\\t\\vtext\\u3000 '.trim() == 'text' && '\\u200btext\\ufeff'.trim() == '\\u200btext\\ufeff'",
    "' '.trim() == ''",
    "'gums'.reverse() == 'smug' && 'e\\u0301'.reverse() == '\\u0301e'",
    "['x', 'y'].join('-') == 'x-y' && [].join() == '' && ['x'].join('-') == 'x'",
    "strings.quote('a\"\\\\\\n\\a') == '\"a\\\\\"\\\\\\\\\\\\n\\\\a\"'",
    "'@\\u0301a'.contains('@') && 'e\\u0301'.startsWith('e') && 'e\\u0301'.endsWith('\\u0301') && !'é'.contains('e')",
    "'é'.size() == 1 && 'e\\u0301'.size() == 2 && size('😀') == 1 && size('👨‍👩‍👧') == 5",
  ])
  func `texts are sequences of code points`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: ["@", "é", "abc"])
  func `a constant text is found in a variable of each length`(part: String) throws {
    var environment = Environment()
    environment.declare(variable: "a", type: .string)
    func results(_ text: String) throws -> [Value] {
      try ["contains", "startsWith", "endsWith"]
        .map { try environment.compile("a.\($0)('\(part)')").evaluate(["a": .string(text)]) }
    }
    for length in 0...40 {
      #expect(try results(String(repeating: "z", count: length)) == [false, false, false])
      for index in 0...length {
        let text = String(repeating: "z", count: index) + part + String(repeating: "y", count: length - index)
        #expect(try results(text) == [true, .bool(index == 0), .bool(index == length)])
      }
    }
  }

  @Test(arguments: [
    "'tacocat'.charAt(8)", "'tacocat'.charAt(-1)", "'tacocat'.charAt(9223372036854775807)",
    "'tacocat'.indexOf('a', 30)",
    "'tacocat'.indexOf('', -1)", "'tacocat'.lastIndexOf('a', -1)", "'tacocat'.lastIndexOf('a', 30)",
    "'tacocat'.substring(40)",
    "'tacocat'.substring(-1)", "'tacocat'.substring(1, 50)", "'tacocat'.substring(49, 50)", "'tacocat'.substring(4, 3)",
  ])
  func `positions outside a text are errors`(source: String) {
    #expect(failureKind(source) == .indexOutOfBounds)
  }

  @Test func `a needle that almost matches everywhere is found in linear time`() {
    let haystack = String(repeating: "a", count: 200_000) + "b"
    let needle = String(repeating: "a", count: 100_000) + "b"
    let index = Library.strings.overloads.first { $0.id == "string_index_of_string" }!
    let last = Library.strings.overloads.first { $0.id == "string_last_index_of_string" }!
    #expect(index([.string(haystack), .string(needle)]) == 100_000)
    #expect(index([.string(haystack), .string(needle + "c")]) == -1)
    #expect(last([.string("b" + haystack), .string("b" + needle)]) == -1)
  }

  @Test func `searching agrees with the plain definition`() {
    var generator = SeededGenerator(seed: 11)
    let index = Library.strings.overloads.first { $0.id == "string_index_of_string" }!
    let last = Library.strings.overloads.first { $0.id == "string_last_index_of_string" }!
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...200, using: &generator)).map { _ in "ab".randomElement(using: &generator)! }
      let needle = (0..<Int.random(in: 0...12, using: &generator)).map { _ in "aab".randomElement(using: &generator)! }
      let starts = (0...max(0, text.count - needle.count)).filter { text.dropFirst($0).starts(with: needle) }
      #expect(index([.string(String(text)), .string(String(needle))]) == .int(Int64(starts.first ?? -1)))
      #expect(last([.string(String(text)), .string(String(needle))]) == .int(Int64(starts.last ?? -1)))
    }
  }

  @Test func `texts beyond the limit are refused before they are built`() {
    let million = Value.string(String(repeating: "a", count: 1 << 20))
    func call(_ id: String, _ arguments: [Value]) -> Value {
      Library.all.flatMap(\.overloads).first { $0.id == id }!(arguments)
    }
    let results = [
      call("string_replace_string_string", [million, "a", "bbbbbbbb"]),
      call("string_replace_string_string", [million, "", "bbbbbbbb"]),
      call("list_join_string", [.list(Array(repeating: million, count: 5)), ""]),
      call("string_split_string", [million, ""]), call("string_split_string", [million, "a"]),
      call("string_format", ["%s%s%s%s%s", .list(Array(repeating: million, count: 5))]),
      call("string_format", ["%s", .list([.list(Array(repeating: million, count: 5))])]),
      call("regex_replace_string_string_string", [million, "a", "bbbbbbbb"]),
      call("regex_extractAll_string_string", [million, "a"]), call("lists_range", [.int(.max)]),
      Value.list(Array(repeating: .null, count: 60_000)).adding(.list(Array(repeating: .null, count: 60_000))),
    ]
    for result in results {
      guard case .error(let error) = result else {
        Issue.record("\(result.runtimeType?.name ?? "") is not refused")
        continue
      }
      #expect(error.kind == .tooLarge)
    }
  }
}
