internal import CEL
internal import Forms
internal import JSON

/// What the formulas of outcomes read: the cells of an instance, with `response` and `previous`.
struct OutcomeScope {
  private let response: Value
  private let previous: Value
  private let instance: Instance

  init(response: EffectResponse?, previous: JSON?, instance: Instance) {
    self.response = response?.value ?? .null
    self.previous = previous.map(Value.init) ?? .null
    self.instance = instance
  }

  /// The result; a failure has been reported to the turn.
  func evaluate(_ formula: Formula, by engine: Engine) -> Value {
    let value = engine.withCells(readBy: formula, in: instance) { cells in
      cells[SlotTable.response] = response
      cells[SlotTable.previous] = previous
      defer {
        cells[SlotTable.response] = .null
        cells[SlotTable.previous] = .null
      }
      return formula.evaluate(UnsafeBufferPointer(cells), budget: &engine.budget)
    }
    if value.isError { engine.report(formula, value, in: instance) }
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
