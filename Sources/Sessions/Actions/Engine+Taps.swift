internal import Forms
internal import JSON
internal import Times

/// Taps: each leads to exactly one event, or to none if a throttle or debounce swallows it.
///
/// A tap passes these stages in this order. First, the throttle or debounce may delay or swallow it. Then it is dropped
/// if a run or a held tap is under way and the flight is `drop`. Then the checks of its scope hold or refuse it, if
/// they are pending or have to run. Then errors of its scope, or the action's `enabled`, reject it. Then its flight
/// queues it, or it replaces the run before it. Then it runs. The action's ``ActionMachine`` has the stage of each tap.
extension Engine {
  func receiveTap(_ action: Int, in session: Session) {
    flushAll(session)
    endCompositions(of: session)
    // Errors of flushed values are revealed, too.
    propagate(session)
    let extras = session.madeExtras
    extras.lastToken += 1
    session.madeMarks?.isHeadMarked = true
    markForSnapshot(action: action, in: session)
    let token = extras.lastToken
    revealMessages(in: session.form.actions[action].scope, of: session)
    propagate(session)
    switch extras.actions[action].tapped(token, at: now) {
    case .passes:
      answerTap(attempt(action, token: token, in: session))
    case .swallowed:
      swallow(token)
      answerTap(TapResult(outcome: .dropped, token: token))
    case .delayed(let earlier):
      if let earlier { swallow(earlier) }
      setDelayTimer(action, extras)
      answerTap(TapResult(outcome: .held, token: token))
    }
  }

  /// From now on the fields of a scope that are shown now show their messages, whatever their policy. Messages of a
  /// field that is being edited appear at once.
  private func revealMessages(in scope: ActionScope, of session: Session) {
    session.forEachField(in: scope) { live in
      if live.state.pointee.flags.contains(.isVisible) {
        if live.state.pointee.flags.insert(.isRevealed).inserted {
          markForSnapshot(live.field, in: live.instance)
        }
      }
    }
    showRevealed(in: scope, of: session)
  }

  /// The messages of a scope that taps have revealed appear, also at a field that is being edited.
  private func showRevealed(in scope: ActionScope, of session: Session) {
    session.forEachField(in: scope) { live in
      guard live.state.pointee.flags.contains(.isRevealed), !live.state.pointee.errors.isEmpty else { return }
      live.state.pointee.flags.insert(.revealsNow)
      changed(.attention, ofField: live.field, in: live.instance)
    }
  }

  func setDelayTimer(_ action: Int, _ extras: SessionExtras) {
    extras.timers.set(.actionDelay(action), to: extras.actions[action].delay?.deadline)
  }

  /// An action's throttle window or debounce is over.
  func delayEnded(_ action: Int, of session: Session) {
    guard let extras = session.extras else { return }
    let token = extras.actions[action].delayEnded(at: now)
    markForSnapshot(action: action, in: session)
    setDelayTimer(action, extras)
    guard let token else { return }
    flushAll(session)
    endCompositions(of: session)
    propagate(session)
    switch attempt(action, token: token, in: session).outcome {
    case .started, .held: break
    case .rejected, .dropped:
      extras.actions[action].delayedTapFailed()
      setDelayTimer(action, extras)
    }
  }

  /// Continues with the oldest tap whose checks have all ended, or whose scope has a blocking error anyway. Returns
  /// whether there was such a tap.
  func releaseHeldTap(of session: Session, _ extras: SessionExtras) -> Bool {
    // Tokens count up over all actions, so the oldest tap has the smallest one.
    var oldest: (action: Int, token: UInt64)?
    for action in extras.actions.indices {
      guard let token = extras.actions[action].firstHeldToken, token < oldest?.token ?? .max else { continue }
      let scope = session.form.actions[action].scope
      if session.isPending(in: scope), !session.hasBlockingError(in: scope) { continue }
      oldest = (action, token)
    }
    guard let oldest else { return false }
    extras.timers.set(.heldTap(action: oldest.action, token: oldest.token), to: nil)
    let deadline = extras.actions[oldest.action].release(oldest.token)
    markForSnapshot(action: oldest.action, in: session)
    let timeout = session.form.actions[oldest.action].timeout
    _ = attempt(oldest.action, token: oldest.token, waitsUntil: deadline ?? now + timeout, in: session)
    return true
  }

  /// A check of that field has begun. The taps that are held already wait for it, too, but no longer than their action
  /// may take. Otherwise a user who keeps typing would hold them for ever.
  func holdAgain(by live: LiveField) {
    let session = live.instance.session
    let extras = session.madeExtras
    for (number, action) in session.form.actions.enumerated() where session.contains(live, in: action.scope) {
      for token in extras.actions[number].heldAgain(until: now + action.timeout) {
        extras.timers.set(.heldTap(action: number, token: token), to: now + action.timeout)
      }
    }
  }

  /// A tap has waited for checks as long as its action may take.
  func patienceEnded(_ token: UInt64, of action: Int, in session: Session) {
    _ = session.madeExtras.actions[action].release(token)
    markForSnapshot(action: action, in: session)
    _ = reject(action, token, session)
  }

  /// Goes on with a tap that no throttle or debounce delays.
  ///
  /// - Parameter deadline: the time until which it may wait for checks that are not known yet. It is nil for a tap that
  ///   has not waited. Such a tap asks again if a service has failed.
  private func attempt(_ action: Int, token: UInt64, waitsUntil deadline: Instant? = nil, in session: Session)
    -> TapResult
  {
    let extras = session.madeExtras
    let definition = session.form.actions[action]
    let scope = definition.scope
    if extras.actions[action].dropsTaps { return drop(action, token, session) }
    if deadline == nil {
      retryFailedChecks(in: scope, of: session)
      retryFailedLookups(of: session)
    }
    propagate(session)
    if !session.hasBlockingError(in: scope) {
      startChecks(in: scope, of: session)
      propagate(session)
    }
    let isBlocked = session.hasBlockingError(in: scope)
    if !isBlocked, session.isPending(in: scope) {
      return definition.refusesWhenPending
        ? reject(action, token, session) : hold(action, token: token, until: deadline, in: session)
    }
    guard !isBlocked, session.actions[action].isEnabled else { return reject(action, token, session) }
    guard extras.actions[action].hasRoomForRun else { return drop(action, token, session) }
    if extras.actions[action].runBegins(at: now) { setDelayTimer(action, extras) }
    return submit(action, token: token, in: session)
  }

  /// Keeps a tap until the checks of its scope have ended.
  private func hold(_ action: Int, token: UInt64, until deadline: Instant?, in session: Session) -> TapResult {
    let extras = session.madeExtras
    switch extras.actions[action].hold(token, until: deadline) {
    case .held(let earlier):
      for earlier in earlier {
        extras.timers.set(.heldTap(action: action, token: earlier), to: nil)
        supersede(action, earlier, run: nil, session)
      }
      if let deadline { extras.timers.set(.heldTap(action: action, token: token), to: deadline) }
      return TapResult(outcome: .held, token: token)
    case .dropped:
      return drop(action, token, session)
    }
  }

  // MARK: Events

  private func reject(_ action: Int, _ token: UInt64, _ session: Session) -> TapResult {
    let scope = session.form.actions[action].scope
    // The tap may have been held since it came in. Errors that have appeared since then are shown, too.
    showRevealed(in: scope, of: session)
    let blockers = blockers(in: scope, of: session)
    emitEvent(.rejected, action, token, session, message: session.reason(ofAction: action), blockers: blockers)
    return TapResult(outcome: .rejected, blockers: blockers, token: token)
  }

  @discardableResult
  func drop(_ action: Int, _ token: UInt64, _ session: Session) -> TapResult {
    emitEvent(.dropped, action, token, session)
    return TapResult(outcome: .dropped, token: token)
  }

  func supersede(_ action: Int, _ token: UInt64, run: Int?, _ session: Session) {
    emitEvent(.superseded, action, token, session, run: run)
  }

  func emitEvent(
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
    let extras = session.madeExtras
    extras.lastEvent += 1
    emit(
      Event(
        sequence: extras.lastEvent,
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

  /// The reasons why the form rejects a tap, in the order in which the user meets the fields.
  private func blockers(in scope: ActionScope, of session: Session) -> [Blocker] {
    let form = session.form
    var blockers: [Blocker] = []
    if scope == .form {
      for error in session.formErrors.all where form.blocks(error) {
        blockers.append(Blocker(field: nil, code: form.code(of: error)))
      }
    }
    session.forEachFieldByStep(in: scope) { live in
      for error in live.state.pointee.errors.all where form.blocks(error) {
        blockers.append(Blocker(field: live.instance.address(of: live.field), code: form.code(of: error)))
      }
      if hasPendingInquiry(live.field, live.instance) {
        blockers.append(Blocker(field: live.instance.address(of: live.field), code: "pending"))
      }
    }
    return blockers.isEmpty ? [Blocker(field: nil, code: "disabled")] : blockers
  }
}
