extension Checker {
  /// The type of a call; refers the node to the overloads that may be meant.
  mutating func call(_ call: Syntax.Call, _ node: Syntax) -> CELType {
    switch (call.function, call.arguments.count) {
    case ("_&&_", 2...) where call.target == nil, ("_||_", 2...) where call.target == nil:
      for argument in call.arguments {
        let type = infer(argument)
        require(type, of: argument, toBe: .bool, for: "each side of '\(call.function == "_&&_" ? "&&" : "||")'")
      }
      return .bool
    case ("_?_:_", 3) where call.target == nil:
      return conditional(call, node)
    case ("_[_]", 2) where call.target == nil:
      if let type = namedElement(node) { return type }
    default:
      break
    }
    if let target = call.target, !isVariable(target), let prefix = target.qualifiedName {
      let name = prefix + "." + call.function
      if let overloads = overloads(named: name) {
        // A qualified function name, such as `math.ceil`: the apparent target is a part of the name.
        let arguments = call.arguments.map { infer($0) }
        return resolve(name, overloads, nil, arguments, node)
      }
      if !isDeclaredPrefix(of: target), isNamespace(prefix) {
        if let macro = Self.namespacedMacros.first(where: { $0.name == name }) {
          report("\(name)() is written '\(macro.form)'", atNameOf: node, call.function)
          return .error
        }
        let siblings = (functions.keys + Self.namespacedMacros.map(\.name)).filter {
          $0.utf8.starts(with: (prefix + ".").utf8) && !$0.contains("@")
        }
        let meant = meant(by: name, among: siblings)
        report(
          "unknown function '\(name)'\(Self.suggestion(meant))",
          atNameOf: node,
          call.function,
          replacement: meant.map { String($0.dropFirst(prefix.count + 1)) }
        )
        return .error
      }
    }
    guard let overloads = overloads(named: call.function) else {
      // The arguments may name variables that a misspelled macro would have bound; such names are not reported.
      if let target = call.target { _ = infer(target) }
      reportUnknownFunction(call, node)
      return .error
    }
    let target = call.target.map { infer($0) }
    let arguments = call.arguments.map { infer($0) }
    if call.function == "_[_]" || call.function == "_[?_]", call.arguments.count == 2,
      case .literal(.string(let name)) = call.arguments[1].kind,
      case .object = inference.resolve(arguments[0]).withoutNull
    {
      refer(node, to: .overloads(overloads, takesTarget: false))
      let type = field(name, of: inference.resolve(arguments[0]), call.arguments[0], node)
      return call.function == "_[_]" ? type : .optional(type)
    }
    return resolve(call.function, overloads, target, arguments, node)
  }

  /// Whether functions begin with that name and a dot.
  private func isNamespace(_ prefix: String) -> Bool {
    let start = (prefix + ".").utf8
    return functions.keys.contains { $0.utf8.starts(with: start) }
  }

  private mutating func conditional(_ call: Syntax.Call, _ node: Syntax) -> CELType {
    let condition = infer(call.arguments[0])
    require(condition, of: call.arguments[0], toBe: .bool, for: "the condition before '?'")
    let accepted = infer(call.arguments[1])
    let refused = infer(call.arguments[2])
    inference.nullFitsAll = spreadsAbsence
    defer { inference.nullFitsAll = false }
    let result = inference.freshVariable()
    guard inference.assign([accepted, refused], to: [result, result]) else {
      if admitsReason(at: node) { return .dyn }
      report(
        "both sides of ':' must have the same type; they are of types \(inference.resolve(accepted)) and "
          + "\(inference.resolve(refused)) (dyn(x) disables the type check)",
        at: node
      )
      return .error
    }
    return inference.resolve(result)
  }

  private mutating func resolve(
    _ function: String,
    _ overloads: [Overload],
    _ target: CELType?,
    _ arguments: [CELType],
    _ node: Syntax
  ) -> CELType {
    let given = target.map { [$0] + arguments } ?? arguments
    let isMember = target != nil
    var matching: [Overload] = []
    var result: CELType?
    inference.nullFitsAll = spreadsAbsence && Self.mayAskForAbsence(function)
    defer { inference.nullFitsAll = false }
    // By their indices: most candidates do not fit, and no overload is copied.
    for index in overloads.indices
    where overloads[index].isMember == isMember && overloads[index].parameters.count == given.count {
      guard isInferring else {
        matching.append(overloads[index])
        continue
      }
      guard let candidate = resultType(of: overloads[index], given) else { continue }
      matching.append(overloads[index])
      if let known = result {
        if known != .dyn, known != candidate { result = .dyn }
      } else {
        result = candidate
      }
    }
    refer(node, to: .overloads(matching, takesTarget: target != nil))
    if let result { return result }
    if !given.contains(where: { inference.resolve($0) == .error }) {
      reportMismatch(function, overloads, target, arguments, node)
    }
    return .error
  }

  /// The type of an overload's result for arguments of those types; nil if they do not fit.
  private mutating func resultType(of overload: Overload, _ given: [CELType]) -> CELType? {
    guard overload.isGeneric else { return inference.assign(given, to: overload.parameters) ? overload.result : nil }
    let signature = inference.instantiate([overload.result] + overload.parameters)
    return inference.assign(given, to: Array(signature.dropFirst())) ? inference.resolve(signature[0]) : nil
  }

  /// Whether a function takes null beside any type: a value that may be absent is a valid argument.
  private static func mayAskForAbsence(_ function: String) -> Bool {
    switch function {
    case "_==_", "_!=_", "orValue": true
    default: false
    }
  }

  /// The macros, with how each is written: a call with another number of arguments is none.
  private static let macros: [(name: String, form: String)] = [
    ("has", "has(a.b)"), ("all", "a.all(x, condition)"), ("exists", "a.exists(x, condition)"),
    ("exists_one", "a.exists_one(x, condition)"), ("existsOne", "a.existsOne(x, condition)"),
    ("map", "a.map(x, value)"), ("filter", "a.filter(x, condition)"), ("sortBy", "a.sortBy(x, key)"),
    ("transformList", "a.transformList(i, x, value)"), ("transformMap", "a.transformMap(k, v, value)"),
    ("transformMapEntry", "a.transformMapEntry(k, v, {key: value})"), ("optMap", "a.optMap(x, value)"),
    ("optFlatMap", "a.optFlatMap(x, optional)"), ("fold", "fold(list, start, a, x, body)"),
  ]
  private static let namespacedMacros: [(name: String, form: String)] = [
    ("cel.bind", "cel.bind(x, value, body)"), ("math.greatest", "math.greatest(a, b)"),
    ("math.least", "math.least(a, b)"),
  ]

  private mutating func reportUnknownFunction(_ call: Syntax.Call, _ node: Syntax) {
    guard isInferring, !errors.isFull else { return }
    if let macro = Self.macros.first(where: { $0.name == call.function }) {
      return report("\(macro.name)() is written '\(macro.form)'", atNameOf: node, call.function)
    }
    if suggests, let found = ForeignWord.name(call.function) {
      let name = found.function.flatMap { overloads(named: $0) == nil ? nil : $0 }
      return report(
        "unknown function '\(call.function)'; \(found.advice)",
        atNameOf: node,
        call.function,
        replacement: name
      )
    }
    let meant = meant(
      by: call.function,
      among: functions.keys.filter { !$0.contains("@") } + Self.macros.map(\.name) + namedFormulas
    )
    report(
      "unknown function '\(call.function)'\(Self.suggestion(meant))",
      atNameOf: node,
      call.function,
      replacement: meant
    )
  }

  private mutating func reportMismatch(
    _ function: String,
    _ overloads: [Overload],
    _ target: CELType?,
    _ arguments: [CELType],
    _ node: Syntax
  ) {
    guard isInferring, !errors.isFull else { return }
    // The body of a named formula names functions from the root.
    let function = String(function.drop { $0 == "." })
    let types = ((target.map { [$0] } ?? []) + arguments).map { inference.resolve($0, unknownToDyn: true) }
    // The author of a call does not write the arguments that the parser adds.
    let added = hasContextArgument(function) ? 1 : 0
    let given = types.dropLast(added).map(Self.shown).joined(separator: ", ")
    if let operation = BinaryOperator(function: function) {
      report("'\(operation.sign)' cannot take (\(given))\(Self.operatorRemedy(operation.sign, types, node))", at: node)
      return
    }
    let shown: String
    switch function {
    case "!_": shown = "'!'"
    case "-_": shown = "'-'"
    case "_[_]", "_[?_]": shown = "an index"
    case "math.@max": shown = "math.greatest()"
    case "math.@min": shown = "math.least()"
    default: shown = function + "()"
    }
    if target != nil, overloads.allSatisfy({ !$0.isMember }) {
      report("\(shown) is not called on a value; write \(function)(x, ...)", at: node)
      return
    }
    if target == nil, overloads.allSatisfy(\.isMember) {
      report("\(shown) is called on a value; write x.\(function)(...)", at: node)
      return
    }
    let known = overloads.filter { $0.isMember == (target != nil) }.prefix(4)
      .map { "(\($0.parameters.dropLast(added).map(\.description).joined(separator: ", ")))" }
      .joined(separator: " or ")
    report("\(shown) cannot take (\(given)); it takes \(known)", at: node)
  }

  /// What to write instead, if the two sides are a number, a text or a time each.
  private static func operatorRemedy(_ sign: String, _ types: [CELType], _ node: Syntax) -> String {
    let numbers: [CELType] = [.int, .uint, .double]
    let plain = types.map(\.withoutNull)
    guard plain.count == 2 else { return "" }
    if plain == [.string, .string], sign == "-" {
      return "; days(from, to) and years(from, to) count from one date to another"
    }
    if plain.contains(.string), plain.contains(.timestamp) {
      return "; a date is compared with 'today', and a text with a time is read by timestamp(...)"
    }
    if plain.contains(.string), let other = plain.first(where: numbers.contains) {
      return sign == "+" ? "; write string(...) around the number" : "; write \(other)(...) around the text"
    }
    guard plain[0] != plain[1], plain.allSatisfy(numbers.contains) else { return "" }
    if plain.contains(.double), case .call(let call) = node.kind {
      for case .literal(.int(let number)) in call.arguments.map(\.kind) { return "; write \(number).0" }
    }
    return "; convert one side, for example with \(plain.contains(.double) ? .double : plain[0])(...)"
  }

  /// A type as authors know it.
  private static func shown(_ type: CELType) -> String {
    if case .wrapper(let plain) = type { "\(plain) or null" } else { type.description }
  }

  // MARK: Comprehensions

  /// The type of a macro that binds names.
  mutating func comprehension(_ comprehension: Comprehension, _ node: Syntax) -> CELType {
    let range = inferResolved(comprehension.range)
    switch comprehension.macro {
    case .bind:
      return withLocals([(comprehension.variable, range)]) { $0.infer(comprehension.body) }
    case .optMap, .optFlatMap:
      return optionalMapping(comprehension, range)
    case .fold:
      return fold(comprehension, range)
    default:
      break
    }
    let (key, element) = elements(of: range, comprehension)
    var bound: [(name: String, type: CELType)] = []
    if let second = comprehension.secondVariable {
      bound = [(comprehension.variable, key), (second, element)]
    } else if range.hasEntries {
      bound = [(comprehension.variable, key)]
    } else {
      bound = [(comprehension.variable, element)]
    }
    let name = comprehension.macro.rawValue
    let body = withLocals(bound) { checker in
      if let filter = comprehension.filter, comprehension.macro != .filter {
        let type = checker.infer(filter)
        checker.require(type, of: filter, toBe: .bool, for: "the filter of \(name)()")
      }
      return checker.infer(comprehension.body)
    }
    switch comprehension.macro {
    case .all, .exists, .existsOne, .filter:
      require(body, of: comprehension.body, toBe: .bool, for: "the predicate of \(name)()")
      return comprehension.macro == .filter ? .list(bound[0].type) : .bool
    case .map, .transformList:
      return .list(body)
    case .transformMap:
      return .map(key, body)
    case .transformMapEntry:
      switch inference.resolve(body) {
      case .map(let key, let value): return .map(key, value)
      case let other where other.isDynamic: return .map(.dyn, .dyn)
      case let other:
        report("transformMapEntry() needs a map with one entry; this is of type \(other)", at: comprehension.body)
        return .error
      }
    case .sortBy:
      return sorted(comprehension, range, by: body, node)
    case .bind, .optMap, .optFlatMap, .fold:
      return .error
    }
  }

  /// `fold(list, start, a, x, body)`: the body has the type of the start.
  private mutating func fold(_ comprehension: Comprehension, _ range: CELType) -> CELType {
    let element = elements(of: range, comprehension).element
    if range.hasEntries { report("fold() needs a list; this is of type \(range)", at: comprehension.range) }
    let start = infer(comprehension.bodies[0])
    let names = [(comprehension.variable, start), (comprehension.secondVariable ?? "", element)]
    let body = withLocals(names) { $0.infer(comprehension.body) }
    inference.nullFitsAll = spreadsAbsence
    defer { inference.nullFitsAll = false }
    let result = inference.freshVariable()
    guard inference.assign([start, body], to: [result, result]) else {
      report(
        "the start of fold() is of type \(inference.resolve(start)), and its body of type \(inference.resolve(body)); "
          + "both must have the same type",
        at: comprehension.body
      )
      return .error
    }
    return inference.resolve(result)
  }

  /// The values that a loop over a value binds: the key (or index) and the element (or map's value).
  private mutating func elements(of range: CELType, _ comprehension: Comprehension) -> (key: CELType, element: CELType)
  {
    switch range.withoutNull {
    case .list(let element): return (.int, element)
    case .map(let key, let value): return (key, value)
    case .object: return (.string, .dyn)
    case .parameter:
      _ = inference.assign(.dyn, to: range)
      return (.dyn, .dyn)
    case .dyn, .any, .error:
      return (.dyn, .dyn)
    default:
      report(
        "\(comprehension.macro.rawValue)() needs a list or map; this is of type \(range)",
        at: comprehension.range
      )
      return (.error, .error)
    }
  }

  private mutating func optionalMapping(_ comprehension: Comprehension, _ range: CELType) -> CELType {
    let inner: CELType
    switch range {
    case .optional(let type): inner = type
    case .parameter, .dyn, .any, .error: inner = .dyn
    default:
      report("\(comprehension.macro.rawValue)() needs an optional; this is of type \(range)", at: comprehension.range)
      inner = .error
    }
    let body = withLocals([(comprehension.variable, inner)]) { $0.infer(comprehension.body) }
    guard comprehension.macro == .optFlatMap else { return .optional(body) }
    let result = CELType.optional(inference.freshVariable())
    require(body, of: comprehension.body, toBe: result, for: "the result of optFlatMap()")
    return inference.resolve(result)
  }

  /// `sortBy` is checked as the function that sorts a list by a list of keys.
  private mutating func sorted(
    _ comprehension: Comprehension,
    _ range: CELType,
    by key: CELType,
    _ node: Syntax
  ) -> CELType {
    if range.hasEntries {
      report("sortBy() needs a list; this is of type \(range)", at: comprehension.range)
      return .error
    }
    guard let overloads = overloads(named: "@sortByAssociatedKeys") else {
      report("unknown function 'sortBy'", at: node)
      return .error
    }
    return resolve("@sortByAssociatedKeys", overloads, range, [.list(key)], node)
  }
}
