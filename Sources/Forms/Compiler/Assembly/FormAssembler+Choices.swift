internal import Budgets
internal import CEL
internal import JSON
internal import SourceTexts
internal import Texts

/// Reports choices that nobody can choose, and members of choices that are wrong.
extension FormAssembler {
  /// Warns of listed choices that `normalize` changes, so that no value equals them.
  mutating func checkChoices(of shape: FieldShape, _ own: FieldDefinition?, after normalize: [Normalization]) {
    guard let own, !normalize.isEmpty, !shape.options.isEmpty, budget.spend(shape.options.count) else { return }
    var work = WorkBudget(units: WorkBudget.unitsOfTurn)
    for option in shape.options {
      guard case .string(let text) = option.value else { continue }
      let kept = normalize.reduce(text) { $1.applied(to: $0, budget: &work) }
      if kept.hasSameUTF8(as: text) { continue }
      collector.report(
        "unusableOption",
        at: own.options.first { $0.value == option.value }?.pointer ?? own.pointer.appending("normalize"),
        "\"normalize\" makes \"\(text)\" of \"\(shape.address)\" into \"\(kept)\", so nobody can choose it",
        remedy: "write the choice as the field keeps it, or leave out the step",
        severity: .warning
      )
    }
  }

  /// Reports the members of choices whose known type is wrong.
  mutating func checkLiveChoices(_ formula: Formula, _ text: FormulaDefinition, _ scope: FormulaCompiler.Scope) {
    // The types are found again: only choices with such members need them.
    guard !Self.typedMembers(in: formula.program.parsed.root).isEmpty, budget.spend(10 + text.source.utf8.count),
      let types = formulas.types(in: text.source, scope)
    else { return }
    for entry in Self.typedMembers(in: types.parsed.root) {
      guard let name = entry.key.text, let member = ChoiceMember(rawValue: name) else { continue }
      let type = types.type(of: entry.value)
      if member.admits(type) { continue }
      let extent = types.parsed.extent(of: entry.value)
      collector.report(
        "expression",
        at: text.pointer,
        spot: .codePoint(extent.lowerBound, extent),
        "\(member.requirement), and this is of type \(type)",
        remedy: member == .disabled ? "write a condition" : "write string(...) around it"
      )
    }
  }

  /// The members with a type of the choices in the result of a node.
  private static func typedMembers(in node: Syntax) -> [Syntax.Entry] {
    switch node.kind {
    case .list(let elements): elements.flatMap { typedMembers(in: $0.value) }
    case .map(let members): members.filter { $0.key.text.flatMap(ChoiceMember.init(rawValue:)) != nil }
    case .call(let call) where call.function == "_?_:_": call.arguments.dropFirst().flatMap(typedMembers)
    case .call(let call) where call.function == "_+_": call.arguments.flatMap(typedMembers)
    case .comprehension(let loop) where [.map, .transformList, .bind].contains(loop.macro):
      loop.bodies.last.map(typedMembers) ?? []
    case .comprehension(let loop) where [.filter, .sortBy].contains(loop.macro): typedMembers(in: loop.range)
    default: []
    }
  }
}

extension Syntax {
  /// The text of a literal.
  fileprivate var text: String? { if case .literal(.string(let text)) = kind { text } else { nil } }
}

extension ChoiceMember {
  /// Whether a formula of a type may give a value of the member's type.
  fileprivate func admits(_ type: CELType) -> Bool {
    switch type {
    case .dyn, .any, .error, .null, .parameter: true
    case .wrapper(let inner), .optional(let inner): admits(inner)
    case .bool: self == .disabled
    case .string: self != .disabled
    default: false
    }
  }
}
