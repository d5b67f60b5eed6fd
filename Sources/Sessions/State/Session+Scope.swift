internal import Forms

/// What a session says of the fields that an action is about.
extension Session {
  /// Whether a field is in a scope. Those of a row are where their list is.
  func contains(_ place: Place, in scope: ActionScope) -> Bool {
    switch scope {
    case .form: return true
    case .none: return false
    case .fields(let outmost):
      let field = place.inForm
      return outmost.contains { $0 <= field && field < form.fields[$0].end }
    }
  }

  /// Calls with the fields of a scope, in the form's order, with those of rows.
  func forEachPlace(in scope: ActionScope, _ body: (Place) -> Void) {
    switch scope {
    case .form: forEachPlace(body)
    case .none: break
    case .fields(let outmost): for field in outmost { forEachPlace(from: field, body) }
    }
  }

  private func contains(in scope: ActionScope, _ isWanted: (Place) -> Bool) -> Bool {
    var isFound = false
    forEachPlace(in: scope) { place in if !isFound { isFound = isWanted(place) } }
    return isFound
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
    guard own != nil || form.hasRows else { return false }
    var failures: [FieldError] = []
    forEachInstance { failures += $0.own?.checks.failures ?? [] }
    if failures.isEmpty || isPending(in: scope) { return false }
    func isFailure(_ error: FieldError) -> Bool { failures.contains { $0 == error } }
    if scope == .form, formErrors.contains({ blocks($0) }) { return false }
    return !contains(in: scope) { $0.state.pointee.errors.contains { blocks($0) && !isFailure($0) } }
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
    return contains(in: scope) { $0.state.pointee.errors.contains { blocks($0) } }
  }
}
