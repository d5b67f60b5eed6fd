/// What a field's value can be chosen from, by a formula.
package struct ComputedOptions: Sendable {
  /// Gives a list of values, or of maps with `value` and `label`.
  package let formula: Formula
  /// The template whose instances compute it: the field's own, or the form's where the formula reads nothing of a row.
  package let template: Int
  /// The field at which the document has the options: the field itself, or, where all rows have the same, the outmost list.
  package let home: Int
  /// The error of a value that is not among them.
  package let error: ErrorAddress
  /// The error of any value while the formula goes wrong.
  package let fault: ErrorAddress
}
