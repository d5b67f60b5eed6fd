internal import Formats
internal import Texts

/// The cost of comparing two texts, in addition to the step of the node that compares.
enum TextComparison {
  /// `memcmp` compares this many bytes in about the time of one operation of a formula.
  static let bytesPerStep = 256

  /// The steps of going through so many bytes, and as many of another text.
  static func steps(bytes: Int) -> Int { bytes / bytesPerStep }

  /// The steps of comparing a text with each element that is as long; texts of another length differ without a
  /// comparison.
  static func steps(finding text: String, in list: ListValue) -> Int {
    let bytes = text.utf8.count
    let stepsEach = steps(bytes: bytes)
    guard stepsEach > 0 else { return 0 }
    return stepsEach
      * list.elements.count { if case .string(let other) = $0 { other.utf8.count == bytes } else { false } }
  }
}

/// `a == b` and `a != b`.
final class EqualityNode: PlanNode, @unchecked Sendable {
  private let left: PlanNode
  private let right: PlanNode
  private let isNegated: Bool
  private let id: Int

  init(_ left: PlanNode, _ right: PlanNode, isNegated: Bool, id: Int) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    let first = left.given(&frame)
    let second = right.given(&frame)
    let areEqual: Bool
    switch (first, second) {
    // Two absent values are equal, even if they read as different values.
    case (.null, .null): areEqual = true
    case (.string(let a), .string(let b)):
      // Texts of different lengths differ without a look at their bytes.
      let bytes = a.utf8.count
      guard bytes != b.utf8.count || frame.spend(TextComparison.steps(bytes: bytes)) else {
        return fail(Frame.budgetExceeded, id: id, &frame)
      }
      areEqual = a.hasSameUTF8(as: b)
    case (.int(let a), .int(let b)): areEqual = a == b
    case (.bool(let a), .bool(let b)): areEqual = a == b
    default:
      if let fault = first.fault(with: second) { return fail(fault, id: id, &frame) }
      guard first.isSmall || second.isSmall || frame.spend(first.contentSteps(in: frame)) else {
        return fail(Frame.budgetExceeded, id: id, &frame)
      }
      areEqual = (first.isNull ? left.absent : first).equals(second.isNull ? right.absent : second)
    }
    return areEqual != isNegated ? .yes : .no
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// `a == 'text'` and `a != 'text'` with a constant text.
final class TextEqualityNode: PlanNode, @unchecked Sendable {
  private let operand: PlanNode
  private let text: ConstantText
  private let isNegated: Bool
  private let id: Int

  init(_ operand: PlanNode, _ text: String, isNegated: Bool, id: Int) {
    self.operand = operand
    self.text = ConstantText(text)
    self.isNegated = isNegated
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    switch operand.evaluate(&frame) {
    case .string(let value):
      guard value.utf8.count == text.units.count else { return isNegated ? .yes : .no }
      let areEqual = value.withCodeUnits { $0.hasSameBytes(as: text.units) }
      return areEqual != isNegated ? .yes : .no
    case let other where other.isErrorOrUnknown: return fail(other, id: id, &frame)
    default: return isNegated ? .yes : .no
    }
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// The relations `<`, `<=`, `>`, `>=`.
enum Relation: Sendable {
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  @inline(__always)
  func isTrue<Ordered: Comparable>(_ left: Ordered, _ right: Ordered) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  /// The relation on values of any types.
  func isTrue(_ left: Value, _ right: Value) -> Value {
    switch self {
    case .less: left.isLess(than: right)
    case .lessOrEqual: left.isLessOrEqual(to: right)
    case .greater: right.isLess(than: left)
    case .greaterOrEqual: right.isLessOrEqual(to: left)
    }
  }
}

/// `a < b` and the other relations.
final class RelationNode: PlanNode, @unchecked Sendable {
  private let left: PlanNode
  private let right: PlanNode
  private let relation: Relation
  private let id: Int

  init(_ left: PlanNode, _ right: PlanNode, _ relation: Relation, id: Int) {
    self.left = left
    self.right = right
    self.relation = relation
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    let first = left.evaluate(&frame)
    let second = right.evaluate(&frame)
    switch (first, second) {
    case (.int(let a), .int(let b)): return relation.isTrue(a, b) ? .yes : .no
    case (.double(let a), .double(let b)): return relation.isTrue(a, b) ? .yes : .no
    default:
      if let fault = first.fault(with: second) { return fail(fault, id: id, &frame) }
      if frame.isAbsent(first) || frame.isAbsent(second) { return fail(.null, id: id, &frame) }
      if case .string(let a) = first, case .string(let b) = second,
        !frame.spend(TextComparison.steps(bytes: min(a.utf8.count, b.utf8.count)))
      {
        return fail(Frame.budgetExceeded, id: id, &frame)
      }
      guard case .bool(let isTrue) = relation.isTrue(first, second) else {
        return fail(Value.error(.noSuchOverload).located(id, of: [first, second]), id: id, &frame)
      }
      return isTrue ? .yes : .no
    }
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}

/// `a in b`
final class MembershipNode: PlanNode, @unchecked Sendable {
  private let element: PlanNode
  private let container: PlanNode
  private let id: Int

  init(_ element: PlanNode, in container: PlanNode, id: Int) {
    self.element = element
    self.container = container
    self.id = id
  }

  override func condition(_ frame: inout Frame) -> Truth {
    let candidate = element.evaluate(&frame)
    let values = container.evaluate(&frame)
    if let fault = candidate.fault(with: values) { return fail(fault, id: id, &frame) }
    if frame.isAbsent(candidate) || frame.isAbsent(values) { return fail(.null, id: id, &frame) }
    if case .list(let list) = values {
      var steps = candidate.isSmall ? list.count : values.contentSteps(in: frame)
      if case .string(let text) = candidate { steps += TextComparison.steps(finding: text, in: list) }
      guard frame.spend(steps) else { return fail(Frame.budgetExceeded, id: id, &frame) }
    } else {
      guard frame.spend(candidate.contentSteps(in: frame)) else { return fail(Frame.budgetExceeded, id: id, &frame) }
    }
    guard case .bool(let isMember) = values.contains(candidate) else {
      return fail(Value.error(.noSuchOverload).located(id, of: [candidate, values]), id: id, &frame)
    }
    return isMember ? .yes : .no
  }

  override func evaluate(_ frame: inout Frame) -> Value { value(of: condition(&frame), frame) }
}
