internal import DocumentProperties
internal import Forms
internal import JSON

/// Edits of users are recorded, taken back and repeated.
extension Engine {
  /// The history that notes the changes of a session, or nil if none does. The first document has no changes.
  func edits(of session: Session) -> EditHistory? { isOpening ? nil : session.extras?.edits }

  /// Users can take their edits back from now on.
  func beginEdits(of session: Session) {
    let edits = EditHistory()
    edits.begin(of: session)
    session.madeExtras.edits = edits
    session.flags.insert(.keepsEdits)
  }

  // MARK: Recording

  /// A user makes a change: it is part of an edit.
  ///
  /// - Parameters:
  ///   - isByUser: whether it is a user, and not something else.
  ///   - change: the change of one field, which may continue an edit of that field. Nil for any other change.
  func recordEdit(
    in session: Session,
    if isByUser: Bool = true,
    typing change: FieldChange? = nil,
    _ makeChange: () -> Void
  ) {
    guard isByUser, let edits = session.extras?.edits, !edits.isRecording else { return makeChange() }
    if let change { edits.gave(change) } else if !turnResets.areUnderWay { edits.gaveMore() }
    edits.isRecording = true
    makeChange()
    edits.isRecording = false
  }

  /// The turn ends: the changes of users become an edit, and the document says what can be taken back.
  func settleEdits(of session: Session) {
    guard let edits = session.extras?.edits else { return }
    let before = edits.bytes
    let dropped = edits.endTurn(of: session) + edits.bound(countMax: undoMax, bytesMax: undoBytesMax)
    for edit in dropped { drop(edit, of: edits, in: session) }
    session.computedBytes += edits.bytes - before
    tellEdits(of: session)
  }

  /// An edit is gone for good, with its rows.
  private func drop(_ edit: Edit, of edits: EditHistory, in session: Session) {
    session.madeMarks?.mark(edit: edit.number)
    for row in edit.lists.flatMap(\.gone) where row.isGone {
      row.forEachInstance { instance in
        guard let row = instance.row else { return }
        edits.released(row)
        session.madeMarks?.markGone(row)
      }
    }
  }

  /// Brings the document up to date.
  func tellEdits(of session: Session) {
    func set(_ flag: SessionFlags, _ cell: Int, to isSet: Bool) {
      if session.flags.contains(flag) == isSet { return }
      note(cell, .bool(!isSet))
      session.flags.formSymmetricDifference(flag)
    }
    let edits = session.extras?.edits
    set(SessionFlags(.canUndo), session.form.layout.canUndo, to: !(edits?.undo.isEmpty ?? true))
    set(SessionFlags(.canRedo), session.form.layout.canRedo, to: !(edits?.redo.isEmpty ?? true))
  }

  // MARK: Taking back

  /// Takes back the last edit, or repeats the one that was taken back last.
  func takeBack(_ purpose: EditHistory.Purpose, in session: Session) {
    guard let edits = session.extras?.edits else { return }
    // A change that is held back, or that a timer has just let through, is the last edit.
    if session.holdsChanges {
      flushAll(session)
      propagate(session)
    }
    settleEdits(of: session)
    let before = edits.bytes
    guard let edit = edits.takeLast(purpose) else { return }
    session.computedBytes += edits.bytes - before
    // The edit has the fields that were reset and cleared with it. No further fields are.
    turnResets = TurnResets(turn: turnNumber)
    turnResets.keepsHidden = true
    edits.purpose = purpose
    edits.isRecording = true
    for list in edit.lists.reversed() { bringBack(list, of: edit, in: session) }
    for old in edit.values where old.value == nil { bringBack(old, in: session) }
    // A field follows the field that contains it.
    for old in edit.values.sorted(by: { $0.field < $1.field }) where old.value != nil { bringBack(old, in: session) }
    for old in edit.values where old.field != FieldChange.root {
      if let instance = session.instance(of: old.row) { settleInside(of: old.field, in: instance) }
    }
    edits.isRecording = false
    drop(edit, of: edits, in: session)
  }

  /// A field gets its old value.
  private func bringBack(_ old: Edit.OldValue, in session: Session) {
    guard old.field != FieldChange.root else {
      JSONObject.forEachDifference(session.extras?.otherMembers.now, old.value?.objectValue) { tell(.member($0)) }
      return setOtherMembers(old.value?.objectValue, in: session)
    }
    guard let instance = session.instance(of: old.row), old.value == nil || instance.isReachable(old.field) else {
      return
    }
    let field = old.field
    if old.follows {
      follow(field, in: instance)
    } else {
      setValue(old.value, of: field, in: instance)
    }
    setRemoved(old.isRemoved, field, in: instance)
    if instance.form.fields[field].tellsText { noteTyped(old.typed.map { .string($0) }, field, in: instance) }
    // A field that follows its formula is not edited.
    if old.follows { set(.isEdited, of: field, to: false, in: instance) } else { markEdited(field, in: instance) }
    if instance.fields[field].flags.remove(.isComposing) != nil { markForSnapshot(field, in: instance) }
    changed(.attention, ofField: field, in: instance)
    forgetServerErrors(about: field, in: instance)
    instance.fields[field].flags.insert(.hasMoved)
    tellMoved(field, in: instance)
  }

  /// All fields have their old values. What other sources have given inside a field goes if its value is no object, and
  /// stays otherwise.
  private func settleInside(of field: Int, in instance: Instance) {
    let children = instance.form.children(of: field)
    if instance.isNoObject(field) {
      for child in children { applyWhole(nil, of: child, origin: .program, isComposing: false, in: instance) }
    } else if let child = children.first(where: { instance.hasValue($0) }) {
      replaceEmpties(above: child, in: instance)
    }
  }

  /// A list gets its old rows, unless another source has replaced the object around it.
  private func bringBack(_ old: Edit.OldRows, of edit: Edit, in session: Session) {
    guard let owner = session.instance(of: old.row) else { return }
    for live in LiveField(old.field, in: owner).allAround where live.instance.isNoObject(live.field) {
      let id = ValueID(live.field, in: live.instance)
      if !edit.values.contains(where: { ValueID($0) == id }) { return }
    }
    let list = owner.list(of: old.field)
    guard old.start + old.count <= list.rows.count else { return }
    let replaced = list.rows[old.start..<old.start + old.count]
    var rows: [Int: Row] = [:]
    for row in old.gone where row.isGone && row.list === list { rows[row.id] = row }
    for row in replaced { rows[row.id] = row }
    let wanted = old.before.compactMap { rows[$0] }
    noteOrder(of: list)
    let kept = Set(old.before)
    for row in replaced where !kept.contains(row.id) { discard(row) }
    for row in wanted where row.isGone { comeBack(row) }
    list.replaceRows(in: old.start..<old.start + old.count, with: wanted)
    updateOrder(of: list)
    markEdited(list.field, in: owner)
    touch(list.field, of: owner)
    owner.fields[list.field].flags.formUnion([.revealsNow, .hasMoved])
    changed(.attention, ofField: list.field, in: owner)
    forgetServerErrors(about: list.field, in: owner)
    tellMoved(list.field, in: owner)
  }

  /// A discarded row is a row of its list again, with its old state. Its checks and lookups ask again.
  private func comeBack(_ row: Row) {
    let (session, list) = (row.session, row.list)
    list.notes?.before.noteBack(row.id)
    if list.owner.isList(list.field) {
      let sums = LiveField(list.field, in: list.owner).sums
      let flags = row.fields[row.element].flags
      if !flags.contains(.isValid) { sums.pointee.invalid += 1 }
      if flags.contains(.isPending) { sums.pointee.pending += 1 }
      if flags.contains(.isDirty) { sums.pointee.dirty += 1 }
    }
    row.forEachInstance { instance in
      guard let row = instance.row else { return }
      row.isGone = false
      session.madeExtras.rows.add(row)
      session.extras?.edits?.released(row)
      session.madeMarks?.markWhole(row)
      countAgain(row)
      // Actions may have run since, and their errors of before are out of date.
      for field in (row.instanceExtras?.serverErrors ?? [:]).keys { setServerErrors(of: field, in: row) { $0 = [] } }
      row.instanceExtras?.delays = [:]
      // The keywords around the row find their errors again.
      row.instanceExtras?.objectKeywordErrors = [:]
      row.instanceExtras?.objectKeywordTargets = [:]
      for field in row.ownFields where row.fields[field].displayed != nil {
        noteMessage(of: field, in: row, isBack: true)
      }
      markAllStale(row)
    }
  }

  /// A row goes that can come back. All users leave its fields. Rows inside it are left separately.
  func leaveAll(_ row: Row) {
    for index in 0..<Int(row.entry.sumsCount) { row.sums[index].focused = 0 }
    for field in row.ownFields {
      row.fields[field].flags.subtract([.isComposing, .revealsNow, .hasMoved])
      if set(.isFocused, of: field, to: false, in: row) { set(.isTouched, of: field, to: true, in: row) }
    }
  }

  /// Counts the bytes of a row that is in its list again.
  private func countAgain(_ row: Row) {
    let session = row.session
    for field in row.ownFields {
      count(1, bytesOfValue: field, in: row)
      session.computedBytes += row.fields[field].errors.bytes
    }
    session.valueBytes += row.initialValueBytes
    for list in row.lists { session.valueBytes += list.initialBytes }
    for output in row.ownOutputs { session.computedBytes += row.outputs[output].bytes }
    session.computedBytes += row.structureBytes
    guard let instanceExtras = row.instanceExtras else { return }
    session.computedBytes += instanceExtras.ownBytes + instanceExtras.serverErrorBytes
    session.computedBytes +=
      instanceExtras.checks.reduce(0) { $0 + $1.bytes } + instanceExtras.lookups.reduce(0) { $0 + $1.bytes }
  }
}

extension Session {
  /// Whether its users can take edits back.
  public var hasUndo: Bool { flags.contains(.keepsEdits) }

  /// The most that the session grows when an edit is taken back or repeated.
  func growthOfTakingBack(_ purpose: EditHistory.Purpose) -> Growth {
    guard let edit = extras?.edits?.last(purpose) else { return Growth() }
    var growth = Growth(bytes: edit.bytes)
    // A row keeps the value of before as the initial one.
    for old in edit.values where old.field != FieldChange.root {
      if let instance = instance(of: old.row) { growth.bytes += instance.fields[old.field].value.bytes }
    }
    for row in edit.lists.flatMap(\.gone) { row.forEachInstance { _ in growth.rows += 1 } }
    return growth
  }
}
