/// What a kept snapshot has to be told; for a session without one, each is one question.
extension Engine {
  /// Something of a field has changed that a snapshot has.
  @inline(__always)
  func mark(_ field: Int, in instance: Instance, unless fault: Mutation) {
    let isMarked = instance.withSession { $0.marks != nil }
    if _slowPath(isMarked) { tellMarks(field, in: instance, unless: fault) }
  }

  @inline(never)
  private func tellMarks(_ field: Int, in instance: Instance, unless fault: Mutation) {
    if faults.through(fault, true, broken: false) { instance.session.marks?.mark(field, in: instance) }
  }

  /// The same of a check or a lookup.
  func mark(_ asker: Asker, in instance: Instance) {
    instance.withSession { session in
      if let marks = session.marks, faults.through(.forgetAnswerMark, true, broken: false) {
        marks.mark(asker, in: instance)
      }
    }
  }

  /// The same of an action.
  func mark(action: Int, in session: Session) {
    if let marks = session.marks, faults.through(.forgetActionMark, true, broken: false) { marks.mark(action: action) }
  }

  /// The same of what there is once in a session.
  func mark(_ part: SnapshotPart.SessionPart, in session: Session) {
    if let marks = session.marks, faults.through(.forgetSessionMark, true, broken: false) { marks.mark(part) }
  }
}
