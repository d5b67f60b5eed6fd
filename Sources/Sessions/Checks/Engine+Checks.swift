internal import CEL
package import Forms
internal import JSON

/// Asynchronous checks: the inputs of their machines, and the effects of these inputs.
extension Engine {
  /// Starts, stops or keeps a check after a change of the cells that its condition and its request read.
  func computeCheck(_ index: Int, _ instance: Instance) -> FactSet {
    guard !instance.session.flags.contains(.skipsChecks),
      instance.session.checks(LiveField(instance.form.checks[index].field, in: instance))
    else { return .none }
    let facts = decide(index, instance)
    if facts != .none, instance.instanceExtras?.checks[index].machine.isPending ?? false {
      holdAgain(by: LiveField(instance.form.checks[index].field, in: instance))
    }
    return facts
  }

  /// Tells a check whether it applies, and which inquiry it has.
  private func decide(_ index: Int, _ instance: Instance) -> FactSet {
    let check = instance.form.checks[index]
    let isDue = check.ask == .change || takeDue(index, instance)
    guard applies(check, at: index, instance) else {
      return instance.instanceExtras == nil ? .none : tell(index, instance) { $0.stopped() }
    }
    let instanceExtras = instance.madeInstanceExtras
    var maker = RequestMaker(self, instance)
    let request: EffectRequest
    do throws(RequestError) {
      request = try maker.request(for: check.request)
    } catch {
      report(error.formula, reason: error.reason, in: instance)
      return tell(index, instance) { $0.faulted(CheckAnswer(verdict: failure(of: check, isFault: true))) }
    }
    let inquiry = Inquiry(request)
    guard !instanceExtras.checks[index].machine.isAbout(inquiry) else { return .none }
    // The result is found in any case, because it may read cells of this instance.
    let known =
      instanceExtras.checks[index].machine.restoredAnswer(to: inquiry)
      ?? cachedAnswer(to: inquiry, by: .check(index), in: instance.session).map { answer(of: check, $0, instance) }
    // The answer to an older inquiry does not count. The next moment to ask comes when the user leaves a field or taps.
    if known == nil, !isDue { return tell(index, instance) { $0.stopped() } }
    let effect = effectID(for: inquiry, by: .check(index), in: instance)
    let isDebounced = waitsForComposition(.check(index), in: instance) || check.debounce != nil
    return tell(index, instance) { $0.asked(inquiry, known: known, isDebounced: isDebounced, effect: effect) }
  }

  /// Whether the moment of a check has come.
  private func takeDue(_ index: Int, _ instance: Instance) -> Bool {
    guard let instanceExtras = instance.instanceExtras, instanceExtras.checks[index].isDue else { return false }
    instanceExtras.checks[index].isDue = false
    return true
  }

  /// Tells a check what has happened, carries out its requests, and stores its new state.
  ///
  /// - Returns: the facts about it that differ from before, or none if nothing has happened.
  private func tell(
    _ index: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<CheckAnswer>) -> InquirySteps?
  ) -> FactSet {
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.checks[index].result
    guard let steps = event(&instanceExtras.checks[index].machine) else { return .none }
    markForSnapshot(.check(index), in: instance)
    perform(steps, for: .check(index), in: instance)
    return .progress | storeResult(of: index, over: before, in: instance)
  }

  /// Stores the value that formulas read of a check's answer.
  private func storeResult(of index: Int, over before: JSON?, in instance: Instance) -> FactSet {
    let result = instance.instanceExtras?.checks[index].result
    if result.isIdentical(to: before) { return .none }
    instance.session.computedBytes += result.bytes - before.bytes
    let slot = instance.form.slots.offset(instance.form.slots.checkResult[index])
    if slot >= 0 { _ = store(result.map(Value.init) ?? .null, in: slot, of: instance) }
    return .checkResult
  }

  private func applies(_ check: Check, at index: Int, _ instance: Instance) -> Bool {
    let flags = instance.fields[check.field].flags
    if flags.contains(.readsAsAbsent) || instance.isIgnored { return false }
    if check.trustsInitial, instance.hasInitialValue(check.field) { return false }
    let isWanted = instance.instanceExtras?.checks[index].isWanted ?? false
    guard isWanted || !flags.isDisjoint(with: [.isTouched, .isDirty, .isEdited]) else { return false }
    if hasBlockingSynchronousError(check.field, instance) { return false }
    return check.when.map { isTrue($0, in: instance) } ?? true
  }

  /// Goes on with the inquiry that a check has, under the name of the effect that would answer it.
  func goOn(
    withCheck index: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<CheckAnswer>, EffectID) -> InquirySteps?
  ) {
    guard let inquiry = instance.instanceExtras?.checks[index].machine.inquiry else { return }
    let effect = effectID(for: inquiry, by: .check(index), in: instance)
    changed(tell(index, instance) { event(&$0, effect) }, ofCheck: index, in: instance)
  }

  /// The answer to a check's effect came.
  func checkAnswered(_ index: Int, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    let answer = answer(of: instance.form.checks[index], response, instance)
    let facts = tell(index, instance) { $0.answered(answer, by: effect) }
    cache(
      response,
      toInquiryOf: instance.instanceExtras?.checks[index].machine,
      by: .check(index),
      in: instance.session
    )
    changed(facts, ofCheck: index, in: instance)
  }

  /// The checks of those fields run from now on, because a tap depends on them. They run even if the fields are
  /// untouched.
  func startChecks(in scope: ActionScope, of session: Session) {
    session.forEachInstance { instance in
      for index in instance.ownChecks {
        let live = LiveField(instance.form.checks[index].field, in: instance)
        guard session.contains(live, in: scope) else { continue }
        let isDue = isNotAsked(index, in: instance)
        guard isDue || !instance.madeInstanceExtras.checks[index].isWanted else { continue }
        instance.madeInstanceExtras.checks[index].isWanted = true
        instance.madeInstanceExtras.checks[index].isDue = isDue
        markForSnapshot(.check(index), in: instance)
        changed(.isWanted, ofCheck: index, in: instance)
      }
    }
  }

  /// Whether a check that does not ask at every change has not asked about the values as they are.
  ///
  /// - Precondition: nothing is stale.
  private func isNotAsked(_ index: Int, in instance: Instance) -> Bool {
    instance.form.checks[index].ask != .change && instance.instanceExtras?.checks[index].machine.inquiry == nil
  }

  /// The user has left a field: the checks that wait for this moment ask, except checks of fields with a user in them.
  private func askWhatWaitsForLeaving(in session: Session) {
    session.forEachInstance { instance in
      for index in instance.ownChecks where session.form.checks[index].ask == .leave {
        guard isNotAsked(index, in: instance),
          !instance.fields[session.form.checks[index].field].flags.contains(.isFocused)
        else { continue }
        instance.madeInstanceExtras.checks[index].isDue = true
        changed(.isWanted, ofCheck: index, in: instance)
      }
    }
    propagate(session)
  }

  /// Checks of those fields run again if their service failed.
  func retryFailedChecks(in scope: ActionScope, of session: Session) {
    session.forEachInstance { instance in
      for index in instance.ownChecks
      where session.contains(LiveField(instance.form.checks[index].field, in: instance), in: scope) {
        retryIfFailed(index, in: instance)
      }
    }
  }

  private func retryIfFailed(_ index: Int, in instance: Instance) {
    guard instance.instanceExtras?.checks[index].machine.hasFailed ?? false,
      !waitsForComposition(.check(index), in: instance)
    else { return }
    goOn(withCheck: index, instance) { $0.askedAgain(effect: $1) }
  }

  /// The user has left those fields. Their checks end their debounce. Those whose service failed are tried again, if
  /// their inquiry is unchanged. Checks that ask when the user leaves a field ask.
  func fieldsLeft(_ fields: [LiveField]) {
    guard let session = fields.first?.instance.session, !session.form.checks.isEmpty else { return }
    propagate(session)
    if let extras = session.extras, extras.compositions.areAny { askAfterCompositions(in: session, extras) }
    if session.form.checks.contains(where: { $0.ask == .leave }) { askWhatWaitsForLeaving(in: session) }
    for live in fields {
      live.instance.forEachField(from: live.field) { inner in
        for check in inner.instance.form.fields[inner.field].checks { fieldLeft(ofCheck: check, inner.instance) }
      }
    }
  }

  /// The user has left the field of a check.
  private func fieldLeft(ofCheck index: Int, _ instance: Instance) {
    guard let machine = instance.instanceExtras?.checks[index].machine else { return }
    if machine.wait == .debounce {
      instance.session.extras?.timers.set(.debounce(row: instance.rowID, of: .check(index)), to: nil)
      debounceEnded(of: .check(index), in: instance)
    } else if instance.form.checks[index].ask != .tap {
      retryIfFailed(index, in: instance)
    }
  }

  /// Stops everything of a check that is under way, and discards its state.
  func stopCheck(_ index: Int, of instance: Instance) {
    guard instance.instanceExtras != nil else { return }
    _ = tell(index, instance) { $0.stopped() }
    forgetCheck(index, of: instance)
  }

  /// Puts a check back to its beginning. The caller ends the effects that are under way.
  func forgetCheck(_ index: Int, of instance: Instance) {
    guard let instanceExtras = instance.instanceExtras else { return }
    let before = instanceExtras.checks[index].result
    instanceExtras.checks[index] = CheckState()
    markForSnapshot(.check(index), in: instance)
    changed(storeResult(of: index, over: before, in: instance), ofCheck: index, in: instance)
  }

  /// The verdict of a check when its service has failed, or when one of its own formulas went wrong.
  func failure(of check: Check, isFault: Bool = false) -> CheckAnswer.Verdict {
    .failed(check.onFailure == .ignore ? nil : .prepared(PreparedErrorReference(isFault ? check.fault : check.failure)))
  }

  private func answer(of check: Check, _ response: EffectResponse, _ instance: Instance) -> CheckAnswer {
    guard response.kind == .ok else {
      onOutcome?(OutcomeTaken(.check(check.id), nil))
      return CheckAnswer(verdict: failure(of: check))
    }
    let scope = OutcomeScope(response: response, previous: nil, instance: instance)
    var answer = CheckAnswer(verdict: verdict(of: check, in: scope, instance))
    // The response of a service that has failed is not an answer to the inquiry.
    guard answer.isGiven, let formula = check.result else { return answer }
    answer.result = scope.evaluate(formula, by: self).json?.withoutNullMembers
    if answer.result?.isNull ?? false { answer.result = nil }
    return answer
  }

  private func verdict(of check: Check, in scope: OutcomeScope, _ instance: Instance) -> CheckAnswer.Verdict {
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

extension Session {
  /// From now on, only the checks of those fields run, and of the fields inside them: a validation asks about a part.
  package func limitChecks(to targets: [ResolvedAddress]) {
    madeExtras.checked = Set(targets.map { ResolvedAddress(row: $0.row, field: $0.field, rest: []) })
  }

  /// Whether the checks of a field run.
  fileprivate func checks(_ live: LiveField) -> Bool {
    guard let checked = extras?.checked else { return true }
    return live.outwards.contains {
      checked.contains(ResolvedAddress(row: $0.instance.rowID, field: $0.field, rest: []))
    }
  }
}
