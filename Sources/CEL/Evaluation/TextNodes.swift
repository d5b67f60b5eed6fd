internal import Budgets
internal import Formats
internal import JSON
internal import Texts

/// A test of a text by a constant part of it.
enum TextTest: Sendable {
  case contains
  case startsWith
  case endsWith
}

/// `a.contains('text')`, `a.startsWith('text')`, `a.endsWith('text')` with a constant text.
final class TextTestNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  /// Of the operand when that is a variable, as it mostly is; else -1.
  private let slot: Int
  private let part: ConstantText
  private let test: TextTest
  private let id: Int

  init(_ operand: PlanNode, _ test: TextTest, _ part: String, id: Int) {
    self.operand = operand
    slot = (operand as? SlotNode)?.slot ?? -1
    self.part = ConstantText(part)
    self.test = test
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    if slot >= 0, slot < frame.slots.count,
      let truth = frame.borrowed(slot: slot).pointee.withText({ isTrue($0, &frame) })
    {
      return truth
    }
    let value = operand.evaluate(&frame)
    guard case .string(let text) = value else { return fail(value, id: id, &frame) }
    return isTrue(text, &frame)
  }

  private func isTrue(_ text: borrowing String, _ frame: inout Frame) -> Truth {
    text.withCodeUnits { units in
      guard frame.spend(units.count >> 6) else { return fail(Frame.budgetExceeded, id: id, &frame) }
      return isTrue(units) ? .yes : .no
    }
  }

  @inline(__always)
  private func isTrue(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let part = part.units
    guard text.count >= part.count else { return false }
    switch test {
    case .contains:
      return text.offset(of: part, from: 0) != nil
    case .startsWith:
      return UnsafeBufferPointer(rebasing: text[..<part.count]).hasSameBytes(as: part)
    case .endsWith:
      return UnsafeBufferPointer(rebasing: text[(text.count - part.count)...]).hasSameBytes(as: part)
    }
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// `size(a)`
final class SizeNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let id: Int

  init(_ operand: PlanNode, id: Int) {
    self.operand = operand
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = operand.evaluate(&frame)
    if value.isErrorOrUnknown || frame.isAbsent(value) { return value }
    if case .string(let text) = value, !frame.spend(text.utf8.count >> 6) { return Frame.budgetExceeded.located(id) }
    return value.size.located(id)
  }
}

/// `a.matches('pattern')` with a constant pattern, which was compiled when the expression was planned.
final class PatternNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let pattern: Pattern
  private let id: Int

  init(_ operand: PlanNode, _ pattern: Pattern, id: Int) {
    self.operand = operand
    self.pattern = pattern
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    let value = operand.evaluate(&frame)
    guard case .string(let text) = value else { return fail(value, id: id, &frame) }
    // Taken out of the frame first: the compiler (Swift 6.3) refuses the code that ThreadSanitizer adds to a change
    // behind a pointer in it.
    let budget = frame.budget
    switch pattern.matches(text, budget: &budget.pointee) {
    case .match: return .yes
    case .noMatch: return .no
    case .tooCostly:
      if budget.pointee.isSpent { return fail(Frame.budgetExceeded, id: id, &frame) }
      return fail(.failure(.tooLarge, "the regular expression takes too many steps on this text"), id: id, &frame)
    }
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}
