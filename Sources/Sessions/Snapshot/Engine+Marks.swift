/// Marks for a kept snapshot. A session without one only tests for it at each mark.
extension Engine {
  /// A part of a field that snapshots contain has changed.
  @inline(__always)
  func mark(_ field: Int, in instance: Instance) {
    let isMarked = instance.withSession { $0.marks != nil }
    if _slowPath(isMarked) { tellMarks(field, in: instance) }
  }

  /// The value of a field, or whether it follows a formula, is about to change. Snapshots and edits have it.
  @inline(__always)
  func willChange(_ field: Int, in instance: Instance) {
    let isNoted = instance.withSession { !$0.flags.isDisjoint(with: [.hasKeptSnapshot, .keepsEdits]) }
    if _slowPath(isNoted) { noteOldValue(of: field, in: instance) }
  }

  @inline(never)
  private func noteOldValue(of field: Int, in instance: Instance) {
    let session = instance.session
    session.marks?.mark(field, in: instance)
    session.extras?.edits?.note(field, in: instance)
  }

  @inline(never)
  private func tellMarks(_ field: Int, in instance: Instance) {
    instance.session.marks?.mark(field, in: instance)
  }

  /// A part of a check or a lookup that snapshots contain has changed.
  func mark(_ inquirer: Inquirer, in instance: Instance) {
    instance.withSession { session in
      if let marks = session.marks { marks.mark(inquirer, in: instance) }
    }
  }

  /// A part of an action that snapshots contain has changed.
  func mark(action: Int, in session: Session) {
    session.marks?.mark(action: action)
  }

  /// A part that exists once in a session has changed.
  func mark(_ part: SnapshotPart.SessionPart, in session: Session) {
    session.marks?.mark(part)
  }
}
