/// The work of a turn with rows: its stale nodes, its notes, and its new and removed rows. It is empty between turns,
/// so it costs nothing in forms without rows.
struct RowWork {
  /// For each node of a row's template, the rows in which it is stale.
  var staleRows: [[Row]] = []
  /// Lists with a changed value in their rows. Their dirty state is updated once, before anything is computed.
  var staleLists: [RowList] = []
  /// The lists and rows for which the turn has noted something.
  var touchedLists: [RowList] = []
  var touchedRows: [Row] = []
  /// For each output of a row's template, the rows in which it has another value.
  var changedOutputs: [[Row]] = []
  /// The outputs with such rows.
  private var outputs: [Int] = []
  /// The messages of rows, once the turn has changed one.
  var messages: MessagesBefore?
  /// Rows that the turn has made.
  var freshRows: [Row] = []
  /// Rows that are gone stay until the turn is over, because a caller may still hold a field in them.
  var goneRows: [Row] = []

  /// Makes room for a form's nodes and outputs.
  mutating func reserve(nodes: Int, outputs: Int) {
    if staleRows.count < nodes { staleRows = [[Row]](repeating: [], count: nodes) }
    if changedOutputs.count < outputs { changedOutputs = [[Row]](repeating: [], count: outputs) }
  }

  /// An output has another value in a row.
  mutating func outputChanged(_ output: Int, in row: Row) {
    if changedOutputs[output].isEmpty { outputs.append(output) }
    changedOutputs[output].append(row)
  }

  /// The turn's changes are known. Rows that it has made or changed are like other rows from now on.
  mutating func forgetNotes() {
    for row in freshRows { row.isNew = false }
    for row in touchedRows { row.before = nil }
    for list in touchedLists { list.notes = nil }
    freshRows = []
    touchedRows = []
    touchedLists = []
    messages = nil
  }

  /// The turn is over.
  mutating func end() {
    goneRows = []
    for output in outputs { changedOutputs[output] = [] }
    outputs = []
  }
}
