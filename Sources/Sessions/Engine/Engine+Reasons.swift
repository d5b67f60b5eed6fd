internal import CEL
internal import DocumentProperties
internal import Forms

/// The reasons why fields and actions are not enabled: texts of formulas.
extension Engine {
  /// The result of a formula that gives true or false, or a text: then it is not true for this reason. An empty text is
  /// no reason.
  func isTrueOrReason(_ formula: Formula, in instance: Instance) -> (isTrue: Bool, reason: String?) {
    switch condition(formula, in: instance) {
    case .yes: return (true, nil)
    case .no, .absent: return (false, nil)
    case .noTruth(.string(let text)): return (false, text.isEmpty ? nil : text)
    case .noTruth(let value):
      report(formula, value, in: instance)
      return (false, nil)
    }
  }

  /// Changes the reason of a field. Returns whether it differs from before.
  func set(reason: String?, of field: Int, in instance: Instance) -> Bool {
    let before = instance.reason(of: field)
    if reason == before { return false }
    note(.reason, of: field, before.map { .text($0) } ?? .absent, in: instance)
    instance.madeInstanceExtras.reasons[field] = reason
    let difference = reason.bytesOfReason - before.bytesOfReason
    instance.withSession { $0.computedBytes &+= difference }
    return true
  }

  /// Changes the reason for which an action is not enabled.
  func set(reason: String?, ofAction action: Int, in session: Session) {
    let before = session.reason(ofAction: action)
    if reason == before { return }
    note(session.tables.cell(action: action, .reason), before.map { .text($0) } ?? .absent)
    session.madeExtras.reasons[action] = reason
    session.computedBytes &+= reason.bytesOfReason - before.bytesOfReason
  }
}

extension Instance {
  /// Why a field is not enabled.
  func reason(of field: Int) -> String? { instanceExtras?.reasons[field] }
}

extension Session {
  /// Why an action is not enabled.
  func reason(ofAction action: Int) -> String? { extras?.reasons[action] }
}

extension String? {
  /// The share of a reason in ``Session/computedBytes``.
  var bytesOfReason: Int { map { 64 + $0.utf8.count } ?? 0 }
}
