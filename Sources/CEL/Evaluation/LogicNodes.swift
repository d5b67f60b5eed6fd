/// `a && b && ...` and `a || b || ...`: the deciding side wins, even over errors of the others (langdef.md, "Logical
/// Operators").
final class LogicNode: PlanNode, @unchecked Sendable {
  private let operands: [PlanNode]
  /// The truth that decides the result by itself: `no` for `&&`, `yes` for `||`.
  private let deciding: Truth

  init(_ operands: [PlanNode], isAnd: Bool) {
    self.operands = operands
    deciding = isAnd ? .no : .yes
  }

  override func condition(_ frame: inout Frame) -> Truth {
    var fault: Value?
    for index in 0..<operands.count {
      switch operands[index].condition(&frame) {
      case deciding: return deciding
      case .faulted: fault = fault.map { $0.fault(with: frame.fault) ?? $0 } ?? frame.fault
      default: continue
      }
    }
    if let fault {
      frame.fault = fault
      return .faulted
    }
    return deciding == .no ? .yes : .no
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

extension PlanNode {
  /// A condition's outcome as a value.
  @inline(__always)
  func value(of truth: Truth, _ frame: borrowing Frame) -> Value {
    switch truth {
    case .yes: .bool(true)
    case .no: .bool(false)
    case .faulted: frame.fault
    }
  }
}

/// `a && b` and `a || b`, the usual case: no list to go through.
final class LogicPairNode: PlanNode, @unchecked Sendable {
  private let left: PlanNode
  private let right: PlanNode
  private let deciding: Truth

  init(_ left: PlanNode, _ right: PlanNode, isAnd: Bool) {
    self.left = left
    self.right = right
    deciding = isAnd ? .no : .yes
  }

  override func condition(_ frame: inout Frame) -> Truth {
    let first = left.condition(&frame)
    if first == deciding { return deciding }
    guard first == .faulted else { return right.condition(&frame) }
    let fault = frame.fault
    let second = right.condition(&frame)
    if second == deciding { return deciding }
    frame.fault = second == .faulted ? fault.fault(with: frame.fault) ?? fault : fault
    return .faulted
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// `!a`
final class NotNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let id: Int

  init(_ operand: PlanNode, id: Int) {
    self.operand = operand
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    switch operand.condition(&frame) {
    case .yes: return .no
    case .no: return .yes
    case .faulted:
      frame.fault = frame.fault.located(id)
      return .faulted
    }
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// `a ? b : c`: only one side is evaluated.
final class ConditionalNode: PlanNode, @unchecked Sendable {
  private let test: PlanNode
  private let accepted: PlanNode
  private let refused: PlanNode
  private let id: Int

  init(_ test: PlanNode, _ accepted: PlanNode, _ refused: PlanNode, id: Int) {
    self.test = test
    self.accepted = accepted
    self.refused = refused
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    switch test.condition(&frame) {
    case .yes: accepted.evaluate(&frame)
    case .no: refused.evaluate(&frame)
    case .faulted: frame.fault.located(id)
    }
  }

  override var writtenLevels: Int { min(accepted.writtenLevels, refused.writtenLevels) }

  override var hasStorage: Bool { accepted.hasStorage && refused.hasStorage }

  override func storage(_ frame: inout Frame) -> UnsafePointer<Value>? {
    switch test.condition(&frame) {
    case .yes: accepted.storage(&frame)
    case .no: refused.storage(&frame)
    case .faulted: nil
    }
  }

  override func given(_ frame: inout Frame) -> Value {
    switch test.condition(&frame) {
    case .yes: accepted.given(&frame)
    case .no: refused.given(&frame)
    case .faulted: frame.fault.located(id)
    }
  }

  /// Both sides are of one type.
  override var absent: Value { accepted.absent.isNull ? refused.absent : accepted.absent }

  override func condition(_ frame: inout Frame) -> Truth {
    switch test.condition(&frame) {
    case .yes: return accepted.condition(&frame)
    case .no: return refused.condition(&frame)
    case .faulted:
      frame.fault = frame.fault.located(id)
      return .faulted
    }
  }
}

/// A condition that a planned step failed: keeps the fault and says so.
extension PlanNode {
  @inline(never)
  func fail(_ value: Value, id: Int, _ frame: inout Frame) -> Truth {
    frame.fault = (value.isErrorOrUnknown ? value : frame.mismatch(value)).located(id, of: [value])
    return .faulted
  }
}
