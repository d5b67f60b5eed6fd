package import DocumentProperties
internal import JSON

/// The order of the cells in the output document. Cells are numbered in the order in which the document lists them, so
/// a patch is written by going through changed cells in ascending order.
package final class DocumentLayout: Sendable {
  /// The kind of a cell, and its owner.
  package enum Cell: Sendable, Hashable {
    /// A property of the form as a whole.
    case form(FormProperty)
    /// A field's shown message.
    case message(field: Int)
    /// The shown messages of fields in rows.
    case rowMessages
    /// A member of a field's object.
    case field(Int, FieldProperty)
    /// A member of a step's object.
    case step(Int, StepProperty)
    /// A member of a lookup's object.
    case lookup(Int, LookupProperty)
    /// A member of an action's object.
    case action(Int, ActionProperty)
    /// An output's value.
    case output(Int)
  }

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
  init(
    fields: [Field],
    steps: [String],
    hasUndo: Bool,
    lookups: [String],
    actions: [String],
    outputs: [String]
  ) {
    let formCells = FormProperty.inDocument.filter { property in
      switch property {
      case .step: !steps.isEmpty
      case .canUndo, .canRedo: hasUndo
      default: true
      }
    }.map { Cell.form($0) }
    firstMessage = formCells.count
    let hasRows = fields.contains { $0.element != nil }
    rowMessages = hasRows ? firstMessage + fields.count : nil
    firstField = firstMessage + fields.count + (hasRows ? 1 : 0)
    firstStep = firstField + fields.count * FieldProperty.cellCount
    firstLookup = firstStep + steps.count * StepProperty.count
    firstAction = firstLookup + lookups.count * LookupProperty.count
    firstOutput = firstAction + actions.count * ActionProperty.count
    count = firstOutput + outputs.count
    func keys(_ names: [String]) -> [[UInt8]] {
      names.map { name in
        let buffer = OutputBuffer(capacity: 64)
        buffer.write(name)
        buffer.append(":")
        return buffer.copiedBytes
      }
    }
    messageKeys = keys(fields.map(\.address))
    fieldKeys = keys(fields.map(\.name))
    stepKeys = keys(steps)
    lookupKeys = keys(lookups)
    actionKeys = keys(actions)
    outputKeys = keys(outputs)
    func cells<List: PropertyList>(of owners: Range<Int>, _ cell: (Int, List) -> Cell) -> [Cell] {
      let properties = List.inDocument
      return owners.flatMap { owner in properties.map { cell(owner, $0) } }
    }
    self.cells =
      formCells + fields.indices.map { .message(field: $0) } + (hasRows ? [.rowMessages] : [])
      + cells(of: fields.indices, Cell.field) + cells(of: steps.indices, Cell.step)
      + cells(of: lookups.indices, Cell.lookup) + cells(of: actions.indices, Cell.action)
      + outputs.indices.map { .output($0) }
  }

  /// The number of the cell with a property of the form. A form without steps has no cell of ``FormProperty/step``. Not
  /// for ``FormProperty/canUndo`` and ``FormProperty/canRedo``.
  @inline(__always)
  package static func form(_ property: FormProperty) -> Int { property.position }

  /// The number of the cell with ``FormProperty/canUndo``, of a form that has it.
  package var canUndo: Int { firstMessage - 2 }

  /// The number of the cell with ``FormProperty/canRedo``, of a form that has it.
  package var canRedo: Int { firstMessage - 1 }

  /// The number of the cell with a field's shown message.
  @inline(__always)
  package func message(_ field: Int) -> Int { firstMessage + field }

  /// The number of a field's cell.
  @inline(__always)
  package func field(_ field: Int, _ property: FieldProperty) -> Int {
    firstField + field * FieldProperty.cellCount + property.position
  }

  /// The number of a step's cell.
  package func step(_ step: Int, _ property: StepProperty) -> Int {
    firstStep + step * StepProperty.count + property.position
  }

  /// The number of a lookup's cell.
  package func lookup(_ lookup: Int, _ property: LookupProperty) -> Int {
    firstLookup + lookup * LookupProperty.count + property.position
  }

  /// The number of an action's cell.
  @inline(__always)
  package func action(_ action: Int, _ property: ActionProperty) -> Int {
    firstAction + action * ActionProperty.count + property.position
  }

  /// The number of an output's cell.
  @inline(__always)
  package func output(_ output: Int) -> Int { firstOutput + output }

  /// The cell with that number.
  @inline(__always)
  package func cell(_ number: Int) -> Cell { cells[number] }
}
