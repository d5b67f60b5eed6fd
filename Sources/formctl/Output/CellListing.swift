internal import Forms

/// The cells that formulas of a form can name, for people: a line for each cell, with its type behind the name.
enum CellListing {
  static func lines(of form: Form) -> [String] {
    var lines: [String] = []
    for group in form.formulaCells where !group.cells.isEmpty {
      lines.append(heading(group.scope, of: form.name))
      let width = group.cells.map(\.name.count).max() ?? 0
      for cell in group.cells {
        lines.append("  \(cell.name)\(String(repeating: " ", count: width - cell.name.count + 2))\(cell.type)")
      }
    }
    return lines
  }

  private static func heading(_ scope: FormulaCellGroup.Scope, of form: String) -> String {
    switch scope {
    case .form: "\(form):"
    case .rows(let list): "in rows of \(list):"
    case .outcomes: "in outcomes:"
    }
  }
}
