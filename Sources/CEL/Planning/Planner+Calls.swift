internal import Formats

extension Planner {
  /// The node of a call: a specialized one for the calls that most rules consist of, else the overload's function.
  mutating func plan(_ call: Syntax.Call, _ node: Syntax) -> PlanNode {
    if call.target == nil, let planned = planOperator(call, node) { return planned }
    guard case .overloads(let overloads, let takesTarget) = expression.references[node.id], !overloads.isEmpty else {
      return FaultNode(.noSuchOverload, "no such overload: \(call.function)()", id: node.id)
    }
    let operands = call.operands(withTarget: takesTarget)
    if takesTarget || call.target == nil, let planned = planText(call, operands, overloads, node) { return planned }
    var arguments = operands.enumerated().map { index, operand in planArgument(operand, at: index, of: overloads) }
    if spreadsAbsence, overloads.allSatisfy({ Self.needingAllElements.contains($0.name) }) {
      arguments = arguments.map { CompleteListNode($0) }
    }
    let planned = planCall(overloads, operands, arguments, node)
    if spreadsAbsence, overloads.allSatisfy({ Self.givingAnElement.contains($0.name) }) {
      return folded(OptionalReadingNode(planned, reading(expression.type(of: node))), arguments)
    }
    if spreadsAbsence, overloads.allSatisfy({ Self.readAsEmpty.contains($0.id) }) {
      return AbsentReadingNode(planned, reading(expression.type(of: node)))
    }
    return folded(planned, arguments)
  }

  /// The node of an argument. The elements of a list that the call goes through are read here, because the call does
  /// not know their declared type. A call that takes the same time for a list of any length must still do so.
  private mutating func planArgument(_ operand: Syntax, at index: Int, of overloads: [Overload]) -> PlanNode {
    let argument = plan(operand)
    let reading = reading(ofElementsOf: operand)
    guard reading.isOfOneType, argument.constant == nil, overloads.contains(where: { $0.cost.counts(index) }) else {
      return argument
    }
    return ElementsReadingNode(argument, reading)
  }

  /// Overloads whose absent result reads as the empty value of its type, as a member's does.
  private static let readAsEmpty: Set<String> = ["form_label"]

  /// Functions that return an unchanged element of a list.
  private static let givingAnElement: Set<String> = ["first", "last"]

  /// Overloads that make an optional of a value. An optional of an absent value is none, and not absent.
  private static let makingAnOptional: Set<String> = ["optional_of", "optional_ofNonZeroValue"]

  /// Functions for which an element that is absent is like an argument that is.
  private static let needingAllElements: Set<String> = ["format", "join", "math.@max", "math.@min"]

  private mutating func planCall(
    _ overloads: [Overload],
    _ operands: [Syntax],
    _ arguments: [PlanNode],
    _ node: Syntax
  ) -> PlanNode {
    if spreadsAbsence, overloads.contains(where: { $0.name == Overload.absentOrValue.name }) {
      return AbsenceFallbackNode(arguments[0], arguments[1])
    }
    guard overloads.count == 1, let overload = overloads.first else {
      return CallNode(overloads, arguments, id: node.id)
    }
    if spreadsAbsence, Self.makingAnOptional.contains(overload.id), arguments.count == 1 {
      return PresentOptionalNode(arguments[0], keepsZero: overload.id == "optional_of")
    }
    if overload.id == "optional_or_optional" || overload.id == "optional_orValue_value", arguments.count == 2 {
      let unwraps = overload.id == "optional_orValue_value"
      return OptionalFallbackNode(arguments[0], arguments[1], unwraps: unwraps, id: node.id)
    }
    let isCertain = zip(overload.parameters, operands).allSatisfy { $0.isCertain(for: expression.type(of: $1)) }
    switch (overload.implementation, arguments.count) {
    case (.unary(let function), 1):
      return UnaryCallNode(
        function,
        arguments[0],
        checking: isCertain ? nil : overload.parameters[0],
        cost: overload.cost,
        growsResult: overload.resultSize.growsBeyondArguments,
        id: node.id
      )
    case (.binary(let function), 2):
      return BinaryCallNode(
        function,
        arguments[0],
        arguments[1],
        checking: isCertain ? nil : (overload.parameters[0], overload.parameters[1]),
        cost: overload.cost,
        growsResult: overload.resultSize.growsBeyondArguments,
        id: node.id
      )
    default:
      return CallNode(overloads, arguments, id: node.id)
    }
  }

  /// The node of an operator; nil for a call that is planned like any other function.
  private mutating func planOperator(_ call: Syntax.Call, _ node: Syntax) -> PlanNode? {
    switch (call.function, call.arguments.count) {
    case ("_&&_", 2...), ("_||_", 2...): return planLogic(call, isAnd: call.function == "_&&_")
    case ("_?_:_", 3):
      let test = plan(call.arguments[0])
      let accepted = plan(call.arguments[1])
      let refused = plan(call.arguments[2])
      if case .bool(let value) = test.constant { return value ? accepted : refused }
      return ConditionalNode(test, accepted, refused, id: node.id)
    case ("!_", 1):
      let operand = plan(call.arguments[0])
      return folded(NotNode(operand, id: node.id), [operand])
    // Only operators: the operands of other functions are planned as arguments, and would be planned twice in each of
    // their levels.
    case (_, 2) where call.function.utf8.first == UInt8(ascii: "_") || call.function == "@in":
      let left = plan(call.arguments[0])
      let right = plan(call.arguments[1])
      return planBinary(call.function, left, right, node).map { folded($0, [left, right]) }
    default:
      return nil
    }
  }

  private mutating func planLogic(_ call: Syntax.Call, isAnd: Bool) -> PlanNode {
    var operands: [PlanNode] = []
    for argument in call.arguments {
      let operand = plan(argument)
      if case .bool(let value) = operand.constant {
        // The deciding constant decides, regardless of the operands before it: both operators commute over errors.
        if value != isAnd { return ConstantNode(.bool(!isAnd)) }
        continue
      }
      operands.append(operand)
    }
    switch operands.count {
    case 0: return ConstantNode(.bool(isAnd))
    case 2: return LogicPairNode(operands[0], operands[1], isAnd: isAnd)
    default: return LogicNode(operands, isAnd: isAnd)
    }
  }

  private func planBinary(_ function: String, _ left: PlanNode, _ right: PlanNode, _ node: Syntax) -> PlanNode? {
    switch function {
    case "_==_", "_!=_":
      let isNegated = function == "_!=_"
      if spreadsAbsence, let operand = Self.comparedWithNull(left, right) {
        return PresenceNode(operand, isNegated: !isNegated, id: node.id)
      }
      if case .string(let text) = right.constant {
        return TextEqualityNode(left, text, isNegated: isNegated, id: node.id)
      }
      if case .string(let text) = left.constant {
        return TextEqualityNode(right, text, isNegated: isNegated, id: node.id)
      }
      return EqualityNode(left, right, isNegated: isNegated, id: node.id)
    case "_<_": return RelationNode(left, right, .less, id: node.id)
    case "_<=_": return RelationNode(left, right, .lessOrEqual, id: node.id)
    case "_>_": return RelationNode(left, right, .greater, id: node.id)
    case "_>=_": return RelationNode(left, right, .greaterOrEqual, id: node.id)
    case "_+_": return ArithmeticNode(left, right, .add, id: node.id)
    case "_-_": return ArithmeticNode(left, right, .subtract, id: node.id)
    case "_*_": return ArithmeticNode(left, right, .multiply, id: node.id)
    case "_/_": return ArithmeticNode(left, right, .divide, id: node.id)
    case "_%_": return ArithmeticNode(left, right, .remainder, id: node.id)
    case "@in": return MembershipNode(left, in: right, id: node.id)
    case "_[_]", "_[?_]":
      let isOptional = function == "_[?_]"
      return IndexNode(left, right, isOptional: isOptional, reading: reading(expression.type(of: node)), id: node.id)
    default: return nil
    }
  }

  /// The other operand, if one of the two is null.
  private static func comparedWithNull(_ left: PlanNode, _ right: PlanNode) -> PlanNode? {
    if case .null = right.constant { return left }
    if case .null = left.constant { return right }
    return nil
  }

  /// Tests of texts with constants, and `size`.
  private mutating func planText(
    _ call: Syntax.Call,
    _ operands: [Syntax],
    _ overloads: [Overload],
    _ node: Syntax
  ) -> PlanNode? {
    // A host may have declared an overload of its own; only the standard ones have these meanings.
    switch (call.function, operands.count) {
    case ("size", 1) where overloads.allSatisfy({ Self.sizeOverloads.contains($0.id) }):
      let operand = plan(operands[0])
      return folded(SizeNode(operand, id: node.id), [operand])
    case ("contains", 2) where overloads.contains { $0.id == "contains_string" },
      ("startsWith", 2) where overloads.contains { $0.id == "starts_with_string" },
      ("endsWith", 2) where overloads.contains { $0.id == "ends_with_string" }:
      guard overloads.count == 1, case .literal(.string(let part)) = operands[1].kind else { return nil }
      let operand = plan(operands[0])
      let test: TextTest =
        switch call.function {
        case "contains": .contains
        case "startsWith": .startsWith
        default: .endsWith
        }
      return folded(TextTestNode(operand, test, part, id: node.id), [operand])
    case ("matches", 2) where overloads.allSatisfy { $0.id == "matches" || $0.id == "matches_string" }:
      guard case .literal(.string(let source)) = operands[1].kind else { return nil }
      let operand = plan(operands[0])
      do {
        return folded(PatternNode(operand, try Pattern(source, dialect: .re2), id: node.id), [operand])
      } catch {
        report("the regular expression does not compile: \(error)", at: operands[1])
        return FaultNode(.invalidPattern, "\(error)", id: node.id)
      }
    default:
      return nil
    }
  }

  private static let sizeOverloads: Set<String> = [
    "size_string", "string_size", "size_bytes", "bytes_size", "size_list", "list_size", "size_map", "map_size",
  ]
}

extension CELType {
  /// Whether every value of the static type is one that a parameter of this type admits, so that nothing is left to
  /// check.
  fileprivate func isCertain(for type: CELType) -> Bool {
    switch (self, type) {
    case (.dyn, _), (.any, _), (.parameter, _): true
    case (_, .dyn), (_, .any), (_, .error), (_, .parameter), (_, .null), (_, .wrapper): false
    case (.list, .list), (.map, .map), (.optional, .optional), (.type, .type): true
    // A declared variable has the type of its declaration, but only the host ensures that. So only the dispatch is
    // spared here, and the library's functions test their arguments.
    default: self == type
    }
  }
}
