/// Something that an expression reads: a variable, or a path under it.
public struct Dependency: Hashable, Sendable {
  /// The name of the variable, as declared.
  public let variable: String
  /// The variable's slot.
  public let slot: Int
  /// The fields and constant text keys selected under it; empty if the variable is read as a whole.
  public let path: [String]
}

/// Finds the dependencies of an expression.
struct DependencyCollector {
  private let expression: CheckedExpression
  private var found: [Dependency] = []
  /// The selections from the current node, the last selection first.
  private var selections: [String] = []

  /// The dependencies, sorted by slot and path; none lies under another.
  static func dependencies(of expression: CheckedExpression) -> [Dependency] {
    var collector = DependencyCollector(expression: expression)
    collector.visit(expression.parsed.root)
    // In this order all paths under a path directly follow it.
    let sorted = collector.found.sorted {
      $0.slot == $1.slot ? $0.path.lexicographicallyPrecedes($1.path) : $0.slot < $1.slot
    }
    return sorted.reduce(into: []) { kept, dependency in
      // A dependency that is read twice, or lies under one that is read as a whole, adds nothing.
      if let last = kept.last, last.slot == dependency.slot, dependency.path.starts(with: last.path) { return }
      kept.append(dependency)
    }
  }

  private init(expression: CheckedExpression) {
    self.expression = expression
  }

  /// Visits a node of whose value more is selected.
  private mutating func visit(_ node: Syntax, selecting field: String) {
    selections.append(field)
    visit(node)
    selections.removeLast()
  }

  /// Visits nodes whose values are read as a whole.
  private mutating func visitWhole(_ nodes: [Syntax]) {
    let outer = selections
    selections = []
    for node in nodes { visit(node) }
    selections = outer
  }

  private mutating func visit(_ node: Syntax) {
    if case .variable(let variable) = expression.references[node.id] {
      found.append(Dependency(variable: variable.name, slot: variable.slot, path: selections.reversed()))
      return
    }
    switch node.kind {
    case .select(let selection):
      guard expression.references[node.id] == nil else { return }
      visit(selection.operand, selecting: selection.field)
    case .call(let call):
      if call.target == nil, call.function == "_[_]" || call.function == "_[?_]", call.arguments.count == 2,
        case .literal(.string(let key)) = call.arguments[1].kind
      {
        visit(call.arguments[0], selecting: key)
        return
      }
      if case .overloads(_, takesTarget: false) = expression.references[node.id] {
        // The target is a part of the function's name.
        visitWhole(call.arguments)
        return
      }
      visitChildren(of: node)
    default:
      visitChildren(of: node)
    }
  }

  private mutating func visitChildren(of node: Syntax) {
    let outer = selections
    selections = []
    node.forEachChild { visit($0) }
    selections = outer
  }
}
