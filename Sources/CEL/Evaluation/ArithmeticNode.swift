/// The arithmetic operators.
enum ArithmeticOperation: Sendable {
  case add
  case subtract
  case multiply
  case divide
  case remainder
}

/// `a + b` and the other arithmetic operators, for all types that have them.
final class ArithmeticNode: PlanNode, @unchecked Sendable {
  private let left: PlanNode
  private let right: PlanNode
  private let operation: ArithmeticOperation
  private let id: Int

  init(_ left: PlanNode, _ right: PlanNode, _ operation: ArithmeticOperation, id: Int) {
    self.left = left
    self.right = right
    self.operation = operation
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let first = left.evaluate(&frame)
    let second = right.evaluate(&frame)
    if let fault = first.fault(with: second) { return fault.located(id) }
    if frame.isAbsent(first) || frame.isAbsent(second) { return .null }
    switch operation {
    case .add:
      guard frame.spend(first.concatenationSteps + second.concatenationSteps) else {
        return Frame.budgetExceeded.located(id)
      }
      return first.adding(second).located(id, of: [first, second])
    case .subtract: return first.subtracting(second).located(id, of: [first, second])
    case .multiply: return first.multiplied(by: second).located(id, of: [first, second])
    case .divide: return first.divided(by: second).located(id, of: [first, second])
    case .remainder: return first.remainder(dividingBy: second).located(id, of: [first, second])
    }
  }
}

extension Value {
  /// The cost of copying the value behind another.
  @inline(__always)
  fileprivate var concatenationSteps: Int {
    switch self {
    case .string(let text): text.utf8.count >> 6
    case .bytes(let bytes): bytes.count >> 6
    case .list(let list): list.count
    default: 0
    }
  }
}
