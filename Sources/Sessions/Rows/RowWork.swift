/// What a turn has to do with rows: what is stale, what it has noted, and what it has made and taken away. Empty between turns, so that it
/// costs nothing in forms without rows.
struct RowWork {
  /// By node of a row's template: the rows where it is stale.
  var staleRows: [[Row]] = []
  /// Lists in whose rows a value has changed: whether they are dirty is found out once, before anything is computed.
  var staleLists: [RowList] = []
  /// The lists and rows of which the turn has noted something.
  var touchedLists: [RowList] = []
  var touchedRows: [Row] = []
  /// By output of a row's template: the rows where it has another value.
  var changedOutputs: [[Row]] = []
  /// Those of which there are such rows.
  private var outputs: [Int] = []
  /// The messages of rows, once the turn has changed one.
  var messages: MessagesBefore?
  /// Rows that the turn has made.
  var freshRows: [Row] = []
  /// Rows that are gone stay until the turn is over: somebody may still hold a place in them.
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

  /// The turn's changes are known: rows that it has made or changed are like others from now on.
  mutating func forgetNotes() {
    for row in freshRows { row.isNew = false }
    for row in touchedRows { row.before = nil }
    for list in touchedLists { list.before = nil }
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
