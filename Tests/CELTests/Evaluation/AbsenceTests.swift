internal import Budgets
import CEL
import Formats
import JSON
import Testing

/// Environments in which null means that something is absent.
@Suite struct AbsenceTests {
  /// The value of an expression over variables that are all absent: a text `v.s`, a bool `v.b`, a list `v.l`, an int
  /// `v.n`, a double `v.x`, and `v.d` of any type. The variable `v.m` is present: `{'a': 1, 'none': null}`.
  private func value(_ source: String) throws -> Value {
    var environment = Environment()
    environment.spreadAbsence()
    let types: [(String, CELType)] = [
      ("s", .string), ("b", .bool), ("l", .list(.dyn)), ("n", .wrapper(.int)), ("x", .wrapper(.double)), ("d", .dyn),
      ("m", .dyn),
    ]
    for (name, type) in types { environment.declare(variable: "v.\(name)", type: type, size: .scalar) }
    var values = Dictionary(uniqueKeysWithValues: types.map { ("v.\($0.0)", Value.null) })
    values["v.m"] = Value(.object(["a": 1, "none": .null]))
    let program = try environment.compile(source)
    let value = program.evaluate(values)
    expect(program, asConditionOver: values, toBe: value)
    return value
  }

  /// Expects that an expression has this value when it is evaluated as a condition, too.
  private func expect(_ program: Program, asConditionOver values: [String: Value], toBe value: Value) {
    var slots = [Value](repeating: .null, count: (program.dependencies.map(\.slot).max() ?? -1) + 1)
    for read in program.dependencies { slots[read.slot] = values[read.variable] ?? .null }
    var budget = WorkBudget(units: Program.defaultBudget)
    let condition = slots.withUnsafeBufferPointer { program.condition($0, budget: &budget) }
    switch (condition, value) {
    case (.yes, .bool(true)), (.no, .bool(false)), (.absent, .null): break
    case (.noTruth(let other), _): #expect(other == value)
    default: Issue.record("\(condition) instead of \(value)")
    }
  }

  @Test(arguments: [
    "v.s == '' && v.s + 'x' == 'x' && size(v.s) == 0 && !v.s.contains('a') && v.s.startsWith('')",
    "v.b == false && !v.b && (v.b || true)",
    "v.l == [] && size(v.l) == 0 && v.l.all(e, false) && !v.l.exists(e, true) && v.l.map(e, e) == []",
  ])
  func `a text, a bool and a list read as empty`(source: String) throws {
    #expect(try value(source) == true)
  }

  @Test(arguments: [
    "v.n + 1", "1 - v.n", "v.n * 2", "v.x / 2.0", "-v.n", "v.n % 2", "v.n + v.n", "double(v.n) * v.x",
    "string(v.n) + ' kg'", "v.n < 1",
    "1 >= v.n", "v.x > 0.5", "math.abs(v.n)", "v.n in [1, 2]", "1 in v.d", "v.d.size()", "size(v.d)",
    "v.d.contains('a')", "v.d.a.b", "v.m.b",
    "v.m.b.c + 1", "v.m['b']", "v.m[v.s + 'b']", "v.m.none", "v.d[0]", "!v.d", "v.d ? 1 : 2", "v.n > 1 && true",
    "true && v.n > 1",
    "v.n > 1 || false", "v.d.all(e, e > 1)", "v.d.map(e, e)", "[1, 2].all(e, e > v.n)", "[v.n].exists(e, e > 1)",
    "v.d.matches('a')",
    "[].min()", "[].max() + 1", "type(v.n)", "true && v.d", "null", "v.b ? 1 : null", "cel.bind(n, v.n, n + 1)",
    "{'a': v.n}.a + 1",
    // A conversion of an empty text, and a key of a map in the expression that is empty.
    "timestamp(v.s)", "timestamp('')", "duration(v.s) > duration('1h')", "int(v.s) + 1", "uint(v.s)", "double(v.s)",
    "bool(v.s)", "ip(v.s).family()", "cidr(v.s)", "timestamp(dyn(v.s))", "timestamp(v.s).getFullYear('UTC') > 2000",
    "{'CH': 1}[v.s] + 1", "{'CH': 1}[v.d]", "{'CH': {'de': 1}}['CH'][v.s]", "{1: 2}[v.n] + 1", "{?'n': v.m.?zzz}['n']",
    "{?'n': v.m.?zzz}.n", "{'m': v.m}['m']['b']", "{'m': v.m}.m.b", "[v.m][0].b",
    "'%d kg'.format([v.n])", "['a', string(v.n)].join(',')", "math.greatest([v.x, 1.0])", "math.greatest(v.x, 1.0)",
  ])
  func `absence spreads`(source: String) throws {
    #expect(try value(source) == .null)
  }

  @Test(arguments: [
    "v.n == null && v.x == null && v.d == null && v.s == null && v.b == null && v.l == null && null == v.s",
    "!(v.n != null) && !(v.s != null) && v.d == v.n && dyn(v.n) == v.x && v.m.none == null && v.m.b == null && v.m.a != null",
    "v.d == v.s && v.s == v.d && v.d == v.b && v.d == v.l && v.d != '' && dyn('') != null && v.s == '' && v.n != 0 && v.d != 1",
    "!has(v.n) && !has(v.s) && !has(v.b) && !has(v.l) && !has(v.d) && has(v.m) && has(v.m.a) && !has(v.m.b) && !has(v.m.none)",
    "!has(v.d.a) && !has(v.d.a.b)",
    "v.n.orValue(5) == 5 && v.s.orValue('x') == 'x' && v.b.orValue(true) && v.l.orValue([1]) == [1]",
    "v.m.b.orValue(2) == 2 && v.m.a.orValue(2) == 1 && v.m.none.orValue(3) == 3 && v.d.orValue(1) + 1 == 2 && (v.n + 1).orValue(7) == 7",
    "optional.none().orValue(1) == 1 && optional.of(2).orValue(1) == 2 && v.m.?b.orValue(4) == 4 && v.d.?a.orValue(5) == 5",
    "{'CH': 1}[?v.s + 'DE'].orValue(4) == 4 && {'CH': 1}[?v.s].orValue(5) == 5 && !has({'CH': 1}.DE) && !('DE' in {'CH': 1})",
    "{'CH': 1}[v.s].orValue(6) == 6 && {'': 7}[v.s] == 7 && {'CH': 1}.?DE.orValue(8) == 8 && timestamp(v.s) == null",
    "v.s.orValue(v.s).orValue('x') == 'x' && (v.b ? 'y' : v.s).orValue('x') == 'x' && (v.b ? v.s : v.s) == null && v.s.orValue(v.s) == null",
    "(v.b ? v.s : v.s) == '' && cel.bind(s, v.s, s.orValue('x') == 'x' && s == '' && s == null && s + 'a' == 'a') && v.s.orValue(v.s) + 'a' == 'a'",
    "optional.of(v.n).orValue(5) == 5 && ['a', v.s].join(',') == 'a,' && dyn(v.s) == '' && v.s == v.s && v.b == (v.s == 'x')",
    "{?'n': optional.of(v.n), ?'s': optional.of(v.s), 'k': 1} == {'k': 1} && [?optional.of(v.n), ?optional.of(v.l), 2] == [2]",
    "{?'a': optional.of(v.m.a), ?'z': optional.of(v.m.zzz)} == {'a': 1} && {?'n': optional.ofNonZeroValue(v.n)} == {}",
    "!optional.of(v.n).hasValue() && !optional.of(v.s).hasValue() && !optional.ofNonZeroValue(v.d).hasValue() && optional.of(0).hasValue()",
    "optional.of(v.n).or(optional.of(3)).value() == 3 && optional.unwrap([optional.of(v.n), optional.of(4)]) == [4]",
    "optional.of(v.n + 1).optMap(x, x * 2).orValue(7) == 7 && optional.of(2).optMap(x, x * 2).orValue(7) == 4 && optional.of('') != optional.none()",
    "v.n > 1 || true", "!(v.n > 1 && false)", "!(false && v.n > 1)", "[1, 2].exists(e, e > v.n || e == 2)",
    "![1].all(e, e > v.n && e == 2)",
    "[3, null, 1].filter(e, e > 2) == [3] && [v.n, 2].sum() == 2 && [v.n, 2].min() == 2",
    "[v.n, 1].exists_one(e, e == 1)",
    "[1, 2].map(e, e > v.n, e) == [] && [v.n].size() == 1 && {'a': v.n}.size() == 1",
  ])
  func `equality, has, orValue and what decides are never absent`(source: String) throws {
    #expect(try value(source) == true, "\(source)")
  }

  @Test(arguments: [
    ("1 / 0", EvaluationError.Kind.divisionByZero), ("[1][2]", .indexOutOfBounds), ("v.l[0]", .indexOutOfBounds),
    ("v.m.a.b", .noSuchOverload),
    ("{'CH': 1}['DE']", .noSuchKey), ("{'CH': 1}.DE", .noSuchKey), ("{1: 'a', 2: 'b'}[3]", .noSuchKey),
    ("{'CH': 1}[v.s + 'DE'].orValue(0)", .noSuchKey), ("{'CH': v.n, 'DE': 2}[v.s + 'FR']", .noSuchKey),
    ("{'CH': {'de': 1}}['CH'][v.s + 'fr']", .noSuchKey), ("[{'a': 1}][0].b", .noSuchKey),
    ("{'a': [{'b': 1}]}.a[0].c", .noSuchKey),
    ("(v.b ? {'a': 1} : {'b': 1})['a']", .noSuchKey), ("cel.bind(m, {'CH': 1}, m[v.s + 'DE'])", .noSuchKey),
    ("cel.bind(m, {'CH': 1}, m.DE)", .noSuchKey), ("[1].map(x, {'a': 1}['b'])", .noSuchKey),
    ("timestamp('x')", .conversion), ("int('x')", .conversion),
    ("v.n + 1 / 0", .divisionByZero), ("v.n > 1 || 1 / 0 > 1", .divisionByZero),
    ("1 / 0 > 1 && v.n > 1", .divisionByZero),
  ])
  func `what is wrong is an error, beside what is absent too`(source: String, kind: EvaluationError.Kind) throws {
    guard case .error(let error) = try value(source) else {
      Issue.record("\(source) is no error")
      return
    }
    #expect(error.kind == kind)
  }

  @Test(arguments: [
    ("v.q", "unknown name 'v.q'"), ("has(v.q)", "unknown name"), ("v.s + 1", "cannot take"),
    ("v.n.orValue('x')", "orValue"), ("v.n < null", "cannot take"),
    ("v.s + null", "cannot take"), ("size(null)", "cannot take"), ("null && true", "must be of type bool"),
  ])
  func `names and types are checked as ever`(source: String, message: String) {
    let error = #expect(throws: ExpressionError.self) { try value(source) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func `comparisons within comparisons are evaluated once each`() throws {
    var source = "v.d == 1"
    for _ in 0..<60 { source = "v.d == (\(source))" }
    #expect(try value(source) == false)
  }

  @Test(arguments: ["null + 1", "[1, null].map(e, e + 1)[1]", "{'a': 1}.b", "null == ''", "has({'a': null}.a)"])
  func `elsewhere null is a value like any other`(source: String) throws {
    var environment = Environment()
    environment.declare(variable: "d", type: .dyn)
    let program = try environment.plan(environment.resolveWithoutChecking(environment.parse(source)))
    let value = program.evaluate()
    #expect(value.isError || value == (source.hasPrefix("has") ? true : false), "\(value)")
  }
}
