extension Library {
  /// The operators of truth values and equality. The evaluator implements the operators that may leave an operand
  /// unevaluated.
  static let logicOverloads: [Overload] = [
    Overload(
      id: "conditional",
      name: "_?_:_",
      parameters: [.bool, .a, .a],
      result: .a,
      implementation: .declarationOnly
    ),
    Overload(
      id: "logical_and",
      name: "_&&_",
      parameters: [.bool, .bool],
      result: .bool,
      implementation: .declarationOnly
    ),
    Overload(
      id: "logical_or",
      name: "_||_",
      parameters: [.bool, .bool],
      result: .bool,
      implementation: .declarationOnly
    ),
    Overload(
      id: "not_strictly_false",
      name: "@not_strictly_false",
      parameters: [.bool],
      result: .bool,
      implementation: .declarationOnly
    ),
    Overload(
      id: "logical_not",
      name: "!_",
      parameters: [.bool],
      result: .bool,
      implementation: .unary { argument in
        guard case .bool(let value) = argument else { return .error(.noSuchOverload) }
        return .bool(!value)
      }
    ),
    Overload(
      id: "equals",
      name: "_==_",
      parameters: [.a, .a],
      result: .bool,
      cost: .linear([0, 1]),
      implementation: .binary { .bool($0.equals($1)) }
    ),
    Overload(
      id: "not_equals",
      name: "_!=_",
      parameters: [.a, .a],
      result: .bool,
      cost: .linear([0, 1]),
      implementation: .binary { .bool(!$0.equals($1)) }
    ),
  ]
}
