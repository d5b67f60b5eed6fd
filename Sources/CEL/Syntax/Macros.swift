extension Parser {
  /// Expands a macro that is written like a call of a function; returns nil if it is not a macro.
  mutating func expandGlobal(_ name: String, _ arguments: [Syntax], at byte: Int) -> Syntax? {
    if name == "fold", arguments.count == 5 {
      let ordered = [arguments[2], arguments[3], arguments[1], arguments[4]]
      return loop(.fold, arguments[0], ordered, variables: 2, at: byte)
    }
    guard name == "has" || name == ".has", arguments.count == 1 else { return nil }
    // The specification has no `has(a['b'])`; names that no identifier can spell need it.
    guard let (operand, field) = arguments[0].namedPart else {
      report("the argument of has() must be a field selection such as 'a.b'", at: arguments[0])
      return node(.invalid, at: byte)
    }
    return node(
      .select(.init(operand: operand, field: field, isTest: true, isOptional: false)),
      at: self.byte(of: arguments[0])
    )
  }

  /// Expands a macro that is written like a call of a member; returns nil if it is not a macro.
  ///
  /// A call with a number of arguments that no macro of the name has stays a call, as the specification says.
  mutating func expandMember(_ name: String, target: Syntax, _ arguments: [Syntax], at byte: Int) -> Syntax? {
    if case .identifier(let namespace) = target.kind,
      let expanded = expandNamespaced(namespace, name, arguments, at: byte)
    {
      return expanded
    }
    switch (name, arguments.count) {
    case ("all", 2): return loop(.all, target, arguments, variables: 1, at: byte)
    case ("all", 3): return loop(.all, target, arguments, variables: 2, at: byte)
    case ("exists", 2): return loop(.exists, target, arguments, variables: 1, at: byte)
    case ("exists", 3): return loop(.exists, target, arguments, variables: 2, at: byte)
    case ("exists_one", 2), ("existsOne", 2): return loop(.existsOne, target, arguments, variables: 1, at: byte)
    case ("exists_one", 3), ("existsOne", 3): return loop(.existsOne, target, arguments, variables: 2, at: byte)
    case ("map", 2), ("map", 3): return loop(.map, target, arguments, variables: 1, at: byte)
    case ("filter", 2): return loop(.filter, target, arguments, variables: 1, at: byte)
    case ("sortBy", 2): return loop(.sortBy, target, arguments, variables: 1, at: byte)
    case ("optMap", 2): return loop(.optMap, target, arguments, variables: 1, at: byte)
    case ("optFlatMap", 2): return loop(.optFlatMap, target, arguments, variables: 1, at: byte)
    case ("transformList", 3), ("transformList", 4):
      return loop(.transformList, target, arguments, variables: 2, at: byte)
    case ("transformMap", 3), ("transformMap", 4):
      return loop(.transformMap, target, arguments, variables: 2, at: byte)
    case ("transformMapEntry", 3), ("transformMapEntry", 4):
      return loop(.transformMapEntry, target, arguments, variables: 2, at: byte)
    default: return nil
    }
  }

  private mutating func expandNamespaced(
    _ namespace: String,
    _ name: String,
    _ arguments: [Syntax],
    at byte: Int
  ) -> Syntax? {
    switch (namespace, name, arguments.count) {
    case ("cel", "bind", 3):
      return loop(.bind, arguments[1], [arguments[0], arguments[2]], variables: 1, at: byte)
    case ("math", "greatest", 1...), ("math", "least", 1...):
      // The extension has functions of one value, of two, and of a list: more arguments are put into a list.
      let function = name == "greatest" ? "math.@max" : "math.@min"
      var values = arguments
      if values.count > 2 {
        values = [node(.list(values.map { Syntax.Element(value: $0, isOptional: false) }), at: byte)]
      }
      return node(.call(.init(target: nil, function: function, arguments: values)), at: byte)
    case ("math", "greatest", 0), ("math", "least", 0):
      errors.report("math.\(name)() requires at least one argument", at: byte)
      return node(.invalid, at: byte)
    case ("cel", "block", 2) where expandsBlockMacros:
      return block(arguments[0], arguments[1], at: byte)
    case ("cel", "index", 1) where expandsBlockMacros:
      guard case .literal(.int(let index)) = arguments[0].kind else { return nil }
      return node(.identifier("@index\(index)"), at: byte)
    case ("cel", "iterVar", 2) where expandsBlockMacros, ("cel", "accuVar", 2) where expandsBlockMacros:
      guard case .literal(.int(let depth)) = arguments[0].kind, case .literal(.int(let unique)) = arguments[1].kind
      else { return nil }
      return node(.identifier("@\(name):\(depth):\(unique)"), at: byte)
    default:
      return nil
    }
  }

  private mutating func loop(
    _ macro: Comprehension.Macro,
    _ range: Syntax,
    _ arguments: [Syntax],
    variables: Int,
    at byte: Int
  ) -> Syntax {
    var names: [String] = []
    for argument in arguments.prefix(variables) {
      guard case .identifier(let name) = argument.kind, !name.hasPrefix(".") else {
        report("the argument of \(macro.rawValue)() must be a simple name", at: argument)
        return node(.invalid, at: byte)
      }
      if names.contains(name) {
        report("\(macro.rawValue)() needs two different names", at: argument)
      }
      names.append(name)
    }
    return node(
      .comprehension(
        Comprehension(
          macro: macro,
          range: range,
          variable: names[0],
          secondVariable: variables == 2 ? names[1] : nil,
          bodies: Array(arguments.dropFirst(variables))
        )
      ),
      at: byte
    )
  }

  /// `cel.block([a, b], c)` as nested bindings of `@index0`, `@index1` and so on.
  private mutating func block(_ bindings: Syntax, _ result: Syntax, at byte: Int) -> Syntax? {
    guard case .list(let elements) = bindings.kind else { return nil }
    var body = result
    for (index, element) in elements.enumerated().reversed() {
      body = node(
        .comprehension(
          Comprehension(
            macro: .bind,
            range: element.value,
            variable: "@index\(index)",
            secondVariable: nil,
            bodies: [body]
          )
        ),
        at: byte
      )
    }
    return body
  }
}

/// The macros, described for people. `exists_one` is another spelling of `existsOne`.
extension Function {
  static let macros: [Function] = [
    Function(
      macro: "all",
      ["list.all(x, condition)", "list.all(i, x, condition)"],
      gives: "bool",
      .listsAndMaps,
      "whether the condition is true for every element",
      examples: ["[1, 2, 3].all(x, x > 0)": "true"]
    ),
    Function(
      macro: "cel.bind",
      ["cel.bind(x, value, body)"],
      gives: "A",
      .others,
      "the body, in which the name has the value",
      examples: ["cel.bind(x, 3 * 3, x + x)": "18"]
    ),
    Function(
      macro: "exists",
      ["list.exists(x, condition)", "list.exists(i, x, condition)"],
      gives: "bool",
      .listsAndMaps,
      "whether the condition is true for at least one element",
      examples: ["[1, 2, 3].exists(x, x > 2)": "true"]
    ),
    Function(
      macro: "existsOne",
      ["list.existsOne(x, condition)", "list.existsOne(i, x, condition)"],
      gives: "bool",
      .listsAndMaps,
      "whether the condition is true for exactly one element; exists_one is the same",
      examples: ["[1, 2, 2].existsOne(x, x == 2)": "false"]
    ),
    Function(
      macro: "filter",
      ["list.filter(x, condition)"],
      gives: "list(A)",
      .listsAndMaps,
      "the elements of a list, or the keys of a map, for which the condition is true",
      examples: ["[1, 2, 3].filter(x, x > 1)": "[2, 3]"]
    ),
    Function(
      macro: "fold",
      ["fold(list, start, a, x, body)"],
      gives: "A",
      .listsAndMaps,
      "the body for each element x in turn, where a is the result so far, and the start before the first element",
      examples: ["fold([1, 2, 3], 0, a, x, a * 10 + x)": "123"]
    ),
    Function(
      macro: "has",
      ["has(a.b)"],
      gives: "bool",
      .optionals,
      "whether the field has a value",
      examples: ["has({'a': 1}.b)": "false"]
    ),
    Function(
      macro: "map",
      ["list.map(x, body)", "list.map(x, condition, body)"],
      gives: "list(A)",
      .listsAndMaps,
      "the body for each element, or for each element for which the condition is true",
      examples: ["[1, 2, 3].map(x, x * 2)": "[2, 4, 6]"]
    ),
    Function(
      macro: "math.greatest",
      ["math.greatest(x, ...)"],
      gives: "A",
      .numbers,
      "the greatest of some numbers, or of a list of them",
      examples: ["math.greatest(1, 5, 3)": "5"]
    ),
    Function(
      macro: "math.least",
      ["math.least(x, ...)"],
      gives: "A",
      .numbers,
      "the least of some numbers, or of a list of them",
      examples: ["math.least([4, 2, 8])": "2"]
    ),
    Function(
      macro: "optFlatMap",
      ["optional.optFlatMap(x, body)"],
      gives: "optional_type(A)",
      .optionals,
      "the optional that the body makes of an optional's value",
      examples: ["optional.of([4]).optFlatMap(x, x.first()).value()": "4"]
    ),
    Function(
      macro: "optMap",
      ["optional.optMap(x, body)"],
      gives: "optional_type(A)",
      .optionals,
      "the result of the body for an optional's value, as an optional",
      examples: ["optional.of(3).optMap(x, x * 2).value()": "6"]
    ),
    Function(
      macro: "sortBy",
      ["list.sortBy(x, key)"],
      gives: "list(A)",
      .listsAndMaps,
      "the elements in the order of their keys; elements without a key come last",
      examples: ["['bbb', 'a'].sortBy(x, size(x))": #"["a", "bbb"]"#]
    ),
    Function(
      macro: "transformList",
      ["list.transformList(i, x, body)", "list.transformList(i, x, condition, body)"],
      gives: "list(A)",
      .listsAndMaps,
      "a list of the body for each position, or key, and element",
      examples: ["['a', 'b'].transformList(i, x, string(i) + x)": #"["0a", "1b"]"#]
    ),
    Function(
      macro: "transformMap",
      ["list.transformMap(i, x, body)", "list.transformMap(i, x, condition, body)"],
      gives: "map(A, B)",
      .listsAndMaps,
      "a map with the same keys, or with positions as keys, and the body for each element",
      examples: ["{'a': 1}.transformMap(key, x, x + 1)": #"{"a": 2}"#]
    ),
    Function(
      macro: "transformMapEntry",
      ["list.transformMapEntry(i, x, body)", "list.transformMapEntry(i, x, condition, body)"],
      gives: "map(A, B)",
      .listsAndMaps,
      "a map of all entries that the body makes, one for each element",
      examples: ["{'a': 'b'}.transformMapEntry(key, x, {x: key})": #"{"b": "a"}"#]
    ),
  ]
}
