internal import Forms
internal import JSON
internal import Texts

/// What a list's rows held before a turn, or before several that are told as one: as far as they have changed since.
public final class ListBefore: @unchecked Sendable {
  // It goes no further than the session itself, and so to no other thread.
  let list: RowList
  /// The rows, by identity, before one came, went or moved; nil: none did.
  var order: [Int]?
  /// The rows that were there and have changed.
  var rows: [RowBefore] = []

  init(_ list: RowList) { self.list = list }

  /// Bytes of memory, approximately.
  var approximateBytes: Int {
    rows.reduce(64 + 8 * (order?.count ?? 0)) { $0 + $1.approximateBytes }
  }

  /// Drops what is as it was before. Returns whether anything is left.
  func dropUnchanged() -> Bool {
    if let before = order, before == list.rows.map(\.id) { order = nil }
    rows.removeAll { !$0.dropUnchanged() }
    return order != nil || !rows.isEmpty
  }

  /// Takes in what changed in turns before: what is known from there is older.
  func merge(earlier: ListBefore) {
    if let older = earlier.order { order = older }
    let known = Set((order ?? []))
    var own = Dictionary(rows.map { ($0.row.id, $0) }, uniquingKeysWith: { first, _ in first })
    for older in earlier.rows {
      if let newer = own[older.row.id] {
        newer.merge(earlier: older)
      } else {
        rows.append(older)
        own[older.row.id] = older
      }
    }
    // A row that came since is told whole.
    if earlier.order != nil { rows.removeAll { !known.contains($0.row.id) } }
  }
}

/// What a row held before: by cell, the old value.
final class RowBefore {
  let row: Row
  private(set) var cells: [Int: DocumentValue] = [:]

  init(_ row: Row) { self.row = row }

  var approximateBytes: Int { cells.values.reduce(96) { $0 + 48 + $1.approximateBytes } }

  func has(_ cell: Int) -> Bool { cells[cell] != nil }

  func note(_ cell: Int, _ old: DocumentValue) { cells[cell] = old }

  func dropUnchanged() -> Bool {
    if row.isGone { return false }
    cells = cells.filter { cell, old in
      if case .rows(let before) = old { return before.dropUnchanged() }
      return row.cellValue(cell) != old
    }
    return !cells.isEmpty
  }

  func merge(earlier: RowBefore) {
    for (cell, old) in earlier.cells {
      cells[cell] = cells[cell].map { old.beforeBoth(later: $0) } ?? old
    }
  }
}

/// The messages of fields in rows before a turn, as far as they have changed since.
public final class MessagesBefore: @unchecked Sendable {
  struct Entry {
    let row: Row
    let field: Int
    var old: String?

    /// What is shown there now.
    var now: String? { row.isGone ? nil : row.message(of: field) }
  }

  /// By address.
  private(set) var entries: [UTF8Key: (address: String, entry: Entry)] = [:]

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

  /// In an order that is always the same.
  var changed: [(address: String, now: String?)] {
    entries.values.filter { $0.entry.now != $0.entry.old }.map { ($0.address, $0.entry.now) }
      .sorted { $0.address.precedesInUTF8($1.address) }
  }
}

extension Row {
  /// The number of a field's cell in the row's document.
  func cell(_ field: Int, _ cell: DocumentLayout.FieldCell) -> Int {
    (field - ownFields.lowerBound) * DocumentLayout.fieldCellCount + cell.rawValue
  }

  /// The number of an output's cell there.
  func cell(ofOutput output: Int) -> Int {
    ownFields.count * DocumentLayout.fieldCellCount + output - Int(tables.pointee.templates[template].firstOutput)
  }

  /// What a cell of the row's document holds.
  func cellValue(_ cell: Int) -> DocumentValue {
    let (place, rest) = cell.quotientAndRemainder(dividingBy: DocumentLayout.fieldCellCount)
    guard place < ownFields.count, let kind = DocumentLayout.FieldCell(rawValue: rest) else {
      let output = cell - ownFields.count * DocumentLayout.fieldCellCount
      return outputs[Int(tables.pointee.templates[template].firstOutput) + output].map { .json($0) } ?? .absent
    }
    let field = ownFields.lowerBound + place
    if let flag = kind.flag { return .bool(fields[field].flags.contains(flag)) }
    return kind == .errors ? .errors(fields[field].errors) : .absent
  }

  /// The message that a field shows.
  func message(of field: Int) -> String? {
    fields[field].displayed.map { form.message(of: $0, locale: session.localeIndex) }
  }
}

extension DocumentLayout.FieldCell {
  /// By raw value. Describing a case looks it up in the metadata of its type, a hundred times slower.
  private static let names = allCases.map { String(describing: $0) }

  /// Its name in the document.
  var name: String { Self.names[rawValue] }

  /// The field's flag that such a cell shows; nil where it shows none.
  var flag: FieldFlags? {
    switch self {
    case .isVisible: .isVisible
    case .isEnabled: .isEnabled
    case .isRequired: .isRequired
    case .isValid: .isValid
    case .isPending: .isPending
    case .isDirty: .isDirty
    case .isTouched: .isTouched
    case .isEmpty: .isAbsent
    case .errors, .order: nil
    }
  }
}
