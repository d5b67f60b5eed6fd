internal import Forms

/// What a session says of the fields that an action is about.
extension Session {
  /// Whether a field is in a scope.
  func contains(_ field: Int, in scope: ActionScope) -> Bool {
    switch scope {
    case .form: true
    case .none: false
    case .fields(let outmost): outmost.contains { $0 <= field && field < form.fields[$0].end }
    }
  }

  /// The fields of a scope, in the form's order.
  func fields(in scope: ActionScope) -> [Int] {
    switch scope {
    case .form: Array(form.fields.indices)
    case .none: []
    case .fields(let outmost): outmost.flatMap { $0..<form.fields[$0].end }
    }
  }

  /// Whether a check of the scope is under way.
  func isPending(in scope: ActionScope) -> Bool {
    switch scope {
    case .form: pendingCount > 0
    case .none: false
    case .fields(let outmost): outmost.contains { fields[$0].flags.contains(.isPending) }
    }
  }

  /// Whether an action that is enabled by default would be, were it not for checks whose service has failed: a tap asks them again.
  func isStoppedByFailuresAlone(_ action: Int) -> Bool {
    let scope = form.actions[action].scope
    return scope == .form ? flags.contains(.hasOnlyFailures) : hasOnlyFailures(in: scope)
  }

  /// Whether a scope is not valid, and checks whose service has failed are all that keeps it from being so.
  func hasOnlyFailures(in scope: ActionScope) -> Bool {
    guard let extras else { return false }
    let failures = extras.checks.compactMap(\.machine.failure)
    if failures.isEmpty || isPending(in: scope) { return false }
    func isFailure(_ error: FieldError) -> Bool { failures.contains { $0 == error } }
    if scope == .form, formErrors.contains({ blocks($0) }) { return false }
    return !fields(in: scope).contains { fields[$0].errors.contains { blocks($0) && !isFailure($0) } }
  }

  /// Whether an error of the scope blocks.
  func hasBlockingError(in scope: ActionScope) -> Bool {
    switch scope {
    case .none: return false
    case .form:
      if formErrors.contains({ blocks($0) }) { return true }
      // A pending field counts as invalid, too. Such fields do not matter here, only those with an error.
      if invalidCount == 0 { return false }
      if invalidCount > pendingCount { return true }
    case .fields(let outmost):
      if outmost.allSatisfy({ fields[$0].flags.contains(.isValid) }) { return false }
    }
    return fields(in: scope).contains { fields[$0].errors.contains { blocks($0) } }
  }
}
