import CEL
import JSON
import Testing
import TextFormats

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

  @Test(arguments: [
    "items.filter(i, i.sku == self).size() == 1", "items.exists(i, i.sku != long)", "items.all(i, i.sku <= self)",
    "names.exists(n, n == self)", "self in names", "!(long in items)",
  ])
  func `comparing each element with a text is bounded whatever the lengths of texts`(source: String) throws {
    var environment = Environment()
    environment.assumedSizeMax = 4_096
    environment.declare(variable: "items", type: .dyn)
    environment.declare(
      variable: "names",
      type: .list(.string),
      size: SizeBounds(max: nil, elements: SizeBounds(max: 1 << 20))
    )
    environment.declare(variable: "self", type: .string)
    environment.declare(variable: "long", type: .string, size: SizeBounds(max: 1 << 20))
    guard case .bounded(let steps) = try environment.compile(source).cost else {
      Issue.record("\(source) is not bounded")
      return
    }
    #expect(steps > 4_096 && steps <= 1_000_000, "\(source) may take \(steps) steps")
  }

  @Test(arguments: [
    ("text == same", 64), ("text == shorter", 0), ("text < shorter", 63), ("text in texts", 2 + 64),
    ("shorter in texts", 2 + 63), ("'a' in texts", 2),
  ])
  func `comparing texts is charged by the bytes that are compared`(source: String, steps: Int) throws {
    var environment = Environment()
    let size = SizeBounds(max: 16_384)
    for name in ["text", "same", "shorter"] { environment.declare(variable: name, type: .string, size: size) }
    environment.declare(variable: "texts", type: .list(.string), size: SizeBounds(max: 2, elements: size))
    let program = try environment.compile(source)
    let text = String(repeating: "a", count: 16_384)
    let values: [String: Value] = [
      "text": .string(text), "same": .string(text), "shorter": .string(String(text.dropLast())),
      "texts": .list(ListValue([.string(text), .string(String(text.dropLast()))])),
    ]
    var budget = WorkBudget(units: 1_000_000)
    var slots = [Value](repeating: .null, count: environment.slotCount)
    for dependency in program.dependencies { slots[dependency.slot] = values[dependency.variable]! }
    _ = slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) }
    let comparison = 1_000_000 - budget.unitsLeft
    #expect(comparison >= steps && comparison < steps + 4)
    guard case .bounded(let most) = program.cost else {
      Issue.record("\(source) is not bounded")
      return
    }
    #expect(comparison <= most)
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

  @Test func `absence spreads, as in forms`() {
    #expect(ExpressionReport(of: "n + 1", variables: [("n", .null)]).text == "null")
    #expect(ExpressionReport(of: "n.orValue(2) + r.q.orValue(3)", variables: [("n", .null), ("r", [:])]).text == "5")
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
