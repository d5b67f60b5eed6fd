internal import CEL
internal import Forms
internal import JSON

/// Asynchronous checks: when they run, and what their answers mean.
///
/// A check goes `idle -> waiting -> running -> settled` (without a debounce it does not wait; a cached answer settles at once)
/// and back to `waiting` or `running` when its resolved request differs, or to `idle` when it no longer applies.
extension Engine {
  /// Starts, stops or keeps a check after a change of the cells that its condition and its request read.
  func computeCheck(_ index: Int, _ session: Session) {
    guard !session.flags.contains(.skipsChecks) else { return }
    let check = session.form.checks[index]
    guard applies(check, at: index, session) else {
      // A check whose arguments had a run-time error has a key, but no request.
      guard let extras = session.extras, extras.checks[index].key != nil else { return }
      stop(index, of: session)
      extras.checks[index].phase = .idle
      extras.checks[index].request = nil
      extras.checks[index].key = nil
      dirty.insert(session.form.graph.fieldNodes[check.field])
      return
    }
    let resolved = resolve(check.run, in: session)
    let key = resolved?.comparable ?? .null
    let extras = session.madeExtras
    if extras.checks[index].request != nil || resolved == nil, extras.checks[index].key == key { return }
    stop(index, of: session)
    extras.checks[index].key = key
    extras.checks[index].request = resolved
    dirty.insert(session.form.graph.fieldNodes[check.field])
    guard resolved != nil else {
      extras.checks[index].phase = .settled(failure(of: check))
      return
    }
    if let restored = extras.checks[index].restored {
      // The verdict from before a restart is good as long as the request is the same.
      extras.checks[index].restored = nil
      if restored.key == key {
        extras.checks[index].phase = .settled(restored.verdict)
        return
      }
    }
    if let known = extras.checks[index].cache.first(where: { $0.key == key }) {
      extras.checks[index].phase = .settled(known.verdict)
    } else if let debounce = check.debounce {
      extras.checks[index].phase = .waiting
      extras.timers.set(.checkDebounce(index), to: now + debounce)
    } else {
      run(index, of: session)
    }
  }

  private func applies(_ check: Check, at index: Int, _ session: Session) -> Bool {
    let flags = session.fields[check.field].flags
    if flags.contains(.readsAsAbsent) || check.trustsInitial && !flags.contains(.isDirty) { return false }
    let isWanted = session.extras?.checks[index].isWanted ?? false
    guard isWanted || !flags.isDisjoint(with: [.isTouched, .isDirty, .isEdited]) else { return false }
    if hasBlockingSynchronousError(check.field, session) { return false }
    return check.when.map { isTrue($0, in: session) } ?? true
  }

  /// The debounce of a check is over.
  func checkTimerFired(_ index: Int, of session: Session) {
    guard let extras = session.extras, case .waiting = extras.checks[index].phase else { return }
    run(index, of: session)
  }

  private func run(_ index: Int, of session: Session) {
    let extras = session.madeExtras
    guard let request = extras.checks[index].request else { return }
    let id = launch(
      request,
      timeout: session.form.checks[index].timeout,
      owner: .check(index),
      in: session
    )
    extras.checks[index].phase = .running(id)
  }

  /// Cancels the check's timer or effect.
  func stop(_ index: Int, of session: Session) {
    guard let extras = session.extras else { return }
    switch extras.checks[index].phase {
    case .waiting: extras.timers.set(.checkDebounce(index), to: nil)
    case .running(let id): abandon(id, in: session)
    case .idle, .settled: break
    }
  }

  /// The answer to a check's current run came.
  func checkAnswered(_ index: Int, _ response: EffectResponse, in session: Session) {
    let extras = session.madeExtras
    let check = session.form.checks[index]
    let verdict = verdict(of: check, response, session)
    if case .failed = verdict {
    } else if check.cacheCount > 0, let key = extras.checks[index].key {
      let answer = CheckState.CachedAnswer(key: key, verdict: verdict)
      if answer.bytes <= Self.cachedBytesMax { keep(answer, of: index, max: check.cacheCount, in: session) }
    }
    extras.checks[index].phase = .settled(verdict)
    dirty.insert(session.form.graph.fieldNodes[check.field])
  }

  private func keep(_ answer: CheckState.CachedAnswer, of index: Int, max count: Int, in session: Session) {
    let extras = session.madeExtras
    if extras.checks[index].cache.count >= count {
      session.computedBytes -= extras.checks[index].cache.removeFirst().bytes
    }
    extras.checks[index].cache.append(answer)
    session.computedBytes += answer.bytes
  }

  /// The checks of those fields run from now on, though nobody has touched the fields: a tap is about them.
  func startChecks(in scope: ActionScope, of session: Session) {
    #if DEBUG
      if has(.skipChecks) { return }
    #endif
    let extras = session.madeExtras
    for (index, check) in session.form.checks.enumerated()
    where !extras.checks[index].isWanted && session.contains(check.field, in: scope) {
      extras.checks[index].isWanted = true
      dirty.insert(session.form.graph.checkNodes[index])
    }
  }

  /// Checks of those fields whose service failed are tried again.
  func retryFailedChecks(in scope: ActionScope, of session: Session) {
    guard let extras = session.extras else { return }
    for index in extras.checks.indices where session.contains(session.form.checks[index].field, in: scope) {
      guard case .settled(.failed) = extras.checks[index].phase, extras.checks[index].request != nil else { continue }
      run(index, of: session)
      dirty.insert(session.form.graph.fieldNodes[session.form.checks[index].field])
    }
  }

  func failure(of check: Check) -> CheckState.Verdict {
    check.onFailure == .ignore ? .failed(nil) : .failed(.prepared(PreparedErrorReference(check.failure)))
  }

  private func verdict(of check: Check, _ response: EffectResponse, _ session: Session) -> CheckState.Verdict {
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
