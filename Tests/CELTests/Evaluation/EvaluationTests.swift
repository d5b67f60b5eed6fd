internal import Budgets
import CEL
import Formats
import JSON
import Testing

@Suite struct EvaluationTests {
  private func evaluate(
    _ source: String,
    _ values: [String: Value] = [:],
    budget: Int = Program.defaultBudget
  ) throws -> Value {
    var environment = Environment()
    for name in values.keys { environment.declare(variable: name, type: .dyn) }
    return try environment.compile(source).evaluate(values, budget: budget)
  }

  @Test(
    arguments: [
      ("x > 1 || y", .bool(true)), ("y || x > 1", .bool(true)), ("x < 1 && y", .bool(false)),
      ("y && x < 1", .bool(false)),
      ("x > 1 ? 'a' : y", .string("a")), ("x == 3 && x != 4 && !(x == 5)", .bool(true)),
      ("[x, x + 1].exists(e, e == 4)", .bool(true)), ("[1, 0].exists(e, 1 / e == 1)", .bool(true)),
      ("[1, 0].all(e, 1 / e == 2)", .bool(false)), ("cel.bind(q, y, x == 3 || q)", .bool(true)),
      ("[3, 1, 2].sortBy(e, -e)", [3, 2, 1]), ("['a', 'b'].transformList(i, e, string(i) + e)", ["0a", "1b"]),
      ("{'a': 1}.?b.orValue(7)", 7), ("{'a': 1}.?a.optMap(e, e + 1).value()", 2), ("{?'k': optional.none()}.size()", 0),
      ("'e\u{301}'.size()", 2), ("'@\u{301}a'.contains('@')", .bool(true)), ("'\u{e9}' == 'e\u{301}'", .bool(false)),
      ("'abc'.startsWith('ab') && 'abc'.endsWith('bc') && 'abc'.contains('')", .bool(true)),
      ("optional.of({'a': 1}).a.value()", 1), ("has({'a': 1}.b)", .bool(false)), ("1 in [x, 1]", .bool(true)),
      ("[1, 2, 3].map(e, e > 1, e * 2)", [4, 6]), ("[1, 2].exists_one(e, e == 2)", .bool(true)),
      ("size('abc') >= 3", .bool(true)), ("math.greatest(1, x, 2)", 3),
    ] as [(String, Value)]
  )
  func `an expression has its value`(source: String, expected: Value) throws {
    let y = Value.error(EvaluationError(.conversion, "y is broken"))
    #expect(try evaluate(source, ["x": 3, "y": y]) == expected)
  }

  @Test(
    arguments: [
      ("1 / (x - 3)", EvaluationError.Kind.divisionByZero, 3), ("[1, 2][x]", .indexOutOfBounds, 7),
      ("{'a': x}.b", .noSuchKey, 10), ("x + 'a'", .noSuchOverload, 3), ("x && true", .noSuchOverload, nil),
      ("9223372036854775807 + x", .overflow, 21), ("{x: 1, 3: 2}", .repeatedKey, 1),
      ("[1, 0].map(e, 1 / e)", .divisionByZero, 17), ("true && (1 / (x - 3) == 1)", .divisionByZero, 12),
      ("x.f", .noSuchOverload, 3), ("optional.none().value()", .emptyOptional, 17),
    ] as [(String, EvaluationError.Kind, Int?)]
  )
  func `a failure is a value that says what failed and where`(
    source: String,
    kind: EvaluationError.Kind,
    column: Int?
  ) throws {
    var environment = Environment()
    environment.declare(variable: "x", type: .dyn)
    let program = try environment.compile(source)
    guard case .error(let error) = program.evaluate(["x": 3]) else {
      Issue.record("\(source) did not fail")
      return
    }
    #expect(error.kind == kind)
    if let column { #expect(program.position(of: error)?.column == column) }
  }

  @Test func `what depends on an unknown is unknown, unless the other side decides`() throws {
    let unknown = Value.unknown(UnknownSet(["x"]))
    #expect(try evaluate("x || true", ["x": unknown]) == .bool(true))
    #expect(try evaluate("false && x", ["x": unknown]) == .bool(false))
    #expect(try evaluate("x || false", ["x": unknown]) == unknown)
    #expect(
      try evaluate("x.a + 1 > y", ["x": unknown, "y": .unknown(UnknownSet(["y"]))]) == .unknown(UnknownSet(["x", "y"]))
    )
    #expect(try evaluate("x ? 1 : 2", ["x": unknown]) == unknown)
    #expect(try evaluate("[x, 1 / 0]", ["x": unknown]) == unknown)
  }

  @Test func `slots are read where they were declared, and one that is not there has no value`() throws {
    var environment = Environment()
    environment.declare(variable: "a", type: .int, slot: 5)
    environment.declare(variable: "b.c", type: .int, slot: 2)
    let program = try environment.compile("a - b.c")
    var slots = [Value](repeating: .null, count: 6)
    slots[5] = 10
    slots[2] = 4
    var budget = WorkBudget(units: 100)
    #expect(slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) } == 6)
    slots.removeLast()
    guard case .error(let error) = slots.withUnsafeBufferPointer({ program.evaluate($0, budget: &budget) }) else {
      Issue.record("a missing slot was read")
      return
    }
    #expect(error.kind == .noSuchVariable)
  }

  @Test(
    arguments: [
      ("a.b.c + a.b.d", ["a.b.c", "a.b.d"]), ("a.b.c == a.b", ["a.b"]), ("size(a) + a.b", ["a"]),
      ("a['b'].c", ["a.b.c"]), ("a[b].c", ["a", "b"]), ("has(a.b)", ["a.b"]), ("[1].all(a, a > 0)", []),
      ("a.list.all(e, e.x == b)", ["a.list", "b"]), ("a.?b.c", ["a.b.c"]),
      ("v.email == v.other", ["v.email", "v.other"]),
      ("math.greatest(b, 1)", ["b"]), ("true || a", []),
    ] as [(String, [String])]
  )
  func `a program says exactly what it reads`(source: String, expected: [String]) throws {
    var environment = Environment()
    for name in ["a", "b", "v.email", "v.other"] { environment.declare(variable: name, type: .dyn) }
    let program = try environment.compile(source)
    let found = program.dependencies.map { ([$0.variable] + $0.path).joined(separator: ".") }
    if source == "true || a" {
      // Folding may drop a variable that is never read, but the source still names it. Both are right.
      #expect(found == ["a"] || found.isEmpty)
    } else {
      #expect(found == expected)
    }
  }

  @Test func `a constant expression is evaluated when it is planned`() throws {
    let environment = Environment()
    #expect(try environment.compile("1 + 2 * 3 == 7 && 'a' in ['a']").constant == .bool(true))
    #expect(try environment.compile("1 / 0").constant == nil)
    #expect(try environment.compile("true || 1 / 0 == 1").constant == .bool(true))
  }

  @Test func `calls inside of each other are planned once each, whatever they are called with`() throws {
    // If a level planned its arguments twice, each level would double the work, and planning would never end.
    var source = "x"
    for _ in 0..<100 { source = "math.greatest(\(source), 1)" }
    var environment = Environment()
    environment.declare(variable: "x", type: .int)
    #expect(try environment.compile(source).evaluate(["x": 7]) == 7)
  }

  @Test(
    arguments: [
      ("x", true), ("x + 'b'", true), ("[x, x, x, x]", true), ("[x, x, x, x, x]", false), ("{x: [x, x]}", true),
      ("{x: {'a': [x, x, x, x]}}", false), ("[optional.of(x), optional.of(x)]", true),
      ("[x, x, x, x, x].size() == 5", true),
      ("[bytes(x), bytes(x), bytes(x), bytes(x), bytes(x)]", false),
    ]
  )
  func `a result's texts are charged as often as they occur`(source: String, hasRoom: Bool) throws {
    // 1,100 steps and a text that costs 250.
    let text = Value.string(String(repeating: "x", count: 250 * ResultLimits.bytesPerStep))
    let value = try evaluate(source, ["x": text], budget: 1_100)
    if hasRoom { return #expect(!value.isError) }
    guard case .error(let error) = value else {
      Issue.record("the budget was not kept")
      return
    }
    #expect(error.kind == .budgetExceeded)
  }

  @Test(arguments: [
    ("6 / (x - 3)", "division by zero: int / int"), ("x + t", "no such overload: int + string"),
    ("[1, 2][x]", "index out of bounds: list[int]"), ("x.f", "no such overload: int.f"),
    ("t < x", "no such overload: string < int"),
    ("x.map(e, e)", "no such overload: int.map()"), ("int(t)", "type conversion error: int(string)"),
    ("x in t", "no such overload: int in string"),
    ("dyn([x]).join(t)", "no such overload: join(list, string)"),
    ("t.substring(x + 6)", "index out of bounds: substring(string, int)"),
  ])
  func `a failure is told with the types of its operands, and no value`(source: String, told: String) throws {
    var environment = Environment()
    for name in ["x", "t"] { environment.declare(variable: name, type: .dyn) }
    let program = try environment.compile(source)
    guard case .error(let error) = program.evaluate(["x": 3, "t": "secret"]) else {
      Issue.record("\(source) is no error")
      return
    }
    #expect(program.typesOnly(of: error) == told)
  }

  @Test func `a budget ends what takes too long`() throws {
    let list = Value.list((0..<1_000).map { .int($0) })
    let source = "x.all(a, x.all(b, x.all(c, a + b + c >= 0)))"
    guard case .error(let error) = try evaluate(source, ["x": list], budget: 10_000) else {
      Issue.record("the budget was not kept")
      return
    }
    #expect(error.kind == .budgetExceeded)
    #expect(try evaluate("x.all(a, a >= 0)", ["x": list], budget: 10_000) == .bool(true))
  }

  @Test func `a value that contains itself over and over does not take for ever`() throws {
    // Each list holds the one before twice.
    var source = "[v59, v59]"
    for depth in stride(from: 59, through: 1, by: -1) {
      source = "cel.bind(v\(depth), [v\(depth - 1), v\(depth - 1)], \(source))"
    }
    source = "cel.bind(v0, [1], \(source))"
    guard case .error(let large) = try evaluate(source) else {
      Issue.record("the result was not refused")
      return
    }
    #expect(large.kind == .tooLarge)
    let comparison = source.replacing("[v59, v59]", with: "dyn(v59) == dyn(v58) || v59 == v59 || v59 in [v59]")
    guard case .error(let error) = try evaluate(comparison) else {
      Issue.record("the comparison was not refused")
      return
    }
    #expect(error.kind == .budgetExceeded)
  }

  @Test(arguments: 0..<40)
  func `any expression that checks is evaluated without a trap and within its estimate`(seed: UInt64) {
    var generator = ExpressionGenerator(seed: 1_000 + seed)
    let environment = ExpressionGenerator.environment
    for _ in 0..<40 {
      let source = generator.expression(depth: 4)
      guard let program = try? environment.compile(source) else { continue }
      let slots = generator.slots()
      let before = 200_000
      var budget = WorkBudget(units: before)
      let value = slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) }
      if program.cost.unbounded == nil, !budget.isSpent {
        let taken = before - budget.unitsLeft
        #expect(taken <= program.cost.steps, "\(source) took \(taken) steps, estimated \(program.cost.steps)")
      }
      // Without types an expression is evaluated by its values. It may fail if the checker knows fewer types, but the
      // results of both must agree.
      if let parsed = try? environment.parse(source),
        let untyped = try? environment.plan(environment.resolveWithoutChecking(parsed))
      {
        var budget = WorkBudget(units: before)
        let other = slots.withUnsafeBufferPointer { untyped.evaluate($0, budget: &budget) }
        if !value.isErrorOrUnknown, !other.isErrorOrUnknown { #expect(value == other, "\(source)") }
      }
    }
  }
}
