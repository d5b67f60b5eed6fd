internal import CEL

/// The addresses of the cells that formulas read. A cell that no formula of the form reads has none.
package struct SlotTable: Sendable {
  /// The number of cells that a session keeps.
  package var count = 0
  /// By slot: the cell's name in formulas, `values.email`, and whether it holds a secret.
  package var names: [(name: String, isSecret: Bool)] = []
  /// By field; -1 where no formula reads it.
  package var values: [Int32] = []
  package var fieldIsValid: [Int32] = []
  package var fieldIsPending: [Int32] = []
  package var fieldIsDirty: [Int32] = []
  package var fieldIsTouched: [Int32] = []
  package var fieldIsEmpty: [Int32] = []
  package var messages: [Int32] = []
  package var formIsValid: Int32 = -1
  package var formIsDirty: Int32 = -1
  package var formIsPending: Int32 = -1
  package var formLocale: Int32 = -1
  /// By action.
  package var actionIsEnabled: [Int32] = []
  package var actionIsLoading: [Int32] = []
  package var actionResult: [Int32] = []
  package var actionError: [Int32] = []
  package var actionMessage: [Int32] = []
  package var actionAttempts: [Int32] = []
  /// By output.
  package var outputs: [Int32] = []

  /// Where `response` stands while outcomes are evaluated: right behind the session's own cells.
  package var response: Int { count }
  /// Where `previous` stands while outcomes are evaluated.
  package var previous: Int { count + 1 }
}
