internal import Texts

/// Estimates the steps of an expression from what declarations say about the sizes of variables.
///
/// The estimate counts a step for each node, what each overload's cost rule says about its arguments, and the rounds of
/// loops. An evaluation spends no more than that, as long as no value is larger than what is assumed of values that nothing bounds.
struct CostEstimator {
  private let expression: CheckedExpression
  private let environment: Environment
  private var locals: [(name: String, extent: Extent)] = []

  static func estimate(_ expression: CheckedExpression, in environment: Environment) -> CostEstimate {
    var estimator = CostEstimator(expression: expression, environment: environment)
    return estimator.visit(expression.parsed.root).steps
  }

  private init(expression: CheckedExpression, environment: Environment) {
    self.expression = expression
    self.environment = environment
  }

  private typealias Estimate = (steps: CostEstimate, extent: Extent)

  private mutating func visit(_ node: Syntax) -> Estimate {
    switch expression.references[node.id] {
    case .variable(let variable):
      return (.bounded(1), extent(variable.size, variable.type, variable.name))
    case .constant: return (.bounded(1), .scalar)
    case .local(let name):
      return (.bounded(1), locals.last { $0.name == name }?.extent ?? .scalar)
    default: break
    }
    switch node.kind {
    case .literal(let literal): return (.bounded(1), Extent(.bounded(literal.extent)))
    case .identifier, .invalid: return (.bounded(1), .scalar)
    case .select(let selection): return select(selection)
    case .call(let call): return self.call(call, node)
    case .list(let elements):
      return gather(elements.map(\.value), count: elements.count)
    case .map(let entries):
      let keys = gather(entries.map(\.key), count: 0)
      let values = gather(entries.map(\.value), count: entries.count)
      return (keys.steps + values.steps, values.extent)
    case .record(_, let fields):
      return gather(fields.map(\.value), count: fields.count)
    case .comprehension(let comprehension): return self.comprehension(comprehension)
    }
  }

  private func extent(_ bounds: SizeBounds, _ type: CELType, _ name: String) -> Extent {
    Extent(bounds, of: type, named: name, assuming: environment.assumedSizeMax)
  }

  private mutating func gather(_ nodes: [Syntax], count: Int) -> Estimate {
    var steps = CostEstimate.bounded(1)
    var largest: Extent?
    for node in nodes {
      let part = visit(node)
      steps = steps + part.steps
      largest = largest.map { .larger($0, part.extent) } ?? part.extent
    }
    return (steps, Extent(.bounded(count), elements: largest ?? .scalar))
  }

  private mutating func select(_ selection: Syntax.Selection) -> Estimate {
    let operand = visit(selection.operand)
    let steps = operand.steps + .bounded(1)
    if selection.isTest { return (steps, .scalar) }
    if case .object(let name) = expression.type(of: selection.operand),
      let field = environment.records[name]?.fields[selection.field]
    {
      let path = (selection.operand.qualifiedName ?? name) + "." + selection.field
      return (steps, extent(field.size, field.type, path))
    }
    return (steps, operand.extent.elements)
  }

  private mutating func call(_ call: Syntax.Call, _ node: Syntax) -> Estimate {
    var takesTarget = true
    var overloads: [Overload] = []
    if case .overloads(let found, let asTarget) = expression.references[node.id] {
      (overloads, takesTarget) = (found, asTarget)
    }
    let operands = (takesTarget ? call.target.map { [$0] } ?? [] : []) + call.arguments
    let arguments = operands.map { visit($0) }
    if call.function == "_?_:_", arguments.count == 3 {
      let branch = CostEstimate.larger(arguments[1].steps, arguments[2].steps)
      return (
        arguments[0].steps + branch + .bounded(1), .larger(arguments[1].extent, arguments[2].extent)
      )
    }
    var steps = CostEstimate.bounded(1)
    for argument in arguments { steps = steps + argument.steps }
    let extents = arguments.map(\.extent)
    switch call.function {
    case "_[_]", "_[?_]":
      return (steps, extents.first?.elements ?? .scalar)
    case "_==_", "_!=_", "@in", "_<_", "_<=_", "_>_", "_>=_":
      guard extents.count == 2 else { return (steps, .scalar) }
      let types = operands.map { expression.type(of: $0) }
      return (steps + comparison(call.function, extents, isOfTexts: types.contains(where: \.isText)), .scalar)
    default:
      break
    }
    var largestCost = CostEstimate.bounded(0)
    var result: Extent?
    for overload in overloads {
      largestCost = .larger(largestCost, overload.cost.estimate(extents))
      let extent = overload.resultExtent(extents)
      result = result.map { .larger($0, extent) } ?? extent
    }
    return (steps + largestCost, result ?? .scalar)
  }

  /// What an operator that compares takes beside its own step.
  ///
  /// - Parameter isOfTexts: whether one of the operands is a text, so that only texts make the other one work.
  private func comparison(_ function: String, _ operands: [Extent], isOfTexts: Bool) -> CostEstimate {
    switch function {
    case "@in":
      // Membership goes through everything inside the container.
      guard isOfTexts else { return operands[1].deepSize }
      return .bounded(1) + operands[1].size * (.bounded(1) + textComparison(operands[0], operands[1].elements))
    case "_==_", "_!=_":
      // Equality goes through everything inside the smaller side.
      guard isOfTexts else { return Self.smaller(operands[0].deepSize, operands[1].deepSize) }
      return textComparison(operands[0], operands[1])
    default:
      return textComparison(operands[0], operands[1])
    }
  }

  /// What comparing two texts takes: it ends with the shorter one. No text counts as longer than one that nothing bounds, so that
  /// telling a text's bound makes no expression dearer.
  private func textComparison(_ left: Extent, _ right: Extent) -> CostEstimate {
    let shorter = Self.smaller(left.size, right.size)
    guard case .bounded(let size) = shorter else { return shorter }
    // A code point is four bytes of UTF-8 at most.
    return .bounded(TextComparison.steps(bytes: 4 * min(size, environment.assumedSizeMax ?? size)))
  }

  private static func smaller(_ left: CostEstimate, _ right: CostEstimate) -> CostEstimate {
    switch (left, right) {
    case (.bounded(let a), .bounded(let b)): .bounded(min(a, b))
    case (.bounded, _): left
    default: right
    }
  }

  private mutating func comprehension(_ comprehension: Comprehension) -> Estimate {
    let range = visit(comprehension.range)
    let depth = locals.count
    defer { locals.removeLast(locals.count - depth) }
    switch comprehension.macro {
    case .bind:
      locals.append((comprehension.variable, range.extent))
      let body = visit(comprehension.body)
      return (range.steps + body.steps + .bounded(1), body.extent)
    case .optMap, .optFlatMap:
      locals.append((comprehension.variable, range.extent))
      let body = visit(comprehension.body)
      return (range.steps + body.steps + .bounded(1), body.extent)
    default:
      break
    }
    let element = range.extent.elements
    if let second = comprehension.secondVariable {
      locals.append((comprehension.variable, .scalar))
      locals.append((second, element))
    } else {
      locals.append((comprehension.variable, element))
    }
    var round = CostEstimate.bounded(1)
    for filter in comprehension.bodies.dropLast() { round = round + visit(filter).steps }
    let body = visit(comprehension.body)
    // A round is charged a step for each node of its bodies, whatever is evaluated, and then what the nodes spend.
    round = round + body.steps + .bounded(comprehension.bodies.reduce(0) { $0 + $1.nodeCount })
    var steps = range.steps + range.extent.size * round + .bounded(1)
    switch comprehension.macro {
    case .all, .exists, .existsOne: return (steps, .scalar)
    case .filter: return (steps, range.extent)
    case .sortBy:
      // Sorting compares each key with some others: the list's size times its logarithm, which 64 bounds.
      steps = steps + range.extent.deepSize * .bounded(64)
      return (steps, range.extent)
    case .transformMapEntry:
      return (steps, Extent(range.extent.size * body.extent.size, elements: body.extent.elements))
    default: return (steps, Extent(range.extent.size, elements: body.extent))
    }
  }
}

extension Literal {
  fileprivate var extent: Int {
    switch self {
    case .string(let text): max(1, text.codePointCount)
    case .bytes(let bytes): max(1, bytes.count)
    default: 1
    }
  }
}

extension Overload.Cost {
  /// The steps of a call with arguments of those sizes.
  func estimate(_ arguments: [Extent]) -> CostEstimate {
    func size(_ index: Int) -> CostEstimate {
      arguments.indices.contains(index) ? arguments[index].deepSize : .bounded(0)
    }
    switch self {
    case .constant(let steps): return .bounded(steps)
    case .linear(let indices): return indices.reduce(.bounded(1)) { $0 + size($1) }
    case .product(let left, let right): return .bounded(1) + (size(left) + .bounded(1)) * (size(right) + .bounded(1))
    }
  }
}

extension Overload {
  /// How large the result of a call can be.
  func resultExtent(_ arguments: [Extent]) -> Extent {
    func argument(_ index: Int) -> Extent { arguments.indices.contains(index) ? arguments[index] : .scalar }
    func elements(_ indices: [Int]) -> Extent? {
      let holders = indices.map(argument).filter(\.hasElements)
      return holders.dropFirst().reduce(holders.first?.elements) { largest, next in
        largest.map { .larger($0, next.elements) }
      }
    }
    switch resultSize {
    case .atMost(let size):
      return Extent(.bounded(size), elements: result.isAggregate ? elements(Array(arguments.indices)) ?? .scalar : nil)
    case .argument(let index):
      return Extent(argument(index).size, elements: result.isAggregate ? elements([index]) ?? argument(index) : nil)
    case .sum(let indices):
      let sum = indices.reduce(CostEstimate.bounded(0)) { $0 + argument($1).size }
      return Extent(sum, elements: result.isAggregate ? elements(indices) ?? .scalar : nil)
    case .product(let left, let right):
      let sizes = (argument(left).size, argument(right).size)
      return Extent(
        sizes.0 * sizes.1 + sizes.0 + sizes.1,
        elements: result.isAggregate ? elements([left, right]) : nil
      )
    case .limit:
      let most = Extent(.bounded(ResultLimits.bytesMax))
      return result.isAggregate ? Extent(.bounded(ResultLimits.elementsMax), elements: most) : most
    }
  }
}

extension CELType {
  /// Whether a value of the type is a text, bytes or null.
  fileprivate var isText: Bool {
    switch self {
    case .string, .bytes, .wrapper(.string), .wrapper(.bytes): true
    default: false
    }
  }

  fileprivate var isAggregate: Bool {
    switch self {
    case .list, .map: true
    default: false
    }
  }
}
