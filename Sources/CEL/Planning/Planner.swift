internal import Budgets
internal import Formats

/// Turns a checked expression into nodes to evaluate: names become slots, overloads are chosen, constant parts are
/// evaluated now, and regular expressions are compiled.
struct Planner {
  let expression: CheckedExpression
  /// Whether the result of an operation on null is null.
  let spreadsAbsence: Bool
  /// The indices of the variables that comprehensions bind, innermost last.
  private var locals: [(name: String, index: Int, writtenLevels: Int)] = []
  private var localCount = 0
  private var errors: ProblemCollector

  /// The budget for folding a constant; an expression that takes longer is evaluated at its first use.
  private static let foldingBudget = 10_000

  static func plan(_ expression: CheckedExpression, in environment: Environment) throws(ExpressionError) -> Program {
    var planner = Planner(expression, spreadsAbsence: environment.spreadsAbsence)
    let root = planner.plan(expression.parsed.root)
    if let error = planner.errors.error() { throw error }
    return Program(
      expression: expression,
      root: root,
      localCount: planner.localCount,
      spreadsAbsence: environment.spreadsAbsence,
      cost: CostEstimator.estimate(expression, in: environment)
    )
  }

  private init(_ expression: CheckedExpression, spreadsAbsence: Bool) {
    self.expression = expression
    self.spreadsAbsence = spreadsAbsence
    errors = ProblemCollector(source: Array(expression.parsed.source.utf8))
  }

  mutating func report(_ message: String, at node: Syntax) {
    let parsed = expression.parsed
    errors.report(parsed.message(message, about: node), at: parsed.bytes[node.id], in: parsed.extents[node.id])
  }

  /// Runs `body` with indices for so many variables; the indices are free again afterwards.
  ///
  /// - Parameter levels: the levels of their values that are written in the expression.
  mutating func withLocals<Result>(
    _ names: [String],
    writtenLevels levels: Int = 0,
    _ body: (inout Planner, [Int]) -> Result
  ) -> Result {
    let first = locals.count
    for name in names { locals.append((name, locals.count, levels)) }
    localCount = max(localCount, locals.count)
    defer { locals.removeLast(names.count) }
    return body(&self, Array(first..<(first + names.count)))
  }

  /// The node of a part of the expression.
  mutating func plan(_ node: Syntax) -> PlanNode {
    switch expression.references[node.id] {
    case .variable(let variable):
      let slot = SlotNode(variable, absent: absent(variable.type))
      if case .select(let selection) = node.kind, selection.isTest {
        return PresenceNode(slot, isNegated: false, id: node.id)
      }
      return slot
    case .constant(let value): return ConstantNode(value)
    case .local(let name):
      if let local = locals.last(where: { $0.name == name }) {
        return LocalNode(
          local.index,
          absent: absent(expression.type(of: node)),
          writtenLevels: local.writtenLevels
        )
      }
    default: break
    }
    switch node.kind {
    case .literal(let literal):
      return ConstantNode(literal.value)
    case .identifier(let name):
      return FaultNode(.noSuchVariable, "undeclared reference to '\(name)'", id: node.id)
    case .select(let selection):
      return plan(selection, node)
    case .call(let call):
      return plan(call, node)
    case .list(let elements):
      let parts = elements.map { (node: plan($0.value), isOptional: $0.isOptional) }
      return folded(ListNode(parts, id: node.id), parts.map(\.node))
    case .map(let entries):
      let parts = entries.map {
        MapNode.Entry(key: plan($0.key), value: plan($0.value), isOptional: $0.isOptional)
      }
      return folded(MapNode(parts, id: node.id), parts.flatMap { [$0.key, $0.value] })
    case .record(let name, let fields):
      guard case .record = expression.references[node.id] else {
        return FaultNode(.noSuchOverload, "unknown record type '\(name)'", id: node.id)
      }
      let parts = fields.map {
        MapNode.Entry(key: ConstantNode(.string($0.name)), value: plan($0.value), isOptional: $0.isOptional)
      }
      return MapNode(parts, id: node.id)
    case .comprehension(let comprehension):
      return plan(comprehension, node)
    case .invalid:
      return FaultNode(.noSuchOverload, "no such overload", id: node.id)
    }
  }

  /// The node, or its value if it depends on nothing.
  ///
  /// A failure is not folded: the node that failed must still be found at its position, and may never be reached.
  func folded(_ node: PlanNode, _ parts: [PlanNode]) -> PlanNode {
    guard parts.allSatisfy({ $0.constant != nil }) else { return node }
    var budget = WorkBudget(units: Self.foldingBudget)
    let value = withUnsafeMutablePointer(to: &budget) { budget in
      var frame = Frame(
        slots: UnsafeBufferPointer(start: nil, count: 0),
        locals: UnsafeMutableBufferPointer(start: nil, count: 0),
        budget: budget,
        spreadsAbsence: spreadsAbsence
      )
      return node.evaluate(&frame)
    }
    return value.isErrorOrUnknown || value.nodeCount(upTo: Self.foldingBudget) >= Self.foldingBudget
      ? node : ConstantNode(value)
  }

  private mutating func plan(_ selection: Syntax.Selection, _ node: Syntax) -> PlanNode {
    if selection.isTest, let test = planTreeTest(selection, node) { return test }
    let operand = plan(selection.operand)
    let planned: PlanNode
    if selection.isTest {
      planned = FieldTestNode(operand, selection.field, id: node.id)
    } else if selection.isOptional {
      planned = OptionalSelectNode(operand, selection.field, reading: reading(expression.type(of: node)), id: node.id)
    } else {
      planned = SelectNode(operand, selection.field, reading: reading(expression.type(of: node)), id: node.id)
    }
    return folded(planned, [operand])
  }

  /// The reading of an absent value of that type.
  func absent(_ type: CELType) -> Value { spreadsAbsence ? type.emptyValue ?? .null : .null }

  /// The reading of a part of a value that is declared with that type.
  func reading(_ type: CELType) -> Reading { spreadsAbsence ? Reading(type) : .asItIs }

  /// The node of `has(a.b.c)` if `a` is a variable whose members are not known or may be absent, each as a whole; nil
  /// if it is not such a variable.
  private func planTreeTest(_ selection: Syntax.Selection, _ node: Syntax) -> PlanNode? {
    var names = [selection.field]
    var root = selection.operand
    while true {
      if case .variable(let variable)? = expression.references[root.id] {
        guard spreadsAbsence, variable.type.isDynamic || variable.type.hasEntries else { return nil }
        return TreeTestNode(SlotNode(variable, absent: .null), names.reversed(), id: node.id)
      }
      guard let part = root.namedPart else { return nil }
      names.append(part.name)
      root = part.operand
    }
  }

  private mutating func plan(_ comprehension: Comprehension, _ node: Syntax) -> PlanNode {
    let range = plan(comprehension.range)
    switch comprehension.macro {
    case .bind:
      return withLocals([comprehension.variable], writtenLevels: range.writtenLevels) { planner, indices in
        BindNode(indices[0], range, planner.plan(comprehension.body))
      }
    case .optMap, .optFlatMap:
      return withLocals([comprehension.variable]) { planner, indices in
        OptionalMapNode(
          range,
          indices[0],
          planner.plan(comprehension.body),
          isFlat: comprehension.macro == .optFlatMap,
          id: node.id
        )
      }
    case .fold:
      let start = plan(comprehension.bodies[0])
      let names = [comprehension.variable, comprehension.secondVariable ?? ""]
      let reading = reading(ofElementsOf: comprehension.range)
      return withLocals(names) { planner, indices in
        FoldNode(
          range,
          start,
          planner.plan(comprehension.body),
          locals: (gathered: indices[0], element: indices[1]),
          reading: reading,
          roundSteps: 1 + comprehension.body.nodeCount,
          id: node.id
        )
      }
    case .sortBy:
      return planSort(comprehension, range, node)
    default:
      return planLoop(comprehension, comprehension.macro, over: range, node)
    }
  }

  private mutating func planLoop(
    _ comprehension: Comprehension,
    _ macro: Comprehension.Macro,
    over range: PlanNode,
    _ node: Syntax
  ) -> PlanNode {
    let names = [comprehension.variable] + (comprehension.secondVariable.map { [$0] } ?? [])
    let reading = reading(ofElementsOf: comprehension.range)
    return withLocals(names) { planner, indices in
      let filter = macro == .filter ? nil : comprehension.filter.map { planner.plan($0) }
      let body = planner.plan(comprehension.body)
      var steps = 1
      for body in comprehension.bodies { steps += body.nodeCount }
      return LoopNode(
        macro,
        range,
        keyLocal: indices.count == 2 ? indices[0] : -1,
        elementLocal: indices[indices.count - 1],
        reading: reading,
        filter: filter,
        body: body,
        roundSteps: steps,
        id: node.id
      )
    }
  }

  /// The reading of the elements of a list.
  func reading(ofElementsOf range: Syntax) -> Reading {
    guard case .list(let element) = expression.type(of: range).withoutNull else { return .asItIs }
    return reading(element)
  }

  /// `sortBy` as the function that sorts a list by a list of keys; the list is evaluated once.
  private mutating func planSort(_ comprehension: Comprehension, _ range: PlanNode, _ node: Syntax) -> PlanNode {
    guard case .overloads(let overloads, _) = expression.references[node.id] else {
      return FaultNode(.noSuchOverload, "no such overload: sortBy()", id: node.id)
    }
    return withLocals(["@sorted"]) { planner, indices in
      let list = LocalNode(indices[0], absent: .null)
      let keys = planner.planLoop(comprehension, .map, over: list, node)
      return BindNode(indices[0], range, CallNode(overloads, [list, keys], id: node.id))
    }
  }
}
