internal import CEL
internal import Forms
internal import JSON

/// Asynchronous checks: what their machines hear, and what becomes of it.
extension Engine {
  /// Starts, stops or keeps a check after a change of the cells that its condition and its request read.
  func computeCheck(_ index: Int, _ instance: Instance) -> FactSet {
    guard !instance.session.flags.contains(.skipsChecks), let steps = stepsOfCheck(index, instance) else {
      return .none
    }
    perform(steps, of: index, in: instance)
    if instance.own?.checks[index].machine.isPending ?? false {
      holdAgain(by: Place(instance.form.checks[index].field, in: instance))
    }
    return .progress
  }

  private func stepsOfCheck(_ index: Int, _ instance: Instance) -> CheckMachine.Steps? {
    let check = instance.form.checks[index]
    guard applies(check, at: index, instance) else { return instance.own?.checks[index].machine.stopped() }
    let own = instance.madeOwn
    var maker = RequestMaker(self, instance)
    let request: EffectRequest
    do throws(RequestFault) {
      request = try maker.request(for: check.run)
    } catch {
      report(error.formula, reason: error.reason, in: instance)
      return own.checks[index].machine.faulted(leaving: self.error(of: check, at: check.fault))
    }
    let question = EffectQuestion(request)
    guard !own.checks[index].machine.isAbout(question) else { return nil }
    let known = own.checks[index].answers.verdict(on: question) ?? sharedVerdict(on: question, of: index, instance)
    return own.checks[index].machine.asked(
      question,
      known: known,
      isDebounced: check.debounce != nil,
      effect: effectID(for: question, of: index, in: instance)
    )
  }

  /// The name of the effect that would answer a question: in a row that of another with the same question, if there is one.
  private func effectID(for question: EffectQuestion, of index: Int, in instance: Instance) -> EffectID {
    let extras = instance.session.madeExtras
    guard instance.template != 0 else { return extras.effects.nextID }
    return extras.checkRuns.id(of: question, check: index) ?? extras.effects.reserve()
  }

  private func applies(_ check: Check, at index: Int, _ instance: Instance) -> Bool {
    let flags = instance.fields[check.field].flags
    if flags.contains(.readsAsAbsent) { return false }
    // A formula's value is not dirty, and no initial value either.
    if check.trustsInitial, flags.isDisjoint(with: [.isDirty, .follows]) { return false }
    let isWanted = instance.own?.checks[index].isWanted ?? false
    guard isWanted || !flags.isDisjoint(with: [.isTouched, .isDirty, .isEdited]) else { return false }
    if hasBlockingSynchronousError(check.field, instance) { return false }
    return check.when.map { isTrue($0, in: instance) } ?? true
  }

  private func perform(_ steps: CheckMachine.Steps, of index: Int, in instance: Instance) {
    let extras = instance.session.madeExtras
    let check = instance.form.checks[index]
    switch steps.ends {
    case .nothing: break
    case .debounce: extras.timers.set(.checkDebounce(row: instance.rowID, check: index), to: nil)
    case .effect(let id):
      if instance.template == 0 { abandon(id, in: instance.session) } else { leave(id, by: instance) }
    }
    switch steps.begins {
    case .nothing: break
    case .debounce:
      extras.timers.set(.checkDebounce(row: instance.rowID, check: index), to: check.debounce.map { now + $0 })
    case .effect(let request):
      guard instance.template != 0, case .running(let question, let id)? = instance.own?.checks[index].machine.state
      else { return launch(request, timeout: check.timeout, owner: .check(index), in: instance.session) }
      extras.checkRuns.join(id, question, check: index, timeout: check.timeout, row: instance.rowID)
      startCheckRuns(in: instance.session)
    }
  }

  /// A row does not want an answer any more. If no other does, the question is given up.
  private func leave(_ id: EffectID, by instance: Instance) {
    let session = instance.session
    guard let run = session.extras?.checkRuns.leave(id, row: instance.rowID) else { return }
    if run.isUnderWay { abandon(id, in: session) }
    startCheckRuns(in: session)
  }

  /// The debounce of a check is over.
  func checkDebounceEnded(_ index: Int, of instance: Instance) {
    guard let question = instance.madeOwn.checks[index].machine.question else { return }
    let effect = effectID(for: question, of: index, in: instance)
    guard let steps = instance.madeOwn.checks[index].machine.debounceEnded(effect: effect) else { return }
    perform(steps, of: index, in: instance)
    changed(.progress, ofCheck: index, in: instance)
  }

  /// The answer to a check's effect came.
  func checkAnswered(_ index: Int, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    let own = instance.madeOwn
    let check = instance.form.checks[index]
    let verdict = verdict(of: check, response, instance)
    guard let question = own.checks[index].machine.answered(verdict, by: effect) else { return }
    let session = instance.session
    if instance.template == 0 {
      session.computedBytes -= own.checks[index].answers.bytes
      own.checks[index].answers.keep(verdict, on: question, countMax: check.cacheCount)
      session.computedBytes += own.checks[index].answers.bytes
    } else if sharedVerdict(on: question, of: index, instance) == nil {
      var answers = session.madeExtras.answersOfRows[index] ?? CheckAnswers()
      session.computedBytes -= answers.bytes
      answers.keep(verdict, on: question, countMax: check.cacheCount)
      session.computedBytes += answers.bytes
      session.madeExtras.answersOfRows[index] = answers
    }
    changed(.progress, ofCheck: index, in: instance)
  }

  /// What is known from another row, or from the same one earlier.
  private func sharedVerdict(
    on question: EffectQuestion,
    of index: Int,
    _ instance: Instance
  ) -> CheckMachine.Verdict? {
    instance.template == 0 ? nil : instance.session.extras?.answersOfRows[index]?.kept(on: question)
  }

  /// The checks of those fields run from now on, though nobody has touched the fields: a tap is about them.
  func startChecks(in scope: ActionScope, of session: Session) {
    let scope = faults.through(.skipChecks, scope, broken: .none)
    session.forEachInstance { instance in
      for index in instance.ownChecks {
        let place = Place(instance.form.checks[index].field, in: instance)
        guard session.contains(place, in: scope), !instance.madeOwn.checks[index].isWanted else { continue }
        instance.madeOwn.checks[index].isWanted = true
        changed(.isWanted, ofCheck: index, in: instance)
      }
    }
  }

  /// Checks of those fields whose service failed are tried again.
  func retryFailedChecks(in scope: ActionScope, of session: Session) {
    session.forEachInstance { instance in
      for index in instance.ownChecks
      where session.contains(Place(instance.form.checks[index].field, in: instance), in: scope) {
        retryIfFailed(index, in: instance)
      }
    }
  }

  private func retryIfFailed(_ index: Int, in instance: Instance) {
    guard let own = instance.own, case .settled(let question, .failed) = own.checks[index].machine.state,
      let steps = own.checks[index].machine.retried(effect: effectID(for: question, of: index, in: instance))
    else { return }
    perform(steps, of: index, in: instance)
    changed(.progress, ofCheck: index, in: instance)
  }

  /// The user has left those fields: their checks whose service failed are tried again, if they still have the same question.
  func askAgain(_ places: [Place]) {
    guard let session = places.first?.instance.session else { return }
    var hasFailed = session.own?.checks.failures.isEmpty == false
    if session.form.hasRows {
      session.forEachInstance { if $0.own?.checks.failures.isEmpty == false { hasFailed = true } }
    }
    guard hasFailed else { return }
    propagate(session)
    for place in places {
      place.instance.forEachPlace(from: place.field) { inner in
        for check in inner.instance.form.fields[inner.field].checks { retryIfFailed(check, in: inner.instance) }
      }
    }
  }

  /// Nothing of a check is under way any more, and nothing of it is kept.
  func stopCheck(_ index: Int, of instance: Instance) {
    guard let own = instance.own else { return }
    if let steps = own.checks[index].machine.stopped() { perform(steps, of: index, in: instance) }
    instance.session.computedBytes -= own.checks[index].answers.bytes
    own.checks[index] = CheckState()
  }

  /// The error that stands while a check has no answer, if any.
  private func error(of check: Check, at address: ErrorAddress) -> FieldError? {
    check.onFailure == .ignore ? nil : .prepared(PreparedErrorReference(address))
  }

  /// What a check says when its service has failed, or when one of its own formulas went wrong.
  func failure(of check: Check, isFault: Bool = false) -> CheckMachine.Verdict {
    .failed(error(of: check, at: isFault ? check.fault : check.failure))
  }

  private func verdict(of check: Check, _ response: EffectResponse, _ instance: Instance) -> CheckMachine.Verdict {
    guard response.kind == .ok else {
      onOutcome?(OutcomeTaken(.check(check.id), nil))
      return failure(of: check)
    }
    let scope = OutcomeScope(response: response, previous: nil, instance: instance)
    for (position, outcome) in check.outcomes.enumerated() {
      if let when = outcome.when {
        let value = scope.evaluate(when, by: self)
        if value.isError { return failure(of: check, isFault: true) }
        guard case .bool(true) = value else { continue }
      }
      onOutcome?(OutcomeTaken(.check(check.id), position))
      if outcome.isValid { return .valid }
      if let formula = outcome.messageFormula, case .string(let text) = scope.evaluate(formula, by: self) {
        return .invalid(detailed(outcome.error, message: text, in: instance))
      }
      return .invalid(.prepared(PreparedErrorReference(outcome.error)))
    }
    // The answer fits no outcome, so the service has failed.
    onOutcome?(OutcomeTaken(.check(check.id), nil))
    return failure(of: check)
  }
}
