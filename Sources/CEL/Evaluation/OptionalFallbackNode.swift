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

/// `optional.of(a)` if absence spreads: an optional without a value if `a` is absent. This also holds if an absent `a`
/// reads as an empty text, list or map.
final class PresentOptionalNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  /// Whether an empty value, 0 or false counts as a value.
  private let keepsZero: Bool

  init(_ operand: PlanNode, keepsZero: Bool) {
    self.operand = operand
    self.keepsZero = keepsZero
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = operand.given(&frame)
    if value.isErrorOrUnknown { return value }
    return .optional(value.isNull || !keepsZero && value.isZeroValue ? nil : value)
  }
}
