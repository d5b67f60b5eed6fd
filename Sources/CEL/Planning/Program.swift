public import Budgets
internal import Formats
public import JSON

/// An expression that is ready to be evaluated: any number of times, from any thread.
public final class Program: Sendable {
  /// The expression that the program was planned from, as parsed.
  public let parsed: ParsedExpression
  /// The type of the result.
  public let type: CELType
  /// The dependencies of an evaluation: only they can change its result.
  public let dependencies: [Dependency]
  /// How many steps an evaluation takes, as far as that can be known.
  public let cost: CostEstimate

  private let root: PlanNode
  private let localCount: Int
  private let spreadsAbsence: Bool
  /// Whether ``condition(_:budget:)`` may ask the root for a truth: the result is one, or absent.
  private let isCondition: Bool
  /// Whether ``storage(_:budget:)`` may ask the root: usually the root has storage, so that nothing is evaluated twice.
  private let hasStorage: Bool

  /// The steps that an evaluation may take if nothing else is said; each is a few nanoseconds to some tens.
  public static let defaultBudget = 1_000_000

  init(
    expression: CheckedExpression,
    root: PlanNode,
    localCount: Int,
    spreadsAbsence: Bool,
    cost: CostEstimate
  ) {
    parsed = expression.parsed
    type = expression.type
    self.root = root
    self.localCount = localCount
    self.spreadsAbsence = spreadsAbsence
    self.cost = cost
    hasStorage = root.hasStorage && localCount == 0 && expression.type == .string
    isCondition = spreadsAbsence && localCount == 0 && expression.type == .bool
    dependencies = DependencyCollector.dependencies(of: expression)
  }

  /// The result, if it is the same in every evaluation.
  public var constant: Value? { root.constant }

  /// Evaluates with the values of the variables in their slots.
  ///
  /// - Parameters:
  ///   - slots: a value for each slot; a variable whose slot is beyond them has no value. A result that depends on an
  ///     `.unknown` is unknown.
  ///   - budget: the budget for the steps of the evaluation, one unit for each step.
  /// - Returns: the value; failures are `.error`. Nothing is thrown, and no input traps. The texts in it cost a step
  ///   for each ``ResultLimits/bytesPerStep`` bytes, as often as they occur.
  public func evaluate(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> Value {
    // The frame lives no longer than this call, which has the budget to itself.
    evaluate(slots, spendingFrom: &budget)
  }

  /// The address of the result, if it is a text that is already in memory: a constant, or the text of one of the slots.
  /// The caller reads it there without a copy.
  ///
  /// - Returns: the storage, valid as long as the program and the slots are; nil where the result has to be made by
  ///   ``evaluate(_:budget:)``.
  public func storage(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> UnsafePointer<Value>? {
    hasStorage ? storage(slots, spendingFrom: &budget) : nil
  }

  @inline(__always)
  private func storage(
    _ slots: UnsafeBufferPointer<Value>,
    spendingFrom budget: UnsafeMutablePointer<WorkBudget>
  ) -> UnsafePointer<Value>? {
    var frame = Frame(
      slots: slots,
      locals: UnsafeMutableBufferPointer(start: nil, count: 0),
      budget: budget,
      spreadsAbsence: spreadsAbsence
    )
    guard let storage = root.storage(&frame) else { return nil }
    let steps = storage.borrowed.pointee.withText { $0.utf8.count / ResultLimits.bytesPerStep }
    guard let steps, frame.spend(steps) else { return nil }
    return storage
  }

  /// Evaluates a condition: the result of ``evaluate(_:budget:)`` as a truth value.
  public func condition(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> Condition {
    guard isCondition else { return Condition(evaluate(slots, budget: &budget)) }
    return condition(slots, spendingFrom: &budget)
  }

  @inline(__always)
  private func condition(
    _ slots: UnsafeBufferPointer<Value>,
    spendingFrom budget: UnsafeMutablePointer<WorkBudget>
  ) -> Condition {
    var frame = Frame(
      slots: slots,
      locals: UnsafeMutableBufferPointer(start: nil, count: 0),
      budget: budget,
      spreadsAbsence: spreadsAbsence
    )
    switch root.condition(&frame) {
    case .yes: return .yes
    case .no: return .no
    case .faulted: return Condition(Self.fault(of: frame.fault, &frame) ?? frame.fault)
    }
  }

  @inline(__always)
  private func evaluate(
    _ slots: UnsafeBufferPointer<Value>,
    spendingFrom budget: UnsafeMutablePointer<WorkBudget>
  ) -> Value {
    guard localCount > 0 else {
      var frame = Frame(
        slots: slots,
        locals: UnsafeMutableBufferPointer(start: nil, count: 0),
        budget: budget,
        spreadsAbsence: spreadsAbsence
      )
      let result = root.evaluate(&frame)
      return Self.fault(of: result, &frame) ?? result
    }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: localCount) { locals in
      locals.initialize(repeating: .null)
      defer { locals.deinitialize() }
      var frame = Frame(slots: slots, locals: locals, budget: budget, spreadsAbsence: spreadsAbsence)
      let result = root.evaluate(&frame)
      return Self.fault(of: result, &frame) ?? result
    }
  }

  /// Why a result is not given: writing it out would take too long. A value may hold the same part very often, so its
  /// texts cost steps as if they were written.
  @inline(__always)
  private static func fault(of result: Value, _ frame: inout Frame) -> Value? {
    switch result {
    case .bool: nil
    case .string(let text):
      frame.spend(text.utf8.count / ResultLimits.bytesPerStep) ? nil : Frame.budgetExceeded
    default: fault(ofContentIn: result, &frame)
    }
  }

  @inline(never)
  private static func fault(ofContentIn result: Value, _ frame: inout Frame) -> Value? {
    var bytes = 0
    let nodes = result.nodeCount(upTo: ResultLimits.elementsMax)
    if nodes >= ResultLimits.elementsMax {
      return .failure(.tooLarge, "the result has more than \(ResultLimits.elementsMax) values in it")
    }
    result.countBytes(&bytes)
    return frame.spend(nodes + bytes / ResultLimits.bytesPerStep) ? nil : Frame.budgetExceeded
  }

  /// Evaluates with the values of the variables by name; a variable that is not among them has no value.
  public func evaluate(_ values: [String: Value] = [:], budget: Int = defaultBudget) -> Value {
    var budget = WorkBudget(units: budget)
    var slots: [Value] = Array(
      repeating: .failure(.noSuchVariable, "a variable has no value"),
      count: (dependencies.last?.slot ?? -1) + 1
    )
    for read in dependencies {
      slots[read.slot] =
        values[read.variable] ?? .failure(.noSuchVariable, "the variable '\(read.variable)' has no value")
    }
    return slots.withUnsafeBufferPointer { evaluate($0, budget: &budget) }
  }

  /// The failure of an evaluation, and the operation with the types of its operands: `division by zero: int / int`. It
  /// contains no values.
  public func typesOnly(of error: EvaluationError) -> String {
    guard let id = error.expressionID, !error.operandTypes.isEmpty,
      let operation = parsed.root.node(withID: id)?.spelled(withOperands: error.operandTypes)
    else { return error.kind.rawValue }
    return "\(error.kind.rawValue): \(operation)"
  }

  /// The position in the source at which an evaluation failed, if the error says so.
  public func position(of error: EvaluationError) -> LineColumn? {
    guard let id = error.expressionID, parsed.bytes.indices.contains(id) else { return nil }
    return parsed.position(ofByte: parsed.bytes[id])
  }
}
