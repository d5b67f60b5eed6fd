internal import Texts

/// Estimates the steps of an expression from the declared sizes of variables.
///
/// The estimate counts a step for each node, the cost of each overload for its arguments, and the rounds of loops. If
/// no value is larger than its declared size, and each value has one, an evaluation never spends more than the
/// estimate.
struct CostEstimator {
  private let expression: CheckedExpression
  private let environment: Environment
  /// By source: a bound to assume if the declared one is wider.
  private let caps: [Int: Int]
  private var locals: [(name: String, extent: Extent)] = []
  private var unbounded: String?
  private var sources: Set<Int> = []

  /// - Parameter caps: by source (see ``SizeBounds/Factor``), a bound to assume if the declared one is wider.
  static func estimate(
    _ expression: CheckedExpression,
    in environment: Environment,
    capping caps: [Int: Int] = [:]
  ) -> CostEstimate {
    var estimator = CostEstimator(expression: expression, environment: environment, caps: caps)
    let (steps, result) = estimator.visit(expression.parsed.root)
    let all = steps + estimator.resultSteps(result)
    return CostEstimate(steps: all.number, unbounded: estimator.unbounded, sources: estimator.sources)
  }

  private init(expression: CheckedExpression, environment: Environment, caps: [Int: Int]) {
    self.expression = expression
    self.environment = environment
    self.caps = caps
  }

  private typealias Estimate = (steps: Count, extent: Extent)

  private mutating func visit(_ node: Syntax) -> Estimate {
    switch expression.references[node.id] {
    case .variable(let variable):
      return (1, extent(variable.size, variable.type, variable.name))
    case .constant: return (1, .scalar)
    case .local(let name):
      return (1, locals.last { $0.name == name }?.extent ?? .scalar)
    default: break
    }
    switch node.kind {
    case .literal(let literal): return (1, Extent(.atMost(Count(literal.extent))))
    case .identifier, .invalid: return (1, .scalar)
    case .select(let selection): return select(selection)
    case .call(let call): return self.call(call, node)
    case .list(let elements):
      return gather(elements.map(\.value))
    case .map(let entries):
      let keys = gather(entries.map(\.key))
      let values = gather(entries.map(\.value))
      return (keys.steps + values.steps + contentSteps(keys.extent), values.extent)
    case .record(_, let fields):
      return gather(fields.map(\.value))
    case .comprehension(let comprehension): return self.comprehension(comprehension, node)
    }
  }

  private mutating func gather(_ nodes: [Syntax]) -> Estimate {
    var steps: Count = 1
    var largest: Extent?
    for node in nodes {
      let part = visit(node)
      steps = steps + part.steps
      largest = largest.map { .larger($0, part.extent) } ?? part.extent
    }
    return (steps, Extent(.atMost(Count(nodes.count)), elements: largest ?? .scalar))
  }

  private mutating func select(_ selection: Syntax.Selection) -> Estimate {
    let operand = visit(selection.operand)
    let steps = operand.steps + 1
    if selection.isTest { return (steps, .scalar) }
    return (steps, member(selection.field, of: selection.operand, operand.extent))
  }

  /// A member of a value; of a record as its field is declared.
  private mutating func member(_ name: String, of holder: Syntax, _ extent: Extent) -> Extent {
    guard case .object(let record) = expression.type(of: holder).withoutNull,
      let field = environment.records[record]?.fields[name]
    else { return extent.elements }
    return self.extent(field.size, field.type, (holder.qualifiedName ?? record) + "." + name)
  }

  private mutating func call(_ call: Syntax.Call, _ node: Syntax) -> Estimate {
    var takesTarget = true
    var overloads: [Overload] = []
    if case .overloads(let found, let asTarget) = expression.references[node.id] {
      (overloads, takesTarget) = (found, asTarget)
    }
    let operands = call.operands(withTarget: takesTarget)
    let arguments = operands.map { visit($0) }
    if call.function == "_?_:_", arguments.count == 3 {
      let branch = max(arguments[1].steps, arguments[2].steps)
      return (arguments[0].steps + branch + 1, .larger(arguments[1].extent, arguments[2].extent))
    }
    let steps = arguments.reduce(1) { $0 + $1.steps }
    let extents = arguments.map(\.extent)
    switch call.function {
    case "_[_]", "_[?_]":
      guard extents.count == 2 else { return (steps, .scalar) }
      let cost = steps + contentSteps(extents[1])
      guard case .literal(.string(let name)) = operands[1].kind else { return (cost, extents[0].elements) }
      return (cost, member(name, of: operands[0], extents[0]))
    case "_==_", "_!=_", "@in", "_<_", "_<=_", "_>_", "_>=_":
      guard extents.count == 2 else { return (steps, .scalar) }
      let types = operands.map { expression.type(of: $0) }
      return (steps + comparison(call.function, extents, isOfTexts: types.contains(where: \.isText)), .scalar)
    default:
      break
    }
    var largestCost: Count = 0
    var result: Extent?
    for overload in overloads {
      let extent = overload.resultExtent(extents)
      let making = overload.resultSize.growsBeyondArguments ? linearSteps(extent) : 0
      largestCost = max(largestCost, self.steps(overload.cost, extents) + making)
      result = result.map { .larger($0, extent) } ?? extent
    }
    return (steps + largestCost, result ?? .scalar)
  }

  /// The cost of a comparing operator in addition to its own step.
  ///
  /// - Parameter isOfTexts: whether one of the operands is a text, so that only texts make the other one work.
  private mutating func comparison(_ function: String, _ operands: [Extent], isOfTexts: Bool) -> Count {
    switch function {
    case "@in":
      // Membership visits everything inside the container.
      guard isOfTexts else { return contentSteps(operands[1]) + contentSteps(operands[0]) }
      return 1 + count(operands[1].size) * (1 + textComparison(operands[0], operands[1].elements))
        + contentSteps(operands[0])
    case "_==_", "_!=_":
      // Equality visits everything inside the smaller side.
      guard isOfTexts else { return min(contentSteps(operands[0]), contentSteps(operands[1])) }
      return textComparison(operands[0], operands[1])
    default:
      return textComparison(operands[0], operands[1])
    }
  }

  /// The cost of comparing two texts: it ends with the shorter text. A text never counts as longer than a text without
  /// a bound, so that declaring a bound never makes an expression more expensive.
  private mutating func textComparison(_ left: Extent, _ right: Extent) -> Count {
    // A code point is four bytes of UTF-8 at most.
    Count(TextComparison.steps(bytes: (4 * min(count(left.size), count(right.size))).number))
  }

  private mutating func comprehension(_ comprehension: Comprehension, _ node: Syntax) -> Estimate {
    let range = visit(comprehension.range)
    let depth = locals.count
    defer { locals.removeLast(locals.count - depth) }
    switch comprehension.macro {
    case .bind, .optMap, .optFlatMap:
      locals.append((comprehension.variable, range.extent))
      let body = visit(comprehension.body)
      return (range.steps + body.steps + 1, body.extent)
    case .fold:
      let start = visit(comprehension.bodies[0])
      // A text or a list may grow with each round; nothing is estimated then.
      let type = expression.type(of: node)
      let gathered = type.isScalar ? Extent.scalar : Extent(.unbounded("the result of fold()"))
      locals.append((comprehension.variable, gathered))
      locals.append((comprehension.secondVariable ?? "", range.extent.elements))
      let round = visit(comprehension.body).steps + Count(1 + comprehension.body.nodeCount)
      return (range.steps + start.steps + count(range.extent.size) * round + 1, gathered)
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
    var round: Count = 1
    for filter in comprehension.bodies.dropLast() { round = round + visit(filter).steps }
    let body = visit(comprehension.body)
    // A round is charged a step for each node of its bodies, even for nodes that are not evaluated, and then the steps
    // that the nodes spend.
    round = round + body.steps + Count(comprehension.bodies.reduce(0) { $0 + $1.nodeCount })
    let steps = range.steps + count(range.extent.size) * round + 1
    switch comprehension.macro {
    case .all, .exists, .existsOne: return (steps, .scalar)
    case .filter: return (steps, range.extent)
    case .sortBy:
      guard case .overloads(let overloads, _) = expression.references[node.id] else { return (steps, range.extent) }
      let arguments = [range.extent, Extent(range.extent.size, elements: body.extent)]
      return (steps + (overloads.map { self.steps($0.cost, arguments) }.max() ?? 0), range.extent)
    case .transformMapEntry:
      return (steps, Extent(range.extent.size * body.extent.size, elements: body.extent.elements))
    default: return (steps, Extent(range.extent.size, elements: body.extent))
    }
  }

  // MARK: Sizes

  /// The declared bounds of a variable or field.
  ///
  /// - Parameter name: its name in messages, if nothing bounds it.
  private mutating func extent(_ bounds: SizeBounds, _ type: CELType, _ name: String) -> Extent {
    switch type {
    case .list(let element):
      Extent(size(bounds, name), elements: extent(bounds.elements, element, "the items of \(name)"))
    case .map(_, let value):
      Extent(size(bounds, name), elements: extent(bounds.elements, value, "the values of \(name)"))
    case .string, .bytes, .dyn, .any, .object, .abstract, .parameter, .error: Extent(size(bounds, name))
    case .optional(let wrapped), .wrapper(let wrapped): extent(bounds, wrapped, name)
    default: .scalar
    }
  }

  private mutating func size(_ bounds: SizeBounds, _ name: String) -> Size {
    guard let max = bounds.max else { return .unbounded(name) }
    guard !bounds.factors.isEmpty else { return .atMost(Count(max)) }
    var product: Count = 1
    for factor in bounds.factors {
      sources.insert(factor.source)
      product = product * Count(min(factor.max, caps[factor.source] ?? factor.max))
    }
    return .atMost(product)
  }

  /// The number to count with.
  private mutating func count(_ size: Size) -> Count {
    switch size {
    case .atMost(let number): return number
    case .unbounded(let name):
      unbounded = unbounded ?? name
      return 1
    }
  }

  // MARK: Costs

  private mutating func steps(_ cost: Overload.Cost, _ arguments: [Extent]) -> Count {
    func argument(_ index: Int) -> Extent { arguments.indices.contains(index) ? arguments[index] : Extent(.atMost(0)) }
    switch cost {
    case .constant(let steps): return Count(steps)
    case .linear(let indices):
      var steps: Count = 1
      for index in indices { steps = steps + linearSteps(argument(index)) }
      return steps
    case .content(let indices):
      var steps: Count = 1
      for index in indices { steps = steps + contentSteps(argument(index)) }
      return steps
    case .product(let left, let right):
      return 1 + (linearSteps(argument(left)) + 1) * (linearSteps(argument(right)) + 1)
    }
  }

  /// The steps of going through a text, or through the elements of a list without their content.
  private mutating func linearSteps(_ extent: Extent) -> Count {
    let size = count(extent.size)
    // A code point is four bytes of UTF-8 at most.
    return extent.hasElements ? size : Count((4 * size).number / Overload.bytesPerStep)
  }

  /// The steps of going through all that is inside.
  private mutating func contentSteps(_ extent: Extent) -> Count {
    guard extent.hasElements else { return 1 + linearSteps(extent) }
    // An entry of a map has a key beside its value.
    let each = 1 + contentSteps(extent.elements)
    return 1 + count(extent.size) * each
  }

  /// The cost that a program charges for its result.
  private mutating func resultSteps(_ result: Extent) -> Count {
    contentSteps(result) * Count(Overload.bytesPerStep / ResultLimits.bytesPerStep + 1)
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
      return Extent(
        .atMost(Count(size)),
        elements: result.isAggregate ? elements(Array(arguments.indices)) ?? .scalar : nil
      )
    case .argument(let index):
      return Extent(argument(index).size, elements: result.isAggregate ? elements([index]) ?? argument(index) : nil)
    case .sum(let indices):
      let sum = indices.reduce(Size.atMost(0)) { $0 + argument($1).size }
      return Extent(sum, elements: result.isAggregate ? elements(indices) ?? .scalar : nil)
    case .product(let left, let right):
      let sizes = (argument(left).size, argument(right).size)
      return Extent(
        sizes.0 * sizes.1 + sizes.0 + sizes.1,
        elements: result.isAggregate ? elements([left, right]) : nil
      )
    case .joined(let list, let separator):
      let each = argument(list).elements.size + (separator.map { argument($0).size } ?? .atMost(0))
      return Extent(argument(list).size * each)
    case .formatted(let format, let values):
      return Extent(argument(format).size + argument(values).textSize)
    case .flattened(let list):
      let inner = argument(list).elements
      return Extent(argument(list).size * inner.size, elements: inner.elements)
    case .parts(let text):
      return Extent(argument(text).size, elements: Extent(.unbounded("a part of a text")))
    case .limit:
      let size = Size.unbounded("the result of \(name)()")
      return Extent(size, elements: result.isAggregate ? Extent(size) : nil)
    }
  }
}

extension Extent {
  /// The size of the value when it is written into a text.
  fileprivate var textSize: Size {
    hasElements ? .atMost(2) + size * (elements.textSize + .atMost(2)) : .larger(size, Self.writtenNumberSize)
  }

  /// A number is taken to be written so long. One of hundreds of digits is charged when it is.
  private static let writtenNumberSize = Size.atMost(32)
}

extension CELType {
  /// Whether a value of the type is a text, bytes or null.
  fileprivate var isText: Bool {
    switch self {
    case .string, .bytes, .wrapper(.string), .wrapper(.bytes): true
    default: false
    }
  }

  /// Whether all values of the type have one size.
  fileprivate var isScalar: Bool {
    switch self {
    case .bool, .int, .uint, .double, .timestamp, .duration, .null, .type: true
    case .wrapper(let type): type.isScalar
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
