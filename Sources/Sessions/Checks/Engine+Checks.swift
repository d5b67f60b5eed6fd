internal import CEL
internal import Forms
internal import JSON

/// Asynchronous checks: what their machines hear, and what becomes of it.
extension Engine {
  /// Starts, stops or keeps a check after a change of the cells that its condition and its request read.
  func computeCheck(_ index: Int, _ session: Session) -> FactSet {
    guard !session.flags.contains(.skipsChecks), let steps = stepsOfCheck(index, session) else { return .none }
    perform(steps, of: index, in: session)
    if session.extras?.checks[index].machine.isPending ?? false {
      holdAgain(by: session.form.checks[index].field, in: session)
    }
    return .progress
  }

  private func stepsOfCheck(_ index: Int, _ session: Session) -> CheckMachine.Steps? {
    let check = session.form.checks[index]
    guard applies(check, at: index, session) else { return session.extras?.checks[index].machine.stopped() }
    let extras = session.madeExtras
    guard let request = RequestMaker(self, session).request(for: check.run) else {
      return extras.checks[index].machine.faulted(leaving: failureError(of: check))
    }
    let question = CheckMachine.Question(request)
    guard !extras.checks[index].machine.isAbout(question) else { return nil }
    let known = extras.checks[index].answers.verdict(on: question)
    return extras.checks[index].machine.asked(
      question,
      known: known,
      isDebounced: check.debounce != nil,
      effect: extras.effects.nextID
    )
  }

  private func applies(_ check: Check, at index: Int, _ session: Session) -> Bool {
    let flags = session.fields[check.field].flags
    if flags.contains(.readsAsAbsent) || check.trustsInitial && !flags.contains(.isDirty) { return false }
    let isWanted = session.extras?.checks[index].isWanted ?? false
    guard isWanted || !flags.isDisjoint(with: [.isTouched, .isDirty, .isEdited]) else { return false }
    if hasBlockingSynchronousError(check.field, session) { return false }
    return check.when.map { isTrue($0, in: session) } ?? true
  }

  private func perform(_ steps: CheckMachine.Steps, of index: Int, in session: Session) {
    let extras = session.madeExtras
    let check = session.form.checks[index]
    switch steps.ends {
    case .nothing: break
    case .debounce: extras.timers.set(.checkDebounce(index), to: nil)
    case .effect(let id): abandon(id, in: session)
    }
    switch steps.begins {
    case .nothing: break
    case .debounce: extras.timers.set(.checkDebounce(index), to: check.debounce.map { now + $0 })
    case .effect(let request): launch(request, timeout: check.timeout, owner: .check(index), in: session)
    }
  }

  /// The debounce of a check is over.
  func checkDebounceEnded(_ index: Int, of session: Session) {
    let extras = session.madeExtras
    guard let steps = extras.checks[index].machine.debounceEnded(effect: extras.effects.nextID) else { return }
    perform(steps, of: index, in: session)
    changed(.progress, ofCheck: index, in: session)
  }

  /// The answer to a check's effect came.
  func checkAnswered(_ index: Int, by effect: EffectID, _ response: EffectResponse, in session: Session) {
    let extras = session.madeExtras
    let check = session.form.checks[index]
    let verdict = verdict(of: check, response, session)
    guard let question = extras.checks[index].machine.answered(verdict, by: effect) else { return }
    session.computedBytes -= extras.checks[index].answers.bytes
    extras.checks[index].answers.keep(verdict, on: question, countMax: check.cacheCount)
    session.computedBytes += extras.checks[index].answers.bytes
    changed(.progress, ofCheck: index, in: session)
  }

  /// The checks of those fields run from now on, though nobody has touched the fields: a tap is about them.
  func startChecks(in scope: ActionScope, of session: Session) {
    let scope = faults.through(.skipChecks, scope, broken: .none)
    let extras = session.madeExtras
    for (index, check) in session.form.checks.enumerated()
    where !extras.checks[index].isWanted && session.contains(check.field, in: scope) {
      extras.checks[index].isWanted = true
      changed(.isWanted, ofCheck: index, in: session)
    }
  }

  /// Checks of those fields whose service failed are tried again.
  func retryFailedChecks(in scope: ActionScope, of session: Session) {
    guard let extras = session.extras else { return }
    for index in extras.checks.indices where session.contains(session.form.checks[index].field, in: scope) {
      guard let steps = extras.checks[index].machine.retried(effect: extras.effects.nextID) else { continue }
      perform(steps, of: index, in: session)
      changed(.progress, ofCheck: index, in: session)
    }
  }

  /// The user has left those fields: their checks whose service failed are tried again, if they still have the same question.
  func askAgain(_ fields: [Int], in session: Session) {
    guard let extras = session.extras, extras.checks.contains(where: { $0.machine.failure != nil }) else { return }
    propagate(session)
    retryFailedChecks(in: .fields(fields.filter { $0 >= 0 }), of: session)
  }

  /// The error that stands while the service of a check fails, if any.
  private func failureError(of check: Check) -> FieldError? {
    check.onFailure == .ignore ? nil : .prepared(PreparedErrorReference(check.failure))
  }

  /// What a check says when its service has failed.
  func failure(of check: Check) -> CheckMachine.Verdict { .failed(failureError(of: check)) }

  private func verdict(of check: Check, _ response: EffectResponse, _ session: Session) -> CheckMachine.Verdict {
    guard response.kind == .ok else { return failure(of: check) }
    let scope = OutcomeScope(response: response, previous: nil, session: session)
    for outcome in check.outcomes {
      if let when = outcome.when {
        guard case .bool(true) = scope.evaluate(when, by: self) else { continue }
      }
      if outcome.isValid { return .valid }
      if let formula = outcome.messageFormula, case .string(let text) = scope.evaluate(formula, by: self) {
        return .invalid(detailed(outcome.error, message: text, in: session))
      }
      return .invalid(.prepared(PreparedErrorReference(outcome.error)))
    }
    // The answer fits no outcome, so the service has failed.
    return failure(of: check)
  }
}
