internal import CEL
internal import Forms
internal import JSON

/// The cells that the formulas of outcomes read: the session's own, with `response` and `previous`.
struct OutcomeScope {
  private let cells: [Value]

  init(response: EffectResponse?, previous: JSON?, session: Session) {
    let first = SlotTable.firstOfSession
    var cells = [Value](repeating: .null, count: first)
    cells += UnsafeBufferPointer(start: session.slots + first, count: session.form.slots.count - first)
    cells[SlotTable.response] = response?.value ?? .null
    cells[SlotTable.previous] = previous.map(Value.init) ?? .null
    self.cells = cells
  }

  /// The result; a failure has been reported to the turn.
  func evaluate(_ formula: Formula, by engine: Engine) -> Value {
    let value = cells.withUnsafeBufferPointer { formula.evaluate($0, budget: &engine.budget) }
    if value.isError { engine.report(formula, value) }
    return value
  }
}

extension EffectResponse {
  /// What formulas see as `response`.
  var value: Value {
    var members: JSONObject = [
      "kind": .string(kind.rawValue), "status": .integer(Int64(status)), "headers": .object(headers),
      "rows": .array(rows ?? []),
    ]
    members["body"] = body ?? .null
    return Value(.object(members))
  }
}
