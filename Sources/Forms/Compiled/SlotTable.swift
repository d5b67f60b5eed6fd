internal import CEL

/// The addresses of the cells that formulas read. A cell that no formula of the form reads has none.
package struct SlotTable: Sendable {
  /// The number of cells that a session keeps.
  package var count = 0
  /// By slot: the cell's name in formulas, `values.email`, and whether it holds a secret.
  package var names: [(name: String, isSecret: Bool)] = []
  /// By field; -1 where no formula reads it.
  package var values: [Int32] = []
  /// Whether a field is valid, by field.
  package var fieldIsValid: [Int32] = []
  /// Whether a check of a field is under way, by field.
  package var fieldIsPending: [Int32] = []
  /// Whether a field was edited, by field.
  package var fieldIsDirty: [Int32] = []
  /// Whether a field was left once, by field.
  package var fieldIsTouched: [Int32] = []
  /// Whether a field has no value, by field.
  package var fieldIsEmpty: [Int32] = []
  /// The shown message, by field.
  package var messages: [Int32] = []
  /// Whether the form is valid.
  package var formIsValid: Int32 = -1
  /// Whether a value was edited.
  package var formIsDirty: Int32 = -1
  /// Whether a check is under way.
  package var formIsPending: Int32 = -1
  /// The session's locale.
  package var formLocale: Int32 = -1
  /// By action.
  package var actionIsEnabled: [Int32] = []
  /// Whether a run is under way, by action.
  package var actionIsLoading: [Int32] = []
  /// The result of the last success, by action.
  package var actionResult: [Int32] = []
  /// The error of the last run, by action.
  package var actionError: [Int32] = []
  /// The message of the last outcome, by action.
  package var actionMessage: [Int32] = []
  /// How often an action was started, by action.
  package var actionAttempts: [Int32] = []
  /// By output.
  package var outputs: [Int32] = []

  /// Where `response` stands while outcomes are evaluated: right behind the session's own cells.
  package var response: Int { count }
  /// Where `previous` stands while outcomes are evaluated.
  package var previous: Int { count + 1 }
}
