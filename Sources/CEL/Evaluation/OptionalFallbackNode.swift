/// `a.or(b)` and `a.orValue(b)`: `b` is evaluated only if `a` holds no value, so that its errors do not count
/// otherwise.
final class OptionalFallbackNode: PlanNode, @unchecked Sendable {
  private let optional: PlanNode
  private let fallback: PlanNode
  /// Whether the result is the value itself.
  private let unwraps: Bool
  private let id: Int

  init(_ optional: PlanNode, _ fallback: PlanNode, unwraps: Bool, id: Int) {
    self.optional = optional
    self.fallback = fallback
    self.unwraps = unwraps
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let first = optional.evaluate(&frame)
    if first.isErrorOrUnknown { return first.located(id) }
    guard case .optional(let content) = first else { return Value.error(.noSuchOverload).located(id) }
    if let value = content.value { return unwraps ? value : first }
    let second = fallback.evaluate(&frame)
    if unwraps || second.isErrorOrUnknown { return second }
    guard case .optional = second else { return Value.error(.noSuchOverload).located(id) }
    return second
  }
}

/// `a.orValue(b)` if absence spreads: `b` if `a` is absent, or an optional that holds no value.
final class AbsenceFallbackNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let fallback: PlanNode

  init(_ operand: PlanNode, _ fallback: PlanNode) {
    self.operand = operand
    self.fallback = fallback
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    switch operand.given(&frame) {
    case .null: fallback.evaluate(&frame)
    case .optional(let optional): optional.value ?? fallback.evaluate(&frame)
    case let value: value
    }
  }

  override func given(_ frame: inout Frame) -> Value {
    switch operand.given(&frame) {
    case .null: fallback.given(&frame)
    case .optional(let optional): optional.value ?? fallback.given(&frame)
    case let value: value
    }
  }

  override var absent: Value { fallback.absent }
}
