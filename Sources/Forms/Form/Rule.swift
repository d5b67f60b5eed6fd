/// A synchronous condition.
package final class Rule: Sendable {
  /// The rule's name: the code of its error.
  package let id: String
  /// The field that it belongs to; nil for the form as a whole. For a group of fields it is the row around them.
  package let field: Int?
  /// Whether the rule applies; nil: always.
  package let when: Formula?
  /// The condition: a formula, or a group of fields.
  package let condition: Condition
  /// A formula only; a text is part of the error.
  package let messageFormula: Formula?
  /// The error when it fails.
  package let error: ErrorNumber
  /// The error when its formula has a run-time error.
  package let fault: ErrorNumber
  /// Whether its text names the row: `{index}`, `{number}`.
  package let namesRow: Bool

  init(
    id: String,
    field: Int?,
    when: Formula?,
    condition: Condition,
    messageFormula: Formula?,
    error: ErrorNumber,
    fault: ErrorNumber,
    namesRow: Bool
  ) {
    self.id = id
    self.field = field
    self.when = when
    self.condition = condition
    self.messageFormula = messageFormula
    self.error = error
    self.fault = fault
    self.namesRow = namesRow
  }

  /// The condition of a rule.
  package enum Condition: Sendable {
    /// A formula that must be true.
    case formula(Formula)
    /// A group of fields, their addresses as written, and the location of their list in the definition.
    case group(FieldGroup, names: [String], pointer: String)
  }

  /// The formula that must be true; nil for a group of fields.
  package var check: Formula? { if case .formula(let check) = condition { check } else { nil } }

  /// The fields that it judges together; nil for a formula.
  package var group: FieldGroup? { if case .group(let group, _, _) = condition { group } else { nil } }

  /// The fields that may have its error; nil is the form as a whole.
  package var errorFields: [Int?] { (group?.fields ?? []) + [field] }

  /// The condition for people: the formula, or the kind of the group with the fields.
  package var source: String {
    switch condition {
    case .formula(let check): check.source
    case .group(let group, let names, _): "\(group.kind.rawValue): \(names.joined(separator: ", "))"
    }
  }

  /// The location of the condition in the definition.
  package var pointer: String {
    switch condition {
    case .formula(let check): check.pointer
    case .group(_, _, let pointer): pointer
    }
  }
}
