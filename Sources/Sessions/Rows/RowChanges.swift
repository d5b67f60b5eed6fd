internal import DocumentProperties
internal import Forms
internal import JSON
internal import Texts

/// The content of a list's rows before a turn, or before several turns that are sent as one. It has only the parts that
/// have changed since.
public final class ListBefore: @unchecked Sendable {
  // It is used only with the session, and so only on the session's thread.
  let list: RowList
  /// The identities of the rows before one came, went or moved. Nil if no row did.
  private(set) var order: [Int]?
  /// The session's last identity at that time. A row with a later identity is new since then.
  private var last = 0
  /// The rows of ``order`` that are gone.
  private(set) var gone: [Int] = []
  /// The rows that existed then and have changed.
  var rows: [RowBefore] = []

  init(_ list: RowList) { self.list = list }

  /// A separate copy.
  var copy: ListBefore {
    let copy = ListBefore(list)
    (copy.order, copy.last, copy.gone) = (order, last, gone)
    copy.rows = rows.map(\.copy)
    return copy
  }

  /// Bytes of memory, approximately.
  var approximateBytes: Int {
    rows.reduce(64 + 8 * ((order?.count ?? 0) + gone.count)) { $0 + $1.approximateBytes }
  }

  /// Notes the rows before one comes, goes or moves.
  func noteOrder() {
    guard order == nil else { return }
    order = list.ids
    last = list.owner.session.extras?.rows.last ?? 0
  }

  /// A row goes.
  func noteGone(_ row: Row) { if order != nil, !isFresh(row) { gone.append(row.id) } }

  /// Whether any row has come since, in any list.
  var hasFresh: Bool { list.owner.session.extras.map { $0.rows.last > last } ?? false }

  /// Whether a row has come since.
  func isFresh(_ row: Row) -> Bool { order != nil && row.id > last }

  /// Drops the parts that are unchanged again. Returns whether anything is left.
  func dropUnchanged() -> Bool {
    if let before = order, before.count == list.rows.count, before.elementsEqual(list.rows.lazy.map(\.id)) {
      order = nil
    }
    rows.removeAll { !$0.dropUnchanged() }
    return order != nil || !rows.isEmpty
  }

  /// Merges the changes of earlier turns, whose old contents are older.
  func merge(earlier: ListBefore) {
    if let older = earlier.order {
      (order, last) = (older, earlier.last)
      gone = earlier.gone + gone.filter { $0 <= last }
    }
    var own = Dictionary(rows.map { ($0.row.id, $0) }, uniquingKeysWith: { first, _ in first })
    for older in earlier.rows {
      if let newer = own[older.row.id] {
        newer.merge(earlier: older)
      } else {
        rows.append(older)
        own[older.row.id] = older
      }
    }
    // A row that has come since is sent as a whole.
    if earlier.order != nil { rows.removeAll { isFresh($0.row) } }
  }
}

/// The content of a row before a turn: the cells of its document that have changed, ascending.
final class RowBefore {
  let row: Row
  private(set) var changes: [DocumentChange] = []

  init(_ row: Row) { self.row = row }

  /// A separate copy.
  var copy: RowBefore {
    let copy = RowBefore(row)
    copy.changes = changes.map { DocumentChange(cell: $0.cell, old: $0.old.copy) }
    return copy
  }

  var approximateBytes: Int { changes.reduce(96) { $0 + 48 + $1.old.approximateBytes } }

  /// The old content of a cell, or nil if it has not changed.
  subscript(cell: Int) -> DocumentValue? {
    let position = position(of: cell)
    return isChange(at: position, of: cell) ? changes[position].old : nil
  }

  func has(_ cell: Int) -> Bool { isChange(at: position(of: cell), of: cell) }

  /// The changed cells of a field.
  func changes(of field: Int) -> ArraySlice<DocumentChange> {
    let first = row.cell(field, .isVisible)
    return changes[position(of: first)..<position(of: first + FieldProperty.cellCount)]
  }

  /// Whether a cell of a field, or of a field below it, has changed.
  func hasChanged(_ field: Int) -> Bool {
    let position = position(of: row.cell(field, .isVisible))
    let end = Int(row.tables.pointee.fields[field].end)
    return position < changes.count && changes[position].cell < row.cell(end, .isVisible)
  }

  func note(_ cell: Int, _ old: DocumentValue) {
    let position = position(of: cell)
    if !isChange(at: position, of: cell) { changes.insert(DocumentChange(cell: cell, old: old), at: position) }
  }

  func dropUnchanged() -> Bool {
    if row.isGone { return false }
    changes.removeAll { change in
      if case .rows(let before) = change.old { return !before.dropUnchanged() }
      return row.cellValue(change.cell) == change.old
    }
    return !changes.isEmpty
  }

  func merge(earlier: RowBefore) {
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

/// The messages of fields in rows before a turn, as far as they have changed since.
public final class MessagesBefore: @unchecked Sendable {
  struct Entry {
    let row: Row
    let field: Int
    var old: String?

    /// The message that is shown there now.
    var now: String? { row.isGone ? nil : row.message(of: field) }
  }

  /// By address.
  private(set) var entries: [UTF8Key: (address: String, entry: Entry)] = [:]

  /// A separate copy.
  var copy: MessagesBefore {
    let copy = MessagesBefore()
    copy.entries = entries
    return copy
  }

  func note(_ field: Int, of row: Row, _ old: String?) {
    let address = row.address(of: field)
    if entries[UTF8Key(text: address)] == nil {
      entries[UTF8Key(text: address)] = (address, Entry(row: row, field: field, old: old))
    }
  }

  /// Bytes of memory, approximately.
  var approximateBytes: Int {
    entries.values.reduce(64) { $0 + 96 + $1.address.utf8.count + ($1.entry.old?.utf8.count ?? 0) }
  }

  func dropUnchanged() -> Bool {
    entries = entries.filter { $0.value.entry.now != $0.value.entry.old }
    return !entries.isEmpty
  }

  func merge(earlier: MessagesBefore) {
    for (key, older) in earlier.entries { entries[key] = older }
  }

  /// The changed messages. Their order is always the same.
  var changed: [(address: String, now: String?)] {
    entries.values.filter { $0.entry.now != $0.entry.old }.map { ($0.address, $0.entry.now) }
      .sorted { $0.address.precedesInUTF8($1.address) }
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
    default: .absent
    }
  }

  /// The message that a field shows.
  func message(of field: Int) -> String? {
    fields[field].displayed.map { form.message(of: $0, locale: session.localeIndex) }
  }
}

extension FieldProperty {
  /// The field's flag that such a cell shows, or nil if it shows none.
  var flag: FieldFlags? { about.kind == .truth ? FieldFlags(self) : nil }
}
