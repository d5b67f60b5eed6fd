internal import Budgets
internal import CEL
internal import SourceTexts
internal import Texts

/// A comparison of a named value with a text that is written out: `values.kind == 'delivery'`.
struct ChoiceComparison {
  /// The names of the value: see `Syntax.memberChain`.
  let chain: [String]
  let text: String
  /// The code points of the text's literal in the formula.
  let extent: Range<Int>

  /// The comparisons in an expression. An empty text is left out, because an absent value reads as it.
  static func all(in expression: ParsedExpression) -> [ChoiceComparison] {
    var found: [ChoiceComparison] = []
    func note(_ value: Syntax, _ literal: Syntax) {
      guard case .literal(.string(let text)) = literal.kind, !text.isEmpty, let chain = value.memberChain else {
        return
      }
      found.append(ChoiceComparison(chain: chain, text: text, extent: expression.extent(of: literal)))
    }
    expression.root.forEachNode { node in
      guard case .call(let call) = node.kind, call.arguments.count == 2 else { return }
      let (left, right) = (call.arguments[0], call.arguments[1])
      switch call.function {
      case "_==_", "_!=_":
        note(left, right)
        note(right, left)
      case "@in":
        if case .list(let elements) = right.kind { for element in elements { note(left, element.value) } }
      default: break
      }
    }
    return found
  }
}

/// The kinds of answers, as formulas read them in `response.kind`.
package enum ResponseKind: String, CaseIterable, Sendable {
  case ok, refused, timeout, tls, tooLarge, badBody, noProvider, gone, error, fault, interrupted

  /// When an answer has the kind.
  package var meaning: String {
    switch self {
    case .ok: "an answer came, whatever its status"
    case .refused: "nothing listens at the address"
    case .timeout: "no answer in time"
    case .tls: "the connection could not be secured"
    case .tooLarge: "the answer is larger than allowed"
    case .badBody: "the answer should be JSON, and is not"
    case .noProvider: "no provider of that name is connected"
    case .gone: "the provider or the connection ended before the answer; the request may have been executed"
    case .error: "anything else that went wrong; the reason is in the log"
    case .fault: "a formula of the request failed"
    case .interrupted: "the daemon ended during the request; it is not known whether the request was executed"
    }
  }
}

extension FormulaCompiler {
  /// Warns of a comparison that no value can meet.
  func check(
    _ comparison: ChoiceComparison,
    _ text: FormulaDefinition,
    _ scope: Scope,
    _ collector: inout DiagnosticCollector
  ) {
    guard let choices = choices(of: comparison.chain, in: scope),
      !choices.contains(where: { $0.hasSameUTF8(as: comparison.text) })
    else { return }
    let closest =
      collector.isFull(of: .warning) || !budget.mayCompare(choices.count)
      ? nil : closestName(to: comparison.text, among: choices)
    collector.report(
      "unknownValue",
      at: text.pointer,
      spot: .codePoint(comparison.extent.lowerBound, comparison.extent),
      "\(Printer.print(chain: comparison.chain)) is never '\(comparison.text)'",
      remedy: closest.map { .within("did you mean '\($0)'?", part: "'\($0)'") }
        ?? "its values are: \(choices.prefix(DiagnosticCollector.namesListedMax).joined(separator: ", "))",
      severity: .warning
    )
  }

  /// The texts that a named value can be; nil if it can be any text.
  func choices(of chain: [String], in scope: Scope) -> [String]? {
    if scope.isOutcome, chain == ["response", "kind"] { return ResponseKind.allCases.map(\.rawValue) }
    var chain = chain
    var template = scope.template
    if chain[0] == "self", let field = scope.field {
      chain = cells.names(ofValue: field) + chain.dropFirst()
      template = cells.template(of: field)
    }
    guard let cell = cells.cell(named: chain, in: template) else { return nil }
    if let member = cell.contextMember { return cells.context?.choices(of: member) }
    return cell.field.flatMap(cells.choices)
  }
}
