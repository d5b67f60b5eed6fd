internal import DocumentProperties
internal import Forms
internal import JSON

/// The form as a whole, and whether its actions are enabled.
extension Engine {
  func computeFormErrors(_ session: Session) -> FactSet {
    let form = session.form
    var errors = ErrorList.none
    if let parts = session.own?.partErrors, !parts.isEmpty {
      for part in parts.keys.sorted() {
        for (field, error) in parts[part] ?? [] where field < 0 { errors.append(error) }
      }
    }
    for rule in form.formRules {
      if let error = error(ofRule: rule, at: nil, session) { errors.append(error) }
    }
    for (_, error) in session.extras?.formServerErrors ?? [] { errors.append(error) }
    if session.flags.contains(.hasFaults) {
      for cell in session.extras?.faults.all ?? [] where !cell.formula.isJudgment {
        errors.append(.detailed(ErrorDetail(faultOf: cell.formula.cell, in: session)))
      }
    }
    guard errors != session.formErrors else { return .none }
    note(DocumentLayout.form(.errors), .errors(session.formErrors), in: session)
    session.formErrors = errors
    return FactSet(form: .errors)
  }

  func computeForm(_ session: Session) -> FactSet {
    let isValid =
      session.invalidCount == 0 && session.pendingCount == 0 && !session.formErrors.contains { session.blocks($0) }
    set(.isValid, to: isValid, in: session)
    set(.isPending, to: session.pendingCount > 0, in: session)
    guard session.tables.pointee.hasBlockingFailures,
      session.hasOnlyFailures(in: .form) != session.flags.contains(.hasOnlyFailures)
    else { return .none }
    session.flags.formSymmetricDifference(.hasOnlyFailures)
    return .formHasOnlyFailures
  }

  func computeAction(_ index: Int, _ session: Session) -> FactSet {
    let entry = session.tables.pointee.actions.at(index)
    var isEnabled =
      if let formula = entry.pointee.enabled {
        formula.with {
          _slowPath($0.isOpen) ? truth(of: $0, enabling: index, session) : isTrue($0, in: session)
        }
      } else {
        session.flags.contains(.isValid)
      }
    if !isEnabled, entry.pointee.isEnabledDespiteFailures { isEnabled = session.isStoppedByFailuresAlone(index) }
    set(.isEnabled, ofAction: index, to: isEnabled, in: session)
    return .none
  }

  /// Whether a formula that may give a reason enables an action.
  @inline(never)
  private func truth(of formula: Formula, enabling action: Int, _ session: Session) -> Bool {
    let (isTrue, reason) = truthOrReason(formula, in: session)
    set(reason: reason, ofAction: action, in: session)
    return isTrue
  }
}
