import CEL
import Testing

@Suite struct AggregatesLibraryTests {
  @Test(arguments: [
    "[1, 2, 3].sum() == 6 && type([1, 2].sum()) == int && [1u, 2u].sum() == 3u && [0.5, 0.25].sum() == 0.75",
    "[1, 2.5].sum() == 3.5 && type([1, 2.0].sum()) == double && [2.5, 1].sum() == 3.5",
    "[9223372036854775807, 9223372036854775807, 0.5].sum() == 2.0 * 9223372036854775807.0",
    "[duration('1s'), duration('2s')].sum() == duration('3s')",
    "[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && [1.5, -2.5].min() == -2.5 && [1, 2.5, 2u].max() == 2.5",
    "type([2, 2.0].max()) == int && type([2.0, 2].min()) == double",
    "['b', 'a', 'aa'].max() == 'b' && ['2026-02-01', '2026-01-31'].min() == '2026-01-31' && [true, false].max()",
    "[timestamp(2), timestamp(1)].min() == timestamp(1) && [duration('1s'), duration('1m')].max() == duration('60s')",
  ])
  func `a list is added up, and its least and greatest are found`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    "[1, null, 2].sum() == 3 && [null, 0.5].sum() == 0.5 && [null, 2, null, 1].min() == 1 && [null, 2, 1].max() == 2",
    "[].sum() == 0 && dyn([null]).sum() == 0 && [null, null].min() == null && [].max() == null",
    "[1.5].filter(x, x > 2.0).sum() + 0.5 == 0.5 && type([1u].filter(x, x > 2u).sum()) == uint",
    "[duration('1s')].filter(x, false).sum() == duration('0s')",
  ])
  func `null is left out, and nothing is zero or null`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    "dyn([1, 2]).sum() == 3", "dyn([1, 2.5]).max() == 2.5", "[{'net': 1.5}, {'net': 2}].map(r, r.net).sum() == 3.5",
    "dyn([duration('1s')]).sum() == duration('1s')", "[{'on': 'b'}, {'on': 'a'}].map(r, r.on).min() == 'a'",
  ])
  func `a list of elements of no known type is taken as it is`(source: String) {
    expectTrue(source)
  }

  @Test func `numbers that may be absent add up to one that may not`() throws {
    var environment = Environment()
    environment.declare(variable: "nets", type: .list(.wrapper(.double)), size: SizeBounds(max: 50))
    let program = try environment.compile("nets.sum() * 2.0 > 1.0 && nets.max() == null")
    #expect(program.type == .bool)
    #expect(program.evaluate(["nets": [.null]]) == false)
    #expect(try environment.compile("nets.sum()").type == .double)
    #expect(try environment.compile("nets.max()").type == .wrapper(.double))
    #expect(throws: ExpressionError.self) { try environment.compile("nets.sum() == 'a'") }
  }

  @Test(arguments: [
    ("[9223372036854775807, 1].sum()", EvaluationError.Kind.overflow), ("[1u, 18446744073709551615u].sum()", .overflow),
    ("[1, 1u].sum()", .noSuchOverload), ("dyn(['a']).sum()", .noSuchOverload), ("dyn([[1]]).sum()", .noSuchOverload),
    ("dyn([timestamp(0), duration('1s')]).sum()", .noSuchOverload), ("dyn([1, 'a']).max()", .noSuchOverload),
    ("dyn([{}]).min()", .noSuchOverload), ("dyn('a').sum()", .noSuchOverload),
  ])
  func `what cannot be added or compared is an error`(source: String, kind: EvaluationError.Kind) {
    #expect(failureKind(source) == kind)
  }

  @Test func `what goes through a list costs as much as the list is long`() throws {
    var environment = Environment()
    environment.declare(variable: "numbers", type: .list(.int), size: SizeBounds(max: 10_000))
    for source in ["numbers.sum()", "numbers.min()", "numbers.max()"] {
      let steps = try environment.compile(source).cost.steps
      #expect(steps >= 10_000 && steps < 30_000)
    }
  }
}
