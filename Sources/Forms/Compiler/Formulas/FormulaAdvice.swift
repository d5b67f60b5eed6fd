internal import CEL
internal import JSON
internal import Texts

/// Advice for a name that leads to no cell, if a similar name would not help.
struct FormulaAdvice {
  let cells: FormulaCells
  /// The template of the formula.
  let template: Int

  /// The advice for those names; nil if a similar name is the best advice.
  func advice(for names: [String]) -> String? {
    switch names[0] {
    case "row", "above", "index", "indexes", "outer":
      if template == 0 { return adviceOutsideOfRows(names[0]) }
      if names[0] != "outer" || cells.isInOuterRow(template) { return nil }
      return "no other row is around this row; read fields outside of rows with 'values'"
    case "outputs" where names.count > 1:
      return cells.outputsInRows(named: names[1]).map {
        "each row has one: write '\(Printer.print(chain: ["outputs", $0]))'"
      }
        ?? adviceForRows(names)
    case "lookups" where names.count > 1:
      return cells.lookupInRows(named: names[1]).map {
        "each row has one: write '\(Printer.print(chain: ["lookups", $0] + names.dropFirst(2)))' in a formula of that row"
      }
        ?? adviceForRows(names)
    case "fields" where names.count > 1, "messages" where names.count > 1: return adviceForRows(names)
    case "checks" where names.count > 1:
      if cells.lacksResult(check: names[1]) {
        return "the check \"\(names[1])\" has no result for formulas: give it a \"result\", a formula over its answer"
      }
      return cells.fieldInRows(ofCheck: names[1]).map {
        "each row has its own check \"\(names[1])\": read its answer in a formula of that row, as at \($0)"
      }
    case "steps" where names.count > 1:
      if cells.steps.isEmpty { return "the form has no steps" }
      let isClose = closestName(to: names[1], among: cells.steps) != nil
      return isClose ? nil : "the steps are: \(cells.steps.joined(separator: ", "))"
    case "context" where cells.context == nil:
      return "the definition describes no context: write \"context\": {\"type\": \"object\", \"properties\": {...}}"
    case "context" where names.count == 1: return "formulas read one member of the context: 'context.NAME'"
    case "changes" where names.count == 1:
      return "formulas cannot read the changes; only \"changes\" alone, as in \"json\": \"changes\", sends them"
    case "initial" where names.count == 2: return adviceForRows(names)
    case "values" where names.count == 1:
      return "formulas cannot read all values together; only \"values\" alone, as in \"json\": \"values\", sends them"
    default: return nil
    }
  }

  private func adviceOutsideOfRows(_ name: String) -> String {
    guard let field = cells.addressInRow else {
      return "'\(name)' exists only in rows, and the form has no list with rows"
    }
    return
      "'\(name)' exists only in rows: at a field such as \(field); elsewhere use the list, as in 'values.NAME.all(r, ...)'"
  }

  /// In the address of a cell, `*` means the row that the formula is in.
  private func adviceForRows(_ names: [String]) -> String? {
    guard let pointer = JSONPointer(address: names[1]) else { return nil }
    let address = JSONPointer(tokens: pointer.tokens.map { FieldAddress.isRow($0) ? "*" : $0 }).address
    guard address.utf8.contains(UInt8(ascii: "*")), cells.hasRowCell(at: address) else { return nil }
    let name = Printer.print(chain: [names[0], address] + names.dropFirst(2))
    if names[0] == "outputs" {
      return "write '\(name)': in a formula of that row it is the row's own, elsewhere the list of all rows'"
    }
    if !address.hasSameUTF8(as: names[1]) {
      return "a formula cannot name a single row: write '\(name)' in a formula of that row"
    }
    return "only a formula of the same row can read it"
  }
}

extension FieldAddress {
  /// Whether a name in an address is written like a row: `0`, `#7`, `-`, or `*`.
  package static func isRow(_ token: String) -> Bool {
    token == "*" || token == "-" || token.utf8.first == UInt8(ascii: "#") || JSONPointer.arrayIndex(token) != nil
  }
}

extension FormulaDefinition {
  /// The text with the quotes that it lacks, if the source is words and not an expression, and a result is expected.
  var quoted: String? {
    guard ["success", "failure", "messageExpression"].contains(pointer.tokens.last ?? ""), !source.isEmpty else {
      return nil
    }
    let areWords = source.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || " ,!?-_".unicodeScalars.contains(scalar)
    }
    return areWords ? "\"'\(source)'\"" : nil
  }
}
