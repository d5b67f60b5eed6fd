internal import Budgets
internal import DocumentProperties
internal import Forms
internal import JSON
internal import Times

/// The course of a turn: it begins, computes until nothing is left to do, and ends with its results.
extension Engine {
  @inline(__always)
  func begin(_ session: Session, by sender: Sender? = nil, at now: Instant) {
    self.now = now
    self.sender = sender
    budget.refill(units: Self.turnBudget)
    counters = WorkCounters()
    let tables = session.tables
    staleNodes.reserve(Int(tables.pointee.nodeCount))
    if _slowPath(tables.pointee.hasRows) {
      rowWork.reserve(nodes: Int(tables.pointee.nodeCount), outputs: session.form.outputs.count)
    }
    noteStamp &+= 1
    let cellCount = Int(tables.pointee.cellCount)
    if _slowPath(noteStamp == 0 || notedCellCount < cellCount) { forgetNotes(cellCount) }
    changeList.removeAll()
    mayHaveChangedBack = false
  }

  /// Clears the notes of all cells, and makes room for so many.
  @inline(never)
  private func forgetNotes(_ count: Int) {
    notedCellCount = max(count, notedCellCount)
    notedCells.deallocate()
    notedCells = .allocate(notedCellCount, repeating: 0)
    noteStamp = 1
  }

  /// Fires the timers that are due, although the caller has not applied ``Input/timer`` yet. Otherwise a later input
  /// would still see a throttle window, or a run, that has already ended.
  @inline(__always)
  func fireDueTimers(of session: Session) {
    guard let extras = session.extras else { return }
    while let deadline = extras.timers.deadline, deadline <= now {
      fireTimer(of: session)
      settle(session)
    }
  }

  /// Computes the stale nodes and releases the taps that waited for them, until nothing is left to do.
  func settle(_ session: Session) {
    propagate(session)
    guard let extras = session.extras else { return }
    if extras.compositions.areAny { askAfterCompositions(in: session, extras) }
    var rounds = 0
    while releaseHeldTap(of: session, extras), rounds < Self.roundsMax {
      propagate(session)
      rounds += 1
    }
  }

  /// Makes the turn of everything that was computed, after ``settle(_:)``. Clients get no update of changes that the
  /// session does not watch, but these changes count as a revision.
  @inline(__always)
  func finish(_ session: Session) -> Turn {
    if _slowPath(!session.flags.isDisjoint(with: [.hasFaults, .keepsEdits, .isResetting])) { settleRest(session) }
    if _slowPath(session.tables.pointee.hasRows) {
      gatherRowNotes(in: session)
      rowWork.forgetNotes()
    }
    if _slowPath(mayHaveChangedBack) { dropUnchanged(session) }
    let hasMore = details.map { $0.isToBeTold } ?? false
    var hasUpdate = !changeList.isEmpty || hasMore
    if hasUpdate {
      session.revision += 1
      session.madeMarks?.isHeadMarked = true
    }
    if let watched = session.extras?.watched {
      keepWatched(watched)
      hasUpdate = !changeList.isEmpty || hasMore
    }
    changeList.sort()
    return makeTurn(of: session, hasUpdate: hasUpdate)
  }

  /// Leaves out the cells that the session does not watch.
  @inline(never)
  private func keepWatched(_ watched: [Bool]) {
    changeList.removeAll { !watched[$0.cell] }
  }

  @inline(__always)
  func makeTurn(of session: Session, hasUpdate: Bool) -> Turn {
    turnNumber &+= 1
    if _slowPath(session.tables.pointee.hasRows) { rowWork.end() }
    let turn = Turn(revision: session.revision, hasUpdate: hasUpdate, number: turnNumber, details: details)
    if details != nil { details = nil }
    return turn
  }

  /// Removes the cells that have their old value again.
  @inline(never)
  private func dropUnchanged(_ session: Session) {
    changeList.removeAll { change in
      guard !session.dropUnchanged(of: &change) else { return false }
      notedCells[change.cell] = 0
      return true
    }
  }

  /// Notes the value of a cell before the cell changes for the first time in this turn. When the change is not certain,
  /// the cell is compared again at the end of the turn.
  @inline(__always)
  func note(_ cell: Int, _ old: consuming DocumentValue, isCertain: Bool = true) {
    if _slowPath(isOpening) { return }
    if _slowPath(notedCells[cell] == noteStamp) {
      mayHaveChangedBack = true
      return
    }
    notedCells[cell] = noteStamp
    if !isCertain { mayHaveChangedBack = true }
    changeList.insert(cell, was: old)
  }

  /// Notes the value of a field's cell before it changes.
  @inline(__always)
  func note(
    _ property: FieldProperty,
    of field: Int,
    _ old: consuming DocumentValue,
    in instance: Instance
  ) {
    if _slowPath(instance.template != 0) { return noteInRow(property, of: field, old, instance) }
    note(instance.tables.cell(field: field, property), old)
  }

  /// Settles what only few sessions have.
  @inline(never)
  private func settleRest(_ session: Session) {
    // What follows is not given by the client.
    sender = nil
    if session.flags.contains(.keepsEdits) { settleEdits(of: session) }
    if session.flags.contains(.hasFaults) { settleFaults(session) }
    session.flags.remove(.isResetting)
  }

  /// Adds form errors for the formulas that go wrong now.
  @inline(never)
  func settleFaults(_ session: Session) {
    let extras = session.madeExtras
    let before = extras.faultBytes
    let hasChanged = extras.faults.settle()
    if extras.faults.isEmpty { session.flags.remove(.hasFaults) }
    extras.faultBytes = extras.faults.bytes
    session.computedBytes += extras.faultBytes - before
    guard hasChanged else { return }
    formChanged(.formObjectErrors, in: session)
    propagate(session)
  }
}
