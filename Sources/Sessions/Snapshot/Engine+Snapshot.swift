internal import Forms
internal import JSON

extension Session {
  /// The whole session as a value, for ``Engine/restore(_:from:at:)``.
  public func snapshot(for use: SnapshotUse) -> SessionSnapshot {
    var snapshot = SessionSnapshot(parts: [:])
    snapshot.apply(allParts(by: PartWriter(out: OutputBuffer(), use: use)).changes)
    return snapshot
  }

  /// From now on the session notes the changes of its snapshot, for ``Engine/takeSnapshotChanges(of:for:)``. The first
  /// changes are the whole snapshot.
  public func keepSnapshot() {
    flags.insert(.hasSnapshot)
    let marks = SnapshotMarks()
    marks.isWhole = true
    self.marks = marks
  }

  /// Every part, and the fields of the form that have parts of their own.
  fileprivate func allParts(by writer: PartWriter) -> (changes: SnapshotChanges, largeFields: Set<Int>) {
    var changes = SnapshotChanges(isWhole: true, parts: [])
    let largeFields = Set(ownFields.filter { writer.isLarge($0, of: self) })
    changes.add(.head, writer.head(of: self, without: largeFields))
    for part in [SnapshotPart.SessionPart.opening, .others, .serverErrors, .watched, .context] {
      changes.add(SnapshotPart(part), writer.part(part, of: self))
    }
    let chunkCount = (ownFields.count + SnapshotPart.fieldsPerPart - 1) / SnapshotPart.fieldsPerPart
    for chunk in 0..<chunkCount where chunk > 0 {
      changes.add(SnapshotPart(.fields, chunk), writer.fields(ofChunk: chunk, of: self, without: largeFields))
    }
    for field in largeFields.sorted() { changes.add(SnapshotPart(.field, field), writer.field(field, of: self)) }
    for action in form.actions.indices { changes.add(SnapshotPart(.action, action), writer.action(action, of: self)) }
    for check in ownChecks { changes.add(SnapshotPart(.check, check), writer.check(check, of: self)) }
    for lookup in ownLookups { changes.add(SnapshotPart(.lookup, lookup), writer.lookup(lookup, of: self)) }
    add(self, to: &changes, by: writer)
    for edit in extras?.edits.map({ $0.undo + $0.redo }) ?? [] {
      changes.add(SnapshotPart(.edit, 0, row: edit.number), writer.edit(edit.number, of: self))
      for row in edit.lists.flatMap(\.gone) { add(row, to: &changes, by: writer) }
    }
    changes.parts.removeAll { $0.bytes == nil }
    return (changes, largeFields)
  }

  /// Adds the lists of an instance, and the rows in them. A row is added, too.
  private func add(_ instance: Instance, to changes: inout SnapshotChanges, by writer: PartWriter) {
    instance.forEachInstance { instance in
      if let row = instance.row { changes.add(SnapshotPart(.fields, 0, row: row.id), writer.row(row)) }
      for list in instance.lists {
        changes.add(SnapshotPart(.order, list.field, row: instance.rowID), writer.order(of: list))
        changes.add(SnapshotPart(.beginning, list.field, row: instance.rowID), writer.beginning(of: list))
      }
    }
  }

  /// The instance that snapshots have: the session, or a row that is there or can come back.
  private func keptInstance(of row: Int) -> Instance? { instance(of: row) ?? extras?.edits?.rows[row] }

  /// The parts that turns have touched since the last time.
  fileprivate func markedParts(_ marks: SnapshotMarks, by writer: PartWriter) -> (
    SnapshotChanges, largeFields: Set<Int>
  ) {
    var changes = SnapshotChanges(isWhole: false, parts: [])
    var largeFields = marks.more?.largeFields ?? []
    let fields = marks.fields
    for field in fields {
      let wasLarge = largeFields.remove(field) != nil
      if writer.isLarge(field, of: self) {
        largeFields.insert(field)
        changes.add(SnapshotPart(.field, field), writer.field(field, of: self))
      } else if wasLarge {
        changes.add(SnapshotPart(.field, field), nil)
      }
    }
    var last = 0
    for chunk in fields.map({ $0 / SnapshotPart.fieldsPerPart }) where chunk > last {
      changes.add(SnapshotPart(.fields, chunk), writer.fields(ofChunk: chunk, of: self, without: largeFields))
      last = chunk
    }
    if marks.isHeadMarked || fields.first.map({ $0 < SnapshotPart.fieldsPerPart }) ?? false {
      changes.add(.head, writer.head(of: self, without: largeFields))
    }
    if let more = marks.more { add(more, to: &changes, by: writer) }
    return (changes, largeFields)
  }

  private func add(_ more: SnapshotMarks.More, to changes: inout SnapshotChanges, by writer: PartWriter) {
    for part in more.sessionParts { changes.add(SnapshotPart(part), writer.part(part, of: self)) }
    for action in more.actions { changes.add(SnapshotPart(.action, action), writer.action(action, of: self)) }
    for check in more.checks { changes.add(SnapshotPart(.check, check), writer.check(check, of: self)) }
    for lookup in more.lookups { changes.add(SnapshotPart(.lookup, lookup), writer.lookup(lookup, of: self)) }
    for edit in more.edits { changes.add(SnapshotPart(.edit, 0, row: edit), writer.edit(edit, of: self)) }
    for row in more.rows where keptInstance(of: row.id) === row {
      changes.add(SnapshotPart(.fields, 0, row: row.id), writer.row(row))
    }
    for (id, list) in more.orders where keptInstance(of: id) != nil {
      changes.add(SnapshotPart(.order, list.field, row: id), writer.order(of: list))
    }
    for (id, list) in more.beginnings where keptInstance(of: id) != nil {
      changes.add(SnapshotPart(.beginning, list.field, row: id), writer.beginning(of: list))
    }
    for (id, template) in more.goneRows where keptInstance(of: id) == nil {
      changes.add(SnapshotPart(.fields, 0, row: id), nil)
      guard tables.pointee.templates[template].listCount > 0 else { continue }
      for field in form.templates[template].fields where form.fields[field].element != nil {
        changes.add(SnapshotPart(.order, field, row: id), nil)
        changes.add(SnapshotPart(.beginning, field, row: id), nil)
      }
    }
  }
}

extension Engine {
  /// The changes of a session's snapshot since the last call. At the first call, and after a reset, they are the whole
  /// snapshot. The work is in proportion to the changes.
  ///
  /// - Precondition: ``Session/keepSnapshot()`` was called.
  /// - Parameter use: equal in each call.
  /// - Returns: parts that replace the earlier parts.
  public func takeSnapshotChanges(of session: Session, for use: SnapshotUse) -> SnapshotChanges {
    precondition(session.keepsSnapshot, "no snapshot of the session is kept")
    guard let marks = session.marks else { return SnapshotChanges() }
    let writer = PartWriter(out: snapshotBuffer, use: use)
    let (changes, largeFields) = marks.isWhole ? session.allParts(by: writer) : session.markedParts(marks, by: writer)
    session.marks = marks.taken(with: largeFields)
    return changes
  }
}

extension SnapshotChanges {
  fileprivate mutating func add(_ part: SnapshotPart, _ bytes: [UInt8]?) { parts.append((part, bytes)) }
}

extension SnapshotMarks {
  /// The marked fields of the form, ascending, without duplicates.
  fileprivate var fields: [Int] {
    var fields: [Int] = []
    var rest = firstFields
    while rest != 0 {
      fields.append(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
    for field in (more?.fields ?? []).sorted() where Int(field) != fields.last { fields.append(Int(field)) }
    return fields
  }
}

/// Marks for a kept snapshot. A session without one only tests for it at each mark.
extension Engine {
  /// A part of a field that snapshots contain has changed.
  @inline(__always)
  func markForSnapshot(_ field: Int, in instance: Instance) {
    let keepsSnapshot = instance.withSession { $0.keepsSnapshot }
    if _slowPath(keepsSnapshot) { noteInMarks(field, in: instance) }
  }

  /// The value of a field, or whether it follows a formula, is about to change. Snapshots and edits have it.
  @inline(__always)
  func willChange(_ field: Int, in instance: Instance) {
    let isNoted = instance.withSession { !$0.flags.isDisjoint(with: [.hasSnapshot, .keepsEdits]) }
    if _slowPath(isNoted) { noteOldValue(of: field, in: instance) }
  }

  @inline(never)
  private func noteOldValue(of field: Int, in instance: Instance) {
    instance.withSession { session in
      session.madeMarks?.mark(field, in: instance)
      if session.flags.contains(.keepsEdits) { edits(of: session)?.note(field, in: instance) }
    }
  }

  @inline(never)
  private func noteInMarks(_ field: Int, in instance: Instance) {
    instance.withSession { session in session.madeMarks?.mark(field, in: instance) }
  }

  /// A part of a check or a lookup that snapshots contain has changed.
  func markForSnapshot(_ inquirer: Inquirer, in instance: Instance) {
    instance.withSession { session in
      if let marks = session.madeMarks { marks.mark(inquirer, in: instance) }
    }
  }

  /// A part of an action that snapshots contain has changed.
  func markForSnapshot(action: Int, in session: Session) {
    session.madeMarks?.mark(action: action)
  }

  /// A part that exists once in a session has changed.
  func markForSnapshot(_ part: SnapshotPart.SessionPart, in session: Session) {
    session.madeMarks?.mark(part)
  }
}
