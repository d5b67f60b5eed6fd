import CEL
import JSON
import Testing

@Suite struct ParserTests {
  private func problems(_ source: String) -> [ExpressionError.Problem] {
    do {
      _ = try Environment().parse(source)
      return []
    } catch {
      return error.problems
    }
  }

  @Test(
    arguments: [
      ("", 1, 1, "expected an expression, found end of expression"),
      ("1 +", 1, 4, "expected an expression, found end of expression"),
      ("a\n  && )", 2, 6, "expected an expression, found ')'"),
      ("a = b", 1, 3, "unexpected character '='; equality is written '=='"),
      ("a and b", 1, 3, "expected an operator or the end of the expression, found 'and'; logical and is written '&&'"),
      ("'abc", 1, 1, "the string is not closed"),
      ("'\\q'", 1, 2, "unknown escape; a backslash itself is written '\\\\'"),
      ("9223372036854775808", 1, 1, "the number is beyond the range of int"),
      ("18446744073709551616u", 1, 1, "the number is beyond the range of uint"),
      ("1e999", 1, 1, "the number is beyond the range of double"),
      ("'é' + ^", 1, 7, "unexpected character '^'; CEL has no power; multiply"),
      ("[1, 2", 1, 6, "expected ']', found end of expression"),
      ("{1 2}", 1, 4, "expected ':' between key and value, found a literal"),
      ("package", 1, 1, "'package' is a reserved word and cannot name a variable or function"),
      (
        "if a", 1, 1,
        "'if' is a reserved word and cannot name a variable or function; a choice is written condition ? a : b"
      ),
      ("has(a)", 1, 5, "the argument of has() must be a field selection such as 'a.b'"),
      ("a.all(b.c, true)", 1, 9, "the argument of all() must be a simple name"),
      ("a.exists(x, x, true)", 1, 13, "exists() needs two different names"),
      ("'\\ud800'", 1, 2, "the escape is not a Unicode code point"),
      ("b'\\u0041'", 1, 3, "a bytes literal cannot have Unicode escapes; a backslash itself is written '\\\\'"),
      ("a ? b", 1, 6, "expected ':' of the conditional, found end of expression"),
    ] as [(String, Int, Int, String)]
  )
  func `a mistake is told with its line and column`(source: String, line: Int, column: Int, message: String) throws {
    let first = try #require(problems(source).first)
    #expect(first.message == message)
    #expect(first.position.line == line)
    #expect(first.position.column == column)
  }

  @Test(arguments: [
    ("[,]", "[]"), ("{,}", "{}"), ("[1,]", "[1]"), ("{1: 2,}", "{1: 2}"), ("T{,}", "T{}"), ("[ , ]", "[]"),
  ])
  func `a comma may stand behind the last thing and alone where there is none`(source: String, meant: String) throws {
    let environment = Environment()
    #expect(try environment.parse(source).printed == environment.parse(meant).printed)
  }

  @Test(arguments: ["[,1]", "[,,]", "[1,,]", "{,1: 2}", "f(,)", "f(1,)", "T{,a: 1}"])
  func `a comma stands nowhere else`(source: String) {
    #expect(!problems(source).isEmpty)
  }

  @Test func `all mistakes are told at once`() {
    let found = problems("f(1 +, 2 *) && [3 4] || 'a' ~ 'b'")
    #expect(found.map(\.position.column) == [6, 11, 19, 29])
  }

  @Test func `a mistake is drawn with its line and a caret`() throws {
    let first = try #require(problems("true &&\n 'é' + )").first)
    #expect(first.rendered == "2:8: expected an expression, found ')'\n |  'é' + )\n | .......^")
    #expect(first.offset == 15)
  }

  @Test func `nesting beyond the limit is refused and below it is read`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
    }
    #expect(problems(nested(240)).isEmpty)
    #expect(problems(nested(300)).count == 1)
    #expect(problems(nested(40_000)).count == 1)
    #expect(problems(String(repeating: "!", count: 300) + "a").isEmpty == false)
    #expect(problems(String(repeating: "[", count: 5_000)).isEmpty == false)
  }

  @Test func `a chain of a logical operator may be long, other chains are bounded by the depth`() {
    #expect(problems("a" + String(repeating: " && a", count: 2_000)).isEmpty)
    #expect(problems("1" + String(repeating: " + 1", count: 400)).isEmpty)
    #expect(problems("1" + String(repeating: " + 1", count: 600)).isEmpty == false)
    #expect(problems("a" + String(repeating: ".b", count: 30_000)).isEmpty == false)
  }

  @Test func `a source beyond the limit is refused`() {
    #expect(problems(String(repeating: " ", count: 100_001) + "1").count == 1)
  }

  @Test func `without macros their names are functions like others`() throws {
    var environment = Environment()
    environment.parserOptions.expandsMacros = false
    let parsed = try environment.parse("has(a.b)")
    guard case .call(let call) = parsed.root.kind else {
      Issue.record("has() was expanded")
      return
    }
    #expect(call.function == "has")
  }

  @Test(arguments: 0..<20)
  func `mutated sources are read or refused, never more`(seed: UInt64) {
    var generator = ExpressionGenerator(seed: seed)
    var environment = ExpressionGenerator.environment
    environment.parserOptions.limits.nestingMax = 60
    let fragments = [
      "(", ")", "[", "{", "'", "\"", "\\", "?", ".", "`", "0x", "\u{0}", "é", "&&", "e", "\n", "//", "b'", "'''",
    ]
    for _ in 0..<60 {
      var units = Array(generator.expression(depth: 3).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator.numbers) {
        let index = Int.random(in: 0...units.count, using: &generator.numbers)
        let fragment = fragments[Int.random(in: 0..<fragments.count, using: &generator.numbers)]
        if Bool.random(using: &generator.numbers), index < units.count {
          units.remove(at: index)
        } else {
          units.insert(contentsOf: fragment.utf8, at: index)
        }
      }
      let source = String(decoding: units, as: UTF8.self)
      do {
        let parsed = try environment.parse(source)
        #expect(try environment.parse(parsed.printed).root == parsed.root, "\(source)")
      } catch {
        let count = source.unicodeScalars.count
        #expect(!error.problems.isEmpty)
        #expect(error.problems.allSatisfy { $0.offset <= count && $0.position.column >= 1 })
      }
    }
  }
}
