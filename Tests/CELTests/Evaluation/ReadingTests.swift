import CEL
import JSON
import Testing

/// Data are read by their declared types when absence spreads, however an expression reaches them.
@Suite struct ReadingTests {
  /// A record `o` of a double `x`, an int `n`, a text `s` and a list `rows` of such records; lists `rows` of such
  /// records, `doubles`, `ints`, `texts`, and `lists` of lists of ints.
  private static let environment: Environment = {
    var environment = Environment()
    environment.spreadAbsence()
    environment.declare(
      RecordDeclaration(
        name: "/o",
        fields: [
          "x": .init(type: .wrapper(.double)), "n": .init(type: .wrapper(.int)), "s": .init(type: .string),
          "rows": .init(type: .list(.object("/o"))),
        ]
      )
    )
    environment.declare(variable: "o", type: .object("/o"))
    environment.declare(variable: "rows", type: .list(.object("/o")))
    environment.declare(variable: "doubles", type: .list(.wrapper(.double)))
    environment.declare(variable: "ints", type: .list(.wrapper(.int)))
    environment.declare(variable: "texts", type: .list(.string))
    environment.declare(variable: "lists", type: .list(.list(.wrapper(.int))))
    return environment
  }()

  private func expectTrue(_ source: String, _ values: [String: JSON]) throws {
    let value = try Self.environment.compile(source).evaluate(values.mapValues { Value($0) })
    #expect(value == true, "\(source) is \(value)")
  }

  @Test(arguments: [
    "o.?x.orValue(0.0) + 0.5 == 2.5 && o[?'x'].orValue(0.0) + 0.5 == 2.5 && o.?x.value() / 4.0 == 0.5",
    "o.?n.orValue(0) + 1 == 4 && o.?n.optMap(n, n + 1).orValue(0) == 4",
    "o.?s.orValue('none') == 'none' && !o.?s.hasValue() && !o[?'s'].hasValue()",
    "o.?rows[?0].?x.orValue(0.0) + 0.5 == 1.5 && o.?rows[0].x.orValue(0.0) + 0.5 == 1.5 && !o.?rows[?1].hasValue()",
    "rows[?0].?x.orValue(0.0) + 0.5 == 1.5 && !rows[?1].?x.hasValue() && !rows[?2].?x.hasValue()",
    "doubles[?0].orValue(0.0) + 0.5 == 1.5 && doubles[?1].orValue(7.0) == 7.0 && doubles[?9].orValue(8.0) == 8.0",
    "doubles.first().value() + 0.5 == 1.5 && doubles.last().orValue(7.0) == 7.0 && ints.last().value() + 1 == 5",
    "rows.first().x.orValue(0.0) + 0.5 == 1.5 && !rows.last().hasValue() && !texts.first().hasValue()",
  ])
  func `an optional holds what reads as declared, and nothing else`(source: String) throws {
    try expectTrue(
      source,
      [
        "o": ["x": 2, "n": 3.0, "s": 7, "rows": [["x": 1], "x"]], "rows": [["x": 1], ["x": "one"], 3],
        "doubles": [1, "x"], "ints": [3, 4.0], "texts": [5],
      ]
    )
  }

  @Test(arguments: [
    "doubles.sort() == [1.0, 2.5] && doubles.max() + 0.5 == 3.0 && doubles.min() + 0.5 == 1.5 && doubles.sum() == 3.5",
    "ints.sum() + 1 == 8 && ints.max() + 1 == 5 && ints.sort().map(x, x + 1) == [4, 5] && ints.reverse()[0] == null",
    "texts.min() == 'a' && texts.sort() == ['a', 'b'] && texts.join(',') == null && texts.size() == 3",
    "lists.flatten().sum() + 1 == 7 && lists.flatten().sort() == [1, 2, 3]",
    "math.greatest(doubles) == null && math.greatest(doubles.slice(0, 2)) + 0.5 == 3.0",
    "doubles.filter(x, true).max() + 0.5 == 3.0 && (ints + ints).sum() == 14",
    "rows.map(r, r.n).sum() == 2 && rows.distinct().map(r, r.n) == [2, null]",
  ])
  func `elements of a list that is passed on read as declared, and absent ones are left out`(source: String) throws {
    try expectTrue(
      source,
      [
        "doubles": [2.5, 1, "x"], "ints": [4.0, 3, "x"], "texts": ["b", 1, "a"], "lists": [[3, 1.0], "x", [2, "x"]],
        "rows": [["n": 2.0], "x", 3],
      ]
    )
  }

  @Test(arguments: [
    "rows.sortBy(r, r.n).map(r, r.s) == ['b', 'c', 'a', 'd']",
    "rows.sortBy(r, -r.n).map(r, r.s) == ['c', 'b', 'a', 'd']",
    "rows.sortBy(r, r.x).map(r, r.s) == ['a', 'b', 'c', 'd']", "[3, null, 1].sort() == [1, 3]", "ints.sort() == []",
  ])
  func `an element without a key comes last, and sort leaves out what is absent`(source: String) throws {
    try expectTrue(
      source,
      [
        "rows": [["s": "a"], ["s": "b", "n": 1], ["s": "c", "n": 2], ["s": "d", "n": "one"]], "ints": [.null, "x"],
      ]
    )
  }

  @Test func `to take an end of a list costs the same for a list of any length`() throws {
    let program = try Self.environment.compile("ints.first().orValue(0) + ints.last().orValue(0)")
    #expect(program.cost.unbounded == nil && program.cost.steps < 20)
  }

  @Test(arguments: [
    ("rows == 1", "'==' cannot take (list(object), int)"), ("o == 1", "'==' cannot take (object, int)"),
    ("o.?rows + 1", "'+' cannot take (optional_type(list(object)), int)"),
  ])
  func `a record that no expression can name is an object`(source: String, message: String) {
    let error = #expect(throws: ExpressionError.self) { try Self.environment.compile(source) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }
}
