internal import CEL

/// Finds the formula "each value once": loops over a list that compare a member of each row with that member of another
/// row. Its steps grow with the square of the rows. `unique` at the field says the same, and takes one step a row.
struct RepeatedValues {
  let cells: FormulaCells
  let scope: FormulaCompiler.Scope

  /// A name that stands for a row of a list.
  private struct Row {
    var name: String
    var list: Int
  }

  /// The address of the field whose values are compared; nil if the formula is not of that kind.
  func field(in root: Syntax) -> String? {
    var rows: [Row] = []
    if let list = cells.lists(around: scope.template).first { rows.append(Row(name: "row", list: list)) }
    return field(in: root, rows)
  }

  private func field(in node: Syntax, _ rows: [Row]) -> String? {
    var found: String?
    switch node.kind {
    case .call(let call) where ["_==_", "_!=_"].contains(call.function) && call.arguments.count == 2:
      found = compared(call.arguments[0], call.arguments[1], rows)
    case .comprehension(let comprehension):
      var inner = rows
      if let list = comprehension.range.memberChain.flatMap({ cells.list(named: $0, in: scope.template) }) {
        inner.append(Row(name: comprehension.secondVariable ?? comprehension.variable, list: list))
      }
      for body in comprehension.bodies where found == nil { found = field(in: body, inner) }
      return found ?? field(in: comprehension.range, rows)
    default: break
    }
    node.forEachChild { child in
      if found == nil { found = field(in: child, rows) }
    }
    return found
  }

  /// The address of the field that both sides are, in different rows of one list.
  private func compared(_ left: Syntax, _ right: Syntax, _ rows: [Row]) -> String? {
    guard let left = member(left, rows), let right = member(right, rows), left.row.list == right.row.list,
      left.row.name != right.row.name, left.names == right.names
    else { return nil }
    return cells.address(inRowsOf: left.row.list, on: left.names)
  }

  private func member(_ node: Syntax, _ rows: [Row]) -> (row: Row, names: [String])? {
    guard let chain = node.memberChain else { return nil }
    if chain[0] == "self", let field = scope.field {
      guard let own = rows.first, own.name == "row", let names = cells.names(from: own.list, to: field) else {
        return nil
      }
      return (own, names + chain.dropFirst())
    }
    return rows.last { $0.name == chain[0] }.map { ($0, Array(chain.dropFirst())) }
  }
}
