package import JSON

/// The options of a field's value, as a formula computes them.
package struct ComputedOptions: Sendable {
  /// Gives a list of values, or of maps with `value` and `label`.
  package let formula: Formula
  /// The template whose instances compute it: the field's own, or the form's where the formula reads nothing of a row.
  package let template: Int
  /// The field whose object has the options in the document: the field itself, or the outermost list if all rows have
  /// the same options.
  package let home: Int
  /// The lookups that the formula reads: while one asks, or has failed, no value is judged by the options.
  package let lookups: [Int]
  /// The error of a value that is not among them.
  package let error: ErrorNumber
  /// The error of any value while the formula goes wrong.
  package let fault: ErrorNumber
}

/// The values that the choices of a definition admit.
package struct ChoiceLimit: Sendable {
  /// The values of all choices; nil if other values are not refused.
  package let values: Set<JSON>?
  /// The values of the choices that are disabled.
  package let disabled: Set<JSON>
  /// The error of another value.
  package let error: ErrorNumber
}
