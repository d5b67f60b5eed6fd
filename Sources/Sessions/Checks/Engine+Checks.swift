internal import CEL
package import Forms
internal import JSON

/// Asynchronous checks: the inputs of their machines, and the effects of these inputs.
extension Engine {
  /// Starts, stops or keeps a check after a change of the values that its condition and its request read.
  func computeCheck(_ check: Int, _ instance: Instance) -> FactSet {
    guard !instance.session.flags.contains(.skipsChecks),
      instance.session.checks(LiveField(instance.form.checks[check].field, in: instance))
    else { return .none }
    let facts = decide(check, instance)
    if facts != .none, instance.instanceExtras?.checks[check].machine.isPending ?? false {
      holdAgain(by: LiveField(instance.form.checks[check].field, in: instance))
    }
    return facts
  }

  /// Tells a check whether it applies, and which inquiry it has.
  private func decide(_ number: Int, _ instance: Instance) -> FactSet {
    let check = instance.form.checks[number]
    let isDue = check.ask == .change || takeDue(number, instance)
    guard applies(check, number: number, instance) else {
      return instance.instanceExtras == nil ? .none : tell(number, instance) { $0.stopped() }
    }
    let instanceExtras = instance.madeInstanceExtras
    var maker = RequestMaker(self, instance)
    let request: EffectRequest
    do throws(RequestError) {
      request = try maker.request(for: check.request)
    } catch {
      report(error.formula, reason: error.reason, in: instance)
      return tell(number, instance) { $0.faulted(CheckAnswer(verdict: failure(of: check, isFault: true))) }
    }
    let inquiry = Inquiry(request)
    guard !instanceExtras.checks[number].machine.isAbout(inquiry) else { return .none }
    // The result is found in any case, because it may read values of this instance.
    let known =
      instanceExtras.checks[number].machine.restoredAnswer(to: inquiry)
      ?? cachedAnswer(to: inquiry, by: .check(number), in: instance.session).map { answer(of: check, $0, instance) }
    // The answer to an older inquiry does not count. The next moment to ask comes when the user leaves a field or taps.
    if known == nil, !isDue { return tell(number, instance) { $0.stopped() } }
    let effect = effectID(for: inquiry, by: .check(number), in: instance)
    let isDebounced = waitsForComposition(.check(number), in: instance) || check.debounce != nil
    return tell(number, instance) { $0.asked(inquiry, known: known, isDebounced: isDebounced, effect: effect) }
  }

  /// Whether the moment of a check has come.
  private func takeDue(_ check: Int, _ instance: Instance) -> Bool {
    guard let instanceExtras = instance.instanceExtras, instanceExtras.checks[check].isDue else { return false }
    instanceExtras.checks[check].isDue = false
    return true
  }

  /// Tells a check what has happened, carries out its requests, and stores its new state.
  ///
  /// - Returns: the facts about it that differ from before, or none if nothing has happened.
  private func tell(
    _ check: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<CheckAnswer>) -> InquirySteps?
  ) -> FactSet {
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.checks[check].result
    guard let steps = event(&instanceExtras.checks[check].machine) else { return .none }
    markForSnapshot(.check(check), in: instance)
    perform(steps, for: .check(check), in: instance)
    return .progress | storeResult(of: check, over: before, in: instance)
  }

  /// Stores the value that formulas read of a check's answer.
  private func storeResult(of check: Int, over before: JSON?, in instance: Instance) -> FactSet {
    let result = instance.instanceExtras?.checks[check].result
    if result.isIdentical(to: before) { return .none }
    instance.session.computedBytes += result.bytes - before.bytes
    let slot = instance.form.slots.offset(instance.form.slots.checkResult[check])
    if slot >= 0 { _ = store(result.map(Value.init) ?? .null, in: slot, of: instance) }
    return .checkResult
  }

  private func applies(_ check: Check, number: Int, _ instance: Instance) -> Bool {
    let flags = instance.fields[check.field].flags
    if flags.contains(.readsAsAbsent) || instance.isIgnored { return false }
    if check.trustsInitial, instance.hasInitialValue(check.field) { return false }
    let isWanted = instance.instanceExtras?.checks[number].isWanted ?? false
    guard isWanted || !flags.isDisjoint(with: [.isTouched, .isDirty, .isEdited]) else { return false }
    if hasBlockingSynchronousError(check.field, instance) { return false }
    return check.when.map { isTrue($0, in: instance) } ?? true
  }

  /// Goes on with the inquiry that a check has, under the name of the effect that would answer it.
  func goOn(
    withCheck check: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<CheckAnswer>, EffectID) -> InquirySteps?
  ) {
    guard let inquiry = instance.instanceExtras?.checks[check].machine.inquiry else { return }
    let effect = effectID(for: inquiry, by: .check(check), in: instance)
    changed(tell(check, instance) { event(&$0, effect) }, ofCheck: check, in: instance)
  }

  /// The answer to a check's effect came.
  func checkAnswered(_ check: Int, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    let answer = answer(of: instance.form.checks[check], response, instance)
    let facts = tell(check, instance) { $0.answered(answer, by: effect) }
    cache(
      response,
      toInquiryOf: instance.instanceExtras?.checks[check].machine,
      by: .check(check),
      in: instance.session
    )
    changed(facts, ofCheck: check, in: instance)
  }

  /// The checks of those fields run from now on, because a tap depends on them. They run even if the fields are
  /// untouched.
  func startChecks(in scope: ActionScope, of session: Session) {
    session.forEachInstance { instance in
      for check in instance.ownChecks {
        let live = LiveField(instance.form.checks[check].field, in: instance)
        guard session.contains(live, in: scope) else { continue }
        let isDue = isNotAsked(check, in: instance)
        guard isDue || !instance.madeInstanceExtras.checks[check].isWanted else { continue }
        instance.madeInstanceExtras.checks[check].isWanted = true
        instance.madeInstanceExtras.checks[check].isDue = isDue
        markForSnapshot(.check(check), in: instance)
        changed(.isWanted, ofCheck: check, in: instance)
      }
    }
  }

  /// Whether a check that does not ask at every change has not asked about the values as they are.
  ///
  /// - Precondition: nothing is stale.
  private func isNotAsked(_ check: Int, in instance: Instance) -> Bool {
    instance.form.checks[check].ask != .change && instance.instanceExtras?.checks[check].machine.inquiry == nil
  }

  /// The user has left a field: the checks that wait for this moment ask, except checks of fields with a user in them.
  private func askWhatWaitsForLeaving(in session: Session) {
    session.forEachInstance { instance in
      for check in instance.ownChecks where session.form.checks[check].ask == .leave {
        guard isNotAsked(check, in: instance),
          !instance.fields[session.form.checks[check].field].flags.contains(.isFocused)
        else { continue }
        instance.madeInstanceExtras.checks[check].isDue = true
        changed(.isWanted, ofCheck: check, in: instance)
      }
    }
    propagate(session)
  }

  /// Checks of those fields run again if their service failed.
  func retryFailedChecks(in scope: ActionScope, of session: Session) {
    session.forEachInstance { instance in
      for check in instance.ownChecks
      where session.contains(LiveField(instance.form.checks[check].field, in: instance), in: scope) {
        retryIfFailed(check, in: instance)
      }
    }
  }

  private func retryIfFailed(_ check: Int, in instance: Instance) {
    guard instance.instanceExtras?.checks[check].machine.hasFailed ?? false,
      !waitsForComposition(.check(check), in: instance)
    else { return }
    goOn(withCheck: check, instance) { $0.askedAgain(effect: $1) }
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

  private func fieldLeft(ofCheck check: Int, _ instance: Instance) {
    guard let machine = instance.instanceExtras?.checks[check].machine else { return }
    if machine.wait == .debounce {
      instance.session.extras?.timers.set(.debounce(row: instance.rowID, of: .check(check)), to: nil)
      debounceEnded(of: .check(check), in: instance)
    } else if instance.form.checks[check].ask != .tap {
      retryIfFailed(check, in: instance)
    }
  }

  /// Stops everything of a check that is under way, and discards its state.
  func stopCheck(_ check: Int, of instance: Instance) {
    guard instance.instanceExtras != nil else { return }
    _ = tell(check, instance) { $0.stopped() }
    forgetCheck(check, of: instance)
  }

  /// Puts a check back to its beginning. The caller ends the effects that are under way.
  func forgetCheck(_ check: Int, of instance: Instance) {
    guard let instanceExtras = instance.instanceExtras else { return }
    let before = instanceExtras.checks[check].result
    instanceExtras.checks[check] = CheckState()
    markForSnapshot(.check(check), in: instance)
    changed(storeResult(of: check, over: before, in: instance), ofCheck: check, in: instance)
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

  /// False if the session was limited to the checks of other fields.
  fileprivate func checks(_ live: LiveField) -> Bool {
    guard let checked = extras?.checked else { return true }
    return live.outwards.contains {
      checked.contains(ResolvedAddress(row: $0.instance.rowID, field: $0.field, rest: []))
    }
  }
}
