internal import DocumentProperties
internal import Forms

/// The document's old content of rows, noted before a turn changes it.
extension Engine {
  /// Notes the rows of a list before one comes, goes or moves.
  func noteOrder(of list: RowList) {
    before(list)?.noteOrder()
  }

  /// Notes the old content of a cell of a row's document before it changes.
  @inline(never)
  func note(_ cell: Int, of row: Row, _ old: DocumentValue) {
    guard let before = before(row), !before.has(cell) else { return }
    before.note(cell, old)
  }

  /// Notes the message of a row's field.
  @inline(never)
  func noteMessage(of field: Int, in row: Row) {
    guard !row.session.flags.contains(.isOpening) else { return }
    let messages = rowWork.messages ?? MessagesBefore()
    if rowWork.messages == nil {
      rowWork.messages = messages
      if let cell = row.form.layout.rowMessages { note(cell, .messages(messages), isCertain: false, in: row.session) }
    }
    messages.note(field, of: row, row.isNew ? nil : row.message(of: field))
  }

  /// The turn's notes of a row. Nil if nothing has to be noted, because the row's first document is still being made or
  /// the row is new.
  private func before(_ row: Row) -> RowBefore? {
    if let before = row.before { return before }
    guard !row.isNew, !row.session.flags.contains(.isOpening), let list = before(row.list) else { return nil }
    let before = RowBefore(row)
    row.before = before
    rowWork.touchedRows.append(row)
    list.rows.append(before)
    return before
  }

  private func before(_ list: RowList) -> ListBefore? {
    if let before = list.before { return before }
    let owner = list.owner
    guard !owner.session.flags.contains(.isOpening) else { return nil }
    let before = ListBefore(list)
    if let row = owner.row {
      guard let around = self.before(row) else { return nil }
      around.note(row.cell(list.field, .order), .rows(before))
    } else {
      note(owner.tables.cell(field: list.field, .order), .rows(before), isCertain: false, in: owner.session)
    }
    mayHaveChangedBack = true
    list.before = before
    rowWork.touchedLists.append(list)
    return before
  }

  /// Notes the value of a field's cell before it changes.
  @inline(never)
  func noteInRow(_ property: FieldProperty, of field: Int, _ old: DocumentValue, _ instance: Instance) {
    guard let row = instance.row else { return }
    note(row.cell(field, property), of: row, old)
  }
}
