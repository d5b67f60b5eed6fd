internal import DocumentProperties
internal import Forms
internal import JSON

/// Whether the actions are enabled.
extension Engine {
  func computeAction(_ action: Int, _ session: Session) -> FactSet {
    let entry = session.tables.pointee.actions.at(action)
    var isEnabled =
      if let formula = entry.pointee.enabled {
        formula.with {
          _slowPath($0.isOpen) ? isTrueOrNotesReason($0, enabling: action, session) : isTrue($0, in: session)
        }
      } else {
        session.flags.contains(.isValid)
      }
    if !isEnabled, entry.pointee.isEnabledDespiteFailures { isEnabled = session.isStoppedByFailuresAlone(action) }
    set(.isEnabled, ofAction: action, to: isEnabled, in: session)
    return .none
  }

  /// Whether a formula that may give a reason enables an action.
  @inline(never)
  private func isTrueOrNotesReason(_ formula: Formula, enabling action: Int, _ session: Session) -> Bool {
    let (isTrue, reason) = isTrueOrReason(formula, in: session)
    set(reason: reason, ofAction: action, in: session)
    return isTrue
  }
}
