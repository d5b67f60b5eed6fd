internal import Forms
internal import JSON

/// The edits of a session's users, in a form with undo.
///
/// While an input of a user takes effect (``isRecording``), the engine notes the old value of each field and the old
/// rows of each list before it changes them. At the end of the turn, the notes are one edit. When something else
/// changes a field, the edits forget the field.
///
/// Always true:
/// - Both lists are in ascending order of the edits' numbers.
/// - A row in ``rows`` is gone, and is in exactly one edit: itself, or as a row inside such a row.
final class EditHistory {
  /// The edits to be taken back, the last one at the end.
  private(set) var undo: [Edit] = []
  /// The edits that were taken back, the last one at the end.
  private(set) var redo: [Edit] = []
  /// The rows that are gone and can come back, by identity, with the rows inside them.
  private(set) var rows: [Int: Row] = [:]
  /// The bytes of all edits. Part of ``Session/computedBytes``.
  private(set) var bytes = 0
  private(set) var lastNumber = 0
  /// The field whose changes continue the last edit, as in typing.
  private var typing: ValueID?

  // What the current turn notes. If an edit ends within the turn, the notes begin again.

  /// The identity of the last row that was there before.
  private var lastRowBefore = 0
  /// The kind of the edit that is being recorded.
  enum Purpose {
    /// A new edit of a user.
    case edit
    /// The inverse of an edit that is being taken back, and of one that is being repeated.
    case undo, redo
  }

  /// Whether a user makes the changes now.
  var isRecording = false
  var purpose = Purpose.edit
  private var recorded = Edit()
  private var recordedIDs: Set<ValueID> = []
  /// The fields that users have given values in this turn.
  private var given: Set<ValueID> = []
  /// Whether rows were changed, or several fields may have been.
  private var isMixed = false
  private var isCommitted = false
  /// The values that something else than a user has changed.
  private var foreign: Set<ValueID> = []

  var isEmpty: Bool { undo.isEmpty && redo.isEmpty }

  // MARK: Notes

  /// A field is about to get another value.
  func note(_ field: Int, in instance: Instance) {
    guard isNoted(instance), !instance.form.fields[field].isSecret else { return }
    let id = ValueID(field, in: instance)
    if !isRecording {
      if !isEmpty { foreign.insert(id) }
    } else if recordedIDs.insert(id).inserted {
      recorded.values.append(Edit.OldValue(field, in: instance))
    }
  }

  /// The edits forget a field at the end of the turn.
  func forget(_ field: Int, in instance: Instance) {
    if !isEmpty { foreign.insert(ValueID(field, in: instance)) }
  }

  /// Rows of a list are about to come, go or move.
  func noteRows(of list: RowList) {
    guard isNoted(list.owner) else { return }
    let (id, row) = (ValueID(list.field, in: list.owner), list.owner.rowID)
    if !isRecording {
      if !isEmpty { foreign.insert(id) }
    } else if !recorded.lists.contains(where: { $0.row == row && $0.field == list.field }) {
      recorded.lists.append(Edit.OldRows(row: row, field: list.field, before: list.ids))
    }
  }

  /// The top-level members that are not fields are about to change.
  func noteOtherMembers(of session: Session) {
    guard isNoted(session), !session.form.units[0].areOthersSecret else { return }
    let id = ValueID.field(FieldChange.root, row: 0)
    if !isRecording {
      if !isEmpty { foreign.insert(id) }
    } else if recordedIDs.insert(id).inserted {
      let others = session.extras?.otherMembers.now.map { JSON.object($0) }
      recorded.values.append(Edit.OldValue(row: 0, field: FieldChange.root, value: others))
    }
  }

  /// A row that the edit which is being recorded has made goes with it, and has nothing to go back to.
  private func isNoted(_ instance: Instance) -> Bool { instance.rowID <= lastRowBefore }

  /// The history that keeps a row which goes now, or nil if the row goes for good.
  func keeper(of row: Row) -> EditHistory? { isRecording && isNoted(row) ? self : nil }

  /// A row is gone, and can come back.
  ///
  /// - Parameter bytes: the bytes that the session kept for it.
  func keep(_ row: Row, bytes: Int) {
    let owner = row.list.owner.rowID
    guard let list = recorded.lists.firstIndex(where: { $0.row == owner && $0.field == row.list.field }) else {
      preconditionFailure("row \(row.id) goes, and the rows of its list were not noted")
    }
    recorded.lists[list].gone.append(row)
    recorded.rowBytes += bytes
    row.forEachInstance { if let row = $0.row { rows[row.id] = row } }
  }

  /// A row has come back.
  func released(_ row: Row) { rows[row.id] = nil }

  /// The user has given a value, in an input of its own or with others.
  func gave(_ change: FieldChange) {
    given.insert(.field(change.field, row: change.row))
  }

  /// The user has changed rows, or fields that the input does not name.
  func gaveMore() { isMixed = true }

  /// An input comes that is not a whole value of one field.
  func inputCame(_ input: Input) {
    switch input {
    case .set, .timer, .effect: break
    case .change(_, _, _, let commit): if commit { isCommitted = true }
    case .prepared(let prepared): if prepared.commit { isCommitted = true }
    default: typing = nil
    }
  }

  // MARK: The end of a turn

  /// The turn ends: its changes by users become an edit.
  ///
  /// - Returns: the edits that are gone.
  func endTurn(of session: Session) -> [Edit] {
    lastRowBefore = session.extras?.rows.last ?? 0
    var dropped = foreign.isEmpty ? [] : forgetForeign(in: session)
    if recorded.isEmpty && !isCommitted && given.isEmpty && !isMixed { return dropped }
    var edit = recorded
    let purpose = self.purpose
    let field = isMixed || given.count != 1 ? nil : given.first
    let isTyping = field != nil && field == typing && purpose == .edit
    if !recorded.isEmpty || isCommitted { typing = isCommitted || purpose != .edit ? nil : field }
    (recorded, recordedIDs, given, isMixed, isCommitted, self.purpose) = (Edit(), [], [], false, false, .edit)
    func instance(_ row: Int) -> Instance? { session.instance(of: row) ?? rows[row] }
    edit.values.removeAll { old in instance(old.row).map { old.isCurrent(in: $0) } ?? true }
    edit.lists = edit.lists.compactMap { old in
      var old = old
      guard let instance = instance(old.row) else { return nil }
      return old.compare(with: instance.list(of: old.field).ids) ? old : nil
    }
    // Nobody sees that an object without a value is set to null.
    func isSeen(_ old: Edit.OldValue) -> Bool { instance(old.row).map { !old.hasValue(in: $0) } ?? false }
    if edit.lists.isEmpty, !edit.values.contains(where: isSeen) { return dropped }
    if purpose == .edit {
      dropped += takeAll(of: \.redo)
      if isTyping, edit.lists.isEmpty, var last = undo.popLast() {
        bytes -= last.bytes
        last.values += edit.values.filter { new in
          !last.values.contains { ValueID($0) == ValueID(new) }
        }
        // A text that the user has typed and deleted again does not count.
        last.values.removeAll { old in instance(old.row).map { old.isCurrent(in: $0) } ?? false }
        if !last.isEmpty {
          append(last, to: \.undo, session)
          return dropped
        }
        dropped.append(last)
        typing = nil
        return dropped
      }
    }
    lastNumber += 1
    edit.number = lastNumber
    append(edit, to: purpose == .undo ? \.redo : \.undo, session)
    return dropped
  }

  private func append(_ edit: Edit, to list: ReferenceWritableKeyPath<EditHistory, [Edit]>, _ session: Session) {
    bytes += edit.bytes
    self[keyPath: list].append(edit)
    session.madeMarks?.mark(edit: edit.number)
  }

  private func takeAll(of list: ReferenceWritableKeyPath<EditHistory, [Edit]>) -> [Edit] {
    let edits = self[keyPath: list]
    bytes -= edits.reduce(0) { $0 + $1.bytes }
    self[keyPath: list] = []
    return edits
  }

  /// The edit that is taken back or repeated next. It is not in the history any more.
  func takeLast(_ purpose: Purpose) -> Edit? {
    let edit = purpose == .undo ? undo.popLast() : redo.popLast()
    if let edit { bytes -= edit.bytes }
    typing = nil
    return edit
  }

  /// The edit that is taken back or repeated next.
  func last(_ purpose: Purpose) -> Edit? { purpose == .undo ? undo.last : redo.last }

  /// Drops the oldest edits beyond the bounds.
  ///
  /// - Returns: the dropped edits.
  func bound(countMax: Int, bytesMax: Int) -> [Edit] {
    var dropped: [Edit] = []
    while undo.count + redo.count > countMax || bytes > bytesMax {
      let edit = undo.isEmpty ? redo.removeFirst() : undo.removeFirst()
      bytes -= edit.bytes
      dropped.append(edit)
    }
    if undo.isEmpty { typing = nil }
    return dropped
  }

  /// Forgets the fields that something else than a user has changed, and the fields of rows that are gone for good.
  private func forgetForeign(in session: Session) -> [Edit] {
    var dropped: [Edit] = []
    let lost = rowsLostToForeign
    func isThere(_ row: Int) -> Bool {
      session.instance(of: row) != nil || rows[row] != nil && !lost.contains(row)
    }
    func forget(_ edits: [Edit]) -> [Edit] {
      edits.compactMap { edit in
        var (edit, before) = (edit, edit)
        edit.values.removeAll { foreign.contains(ValueID($0)) || !isThere($0.row) }
        edit.lists.removeAll { foreign.contains(ValueID($0)) || !isThere($0.row) }
        if edit.values.count == before.values.count, edit.lists.count == before.lists.count { return edit }
        bytes -= before.bytes
        let keptRows = Set(edit.lists.flatMap(\.gone).map(\.id))
        for position in before.lists.indices { before.lists[position].gone.removeAll { keptRows.contains($0.id) } }
        before.values = []
        if edit.isEmpty {
          dropped.append(before)
          return nil
        }
        // The bytes of the rows are not known one by one. They count until the edit is gone.
        forgotten.append(before)
        bytes += edit.bytes
        session.madeMarks?.mark(edit: edit.number)
        return edit
      }
    }
    var forgotten: [Edit] = []
    undo = forget(undo)
    redo = forget(redo)
    foreign = []
    for edit in dropped { session.madeMarks?.mark(edit: edit.number) }
    return dropped + forgotten
  }

  /// A row of a snapshot is gone, and can come back.
  func restored(_ row: Row) { row.forEachInstance { if let row = $0.row { rows[row.id] = row } } }

  /// The rows that cannot come back, because something else than a user has changed their list.
  private var rowsLostToForeign: Set<Int> {
    var lost: Set<Int> = []
    while true {
      let count = lost.count
      for list in (undo + redo).flatMap(\.lists) where foreign.contains(ValueID(list)) || lost.contains(list.row) {
        for row in list.gone { row.forEachInstance { if let row = $0.row { lost.insert(row.id) } } }
      }
      if lost.count == count { return lost }
    }
  }

  /// The session begins, with its rows.
  func begin(of session: Session) { lastRowBefore = session.extras?.rows.last ?? 0 }

  /// Brings back an edit of a snapshot.
  func restore(_ edit: Edit, isRedo: Bool) {
    bytes += edit.bytes
    lastNumber = max(lastNumber, edit.number)
    if isRedo { redo.append(edit) } else { undo.append(edit) }
  }
}
