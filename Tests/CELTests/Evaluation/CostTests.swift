import CEL
import JSON
import Testing

@Suite struct CostTests {
  private var environment: Environment {
    var environment = Environment()
    environment.declare(variable: "email", type: .string, size: SizeBounds(max: 254))
    environment.declare(variable: "bio", type: .string)
    environment.declare(
      variable: "tags",
      type: .list(.string),
      size: SizeBounds(max: 10, elements: SizeBounds(max: 20))
    )
    environment.declare(variable: "rows", type: .list(.string), size: SizeBounds(max: 10))
    return environment
  }

  @Test(
    arguments: [
      ("bio.contains('a')", "nothing bounds the size of bio; give it a maxLength"),
      ("rows.exists(r, r.contains('a'))", "nothing bounds the size of the items of rows; give it a maxLength"),
      ("rows.map(r, r + bio).size() > 1", "nothing bounds"),
    ] as [(String, String)]
  )
  func `an expression that nothing bounds says what to bound`(source: String, reason: String) throws {
    guard case .unbounded(let found) = try environment.compile(source).cost else {
      Issue.record("\(source) is bounded")
      return
    }
    #expect(found.hasPrefix(reason))
  }

  @Test(arguments: [
    "email.contains('@')", "tags.exists(t, t.contains('a'))", "rows.size() > 1 || email == 'x'", "1 + 2",
  ])
  func `an expression over bounded values is bounded`(source: String) throws {
    guard case .bounded(let steps) = try environment.compile(source).cost else {
      Issue.record("\(source) is not bounded")
      return
    }
    #expect(steps > 0 && steps < 100_000)
  }

  @Test func `an assumed size bounds what has none`() throws {
    var environment = environment
    environment.assumedSizeMax = 1_000
    guard case .bounded = try environment.compile("bio.contains('a')").cost else {
      Issue.record("the assumption was not used")
      return
    }
  }

  @Test func `loops in loops cost their product`() throws {
    guard case .bounded(let one) = try environment.compile("tags.all(a, a != '')").cost,
      case .bounded(let two) = try environment.compile("tags.all(a, tags.all(b, a != b))").cost
    else {
      Issue.record("the loops are not bounded")
      return
    }
    #expect(two > 5 * one)
  }
}

@Suite struct ExpressionReportTests {
  @Test func `a report tells value, type, dependencies and cost`() {
    let report = ExpressionReport(
      of: "values.email.contains('@') ? x.a : 'none'",
      variables: [("values.email", "a@b.c"), ("x", ["a": "yes"])],
      telling: [.types, .dependencies]
    )
    #expect(report.text == "type: dyn\nreads: values.email, x.a\n\"yes\"")
    #expect(report.json == "yes")
    #expect(!report.isFailure)
  }

  @Test func `a report draws the tree with types and overloads`() {
    let report = ExpressionReport(of: "size(x) > 1", variables: [("x", "abc")], telling: [.tree, .types])
    #expect(
      report.text == """
        call _>_: bool (greater_int64)
          call size: int (size_string)
            variable x: string
          literal 1: int
        type: bool
        true
        """
    )
  }

  @Test func `a report of a mistake or failure is one`() {
    let refused = ExpressionReport(of: "1 +")
    #expect(refused.isFailure)
    #expect(refused.text.hasPrefix("1:4: expected an expression"))
    let failed = ExpressionReport(of: "1 / x", variables: [("x", 0)])
    #expect(failed.isFailure)
    #expect(failed.text == "error: 1:3: division by zero")
  }
}
