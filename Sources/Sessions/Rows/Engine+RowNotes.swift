internal import DocumentProperties
internal import Forms

/// The document's old content of rows, noted before a turn changes it.
extension Engine {
  /// Notes the rows of a list before one comes, goes or moves.
  func noteOrder(of list: RowList) {
    edits(of: list.owner.session)?.noteRows(of: list)
    if takesNotes(of: list) { list.notes?.before.noteOrder(of: list) }
  }

  /// Notes the old content of a cell of a row's document before it changes.
  @inline(never)
  func note(_ cell: Int, of row: Row, _ old: DocumentValue) {
    if takesNotes(of: row) { row.before?.note(cell, old) }
  }

  /// Notes the message of a row's field.
  ///
  /// - Parameter isBack: whether the row was gone before the turn.
  @inline(never)
  func noteMessage(of field: Int, in row: Row, isBack: Bool = false) {
    guard !isOpening else { return }
    if rowWork.messages == nil {
      rowWork.messages = MessagesBefore()
      if let cell = row.form.layout.rowMessages {
        note(cell, .messages(MessagesBefore()), isCertain: false)
      }
    }
    rowWork.messages?.note(field, of: row, row.isNew || isBack ? nil : row.message(of: field))
  }

  /// Whether the turn notes something about a row. It does not if the row's first document is still being made, or if
  /// the row is new.
  private func takesNotes(of row: Row) -> Bool {
    if row.before != nil { return true }
    guard !row.isNew, !isOpening, takesNotes(of: row.list) else { return false }
    row.before = RowBefore(id: row.id)
    rowWork.touchedRows.append(row)
    row.list.notes?.rows.append(row)
    return true
  }

  private func takesNotes(of list: RowList) -> Bool {
    if list.notes != nil { return true }
    let owner = list.owner
    guard !isOpening else { return false }
    // ``gatherRowNotes(in:)`` fills in the content.
    if let row = owner.row {
      guard takesNotes(of: row) else { return false }
      row.before?.note(row.cell(list.field, .order), .rows(ListBefore()))
    } else {
      note(owner.tables.cell(field: list.field, .order), .rows(ListBefore()), isCertain: false)
    }
    mayHaveChangedBack = true
    list.notes = ListNotes()
    rowWork.touchedLists.append(list)
    return true
  }

  /// Fills in the old content of rows and their messages. From then on, the noted changes are values.
  func gatherRowNotes(in session: Session) {
    changeList.updateEach { change in
      switch change.old {
      case .rows: change.old = .rows(session.list(ofCell: change.cell).takeNotes())
      case .messages: change.old = .messages(rowWork.messages ?? MessagesBefore())
      default: break
      }
    }
  }

  /// Notes the value of a field's cell before it changes.
  @inline(never)
  func noteInRow(_ property: FieldProperty, of field: Int, _ old: DocumentValue, _ instance: Instance) {
    guard let row = instance.row else { return }
    note(row.cell(field, property), of: row, old)
  }
}
