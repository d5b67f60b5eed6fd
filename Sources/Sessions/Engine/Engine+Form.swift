internal import DocumentProperties
internal import Forms
internal import JSON

/// The form as a whole.
extension Engine {
  func computeFormErrors(_ session: Session) -> FactSet {
    let form = session.form
    var errors = ErrorList.none
    if let failed = session.instanceExtras?.objectKeywordErrors, !failed.isEmpty {
      for keyword in failed.keys.sorted() {
        for (field, error) in failed[keyword] ?? [] where field == nil { errors.append(error) }
      }
    }
    for rule in form.formRules {
      if let error = error(ofRule: rule, at: nil, session) { errors.append(error) }
    }
    for (_, error) in session.extras?.formServerErrors ?? [] { errors.append(error) }
    if session.flags.contains(.hasFaults) {
      for faulty in session.extras?.faults.all ?? [] where !faulty.formula.isJudgment {
        errors.append(.detailed(ErrorDetail(faultOf: faulty.formula.name, in: session)))
      }
    }
    guard errors != session.formErrors else { return .none }
    note(DocumentLayout.form(.errors), .errors(session.formErrors))
    session.computedBytes += errors.bytes - session.formErrors.bytes
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
}
