internal import JSON

/// One step of a planned expression. The subclasses are the specialized steps that the planner chooses from.
///
/// A tree of final classes, because a call through the class costs a few nanoseconds and allocates nothing; an enum
/// with payloads would retain its payload on every visit.
///
/// `@unchecked Sendable`: every stored property of every subclass is a `let` of a `Sendable` type, or memory that is
/// written in the initializer only; the class cannot be checked because it is not final.
class PlanNode: @unchecked Sendable {
  /// The value of this step.
  func evaluate(_ frame: inout Frame) -> Value {
    preconditionFailure("\(type(of: self)) does not say what it evaluates to")
  }

  /// The value of this step as a truth.
  func condition(_ frame: inout Frame) -> Truth {
    switch evaluate(&frame) {
    case .bool(let value):
      return value ? .yes : .no
    case let other where other.isErrorOrUnknown:
      frame.fault = other
      return .faulted
    case let other:
      frame.fault = frame.mismatch(other)
      return .faulted
    }
  }

  /// The value of this step, with null for an absent one, regardless of its reading.
  func given(_ frame: inout Frame) -> Value { evaluate(&frame) }

  /// The reading of ``given(_:)`` when it is null: ``evaluate(_:)`` then gives this.
  var absent: Value { .null }

  /// The value, if it is the same in every evaluation.
  var constant: Value? { nil }

  /// How many levels of maps and lists of the value are written in the expression; 0 for data. A key that such a map
  /// lacks is a mistake in the expression. It is not an absent member.
  var writtenLevels: Int { 0 }

  /// Whether ``storage(_:)`` usually knows the address of the value.
  var hasStorage: Bool { false }

  /// The address of the value of this step, if it is in memory of the program or of the caller of the evaluation. If
  /// nil, the step has to be evaluated.
  func storage(_ frame: inout Frame) -> UnsafePointer<Value>? { nil }
}

/// A value that was known when the expression was planned.
final class ConstantNode: PlanNode, @unchecked Sendable {
  /// Memory of the node's own, which is written here, freed in `deinit` and never changed between.
  private let memory: UnsafeMutablePointer<Value>

  var value: Value { memory.pointee }

  init(_ value: Value) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: value)
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  override func evaluate(_ frame: inout Frame) -> Value { value }
  override var constant: Value? { value }
  override var writtenLevels: Int { Self.allLevels }

  /// More levels than a value has.
  static let allLevels = Int(Int32.max)

  override var hasStorage: Bool { true }
  override func storage(_ frame: inout Frame) -> UnsafePointer<Value>? { UnsafePointer(memory) }
}

/// A declared variable.
final class SlotNode: PlanNode, @unchecked Sendable {
  let slot: Int
  private let name: String
  private let empty: Value

  init(_ variable: VariableDeclaration, absent: Value) {
    slot = variable.slot
    name = variable.name
    empty = absent
  }

  override var absent: Value { empty }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = given(&frame)
    if case .null = value { return empty }
    return value
  }

  override func given(_ frame: inout Frame) -> Value {
    slot < frame.slots.count ? frame.slots[slot] : missing
  }

  private var missing: Value {
    @inline(never) get { .failure(.noSuchVariable, "the variable '\(name)' has no value") }
  }

  override var hasStorage: Bool { true }

  override func storage(_ frame: inout Frame) -> UnsafePointer<Value>? {
    slot < frame.slots.count ? frame.slots.baseAddress.map { $0 + slot } : nil
  }

  override func condition(_ frame: inout Frame) -> Truth {
    if slot < frame.slots.count, let value = frame.borrowed(slot: slot).pointee.bool() { return value ? .yes : .no }
    return super.condition(&frame)
  }
}

/// A variable that a comprehension binds.
final class LocalNode: PlanNode, @unchecked Sendable {
  let index: Int
  private let empty: Value
  private let levels: Int

  /// - Parameter levels: the levels of the bound value that are written in the expression.
  init(_ index: Int, absent: Value, writtenLevels levels: Int = 0) {
    self.index = index
    empty = absent
    self.levels = levels
  }

  override var absent: Value { empty }
  override var writtenLevels: Int { levels }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = frame.locals[index]
    if case .null = value { return empty }
    return value
  }

  override func given(_ frame: inout Frame) -> Value { frame.locals[index] }
}

extension Value {
  /// The failure of an operation with two failed operands: unknown operands go before errors.
  func fault(with other: Value) -> Value? {
    switch (self, other) {
    case (.unknown(let left), .unknown(let right)): .unknown(left.union(right))
    case (.unknown, _): self
    case (_, .unknown): other
    case (.error, _): self
    case (_, .error): other
    default: nil
    }
  }

  /// The value itself; an error gets its position in the expression, unless it already has one.
  @inline(__always)
  func located(_ id: Int) -> Value {
    if case .error(let error) = self { return Self.located(error, id) }
    return self
  }

  @inline(never)
  private static func located(_ error: EvaluationError, _ id: Int) -> Value { .error(error.at(id)) }

  /// The same for an operation on those operands.
  @inline(__always)
  func located(_ id: Int, of operands: @autoclosure () -> [Value]) -> Value {
    if case .error(let error) = self { return .error(error.at(id, operands: operands())) }
    return self
  }
}
