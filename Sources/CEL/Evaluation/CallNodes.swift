/// A call of one overload with one argument. The planner has made sure that types fit, or checks them here.
final class UnaryCallNode: PlanNode, @unchecked Sendable {
  private let function: @Sendable (Value) -> Value
  private let argument: PlanNode
  /// The type that the argument must have; nil if the checker has made sure of it.
  private let parameter: CELType?
  private let cost: Overload.Cost
  /// Whether the result can be larger than the arguments, so that making it is charged too.
  private let growsResult: Bool
  private let id: Int

  init(
    _ function: @escaping @Sendable (Value) -> Value,
    _ argument: PlanNode,
    checking parameter: CELType?,
    cost: Overload.Cost,
    growsResult: Bool,
    id: Int
  ) {
    self.function = function
    self.argument = argument
    self.parameter = parameter
    self.cost = cost
    self.growsResult = growsResult
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = argument.evaluate(&frame)
    if value.isErrorOrUnknown || frame.isAbsent(value) { return value }
    if let parameter, !parameter.admits(value) { return Value.error(.noSuchOverload).located(id, of: [value]) }
    guard frame.spend(cost.steps(frame) { _ in value }) else { return Frame.budgetExceeded.located(id) }
    let result = function(value)
    if frame.isAbsent(result, of: value) { return .null }
    if growsResult, !frame.spend(result.makingSteps) { return Frame.budgetExceeded.located(id) }
    return result.located(id, of: [value])
  }
}

/// A call of one overload with two arguments.
final class BinaryCallNode: PlanNode, @unchecked Sendable {
  private let function: @Sendable (Value, Value) -> Value
  private let left: PlanNode
  private let right: PlanNode
  private let parameters: (CELType, CELType)?
  private let cost: Overload.Cost
  /// Whether the result can be larger than the arguments, so that making it is charged too.
  private let growsResult: Bool
  private let id: Int

  init(
    _ function: @escaping @Sendable (Value, Value) -> Value,
    _ left: PlanNode,
    _ right: PlanNode,
    checking parameters: (CELType, CELType)?,
    cost: Overload.Cost,
    growsResult: Bool,
    id: Int
  ) {
    self.function = function
    self.left = left
    self.right = right
    self.parameters = parameters
    self.cost = cost
    self.growsResult = growsResult
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let first = left.evaluate(&frame)
    let second = right.evaluate(&frame)
    if let fault = first.fault(with: second) { return fault }
    if frame.isAbsent(first) || frame.isAbsent(second) { return .null }
    if let parameters, !parameters.0.admits(first) || !parameters.1.admits(second) {
      return Value.error(.noSuchOverload).located(id, of: [first, second])
    }
    guard frame.spend(cost.steps(frame) { $0 == 0 ? first : second }) else { return Frame.budgetExceeded.located(id) }
    let result = function(first, second)
    if growsResult, !frame.spend(result.makingSteps) { return Frame.budgetExceeded.located(id) }
    return result.located(id, of: [first, second])
  }
}

/// A call of any number of arguments, or one whose overload depends on the types at run time.
final class CallNode: PlanNode, @unchecked Sendable {
  private let overloads: [Overload]
  private let arguments: [PlanNode]
  private let id: Int

  init(_ overloads: [Overload], _ arguments: [PlanNode], id: Int) {
    self.overloads = overloads
    self.arguments = arguments
    self.id = id
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    var fault: Value?
    var isAbsent = false
    for argument in arguments {
      let value = argument.evaluate(&frame)
      if frame.isAbsent(value) { isAbsent = true }
      if value.isErrorOrUnknown { fault = fault.map { $0.fault(with: value) ?? $0 } ?? value }
      values.append(value)
    }
    if let fault { return fault }
    if isAbsent { return .null }
    for overload in overloads where overload.admits(values) {
      guard frame.spend(overload.cost.steps(frame) { $0 < values.count ? values[$0] : .null }) else {
        return Frame.budgetExceeded.located(id)
      }
      let result = overload(values)
      if values.count == 1, frame.isAbsent(result, of: values[0]) { return .null }
      if overload.resultSize.growsBeyondArguments, !frame.spend(result.makingSteps) {
        return Frame.budgetExceeded.located(id)
      }
      return result.located(id, of: values)
    }
    return Value.error(.noSuchOverload).located(id, of: values)
  }
}

/// A node that can only fail, such as the call of an undeclared function.
final class FaultNode: PlanNode, @unchecked Sendable {
  private let fault: Value

  init(_ kind: EvaluationError.Kind, _ message: String, id: Int) {
    fault = .error(EvaluationError(kind, message, expressionID: id))
  }

  override func evaluate(_ frame: inout Frame) -> Value { fault }
}

extension Overload.Cost {
  /// Whether a call goes through that argument.
  func counts(_ argument: Int) -> Bool {
    switch self {
    case .constant: false
    case .linear(let indices), .content(let indices): indices.contains(argument)
    case .product(let left, let right): left == argument || right == argument
    }
  }

  /// The steps of a call with those arguments. Counting ends when it exceeds the rest of the frame's budget.
  @inline(__always)
  func steps(_ frame: borrowing Frame, _ argument: (Int) -> Value) -> Int {
    switch self {
    case .constant(let steps): steps
    case .linear(let indices): indices.reduce(1) { $0 + argument($1).extent }
    case .content(let indices): indices.reduce(1) { $0 + argument($1).contentSteps(in: frame) }
    case .product(let left, let right): 1 + (argument(left).extent + 1) * (argument(right).extent + 1)
    }
  }
}

extension Value {
  /// The size in the unit of the costs: tens of bytes, or elements.
  fileprivate var extent: Int {
    switch self {
    case .string(let text): text.utf8.count / Overload.bytesPerStep
    case .bytes(let bytes): bytes.count / Overload.bytesPerStep
    case .list(let list): list.count
    case .map(let map): map.count
    default: 0
    }
  }
}

extension Overload.ResultSize {
  /// Whether a result can be larger than all arguments together, or takes longer to make than they do to read.
  var growsBeyondArguments: Bool {
    switch self {
    case .product, .joined, .formatted, .flattened, .parts, .limit: true
    case .atMost, .argument, .sum: false
    }
  }
}

extension Value {
  /// The steps that making the value is charged with: its direct content, without the content inside that.
  fileprivate var makingSteps: Int {
    switch self {
    case .string(let text): text.utf8.count >> 6
    case .bytes(let bytes): bytes.count >> 6
    case .list(let list): list.count
    case .map(let map): map.count
    default: 0
    }
  }
}
