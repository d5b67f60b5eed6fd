internal import DocumentProperties
internal import Forms
internal import JSON
internal import Texts

/// The content of a list's rows before a turn, or before several turns that are sent as one. It has only the parts that
/// have changed since. The document's cell that holds it names the list.
public struct ListBefore: Sendable {
  /// The identities of the rows before one came, went or moved. Nil if no row did.
  private(set) var order: [Int]?
  /// The session's last identity at that time. A row with a later identity is new since then.
  private var last = 0
  /// The rows of ``order`` that are gone.
  private(set) var gone: [Int] = []
  /// The rows that are not in ``order``, and have come back since.
  private var back: Set<Int> = []
  /// The rows that existed then and have changed.
  var rows: [RowBefore] = []

  /// Bytes of memory, approximately.
  var approximateBytes: Int {
    rows.reduce(64 + 8 * ((order?.count ?? 0) + gone.count + back.count)) { $0 + $1.approximateBytes }
  }

  /// Notes the rows before one comes, goes or moves.
  mutating func noteOrder(of list: RowList) {
    guard order == nil else { return }
    order = list.ids
    last = list.owner.session.extras?.rows.last ?? 0
  }

  /// A row goes.
  mutating func noteGone(_ id: Int) {
    if back.remove(id) == nil, order != nil, !isFresh(id) { gone.append(id) }
  }

  /// A row that was gone comes back.
  mutating func noteBack(_ id: Int) {
    if let position = gone.firstIndex(of: id) {
      gone.remove(at: position)
    } else if order != nil, !isFresh(id) {
      back.insert(id)
    }
  }

  /// Whether any row may have come since, in any list of the session.
  func hasFresh(in session: Session) -> Bool {
    !back.isEmpty || (session.extras.map { $0.rows.last > last } ?? false)
  }

  /// Whether a row has come since.
  func isFresh(_ id: Int) -> Bool { order != nil && (id > last || back.contains(id)) }

  /// Drops the parts that are unchanged again. Returns whether anything is left.
  mutating func dropUnchanged(of list: RowList) -> Bool {
    if order == list.ids { order = nil }
    let session = list.owner.session
    rows = rows.compactMap { before in
      var before = before
      // A row that is gone may come back.
      guard let row = session.extras?.rows[before.id] else { return session.hasUndo ? before : nil }
      return before.dropUnchanged(of: row) ? before : nil
    }
    return order != nil || !rows.isEmpty
  }

  /// See ``DocumentValue/languageChanged()``.
  mutating func languageChanged() { for position in rows.indices { rows[position].languageChanged() } }

  /// Merges the changes of earlier turns, whose old contents are older.
  mutating func merge(earlier: ListBefore) {
    if let older = earlier.order {
      let later = self
      (order, last, gone, back) = (older, earlier.last, earlier.gone, earlier.back)
      for id in later.gone { noteGone(id) }
      for id in later.back { noteBack(id) }
    }
    var positions: [Int: Int] = [:]
    for (position, row) in rows.enumerated() { positions[row.id] = position }
    for older in earlier.rows {
      if let position = positions[older.id] {
        rows[position].merge(earlier: older)
      } else {
        positions[older.id] = rows.count
        rows.append(older)
      }
    }
    // A row that has come since is sent as a whole.
    if earlier.order != nil { rows = rows.filter { $0.id <= last } }
  }
}

/// The content of a row before a turn: the cells of its document that have changed, ascending.
struct RowBefore: Sendable {
  /// The row's identity.
  let id: Int
  private(set) var changes: [DocumentChange] = []

  init(id: Int) { self.id = id }

  var approximateBytes: Int { changes.reduce(96) { $0 + 48 + $1.old.approximateBytes } }

  /// The old content of a cell, or nil if it has not changed.
  subscript(cell: Int) -> DocumentValue? {
    let position = position(of: cell)
    return isChange(at: position, of: cell) ? changes[position].old : nil
  }

  func has(_ cell: Int) -> Bool { isChange(at: position(of: cell), of: cell) }

  func changes(of field: Int, in row: Row) -> ArraySlice<DocumentChange> {
    let first = row.cell(field, .isVisible)
    return changes[position(of: first)..<position(of: first + FieldProperty.cellCount)]
  }

  /// Whether a cell of a field, or of a field below it, has changed.
  func hasChanged(_ field: Int, in row: Row) -> Bool {
    let position = position(of: row.cell(field, .isVisible))
    let end = Int(row.tables.pointee.fields[field].end)
    return position < changes.count && changes[position].cell < row.cell(end, .isVisible)
  }

  mutating func note(_ cell: Int, _ old: DocumentValue) {
    let position = position(of: cell)
    if !isChange(at: position, of: cell) { changes.insert(DocumentChange(cell: cell, old: old), at: position) }
  }

  /// Fills in the old content of the lists inside the row.
  mutating func gatherLists(of row: Row) {
    for position in changes.indices {
      guard case .rows = changes[position].old else { continue }
      changes[position].old = .rows(row.list(ofCell: changes[position].cell).takeNotes())
    }
  }

  mutating func dropUnchanged(of row: Row) -> Bool {
    changes = changes.compactMap { change in
      guard case .rows(var before) = change.old else {
        return row.cellValue(change.cell) == change.old ? nil : change
      }
      guard before.dropUnchanged(of: row.list(ofCell: change.cell)) else { return nil }
      return DocumentChange(cell: change.cell, old: .rows(before))
    }
    return !changes.isEmpty
  }

  mutating func languageChanged() {
    for position in changes.indices { changes[position].old.languageChanged() }
  }

  mutating func merge(earlier: RowBefore) {
    for older in earlier.changes {
      let position = position(of: older.cell)
      if isChange(at: position, of: older.cell) {
        changes[position].old = older.old.beforeBoth(later: changes[position].old)
      } else {
        changes.insert(older, at: position)
      }
    }
  }

  private func isChange(at position: Int, of cell: Int) -> Bool {
    position < changes.count && changes[position].cell == cell
  }

  /// The position of a cell's change in the list, or the position at which it would be inserted.
  private func position(of cell: Int) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].cell < cell { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The notes of the current turn about a list.
struct ListNotes {
  /// The content of ``ListBefore/rows`` is in the rows until the turn ends.
  var before = ListBefore()
  /// The rows that have notes.
  var rows: [Row] = []
}

extension RowList {
  /// Takes the turn's notes out of the list and its rows. Rows that are gone have none.
  func takeNotes() -> ListBefore {
    guard let notes else { return ListBefore() }
    self.notes = nil
    var before = notes.before
    for row in notes.rows where !row.isGone || row.session.hasUndo {
      guard var content = row.before else { continue }
      row.before = nil
      content.gatherLists(of: row)
      before.rows.append(content)
    }
    return before
  }
}

/// The messages of fields in rows before a turn, as far as they have changed since.
public struct MessagesBefore: Sendable {
  private struct Entry {
    /// With the row's identity.
    let address: String
    let row: Int
    let field: Int
    var old: String?

    /// The message that is shown there now.
    func now(in session: Session) -> String? { session.extras?.rows[row]?.message(of: field) }
  }

  /// By address.
  private var entries: [UTF8Key: Entry] = [:]

  mutating func note(_ field: Int, of row: Row, _ old: String?) {
    let address = row.address(of: field)
    if entries[UTF8Key(text: address)] == nil {
      entries[UTF8Key(text: address)] = Entry(address: address, row: row.id, field: field, old: old)
    }
  }

  /// Bytes of memory, approximately.
  var approximateBytes: Int {
    entries.values.reduce(64) { $0 + 96 + $1.address.utf8.count + ($1.old?.utf8.count ?? 0) }
  }

  mutating func dropUnchanged(in session: Session) -> Bool {
    entries = entries.filter { $0.value.now(in: session) != $0.value.old }
    return !entries.isEmpty
  }

  mutating func merge(earlier: MessagesBefore) {
    for (key, older) in earlier.entries { entries[key] = older }
  }

  /// The changed messages. Their order is always the same.
  func changed(in session: Session) -> [(address: String, now: String?)] {
    entries.values.map { ($0, $0.now(in: session)) }.filter { $0.0.old != $0.1 }.map { ($0.0.address, $0.1) }
      .sorted { $0.0.precedesInUTF8($1.0) }
  }
}

extension Row {
  /// The number of a field's cell in the row's document.
  func cell(_ field: Int, _ property: FieldProperty) -> Int {
    (field - ownFields.lowerBound) * FieldProperty.cellCount + property.position
  }

  /// The number of an output's cell in the row's document.
  func cell(ofOutput output: Int) -> Int {
    ownFields.count * FieldProperty.cellCount + output - ownOutputs.lowerBound
  }

  /// The number of a lookup's cell in the row's document.
  func cell(ofLookup lookup: Int, _ property: LookupProperty) -> Int {
    let first = ownFields.count * FieldProperty.cellCount + ownOutputs.count
    return first + (lookup - ownLookups.lowerBound) * LookupProperty.count + property.position
  }

  /// The list of a cell of the row's document with a list's rows.
  func list(ofCell cell: Int) -> RowList { list(of: ownFields.lowerBound + cell / FieldProperty.cellCount) }

  /// The property of a field that a cell in the row's document shows, or nil for the cell of an output or a lookup.
  func fieldProperty(_ cell: Int) -> FieldProperty? {
    guard cell < ownFields.count * FieldProperty.cellCount else { return nil }
    return FieldProperty(rawValue: UInt8(cell % FieldProperty.cellCount))
  }

  /// The content of a cell of the row's document.
  func cellValue(_ cell: Int) -> DocumentValue {
    guard let property = fieldProperty(cell) else {
      let output = cell - ownFields.count * FieldProperty.cellCount
      if output < ownOutputs.count { return outputs[ownOutputs.lowerBound + output].map { .json($0) } ?? .absent }
      let (lookup, position) = (output - ownOutputs.count).quotientAndRemainder(dividingBy: LookupProperty.count)
      return LookupProperty(rawValue: UInt8(position))
        .map { documentValue(ofLookup: ownLookups.lowerBound + lookup, $0) } ?? .absent
    }
    let field = ownFields.lowerBound + cell / FieldProperty.cellCount
    if let flag = property.flag { return .bool(fields[field].flags.contains(flag)) }
    return switch property {
    case .errors: .errors(fields[field].errors)
    case .options: DocumentValue(documentOptions(of: field))
    case .text: inputText(of: field).map { .text($0) } ?? .absent
    case .reason: reason(of: field).map { .text($0) } ?? .absent
    default: .absent
    }
  }

  func message(of field: Int) -> String? {
    fields[field].displayed.map { form.message(of: $0, locale: session.localeIndex) }
  }
}

extension FieldProperty {
  /// The field's flag that such a cell shows, or nil if it shows none.
  var flag: FieldFlags? { about.kind == .bool ? FieldFlags(self) : nil }
}
