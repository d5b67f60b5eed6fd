internal import CEL
internal import Forms
internal import JSON

/// What formulas of outcomes read: the values of an instance, with `response` and `previous`.
struct OutcomeScope {
  private let response: Value
  private let previous: Value
  private let instance: Instance

  init(response: EffectResponse?, previous: JSON?, instance: Instance) {
    self.response = response?.value ?? .null
    self.previous = previous.map(Value.init) ?? .null
    self.instance = instance
  }

  /// The result. A failure has been reported to the turn.
  func evaluate(_ formula: Formula, by engine: Engine) -> Value {
    let value = engine.withSlotValues(readBy: formula, in: instance, response: response, previous: previous) {
      formula.evaluate($0, budget: &engine.budget)
    }
    if value.isError { engine.report(formula, value, in: instance) }
    return value
  }
}

extension EffectResponse {
  /// The value that formulas see as `response`.
  var value: Value {
    var members: JSONObject = [
      "kind": .string(kind.rawValue), "status": .integer(Int64(status)), "headers": .object(headers),
      "rows": .array(rows ?? []), "sqlState": .string(sqlState ?? ""), "constraint": .string(constraint ?? ""),
      "reason": .string(reason ?? ""),
    ]
    members["body"] = body ?? .null
    return Value(.object(members))
  }
}

/// The outcome that an answer has taken.
package struct OutcomeTaken: Hashable, Sendable {
  package enum Owner: Hashable, Sendable {
    /// By the action's name.
    case action(String)
    /// By the check's id.
    case check(String)
  }

  /// The owner of the outcomes.
  package var owner: Owner
  /// The position of the outcome in the owner's list. It is nil if the answer fits no outcome, or if the service of a
  /// check has failed.
  package var position: Int?

  /// The outcome at that position.
  package init(_ owner: Owner, _ position: Int?) {
    self.owner = owner
    self.position = position
  }
}
