internal import CEL
internal import JSON
internal import Texts

/// The function `label`: the text of a choice in the session's language. The parser supplies the session's locale as
/// its last argument.
struct ChoiceLabels {
  static let name = "label"
  private static let overloadID = "form_label"
  /// The assumed size of a label.
  private static let sizeMax = 1024

  /// The function. For an argument that is not known to be a field, it gives the text of the value itself.
  static let function = Function(
    "label(value)",
    .texts,
    "the label of a choice in the session's language: of a field whose values are listed",
    examples: ["label(values.country)": #""Switzerland""#],
    overloads: [overload([:], default: nil)]
  )

  let cells: FormulaCells
  let scope: FormulaCompiler.Scope
  let defaultLocale: String?

  /// A call of the function, and the field whose value it names.
  private struct Call {
    let node: Syntax
    let field: Int?
  }

  /// Lets each call in an expression read the labels of its field.
  ///
  /// - Returns: the expression, and the code points of the calls that name no field with choices.
  func bind(_ expression: CheckedExpression) -> (CheckedExpression, unknown: [Range<Int>]) {
    var bound = expression
    var unknown: [Range<Int>] = []
    for call in calls(in: expression.parsed.root, []) {
      let options = call.field.map(cells.options) ?? []
      if options.isEmpty { unknown.append(expression.parsed.extent(of: call.node)) }
      var labels: [JSON: TextTable] = [:]
      for option in options { labels[option.value] = option.label.map { TextTable($0, default: defaultLocale) } }
      bound.replaceOverloads(of: call.node, by: Self.overload(labels, default: defaultLocale))
    }
    return (bound, unknown)
  }

  private static func overload(_ labels: [JSON: TextTable], default locale: String?) -> Overload {
    Overload(
      id: overloadID,
      name: name,
      parameters: [.dyn, .string],
      result: .string,
      resultSize: .atMost(sizeMax),
      implementation: .binary { value, locale in
        guard case .string(let locale) = locale else { return .error(.noSuchOverload) }
        guard let json = value.json else { return .error(.noSuchOverload) }
        if let table = labels[json] { return .string(table.texts[table.index(for: locale)]) }
        // An absent text, and an absent label, reads as an empty one.
        if json.isNull || json == .string("") { return .null }
        // A formula reads a whole number of a field of type number as 1.0.
        if case .real(let number) = json, let whole = Int64(exactly: number) { return .string(String(whole)) }
        return .string(json.optionName)
      }
    )
  }

  /// Whether an expression calls the function.
  static func areNamed(in expression: CheckedExpression) -> Bool { expression.calls(anyOf: [overloadID]) }

  // MARK: Fields

  /// The variables of loops and bindings, each with the field whose value it is.
  private typealias Variables = [(name: String, field: Int?)]

  private func calls(in node: Syntax, _ variables: Variables) -> [Call] {
    var found: [Call] = []
    var inner = variables
    if case .call(let call) = node.kind, call.function == Self.name, call.target == nil,
      let argument = call.arguments.first
    {
      found.append(Call(node: node, field: field(of: argument, variables)))
    }
    guard case .comprehension(let loop) = node.kind else {
      node.forEachChild { found += calls(in: $0, variables) }
      return found
    }
    found += calls(in: loop.range, variables)
    let range = field(of: loop.range, variables)
    let isBinding = [.bind, .optMap, .optFlatMap].contains(loop.macro)
    let element = isBinding ? range : range.flatMap(cells.elements(ofList:))
    inner.append((loop.variable, loop.secondVariable == nil ? element : nil))
    if let second = loop.secondVariable { inner.append((second, element)) }
    for body in loop.bodies { found += calls(in: body, inner) }
    return found
  }

  /// The field whose value a node is; nil if it is none, or not known.
  private func field(of node: Syntax, _ variables: Variables) -> Int? {
    switch node.kind {
    case .identifier(let name):
      if let variable = variables.last(where: { $0.name == name }) { return variable.field }
    case .comprehension(let loop) where [.filter, .sortBy].contains(loop.macro):
      return field(of: loop.range, variables)
    case .call(let call) where ["_[_]", "_[?_]"].contains(call.function) && node.namedPart == nil:
      return call.arguments.first.flatMap { field(of: $0, variables) }.flatMap(cells.elements(ofList:))
    default: break
    }
    if let part = node.namedPart, let holder = field(of: part.operand, variables) {
      return cells.member(part.name, of: holder)
    }
    guard var chain = node.memberChain else { return nil }
    if chain[0].utf8.first == UInt8(ascii: ".") { chain[0].removeFirst() }
    if chain == ["self"] { return scope.field }
    return cells.cell(named: chain, in: scope.template)?.field
  }
}
