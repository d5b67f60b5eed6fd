internal import JSON

/// The order of the cells in the output document. Cells are numbered in the order in which the document lists them, so
/// a patch is written by going through changed cells in ascending order.
package final class DocumentLayout: Sendable {
  /// The kind of a cell, and its owner.
  package enum Cell: Sendable, Hashable {
    /// The form's own truths and errors.
    case isValid, isPending, isDirty, errors
    /// The id of the step that is shown.
    case currentStep
    /// A field's shown message.
    case message(field: Int)
    /// The shown messages of fields in rows.
    case rowMessages
    /// A member of a field's object.
    case field(Int, FieldCell)
    /// A member of a step's object.
    case step(Int, StepCell)
    /// A member of a lookup's object.
    case lookup(Int, LookupCell)
    /// A member of an action's object.
    case action(Int, ActionCell)
    /// An output's value.
    case output(Int)
  }

  /// The members of a field's object, in order.
  package enum FieldCell: Int, Sendable, CaseIterable {
    /// Named as in the document.
    case isVisible, isEnabled, isRequired, isValid, isPending, isDirty, isTouched, isEmpty, errors
    /// The options of the value, if a formula computes them.
    case options
    /// Of a list: the order of its rows, and the rows themselves.
    case order
  }

  /// How many cells a field has.
  package static let fieldCellCount = 11

  /// The members of a step's object, in order.
  package enum StepCell: Int, Sendable, CaseIterable {
    /// Named as in the document.
    case isVisible, isValid, isPending, isTouched
  }

  /// The members of a lookup's object, in order.
  package enum LookupCell: Int, Sendable, CaseIterable {
    /// Named as in the document.
    case isLoading, value, error
  }

  /// How many cells a lookup has.
  package static let lookupCellCount = 3

  /// The members of an action's object, in order.
  package enum ActionCell: Int, Sendable, CaseIterable {
    /// Named as in the document.
    case isEnabled, isLoading, attempts, result, error, message
  }

  /// The number of the cell with the form's validity.
  @inlinable package static var isValid: Int { 0 }
  /// The number of the cell that says whether a check is under way.
  @inlinable package static var isPending: Int { 1 }
  /// The number of the cell that says whether a value was edited.
  @inlinable package static var isDirty: Int { 2 }
  /// The number of the cell with the errors of no field.
  package static let errors = 3
  /// The number of the cell with the step that is shown. A form without steps has none.
  package static let currentStep = 4
  private static let stepCells = StepCell.allCases.count
  private static let actionCells = ActionCell.allCases.count

  private let firstMessage: Int
  /// The number of the cell with the messages of rows; nil in a form without lists.
  package let rowMessages: Int?
  private let firstField: Int
  private let firstStep: Int
  private let firstLookup: Int
  private let firstAction: Int
  private let firstOutput: Int
  /// All cells.
  package let count: Int
  /// `"address":`, by field.
  package let messageKeys: [[UInt8]]
  /// `"name":`, by field.
  package let fieldKeys: [[UInt8]]
  /// `"id":`, by step.
  package let stepKeys: [[UInt8]]
  /// `"name":`, by lookup.
  package let lookupKeys: [[UInt8]]
  /// `"name":`, by action.
  package let actionKeys: [[UInt8]]
  /// `"name":`, by output.
  package let outputKeys: [[UInt8]]
  /// Each cell, by number.
  package let cells: [Cell]

  /// - Parameter fields: the fields that exist once; a field in rows has no cell of its own.
  init(fields: [Field], steps: [String], lookups: [String], actions: [String], outputs: [String]) {
    let formCells: [Cell] = [.isValid, .isPending, .isDirty, .errors] + (steps.isEmpty ? [] : [.currentStep])
    firstMessage = formCells.count
    let hasRows = fields.contains { $0.element != nil }
    rowMessages = hasRows ? firstMessage + fields.count : nil
    firstField = firstMessage + fields.count + (hasRows ? 1 : 0)
    firstStep = firstField + fields.count * Self.fieldCellCount
    firstLookup = firstStep + steps.count * Self.stepCells
    firstAction = firstLookup + lookups.count * Self.lookupCellCount
    firstOutput = firstAction + actions.count * Self.actionCells
    count = firstOutput + outputs.count
    func keys(_ names: [String]) -> [[UInt8]] {
      names.map { name in
        let buffer = OutputBuffer(capacity: 64)
        buffer.write(name)
        buffer.append(":")
        return Array(buffer.bytes)
      }
    }
    messageKeys = keys(fields.map(\.address))
    fieldKeys = keys(fields.map(\.name))
    stepKeys = keys(steps)
    lookupKeys = keys(lookups)
    actionKeys = keys(actions)
    outputKeys = keys(outputs)
    cells =
      formCells + fields.indices.map { .message(field: $0) } + (hasRows ? [.rowMessages] : [])
      + fields.indices.flatMap { field in FieldCell.allCases.map { .field(field, $0) } }
      + steps.indices.flatMap { step in StepCell.allCases.map { .step(step, $0) } }
      + lookups.indices.flatMap { lookup in LookupCell.allCases.map { .lookup(lookup, $0) } }
      + actions.indices.flatMap { action in ActionCell.allCases.map { .action(action, $0) } }
      + outputs.indices.map { .output($0) }
  }

  /// The number of the cell with a field's shown message.
  @inline(__always)
  package func message(_ field: Int) -> Int { firstMessage + field }

  /// The number of a field's cell.
  @inline(__always)
  package func field(_ field: Int, _ cell: FieldCell) -> Int {
    firstField + field * Self.fieldCellCount + cell.rawValue
  }

  /// The number of a step's cell.
  package func step(_ step: Int, _ cell: StepCell) -> Int { firstStep + step * Self.stepCells + cell.rawValue }

  /// The number of a lookup's cell.
  package func lookup(_ lookup: Int, _ cell: LookupCell) -> Int {
    firstLookup + lookup * Self.lookupCellCount + cell.rawValue
  }

  /// The number of an action's cell.
  @inline(__always)
  package func action(_ action: Int, _ cell: ActionCell) -> Int {
    firstAction + action * Self.actionCells + cell.rawValue
  }

  /// The number of an output's cell.
  @inline(__always)
  package func output(_ output: Int) -> Int { firstOutput + output }

  /// The cell with that number.
  @inline(__always)
  package func cell(_ number: Int) -> Cell { cells[number] }
}
