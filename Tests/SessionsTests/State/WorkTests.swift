import Forms
import JSON
import Sessions
import Testing
internal import Times

/// The work that a turn may use: one budget for formulas, patterns and the schema. Nothing here measures time.
@Suite struct `The work of a turn` {
  /// Each definition refers twice to the next one, so 40 definitions lead to 2 to the power of 40 applications.
  private static let doubling: JSON = .object(
    JSONObject(
      (0..<40).map { level in
        let next: JSON = ["$ref": .string("#/$defs/d\(level + 1)")]
        return ("d\(level)", ["allOf": [next, next]])
      } + [("d40", ["type": "object"])]
    )
  )

  private static func form(_ properties: JSONObject, outputs: JSON = [:]) throws -> Form {
    try compiled([
      "form": "t", "schema": ["type": "object", "properties": .object(properties), "$defs": doubling],
      "outputs": outputs,
    ])
  }

  @Test func `a schema whose cost doubles ends with the budget, is not valid and is told`() throws {
    let form = try SessionDriver(Self.form(["a": ["type": "object", "$ref": "#/$defs/d0"], "b": ["type": "string"]]))
    #expect(form.isValid)
    form.change(["a": [:]])
    #expect(form.codes("a") == ["tooCostly"])
    #expect(!form.isValid)
    #expect(form.faults.map(\.pointer) == ["/schema/properties/a"])
    #expect(form.faults.map(\.message) == ["the schema takes more steps than a turn may"])
    #expect(form.unitsLeft == 0)
    // The next turn has a budget of its own, and the value can go.
    form.change(["b": "x"])
    #expect(form.unitsLeft > Engine.turnBudget * 9 / 10)
    form.change(["a": .null])
    #expect(form.isValid)
  }

  @Test func `opening a session, and so a validation, is a turn with the same budget`() throws {
    let form = try Self.form(["a": ["$ref": "#/$defs/d0"], "b": ["$ref": "#/$defs/d0"]])
    let engine = Engine()
    let (session, turn) = engine.open(form, options: OpenOptions(values: ["a": [:], "b": [:]]), at: .milliseconds(0))
    #expect(turn.faults.map(\.pointer) == ["/schema/properties/a", "/schema/properties/b"])
    #expect(session.document["isValid"] == false)
    #expect(engine.changes(of: turn).isEmpty)
  }

  @Test func `many such fields share the budget of one turn`() throws {
    let names = (0..<200).map { "f\($0)" }
    let form = try SessionDriver(
      Self.form(JSONObject(names.map { ($0, ["$ref": "#/$defs/d0"]) }))
    )
    form.apply(
      .change(
        names.indices.map { FieldChange(field: $0, value: [:]) },
        origin: .user,
        isComposing: false,
        commit: false
      )
    )
    for name in names { #expect(form.codes(name) == ["tooCostly"]) }
    #expect(form.faults.count == 32)
  }

  @Test func `a pattern that goes back and forth is charged for its steps, in lists too`() throws {
    let form = try SessionDriver(
      Self.form([
        "a": ["prefixItems": [["pattern": "^(?!(a+)+$)"]], "items": ["pattern": "^(?!(a+)+$)"]],
        "b": ["prefixItems": [["pattern": "^(a+)+b$"]], "items": ["pattern": "^(a+)+b$"]],
      ])
    )
    let text = JSON.string(String(repeating: "a", count: 40) + "b")
    form.change(["a": .array(Array(repeating: text, count: 1))])
    let one = Engine.turnBudget - form.unitsLeft
    #expect(one > 1_000)
    form.change(["a": .array(Array(repeating: text, count: 2_000))])
    #expect(form.codes("a") == ["tooCostly"])
    form.change(["b": .array(Array(repeating: text, count: 2_000))])
    #expect(form.codes("b").isEmpty)
    #expect(form.unitsLeft > Engine.turnBudget * 9 / 10)
  }

  @Test func `a turn that has used up its CPU time ends with a fault that names what ran`() throws {
    var now = Duration.zero
    var looks = 0
    var pace = Engine.turnCPUTimeMax / 2.5
    let engine = Engine(cpuTime: {
      looks += 1
      now += pace
      return now
    })
    let form = try SessionDriver(
      Self.form(["a": ["type": "integer"]], outputs: ["sum": "lists.range(20000).filter(i, i > values.a).size()"]),
      engine: engine
    )
    form.change(["a": 1])
    #expect(form.faults.map(\.pointer) == ["/outputs/sum"])
    #expect(form.faults.map(\.message) == ["evaluation budget exceeded"])
    // In the opening and in the turn the first look begins, and three more are too many. The driver computes everything
    // again.
    #expect(looks == 4 + 2 * 4)
    #expect(form["/outputs/sum"] == nil)
    pace = .zero
    form.change(["a": 2])
    #expect(form["/outputs/sum"] == 19_997)
    #expect(form.unitsLeft > Engine.turnBudget / 2)
  }

  @Test func `a list of 10,000 rows takes a small part of the budget`() throws {
    let form = try SessionDriver(
      Self.form([
        "rows": [
          "type": "array",
          "items": [
            "type": "object", "required": ["name", "price"],
            "properties": [
              "name": ["type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Z]"],
              "price": ["type": "number", "minimum": 0], "mail": ["type": "string", "format": "email"],
            ],
          ],
        ]
      ]),
      engine: Engine(cpuTime: { .zero })
    )
    let row: JSON = ["name": "Chair", "price": 12.5, "mail": "kim@example.com"]
    form.change(["rows": .array(Array(repeating: row, count: 10_000))])
    #expect(form.isValid)
    #expect(form.unitsLeft > Engine.turnBudget * 9 / 10)
  }
}
