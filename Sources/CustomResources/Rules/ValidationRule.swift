internal import CEL
internal import JSON

/// One rule of `x-kubernetes-validations`, ready to be evaluated.
struct ValidationRule: Sendable {
  /// Why a value is refused, for programs.
  enum Reason: String, CaseIterable, Sendable {
    case invalid = "FieldValueInvalid"
    case forbidden = "FieldValueForbidden"
    case required = "FieldValueRequired"
    case duplicate = "FieldValueDuplicate"
  }

  /// The rule as it is written.
  let source: String
  let program: Program
  /// Whether it reads what was there before: it then says something of a change, and not of a value.
  let usesOldSelf: Bool
  /// Whether it is evaluated where nothing was there before, too; `oldSelf` is an optional then.
  let isOldSelfOptional: Bool
  let message: String?
  let messageExpression: Program?
  let reason: Reason
  /// From the value of the rule to the one that its message is about.
  let fieldPath: [String]
  /// Where it stands in the schema of its version.
  let location: JSONPointer

  /// The variables, which have these slots.
  static let variables = ["self", "oldSelf"]

  /// What is said where there is no message of its own.
  var defaultMessage: String { message ?? "failed rule: \(source)" }
}
