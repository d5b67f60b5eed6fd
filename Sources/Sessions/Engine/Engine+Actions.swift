internal import CEL
internal import Forms
internal import JSON

/// Taps and runs: from a tap to exactly one event, or to none where a throttle or debounce swallows the tap.
///
/// A tap passes, in this order: throttle or debounce (it may be delayed, or swallowed), a run or a held tap under way (dropped, where the
/// flight is `drop`), the checks of its scope that are pending or have to run (held or refused), errors of its scope and the action's
/// `enabled` (rejected), its flight (queued, or it replaces the run before it), and then it runs.
extension Engine {
  // MARK: Taps

  func receiveTap(_ action: Int, in session: Session) {
    flushAll(session)
    // Errors of flushed values are revealed, too.
    propagate(session)
    let extras = session.madeExtras
    extras.lastToken += 1
    let token = extras.lastToken
    revealMessages(in: session.form.actions[action].scope, of: session)
    propagate(session)

    if let decision = delayDecision(action, extras) {
      switch decision {
      case .drop:
        swallow(token)
        answerTap(TapResult(outcome: .dropped, token: token))
      case .hold:
        if let earlier = extras.actions[action].delayedTap { swallow(earlier) }
        extras.actions[action].delayedTap = token
        setDelayTimer(action, extras)
        answerTap(TapResult(outcome: .held, token: token))
      case .pass:
        answerTap(attempt(action, token: token, isFirst: true, in: session))
      }
      return
    }
    answerTap(attempt(action, token: token, isFirst: true, in: session))
  }

  /// From now on the fields of a scope that are shown now show their messages, whatever their policy; those of a field that is being
  /// edited appear at once.
  private func revealMessages(in scope: ActionScope, of session: Session) {
    for field in session.fields(in: scope) where session.fields[field].flags.contains(.isVisible) {
      session.fields[field].flags.insert(.isRevealed)
    }
    showRevealed(in: scope, of: session)
  }

  /// The messages of a scope that taps have revealed appear, also of a field that is being edited.
  private func showRevealed(in scope: ActionScope, of session: Session) {
    for field in session.fields(in: scope)
    where session.fields[field].flags.contains(.isRevealed) && !session.fields[field].errors.isEmpty {
      session.fields[field].flags.insert(.revealsNow)
      dirty.insert(session.form.graph.fieldNodes[field])
    }
  }

  /// What an open throttle window or a debounce does with a tap; nil when there is neither. A leading tap opens the window in
  /// ``attempt(_:token:in:)``, and only when it starts a run: a rejected tap does not close the throttle.
  private func delayDecision(_ action: Int, _ extras: SessionExtras) -> Throttle.Decision? {
    if let throttle = extras.actions[action].throttle {
      guard throttle.deadline != nil || throttle.edges == .trailing else { return nil }
      return extras.actions[action].throttle?.signal(at: now)
    }
    guard extras.actions[action].debounce != nil else { return nil }
    extras.actions[action].debounce?.signal(at: now)
    return .hold
  }

  private func setDelayTimer(_ action: Int, _ extras: SessionExtras) {
    if let throttle = extras.actions[action].throttle {
      extras.timers.set(.actionThrottle(action), to: throttle.deadline)
    } else if let debounce = extras.actions[action].debounce {
      extras.timers.set(.actionDebounce(action), to: debounce.deadline)
    }
  }

  func throttleEnded(_ action: Int, of session: Session) {
    guard let extras = session.extras else { return }
    let passes = extras.actions[action].throttle?.deadlineReached(at: now) ?? false
    setDelayTimer(action, extras)
    if passes { releaseDelayedTap(action, of: session) }
  }

  func debounceEnded(_ action: Int, of session: Session) {
    guard let extras = session.extras else { return }
    if extras.actions[action].debounce?.deadlineReached(at: now) ?? false { releaseDelayedTap(action, of: session) }
  }

  private func releaseDelayedTap(_ action: Int, of session: Session) {
    guard let extras = session.extras, let token = extras.actions[action].delayedTap else { return }
    extras.actions[action].delayedTap = nil
    flushAll(session)
    propagate(session)
    switch attempt(action, token: token, isFirst: true, in: session).outcome {
    case .started, .held: break
    case .rejected, .dropped:
      // The tap started no run, so it must not close the throttle: the window that it opened is closed again.
      extras.actions[action].throttle?.cancel()
      setDelayTimer(action, extras)
    }
  }

  /// Goes on with the oldest tap whose checks have all ended, or whose scope an error blocks anyway. Returns whether there was such a
  /// tap.
  func releaseHeldTap(of session: Session, _ extras: SessionExtras) -> Bool {
    // Tokens count up over all actions, so the oldest tap has the smallest one.
    var oldest: (action: Int, token: UInt64)?
    for action in extras.actions.indices {
      guard let token = extras.actions[action].heldTaps.first, token < oldest?.token ?? .max else { continue }
      let scope = session.form.actions[action].scope
      if session.isPending(in: scope), !session.hasBlockingError(in: scope) { continue }
      oldest = (action, token)
    }
    guard let oldest else { return false }
    extras.actions[oldest.action].heldTaps.removeFirst()
    _ = attempt(oldest.action, token: oldest.token, isFirst: false, in: session)
    return true
  }

  /// Goes on with a tap that no throttle or debounce delays.
  ///
  /// - Parameter isFirst: whether the tap has waited for no check yet. Then it asks again where a service has failed.
  private func attempt(_ action: Int, token: UInt64, isFirst: Bool, in session: Session) -> TapResult {
    let extras = session.madeExtras
    let definition = session.form.actions[action]
    let scope = definition.scope
    let flight = extras.actions[action].flight
    if flight.policy == .drop, flight.dropsStarts || !extras.actions[action].heldTaps.isEmpty {
      drop(action, token, session)
      return TapResult(outcome: .dropped, token: token)
    }
    if isFirst { retryFailedChecks(in: scope, of: session) }
    propagate(session)
    if !session.hasBlockingError(in: scope) {
      startChecks(in: scope, of: session)
      propagate(session)
    }
    let isBlocked = session.hasBlockingError(in: scope)
    if !isBlocked, session.isPending(in: scope) { return hold(action, token: token, in: session) }
    guard !isBlocked, session.actions[action].isEnabled else { return reject(action, token, session) }
    if extras.actions[action].runs.count >= Self.runsMax {
      drop(action, token, session)
      return TapResult(outcome: .dropped, token: token)
    }
    openThrottle(action, extras)
    return startRun(action, token: token, in: session)
  }

  /// Keeps a tap until the checks of its scope have ended.
  private func hold(_ action: Int, token: UInt64, in session: Session) -> TapResult {
    let extras = session.madeExtras
    if session.form.actions[action].refusesWhenPending { return reject(action, token, session) }
    if extras.actions[action].heldTaps.count >= Self.runsMax {
      drop(action, token, session)
      return TapResult(outcome: .dropped, token: token)
    }
    if extras.actions[action].flight.policy == .latest {
      for earlier in extras.actions[action].heldTaps { supersede(action, earlier, run: nil, session) }
      extras.actions[action].heldTaps = []
    }
    extras.actions[action].heldTaps.append(token)
    return TapResult(outcome: .held, token: token)
  }

  /// A tap on the leading edge opens the throttle's window, unless one is open.
  private func openThrottle(_ action: Int, _ extras: SessionExtras) {
    guard let throttle = extras.actions[action].throttle, throttle.deadline == nil, throttle.edges != .trailing else {
      return
    }
    _ = extras.actions[action].throttle?.signal(at: now)
    setDelayTimer(action, extras)
  }

  // MARK: Runs

  private func startRun(_ action: Int, token: UInt64, in session: Session) -> TapResult {
    let extras = session.madeExtras
    let definition = session.form.actions[action]
    var run = RunState()
    run.request = definition.run.flatMap { resolve($0, in: session) }
    if definition.outcomes.contains(where: { !$0.fieldErrors.isEmpty }) {
      for (field, _) in definition.outcomes.flatMap(\.fieldErrors) { run.submitted[field] = session.value(of: field) }
    }
    run.bytes = submittedBytes(run)
    guard hasRoom(for: run, extras.actions[action]) else {
      drop(action, token, session)
      return TapResult(outcome: .dropped, token: token)
    }
    extras.actions[action].runs[token] = run
    switch extras.actions[action].flight.start(token) {
    case .start:
      break
    case .replace(let earlier):
      for token in earlier { giveUp(action, token, session) }
    case .wait:
      return TapResult(outcome: .held, token: token)
    case .drop:
      extras.actions[action].runs[token] = nil
      drop(action, token, session)
      return TapResult(outcome: .dropped, token: token)
    }
    let number = begin(action, token: token, in: session)
    return TapResult(outcome: .started, run: number, token: token)
  }

  private func submittedBytes(_ run: RunState) -> Int {
    run.submitted.values.reduce(run.request?.comparable.approximateBytes ?? 0) { $0 + $1.bytes }
  }

  /// Whether the run may be kept. One run may have any size; runs beside it must fit into ``runBytesMax`` together.
  private func hasRoom(for run: RunState, _ action: ActionRuntime) -> Bool {
    switch action.flight.policy {
    case .drop, .latest: return true
    case .queue, .merge:
      return action.runs.isEmpty
        || action.runs.values.reduce(run.bytes) { $0 + $1.bytes } <= Self.runBytesMax
    }
  }

  /// Begins a run. Returns its number.
  @discardableResult
  private func begin(_ action: Int, token: UInt64, in session: Session) -> Int {
    let extras = session.madeExtras
    let definition = session.form.actions[action]
    session.lastRun += 1
    let number = Int(session.lastRun)
    extras.actions[action].runs[token]?.number = number
    setAttempts(session.actions[action].attempts + 1, action, session)
    let outcome = session.actions[action].outcome
    setOutcome(
      ActionOutcomeState(result: outcome?.result, error: nil, message: outcome?.message, texts: outcome?.texts),
      action,
      session
    )
    forgetServerErrors(of: action, in: session)
    setLoading(action, session)
    guard definition.run != nil else {
      conclude(action, token: token, response: nil, in: session)
      return number
    }
    guard let request = extras.actions[action].runs[token]?.request else {
      conclude(
        action,
        token: token,
        response: EffectResponse(kind: .fault, reason: "an argument's formula failed"),
        in: session
      )
      return number
    }
    let id = launch(request, timeout: definition.timeout, owner: .run(action: action, token: token), in: session)
    extras.actions[action].runs[token]?.effect = id
    return number
  }

  /// Removes the errors that the action's last outcome gave to fields. They go when the action runs again, like its error.
  private func forgetServerErrors(of action: Int, in session: Session) {
    guard let extras = session.extras, !extras.serverErrors.isEmpty else { return }
    for field in extras.serverErrors.keys {
      let kept = extras.serverErrors[field]?.filter { $0.action != action } ?? []
      guard kept.count != extras.serverErrors[field]?.count else { continue }
      extras.serverErrors[field] = kept.isEmpty ? nil : kept
      dirty.insert(session.form.graph.fieldNodes[field])
    }
  }

  /// The answer to a run came.
  func runAnswered(action: Int, token: UInt64, _ response: EffectResponse, in session: Session) {
    let extras = session.madeExtras
    guard let run = extras.actions[action].runs[token] else { return }
    extras.actions[action].runs[token]?.effect = nil
    if let retry = session.form.actions[action].retry, run.attempt < retry.times, response.isWorthRetrying {
      extras.actions[action].runs[token]?.attempt += 1
      extras.timers.set(
        .retry(action: action, token: token),
        to: now + retry.pause(beforeTry: run.attempt)
      )
      return
    }
    conclude(action, token: token, response: response, in: session)
  }

  /// The pause before another try is over.
  func retry(action: Int, token: UInt64, of session: Session) {
    let extras = session.madeExtras
    guard let request = extras.actions[action].runs[token]?.request else { return }
    extras.actions[action].runs[token]?.effect = launch(
      request,
      timeout: session.form.actions[action].timeout,
      owner: .run(action: action, token: token),
      in: session
    )
  }

  /// Ends a run: finds its outcome, makes its event, and begins the next run of the queue.
  private func conclude(_ action: Int, token: UInt64, response: EffectResponse?, in session: Session) {
    let extras = session.madeExtras
    let definition = session.form.actions[action]
    let run = extras.actions[action].runs.removeValue(forKey: token) ?? RunState()
    let previous = session.actions[action].outcome?.result
    let conclusion = Conclusion(of: definition, response: response, previous: previous, session: session, engine: self)
    let next = extras.actions[action].flight.ended(token)
    setLoading(action, session)
    let (result, error): (JSON?, JSON?) =
      switch conclusion.ending {
      case .success(let result): (result, nil)
      case .failure(let error): (previous, error)
      }
    setOutcome(
      ActionOutcomeState(result: result, error: error, message: conclusion.message, texts: conclusion.texts),
      action,
      session
    )
    // With several runs under way, another run may have left errors since this one began.
    forgetServerErrors(of: action, in: session)
    for (field, text) in conclusion.fieldErrors {
      // The error is about the submitted value, and the field may have another one by now.
      guard session.value(of: field) == run.submitted[field] ?? nil else { continue }
      let error = ErrorDetail(
        code: "server",
        severity: .error,
        source: .server,
        message: text
      )
      extras.serverErrors[field, default: []].append((action, .detailed(error)))
      session.fields[field].flags.insert(.revealsNow)
      dirty.insert(session.form.graph.fieldNodes[field])
    }
    switch conclusion.ending {
    case .success(let result):
      emitEvent(.succeeded, action, token, session, run: run.number, result: result, message: conclusion.message)
    case .failure(let error):
      emitEvent(.failed, action, token, session, run: run.number, error: error, message: conclusion.message)
    }
    #if DEBUG
      if has(.loseQueued) { return }
    #endif
    if let next { begin(action, token: next, in: session) }
  }

  /// A later tap took the place of a run.
  private func giveUp(_ action: Int, _ token: UInt64, _ session: Session) {
    let extras = session.madeExtras
    guard let run = extras.actions[action].runs.removeValue(forKey: token) else { return }
    if let effect = run.effect { abandon(effect, in: session) }
    extras.timers.set(.retry(action: action, token: token), to: nil)
    supersede(action, token, run: run.number, session)
  }

  func resetAction(_ action: Int, of session: Session) {
    if let extras = session.extras {
      for token in extras.actions[action].flight.cancelAll() {
        let run = extras.actions[action].runs.removeValue(forKey: token)
        supersede(action, token, run: run?.number, session)
      }
      for token in extras.actions[action].heldTaps { drop(action, token, session) }
      if let token = extras.actions[action].delayedTap { drop(action, token, session) }
      extras.actions[action] = ActionRuntime(session.form.actions[action])
    }
    setLoading(action, session)
    setAttempts(0, action, session)
    setOutcome(ActionOutcomeState(result: nil, error: nil, message: nil), action, session)
  }

  // MARK: Cells of an action

  func setAttempts(_ count: Int32, _ action: Int, _ session: Session) {
    let old = session.actions[action].attempts
    guard count != old else { return }
    note(session.form.layout.action(action, .attempts), .integer(Int(old)), in: session)
    session.actions[action].attempts = count
    setSlot(session.form.slots.actionAttempts[action], .int(Int64(count)), in: session)
  }

  private func setLoading(_ action: Int, _ session: Session) {
    let isLoading = !(session.extras?.actions[action].flight.isIdle ?? true)
    guard isLoading != session.actions[action].isLoading else { return }
    note(session.form.layout.action(action, .isLoading), .bool(!isLoading), in: session)
    session.actions[action].isLoading = isLoading
    setSlot(session.form.slots.actionIsLoading[action], isLoading, in: session)
  }

  func setOutcome(_ outcome: ActionOutcomeState, _ action: Int, _ session: Session) {
    let layout = session.form.layout
    let old = session.actions[action].outcome
    if old == nil && outcome.isEmpty { return }
    note(layout.action(action, .result), old?.result.map { .json($0) } ?? .absent, isCertain: false, in: session)
    note(layout.action(action, .error), old?.error.map { .json($0) } ?? .absent, isCertain: false, in: session)
    note(layout.action(action, .message), old?.message.map { .text($0) } ?? .absent, isCertain: false, in: session)
    session.computedBytes += outcome.bytes - (old?.bytes ?? 0)
    session.actions[action].outcome = outcome
    setSlot(session.form.slots.actionResult[action], outcome.result.map(Value.init) ?? .null, in: session)
    setSlot(session.form.slots.actionError[action], outcome.error.map(Value.init) ?? .null, in: session)
    setSlot(session.form.slots.actionMessage[action], outcome.message ?? "", in: session)
  }

  // MARK: Events

  private func reject(_ action: Int, _ token: UInt64, _ session: Session) -> TapResult {
    let scope = session.form.actions[action].scope
    // The tap may have been held since it came in. Errors that have appeared since are shown, too.
    showRevealed(in: scope, of: session)
    let blockers = blockers(in: scope, of: session)
    emitEvent(.rejected, action, token, session, blockers: blockers)
    return TapResult(outcome: .rejected, blockers: blockers, token: token)
  }

  private func drop(_ action: Int, _ token: UInt64, _ session: Session) {
    emitEvent(.dropped, action, token, session)
  }

  private func supersede(_ action: Int, _ token: UInt64, run: Int?, _ session: Session) {
    emitEvent(.superseded, action, token, session, run: run)
  }

  private func emitEvent(
    _ kind: Event.Kind,
    _ action: Int,
    _ token: UInt64,
    _ session: Session,
    run: Int? = nil,
    result: JSON? = nil,
    error: JSON? = nil,
    message: String? = nil,
    blockers: [Blocker] = []
  ) {
    session.sequence += 1
    emit(
      Event(
        sequence: Int(session.sequence),
        action: session.form.actions[action].name,
        run: run,
        kind: kind,
        result: result,
        error: error,
        message: message,
        blockers: blockers,
        token: token
      )
    )
  }

  /// The reasons why the form rejects a tap, in the document's order.
  private func blockers(in scope: ActionScope, of session: Session) -> [Blocker] {
    let form = session.form
    var blockers: [Blocker] = []
    if scope == .form {
      for error in session.formErrors.all where form.blocks(error) {
        blockers.append(Blocker(field: nil, code: form.code(of: error)))
      }
    }
    for index in session.fields(in: scope) {
      let field = form.fields[index]
      let state = session.fields[index]
      for error in state.errors.all where form.blocks(error) {
        blockers.append(Blocker(field: field.address, code: form.code(of: error)))
      }
      if hasPendingCheck(index, session) { blockers.append(Blocker(field: field.address, code: "pending")) }
    }
    return blockers.isEmpty ? [Blocker(field: nil, code: "disabled")] : blockers
  }
}

extension EffectResponse {
  /// Whether another try could end better: the service was out of reach, or said that it is for now.
  fileprivate var isWorthRetrying: Bool {
    switch kind {
    case .refused, .timeout, .gone, .noProvider, .error: true
    case .ok: status == 429 || status == 502 || status == 503 || status == 504
    case .tls, .tooLarge, .badBody, .fault: false
    }
  }
}

extension Action.Retry {
  /// The pause before the try with that number (0: the first repetition): `delay` times `factor` to that power, at most
  /// `maxDelay`.
  fileprivate func pause(beforeTry number: Int) -> Duration {
    var pause = delay
    for _ in 0..<number where pause < delayMax { pause = pause * factor }
    return min(pause, delayMax)
  }
}
