internal import Budgets
internal import CEL
internal import JSON
internal import SourceTexts
internal import Texts

/// The diagnostics about a formula, except the errors that make it invalid.
extension FormulaCompiler {
  /// The number of a line's code points that are shown on each side of a problem.
  private static let excerptMax = 80

  /// Reports the problems of a formula.
  static func report(
    _ problems: [ExpressionError.Problem],
    of text: FormulaDefinition,
    _ collector: inout DiagnosticCollector
  ) {
    for problem in problems {
      collector.report(
        "expression",
        at: text.pointer,
        spot: .codePoint(problem.offset, problem.extent),
        problem.message,
        remedy: .within(
          excerpt(around: problem) + (text.quoted.map { "\n    a text needs its own quotes: \($0)" } ?? ""),
          part: problem.replacement
        )
      )
    }
  }

  /// The line of the source, with a caret below the problem; of a long line only the part around the problem.
  static func excerpt(around problem: ExpressionError.Problem) -> String {
    let before = max(0, problem.position.column - 1)
    guard problem.sourceLine.utf8.count > 2 * excerptMax else {
      return "\(problem.sourceLine)\n    \(String(repeating: " ", count: before))^"
    }
    let scalars = problem.sourceLine.unicodeScalars.dropFirst(max(0, before - excerptMax)).prefix(2 * excerptMax)
    return "\(String(scalars))\n    \(String(repeating: " ", count: min(before, excerptMax)))^"
  }

  /// Looks at the calls of `text` whose name is written out. It reports unknown texts, and placeholders that nothing
  /// fills.
  func checkTexts(
    namedBy expression: ParsedExpression,
    _ text: FormulaDefinition,
    _ collector: inout DiagnosticCollector
  ) {
    expression.root.forEachNode { node in
      guard case .call(let call) = node.kind, call.target == nil, call.function == FormTexts.name,
        let first = call.arguments.first, case .literal(.string(let name)) = first.kind
      else { return }
      guard let placeholders = texts.placeholders(of: name) else {
        let closest =
          collector.isFull || !budget.mayCompare(texts.names.count) ? nil : closestName(to: name, among: texts.names)
        collector.report(
          "unknownText",
          at: text.pointer,
          spot: .codePoint(expression.extent(of: first).lowerBound, expression.extent(of: first)),
          "\"texts\" has no \"\(name)\"",
          remedy: closest.map { .within("did you mean \"\($0)\"?", part: "'\($0)'") }
            ?? "add it: \"texts\": {\"\(name)\": {\"en\": \"...\"}}"
        )
        return
      }
      // The locale is the last argument.
      let given = call.arguments.count > 2 ? call.arguments[1].keys : []
      guard let given else { return }
      for placeholder in placeholders.unique where !given.contains(where: { $0.hasSameUTF8(as: placeholder) }) {
        collector.report(
          "unknownPlaceholder",
          at: text.pointer,
          spot: .codePoint(expression.extent(of: first).lowerBound, expression.extent(of: first)),
          "the text \"\(name)\" has {\(placeholder)}, and nothing replaces it",
          remedy: "fill it: text('\(name)', {'\(placeholder)': ...})",
          severity: .warning
        )
      }
    }
  }

  /// Reports a call of `label` that names no field with choices.
  func report(unknownLabelAt extent: Range<Int>, _ text: FormulaDefinition, _ collector: inout DiagnosticCollector) {
    collector.report(
      "expression",
      at: text.pointer,
      spot: .codePoint(extent.lowerBound, extent),
      "\(ChoiceLabels.name)() needs a field whose values are listed, such as \(ChoiceLabels.name)(values.country)",
      remedy: "list the values in the schema, by \"enum\" or by \"oneOf\", or in \"options\" of the field"
    )
  }

  /// Reports that a formula takes too long, and how to fix it: an error for the formula alone, and a warning for all
  /// rows of a list that it reads.
  func report(
    costly expression: CheckedExpression,
    _ cost: CostEstimate,
    _ text: FormulaDefinition,
    _ scope: Scope,
    _ collector: inout DiagnosticCollector
  ) {
    let isTooCostlyAlone = cost.steps > Self.costMax
    let lists = isTooCostlyAlone ? [] : cells.lists(around: scope.template)
    let advice = CostAdvice(
      expression: expression,
      sources: cost.sources,
      environment: environment,
      cells: cells,
      scope: scope,
      stepsMax: isTooCostlyAlone ? Self.costMax : WorkBudget.unitsOfTurn,
      lists: lists
    )
    // The cost is estimated again for each source.
    let isTold = !collector.isFull && budget.mayCompare((cost.sources.count + lists.count) * text.source.utf8.count)
    let message =
      isTooCostlyAlone
      ? "this formula may take \(cost.steps) steps, and \(Self.costMax) are allowed"
      : "this formula may take \(cost.steps) steps in each of \(rows(of: scope.template)) rows, and "
        + "\(WorkBudget.unitsOfTurn) are allowed for all rows together"
    collector.report(
      "cost",
      at: text.pointer,
      message,
      remedy: isTold ? Remedy(advice.remedy) : "give the fields that it reads a smaller \"maxLength\" or \"maxItems\"",
      severity: isTooCostlyAlone ? .error : .warning
    )
  }

  /// Whether a formula alone takes too many steps, or in all rows together: if it reads the list of its rows, one
  /// change evaluates it in each of them in one turn.
  func isTooCostly(_ program: Program, in scope: Scope, reading read: [DeclaredCell]) -> Bool {
    if program.cost.steps > Self.costMax { return true }
    let lists = cells.lists(around: scope.template)
    guard read.contains(where: { $0.cell.field.map(lists.contains) ?? false }) else { return false }
    let (steps, overflows) = program.cost.steps.multipliedReportingOverflow(by: rows(of: scope.template))
    return overflows || steps > WorkBudget.unitsOfTurn
  }

  /// The most rows that a template has, as far as the schema bounds them.
  private func rows(of template: Int) -> Int {
    cells.lists(around: template).reduce(1) { rows, list in
      let (product, overflows) = rows.multipliedReportingOverflow(by: max(1, cells.bound(of: list)?.max ?? 1))
      return overflows ? .max : product
    }
  }
}

extension Syntax {
  /// Calls with this node and all below it.
  func forEachNode(_ body: (Syntax) -> Void) {
    body(self)
    forEachChild { $0.forEachNode(body) }
  }

  /// The keys of a map literal with texts as keys; nil for anything else.
  fileprivate var keys: [String]? {
    guard case .map(let entries) = kind else { return nil }
    var keys: [String] = []
    for entry in entries {
      guard case .literal(.string(let key)) = entry.key.kind else { return nil }
      keys.append(key)
    }
    return keys
  }
}

extension [String] {
  /// Each element once, at its first position.
  fileprivate var unique: [String] {
    var seen: Set<UTF8Key> = []
    return filter { seen.insert(UTF8Key(text: $0)).inserted }
  }
}
