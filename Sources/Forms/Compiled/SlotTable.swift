internal import CEL

/// Where a session keeps the cells that formulas read: an address for each cell that at least one formula of the form reads,
/// and none for the others.
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
  package var actionAttempts: [Int32] = []
  /// By output.
  package var outputs: [Int32] = []

  /// Where `response` stands while outcomes are evaluated: right behind the session's own cells.
  package var response: Int { count }
  /// Where `previous` stands while outcomes are evaluated.
  package var previous: Int { count + 1 }
}

/// A ``SlotTable`` that does not change any more; shared by reference.
package final class SlotAddresses: Sendable {
  package let count: Int
  package let names: [(name: String, isSecret: Bool)]
  package let values: [Int32]
  package let fieldIsValid: [Int32]
  package let fieldIsPending: [Int32]
  package let fieldIsDirty: [Int32]
  package let fieldIsTouched: [Int32]
  package let fieldIsEmpty: [Int32]
  package let messages: [Int32]
  package let formIsValid: Int32
  package let formIsDirty: Int32
  package let formIsPending: Int32
  package let formLocale: Int32
  package let actionIsEnabled: [Int32]
  package let actionIsLoading: [Int32]
  package let actionResult: [Int32]
  package let actionError: [Int32]
  package let actionAttempts: [Int32]
  package let outputs: [Int32]

  init(_ table: SlotTable) {
    count = table.count
    names = table.names
    values = table.values
    fieldIsValid = table.fieldIsValid
    fieldIsPending = table.fieldIsPending
    fieldIsDirty = table.fieldIsDirty
    fieldIsTouched = table.fieldIsTouched
    fieldIsEmpty = table.fieldIsEmpty
    messages = table.messages
    formIsValid = table.formIsValid
    formIsDirty = table.formIsDirty
    formIsPending = table.formIsPending
    formLocale = table.formLocale
    actionIsEnabled = table.actionIsEnabled
    actionIsLoading = table.actionIsLoading
    actionResult = table.actionResult
    actionError = table.actionError
    actionAttempts = table.actionAttempts
    outputs = table.outputs
  }
}
