internal import Budgets
import CEL
import Formats
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
      ("bio.contains('a')", "bio"), ("rows.exists(r, r.contains('a'))", "the items of rows"),
      ("rows.map(r, r + bio).size() > 1 || rows.join() == email", "the items of rows"),
      ("dyn(bio).items.map(i, i.x)", "bio"),
    ] as [(String, String)]
  )
  func `an expression that nothing bounds says what to bound`(source: String, name: String) throws {
    let cost = try environment.compile(source).cost
    #expect(cost.unbounded == name)
    // A value without a bound is charged when it is present.
    #expect(cost.steps < 200)
  }

  @Test(arguments: [
    "email.contains('@')", "tags.exists(t, t.contains('a'))", "rows.size() > 1 || email == 'x'", "1 + 2",
  ])
  func `an expression over bounded values is bounded`(source: String) throws {
    let cost = try environment.compile(source).cost
    #expect(cost.unbounded == nil && cost.steps > 0 && cost.steps < 100_000)
  }

  @Test(arguments: [
    ("tags.join(', ')", 10 * 22), ("email + ': ' + tags.join()", 256 + 200), ("tags.map(t, t + '!').join()", 10 * 21),
    ("tags.filter(t, t != '').join()", 200), ("'%s has %s'.format([email, email])", 9 + 2 + 2 * 256),
    ("'%s'.format([tags])", 2 + 2 + 2 + 10 * 34 + 2),
    ("[tags, tags].flatten().join()", 400), ("tags.join(',').split(',').size() > 1 ? email : email + 'x'", 255),
    ("tags.sort().join()", 200), ("email.replace('a', email)", 254 * 254 + 508),
  ])
  func `the size of what functions make follows from the sizes of what they are given`(source: String, size: Int) throws
  {
    // To look for a text in another is to go through both, and a code point has four bytes at most.
    let inspection = 4 * size / 10
    let made = try environment.compile("(\(source)).contains('x')").cost
    let alone = try environment.compile("[\(source)].size()").cost
    #expect(
      made.steps - alone.steps >= inspection - 2 && made.steps - alone.steps <= inspection + 2,
      "\(made) \(alone)"
    )
  }

  @Test(arguments: [
    "items.filter(i, i.sku == self).size() == 1", "items.exists(i, i.sku != long)", "items.all(i, i.sku <= self)",
    "names.exists(n, n == self)", "self in names", "!(long in items)",
  ])
  func `comparing each element with a text that nothing bounds costs a step for each`(source: String) throws {
    var environment = Environment()
    environment.declare(variable: "items", type: .list(.dyn), size: SizeBounds(max: 4_096))
    environment.declare(
      variable: "names",
      type: .list(.string),
      size: SizeBounds(max: 4_096, elements: SizeBounds(max: 1 << 20))
    )
    environment.declare(variable: "self", type: .string)
    environment.declare(variable: "long", type: .string, size: SizeBounds(max: 1 << 20))
    let steps = try environment.compile(source).cost.steps
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
    #expect(comparison <= program.cost.steps && program.cost.unbounded == nil)
  }

  @Test func `loops in loops cost their product`() throws {
    let one = try environment.compile("tags.all(a, a != '')").cost
    let two = try environment.compile("tags.all(a, tags.all(b, a != b))").cost
    #expect(two.steps > 5 * one.steps)
  }

  /// Variables with a text of 256 KiB twice, a list that has it a thousand times, twice, and lists of lists without an
  /// element.
  private static let huge: (environment: Environment, values: [String: Value]) = {
    let text = String(repeating: "a", count: 1 << 18)
    let texts = { (text: String) in Value.list(ListValue(Array(repeating: .string(text), count: 1_000))) }
    var nested = Value.list([])
    for _ in 0..<10 { nested = .list(ListValue(Array(repeating: nested, count: 100))) }
    let values: [String: Value] = [
      "text": .string(text), "same": .string(String(text.reversed())), "texts": texts(text),
      "others": texts(String(text.reversed())), "nested": nested, "mixed": .list([.int(1), nested]),
      "thousand": .list(ListValue((0..<1_000).map { .int($0) })),
      "many": .list(ListValue((0..<100_000).map { .int($0) })),
    ]
    var environment = Environment()
    environment.spreadAbsence()
    for name in values.keys.sorted() { environment.declare(variable: name, type: .dyn) }
    return (environment, values)
  }()

  @Test(arguments: [
    "texts.sort()", "texts.sortBy(t, t)", "texts.distinct()", "texts.max()", "texts.min()",
    "sets.contains(texts, others)",
    "sets.equivalent(texts, others)", "sets.intersects(texts, others)", "texts == others", "texts in [others]",
    "texts.join(',')",
    "'%s'.format([texts])", "'%s'.format([mixed])", "mixed.flatten(9)", "nested.flatten(9)", "mixed.distinct()",
    "mixed == mixed",
    "[nested].exists(n, n == nested)", "sets.contains(mixed, mixed)", "thousand.map(i, {text: i})",
    "thousand.exists(i, {'a': 1}[text] == i)", "thousand.exists(i, text in {'a': 1})",
    "thousand.all(i, size(text + same) > 0)", "thousand.map(i, text + same)", "thousand.map(i, text.replace('a', 'b'))",
    "thousand.map(i, text.replace('a', text))", "thousand.map(i, text.split(''))", "thousand.map(i, text.upperAscii())",
    "thousand.map(i, text.reverse())", "thousand.map(i, thousand + thousand)", "thousand.map(i, '%s'.format([text]))",
    "thousand.all(i, graphemes(text) > 0)", "thousand.all(i, !text.contains(same + 'b'))",
    "thousand.all(i, !text.matches(string(i) + '$'))",
    "thousand.all(i, regex.replace(text, 'a', 'b') != '')", "thousand.map(i, thousand.map(j, thousand.map(k, k)))",
    "many.map(i, many)", "thousand.map(i, many + dyn([null])).map(l, l.join())", "thousand.all(i, text <= same)",
    "thousand.transformMapEntry(i, v, {text + string(i): v})", "texts.transformMapEntry(i, v, {v + string(i): v})",
    "texts",
    "thousand.map(i, strings.quote(text))", "thousand.map(i, base64.encode(bytes(text)))",
    "thousand.all(i, int(text + '1') > 0)",
    "thousand.all(i, size(string(bytes(text))) > 0)", "thousand.all(i, text.indexOf(same + 'b') < 0)",
    "thousand.all(i, text.lastIndexOf(same + 'b') < 0)", "thousand.all(i, text.trim() != '')",
    "thousand.all(i, nfc(text) != '')",
  ])
  func `a huge value spends the budget of whatever goes through it`(source: String) throws {
    let (environment, values) = Self.huge
    let program = try environment.compile(source)
    var slots = [Value](repeating: .null, count: environment.slotCount)
    for dependency in program.dependencies { slots[dependency.slot] = values[dependency.variable]! }
    var budget = WorkBudget(units: 100_000)
    let result = slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) }
    guard case .error(let error) = result else {
      Issue.record("\(source) went through with \(budget.unitsLeft) steps left")
      return
    }
    #expect(error.kind == .budgetExceeded || error.kind == .tooLarge, "\(error)")
  }
}

@Suite struct ExpressionReportTests {
  /// The report on an expression; absence spreads, and the types of variables are the types of their values.
  private static func report(
    on source: String,
    variables: [(name: String, value: JSON)] = [],
    telling sections: ExpressionReport.Sections = []
  ) throws -> ExpressionReport {
    var environment = Environment()
    environment.spreadAbsence()
    let variables = variables.map { TriedExpression.Variable(name: $0.name, value: $0.value) }
    return try TriedExpression(source, in: environment, variables: variables).report(telling: sections)
  }

  @Test func `a report tells value, type, dependencies and cost`() throws {
    let report = try Self.report(
      on: "values.email.contains('@') ? x.a : 'none'",
      variables: [("values.email", "a@b.c"), ("x", ["a": "yes"])],
      telling: [.types, .dependencies]
    )
    #expect(report.text == "type: dyn\nreads: values.email, x.a\n\"yes\"")
    #expect(report.json == "yes")
    #expect(!report.isFailure)
  }

  @Test func `a report draws the tree with types and overloads`() throws {
    let report = try Self.report(on: "size(x) > 1", variables: [("x", "abc")], telling: [.tree, .types])
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

  @Test func `absence spreads, as in forms`() throws {
    #expect(try Self.report(on: "n + 1", variables: [("n", .null)]).text == "null")
    #expect(try Self.report(on: "n.orValue(2) + r.q.orValue(3)", variables: [("n", .null), ("r", [:])]).text == "5")
  }

  @Test func `a mistake is refused, and a report of a failure is one`() throws {
    let refusal = #expect(throws: ExpressionError.self) { try Self.report(on: "1 +") }
    #expect(refusal?.description.hasPrefix("1:4: expected an expression") == true)
    let failed = try Self.report(on: "1 / x", variables: [("x", 0)])
    #expect(failed.isFailure)
    #expect(failed.text == "error: 1:3: division by zero")
  }
}
