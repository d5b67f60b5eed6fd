package import DocumentProperties
package import JSON

/// The parts of a form that a turn reads, as plain memory: see ``Table``.
package struct FormTables: @unchecked Sendable {
  /// A field, as numbers.
  package struct FieldEntry {
    /// The slot of its value; -1 where no formula reads it, like all slots.
    package var valueSlot: Int32
    /// The slots of its properties, by position in ``FieldProperty``.
    package var slots: Table<Int32>
    /// The slot of its shown message.
    package var messageSlot: Int32
    /// The field whose value it is a part of; -1 for a top-level one.
    package var parent: Int32
    /// The end of the fields inside it: the first field after them.
    package var end: Int32
    /// How many fields are directly below it.
    package var childCount: Int32
    /// The index of the sums over the fields directly below it; -1 if there are none.
    package var sums: Int32
    /// The step that names it; -1 if no step does. A step that names an object does not name the fields inside it.
    package var step: Int32
    /// The template that it is a part of; 0 for the form.
    package var template: Int32
    /// Of a list with rows: the field that represents each row; else -1.
    package var element: Int32
    /// The index of its rows in the instance; -1 for a field that is not a list with rows.
    package var list: Int32
    /// Whether a node reads ``FactSet/content``: an object around it, a keyword of the schema, a check.
    package var isContentRead: Bool
    /// The unit that it is a member of.
    package var owner: Int32
    /// Its property in that unit; -1 when there is none.
    package var property: Int32
    /// A text of at most so many bytes is valid by the property's schema, whatever it says; -1 when that cannot be
    /// known.
    package var textBytesMax: Int32
    /// The error when the field is required and absent.
    package var requiredError: ErrorNumber
    /// Its rules: `ruleNumbers[firstRule ..< firstRule + ruleCount]`.
    package var firstRule: Int32
    /// How many rules the field has.
    package var ruleCount: Int32
    /// Whether the field may have to wait: for a check, or for a lookup that its options come from.
    package var mayBePending: Bool
    /// The type of the field's value in formulas.
    package var type: FieldType
    /// Whether the field's value is throttled or debounced.
    package var hasTiming: Bool
    /// Whether the field is independent: no field is above or below it, it is in no row, its value is not held back,
    /// no formula gives it, the user may change it, the document does not have the text of its input, and the form has
    /// neither triggers nor undo.
    package var isPlain: Bool
    /// Whether it may begin with a value that no input has given: the schema's default, or a formula's.
    package var hasInitial: Bool
    /// Whether its value is a formula's, or read-only, so that it takes no input of the user.
    package var refusesUser: Bool
    /// Whether plain ASCII without white space at its ends remains unchanged: no step of `normalize` changes it, and it
    /// is read as a text.
    package var keepsPlainText: Bool
    /// Whether the document has the text of its input.
    package var tellsText: Bool
    /// Whether errors of an initial value are warnings until the value is changed.
    package var trustsInitial: Bool
    /// Whether some of its errors may not count: it trusts its initial value, or is in rows that may be blank.
    package var forgivesErrors: Bool
    /// Whether it is a list whose order does not count.
    package var isUnordered: Bool
  }

  /// A rule, as numbers. The formulas are the form's; it keeps them alive.
  package struct RuleEntry {
    /// -1: the form as a whole.
    package var field: Int32
    /// The error when the rule fails.
    package var error: ErrorNumber
    /// The error when the rule's formula has a run-time error.
    package var fault: ErrorNumber
    /// Whether the rule applies; nil: always.
    package var when: FormulaReference?
    /// The condition that must be true; nil: the rule is about a group of fields.
    package var check: FormulaReference?
    /// A formula only; a text is part of the error.
    package var messageFormula: FormulaReference?
  }

  /// A prepared error, as the engine needs it.
  package struct ErrorEntry {
    /// Whether the error is only shown, and blocks nothing.
    package var isWarning: Bool
  }

  /// A template: how much an instance of it keeps, and where its numbers begin.
  package struct TemplateEntry {
    /// The list whose rows it describes; -1 for the form.
    package var list: Int32
    /// The field that represents a row; -1 for the form.
    package var element: Int32
    /// The template around it; -1 for the form.
    package var parent: Int32
    /// How many lists are around it.
    package var depth: Int32
    // Its fields, rules, checks, lookups and outputs are neighbours in the form: the number of the first of each, and
    // how many they are.
    package var firstField: Int32
    package var fieldCount: Int32
    package var firstRule: Int32
    package var ruleCount: Int32
    package var firstCheck: Int32
    package var checkCount: Int32
    package var firstLookup: Int32
    package var lookupCount: Int32
    package var firstOutput: Int32
    package var outputCount: Int32
    /// How many slots an instance keeps.
    package var slotCount: Int32
    /// How many of its fields have fields below them.
    package var sumsCount: Int32
    /// How many of its fields are lists with rows.
    package var listCount: Int32
    /// How many nodes it has: `templateNodes[firstNode ..< firstNode + nodeCount]`.
    package var nodeCount: Int32
    /// See ``nodeCount``.
    package var firstNode: Int32
    /// The slot, in an instance, of the row's index among the rows that count; -1 if no formula reads it.
    package var indexSlot: Int32
  }

  /// By template.
  package let templates: Table<TemplateEntry>
  /// Whether the form has lists with rows. The tables from here up to ``nodes`` are read only then.
  package let hasRows: Bool
  /// Whether the engine tracks what changes of users lead to: it resets or clears other fields (``resetsFields``), or
  /// keeps the changes, so that they can be undone (``Form/hasUndo``).
  package let tracksUserChanges: Bool
  /// Whether an input may reset or clear fields that it does not name: see ``Field/trigger`` and
  /// ``Field/clearsWhenHidden``.
  package let resetsFields: Bool
  /// The highest ``Field/growthMax`` of its fields.
  package let growthMax: Int
  /// By node: its template.
  package let nodeTemplates: Table<Int32>
  /// By node: its offset among the nodes of its template.
  package let nodeOffsets: Table<Int32>
  /// The nodes of each template in ascending order, one template after another.
  package let templateNodes: Table<Int32>
  /// By slot: the template that has it.
  package let slotTemplates: Table<Int32>
  /// By slot: its offset in an instance of that template.
  package let slotOffsets: Table<Int32>
  /// By column: its slot in an instance of the template that reads it.
  package let columnSlots: Table<Int32>
  /// By node: the node itself.
  package let nodes: Table<Graph.Node>
  /// By field.
  package let fields: Table<FieldEntry>
  /// By field: its address, as UTF-8.
  package let addresses: Table<PreparedBytes>
  /// By rule.
  package let rules: Table<RuleEntry>
  /// By prepared error.
  package let errors: Table<ErrorEntry>
  /// By error times locale count plus locale: the error as the document shows it, in brackets, if its field has no
  /// other error. Empty for a text in a language that the form's own texts do not have: such a list is written when it
  /// is needed, since each form would need the memory for every language.
  package let errorLists: Table<PreparedBytes>
  /// The rules of each field, one field after another; see ``FieldEntry``.
  package let ruleNumbers: Table<Int32>
  /// The nodes that read a fact, by ``FactNumbers``: `readers[readerStarts[fact] ..< readerStarts[fact + 1]]`.
  package let readerStarts: Table<Int32>
  /// The nodes, one fact after another.
  package let readers: Table<Int32>
  /// The same nodes as bits, 64 in a word. By fact: its first word. Further words follow after the first words of all
  /// facts; see ``NodeWord/next``.
  package let readerWords: Table<NodeWord>
  /// Whether a check blocks while its service fails.
  package let hasBlockingFailures: Bool
  /// By output.
  package let outputs: Table<OutputEntry>
  /// By action: its slot and formula.
  package let actions: Table<ActionEntry>
  /// By cell of the document.
  package let cells: Table<CellEntry>
  /// By block: its object while no member is open in it, in the form of a cell. ``CellEntry/text`` is `"name":{`, and
  /// nothing for the top. The members about a value have no meaning.
  package let blocks: Table<CellEntry>
  /// The state of an unwritten document. Its ``CellEntry/separators`` are the brace that opens the document.
  package let beginning: Reference<CellEntry>

  /// Some of 64 nodes: bit `b` of the word `w` is the node `64 * w + b`.
  package struct NodeWord {
    /// A bit for each node.
    package var nodes: UInt64
    /// The number of the word.
    package var number: Int32
    /// The index of the fact's next word; 0 after the last.
    package var next: Int32
  }

  /// A named formula, as numbers.
  package struct OutputEntry {
    /// The output's slot; -1 where no formula reads it.
    package var slot: Int32
    /// The formula that gives the output's value.
    package var formula: FormulaReference
  }

  /// An action, as numbers.
  package struct ActionEntry {
    /// The slots of its properties, by position in ``ActionProperty``; -1 where no formula reads it.
    package var slots: Table<Int32>
    /// nil means `form.isValid`.
    package var enabled: FormulaReference?
    /// Whether it stays enabled if only checks whose service failed make its scope invalid.
    package var isEnabledDespiteFailures: Bool
  }

  /// A cell of the document: its kind, its container, and the text before its value.
  package struct CellEntry {
    /// The kind of the cell.
    package var kind: CellKind
    /// Of a flag: its bit.
    package var bit: UInt8
    /// The document's object that contains it.
    package var block: Block
    /// The number of the field, step, lookup, action or output that it shows.
    package var owner: Int32
    /// The field, step, lookup or action whose object contains it; -1 for cells directly in the block.
    package var member: Int32
    /// The object that contains it, as one number: the block's in the upper half, ``member`` and one more in the lower.
    package var container: UInt64
    /// How many objects are open in the document around the cell: its block, and its member's object.
    package var depth: UInt8
    /// Closing braces and a comma, the first in the lowest byte: the text between the cell and a cell of another block.
    package var separators: UInt32
    /// Whether it is in the object of a field that is inside another field.
    package var isInsideField: Bool
    /// Whether only ``separators`` and ``text`` come before its value. Then it is not in the object of a field inside
    /// another field, and is neither a list's rows nor the messages of rows.
    package var isFlat: Bool
    /// The offset in ``text`` at which the member begins, after the block: `"name":{`.
    package var memberStart: Int32
    /// The offset in ``text`` at which the cell's own name begins, after the objects that contain it.
    package var keyStart: Int32
    /// `"block":{"name":{"key":`, the whole text before the value: a block, the field, step, lookup or action if the
    /// cell is in its object, and the cell's own name.
    package var text: PreparedBytes
  }

  /// How a cell of the document is written. ``DocumentLayout/Cell`` says which cell it is.
  package enum CellKind: UInt8, Sendable {
    /// A flag of the form, a field, a step or an action.
    case flagOfForm, flagOfField, flagOfStep, flagOfAction
    /// The errors of a field.
    case errorsOfField
    /// An output's value.
    case output
    /// Another value. A patch of an object has only the members that have changed.
    case value
    /// A list's rows, and the messages of fields in rows.
    case rows, rowMessages
    /// Everything else: texts, numbers, the form's errors, and Booleans that no flag stores.
    case other
  }

  /// The objects of a document that contain its members, in the document's order.
  package enum Block: Int, Sendable, CaseIterable {
    /// The document itself, then its members of these names.
    case top, messages, fields, steps, lookups, actions, outputs
  }

  /// The numbers of facts.
  package let facts: FactNumbers
  /// Whether a formula reads the date, the time or the zone.
  package let readsTime: Bool
  /// The slots of the form's properties, by position in ``FormProperty``; -1 where no formula reads it.
  package let formSlots: Table<Int32>
  /// The document's first cell of a field's object.
  package let firstFieldCell: Int32
  /// The document's first cell of an action's object.
  package let firstActionCell: Int32
  /// The document's first cell of an output.
  package let firstOutputCell: Int32
  package let fieldCount: Int32
  package let nodeCount: Int32
  /// How many cells the document has.
  package let cellCount: Int32
  /// How many slots a session keeps.
  package let slotCount: Int32
  /// How many locales the form's texts have.
  package let localeCount: Int32
}

extension Reference<FormTables> {
  /// The cell of a field's property. (A method of the tables themselves would copy them for each call.)
  @inline(__always)
  package func cell(field: Int, _ property: FieldProperty) -> Int {
    Int(pointee.firstFieldCell) &+ field &* FieldProperty.cellCount &+ property.position
  }

  /// The cell of an action's property.
  @inline(__always)
  package func cell(action: Int, _ property: ActionProperty) -> Int {
    Int(pointee.firstActionCell) &+ action &* ActionProperty.count &+ property.position
  }
}
