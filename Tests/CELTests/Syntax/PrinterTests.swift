import CEL
import Testing

@Suite struct PrinterTests {
  @Test(
    arguments: [
      "a && b && c", "a && (b && c)", "(a && b) && c", "a || b && c", "(a || b) && c", "a ? b : c ? d : e",
      "(a ? b : c) ? d : e", "a + b - c", "a - (b - c)", "a * (b + c)", "-a", "-(1)", "-1", "!a", "!(a && b)", "--a",
      "(-1).abs()", "a.b.c", "a.?b", "a[?0]", "a[0][1]", "{?\"k\": v}", "[?a, b]", "a.`b-c`", "has(a.b)",
      "a.all(x, x > 0)", "a.exists_one(x, x)", "a.map(x, x > 1, x * 2)", "a.transformMap(k, v, k)",
      "cel.bind(x, 1, x + x)", "math.greatest(1, 2, 3)", "math.least(a)", "math.greatest([1, 2, 3])", ".a.b",
      "Name{a: 1, ?b: c}", "\"a\\\"\\\\\\n\"", "b\"\\x00\\xff\"", "1u", "1.0", "1e+30", "-0.0", "a.optMap(x, x)",
      "x in [1]",
      "a.sortBy(x, -x)", "null", "f(a, b)", "a.f(b)", "a.b.f()",
    ])
  func `an expression is printed as it is read, and read as it is printed`(source: String) throws {
    let environment = Environment()
    let parsed = try environment.parse(source)
    let again = try environment.parse(parsed.printed)
    #expect(again.root == parsed.root)
    #expect(again.printed == parsed.printed)
  }

  @Test func `a printed expression has no more brackets than it needs`() throws {
    let environment = Environment()
    #expect(try environment.parse("((a) + ((b * c)))").printed == "a + b * c")
    #expect(try environment.parse("(a.b)[(0)]").printed == "a.b[0]")
    #expect(try environment.parse("!(!(a))").printed == "!!a")
  }

  @Test(arguments: 0..<40)
  func `generated expressions survive printing and reading`(seed: UInt64) throws {
    var generator = ExpressionGenerator(seed: seed)
    let environment = ExpressionGenerator.environment
    for _ in 0..<25 {
      let source = generator.expression(depth: 4)
      let parsed = try environment.parse(source)
      let again = try environment.parse(parsed.printed)
      #expect(again.root == parsed.root, "\(source) was printed as \(parsed.printed)")
    }
  }
}
