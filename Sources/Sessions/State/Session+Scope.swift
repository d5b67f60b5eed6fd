internal import Forms
internal import JSON

/// The state of the fields that an action covers.
extension Session {
  /// Whether a field is in a scope. The fields of a row are in the scope of their list.
  func contains(_ live: LiveField, in scope: ActionScope) -> Bool {
    switch scope {
    case .form: return true
    case .none: return false
    case .fields(let outmost):
      let field = live.inForm
      return outmost.contains { $0 <= field && field < form.fields[$0].end }
    }
  }

  /// Calls with the fields of a scope, in the form's order, including the fields of rows.
  func forEachField(in scope: ActionScope, _ body: (LiveField) -> Void) {
    switch scope {
    case .form: forEachField(body)
    case .none: break
    case .fields(let outmost): for field in outmost { forEachField(from: field, body) }
    }
  }

  /// Calls with the fields of a scope in the order in which the user meets them: step by step, and then the fields that
  /// no step has. The fields of one step are in the form's order.
  func forEachFieldByStep(in scope: ActionScope, _ body: (LiveField) -> Void) {
    if form.steps.isEmpty { return forEachField(in: scope, body) }
    var fields = [[LiveField]](repeating: [], count: form.steps.count + 1)
    forEachField(in: scope) { fields[form.step(ofField: $0.inForm) ?? form.steps.count].append($0) }
    for live in fields.joined() { body(live) }
  }

  private func contains(in scope: ActionScope, _ isWanted: (LiveField) -> Bool) -> Bool {
    var isFound = false
    forEachField(in: scope) { live in if !isFound { isFound = isWanted(live) } }
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

  /// Whether failed services of checks are the only reason why an action that is enabled by default is disabled. A tap
  /// asks these services again.
  func isStoppedByFailuresAlone(_ action: Int) -> Bool {
    let scope = form.actions[action].scope
    return scope == .form ? flags.contains(.hasOnlyFailures) : hasOnlyFailures(in: scope)
  }

  /// Whether a scope is not valid, and failed services of checks are the only reason.
  func hasOnlyFailures(in scope: ActionScope) -> Bool {
    guard instanceExtras != nil || form.hasRows else { return false }
    var failures: [FieldError] = []
    forEachInstance { failures += $0.instanceExtras?.checks.failures ?? [] }
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
      // A pending field counts as invalid, too. Only fields with an error matter here.
      if invalidCount == 0 { return false }
      if invalidCount > pendingCount { return true }
    case .fields(let outmost):
      if outmost.allSatisfy({ fields[$0].flags.contains(.isValid) }) { return false }
    }
    return contains(in: scope) { $0.state.pointee.errors.contains { blocks($0) } }
  }
}
