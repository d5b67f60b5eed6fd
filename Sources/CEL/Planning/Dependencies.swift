/// Something that an expression reads: a variable, or a path under it.
public struct Dependency: Hashable, Sendable {
  /// The name of the variable, as declared.
  public let variable: String
  /// The variable's slot.
  public let slot: Int
  /// The fields and constant text keys selected under it; empty if the variable is read as a whole.
  public let path: [String]
}

/// Finds what an expression reads.
struct DependencyCollector {
  private let expression: CheckedExpression
  private var found: Set<Dependency> = []

  /// The dependencies, sorted by slot and path; none lies under another.
  static func dependencies(of expression: CheckedExpression) -> [Dependency] {
    var collector = DependencyCollector(expression: expression)
    collector.visit(expression.parsed.root, under: [])
    let found = collector.found
    return found.filter { dependency in
      // What is under something that is read as a whole says nothing more.
      !dependency.path.indices.contains { length in
        found.contains(
          Dependency(
            variable: dependency.variable,
            slot: dependency.slot,
            path: Array(dependency.path.prefix(length))
          )
        )
      }
    }
    .sorted { ($0.slot, $0.path.joined(separator: "\u{0}")) < ($1.slot, $1.path.joined(separator: "\u{0}")) }
  }

  private init(expression: CheckedExpression) {
    self.expression = expression
  }

  /// - Parameter path: what is selected from the node's value.
  private mutating func visit(_ node: Syntax, under path: [String]) {
    if case .variable(let variable) = expression.references[node.id] {
      found.insert(Dependency(variable: variable.name, slot: variable.slot, path: path))
      return
    }
    switch node.kind {
    case .select(let selection):
      guard expression.references[node.id] == nil else { return }
      visit(selection.operand, under: [selection.field] + path)
    case .call(let call):
      if call.target == nil, call.function == "_[_]" || call.function == "_[?_]", call.arguments.count == 2,
        case .literal(.string(let key)) = call.arguments[1].kind
      {
        visit(call.arguments[0], under: [key] + path)
        return
      }
      if case .overloads(_, takesTarget: false) = expression.references[node.id] {
        // The target is a part of the function's name.
        for argument in call.arguments { visit(argument, under: []) }
        return
      }
      visitChildren(of: node)
    default:
      visitChildren(of: node)
    }
  }

  private mutating func visitChildren(of node: Syntax) {
    var children: [Syntax] = []
    node.forEachChild { children.append($0) }
    for child in children { visit(child, under: []) }
  }
}
