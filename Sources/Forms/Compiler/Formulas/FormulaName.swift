internal import CEL
internal import JSON
internal import Texts

/// The name that the log and the document use for the formula at a location of the definition. Rules, checks and steps
/// are named by their ids.
struct FormulaName {
  let text: String
  let isJudgment: Bool

  /// - Parameters:
  ///   - pointer: the location of the formula.
  ///   - ids: by the pointer of a rule, a check or a step: its id.
  init(of pointer: JSONPointer, ids: [JSONPointer: String]) {
    let tokens = pointer.tokens
    var text = tokens.first ?? ""
    for (index, token) in tokens.enumerated().dropFirst() {
      if index == 1, JSONPointer.arrayIndex(token) != nil, let id = ids[JSONPointer(tokens: Array(tokens[...1]))] {
        Printer.write(member: id, into: &text)
      } else if index > 1, JSONPointer.arrayIndex(token) != nil {
        text += "[\(token)]"
      } else {
        Printer.write(member: token, into: &text)
      }
    }
    self.text = text
    let part = tokens.count > 2 ? tokens[2] : ""
    isJudgment = tokens.first == "rules" && part == "check" || tokens.first == "checks" && part != "when"
  }
}

extension FormDefinition {
  /// By the pointer of a rule, a check or a step: its id.
  var ids: [JSONPointer: String] {
    Dictionary(
      rules.map { ($0.pointer, $0.id) } + checks.map { ($0.pointer, $0.id) } + steps.map { ($0.pointer, $0.id) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
