internal import Forms

/// Effects and timers: out, and back to who waits for them.
extension Engine {
  /// Starts an effect for an owner, and the timer that ends the effect when no answer comes in time.
  func launch(_ request: EffectRequest, timeout: Duration, owner: EffectsUnderWay.Owner, in session: Session) {
    let extras = session.madeExtras
    start(extras.effects.begin(for: owner), request, timeout: timeout, in: session)
  }

  private func start(_ id: EffectID, _ request: EffectRequest, timeout: Duration, in session: Session) {
    session.madeExtras.timers.set(.effect(id), to: faults.through(.forgetTimeout, now + timeout, broken: nil))
    start(Effect(id: id, request: request, timeout: timeout))
  }

  /// Asks what checks of rows want to know, as far as there is room.
  func startCheckRuns(in session: Session) {
    let extras = session.madeExtras
    while let run = extras.checkRuns.next() {
      extras.effects.begin(run.id, for: .checkOfRows)
      start(run.id, run.request, timeout: run.timeout, in: session)
    }
  }

  /// Cancels an effect whose answer is not wanted any more.
  func abandon(_ id: EffectID, in session: Session) {
    guard let extras = faults.through(.forgetGeneration, session.extras, broken: nil) else { return }
    extras.timers.set(.effect(id), to: nil)
    extras.effects.end(id)
    cancel(id)
  }

  /// An effect has its answer. The answer is ignored when the effect was cancelled or its time was over.
  func effectEnded(_ id: EffectID, _ response: EffectResponse, in session: Session) {
    guard let extras = session.extras, let owner = extras.effects.end(id) else { return }
    extras.timers.set(.effect(id), to: nil)
    switch owner {
    case .check(let check): checkAnswered(check, by: id, response, in: session)
    case .checkOfRows:
      guard let run = extras.checkRuns.end(id) else { break }
      for row in run.rows {
        if let row = extras.rows[row] { checkAnswered(run.check, by: id, response, in: row) }
      }
      startCheckRuns(in: session)
    case .lookup(let lookup): lookupAnswered(lookup, by: id, response, in: session)
    case .run(let action, let token): runAnswered(token, of: action, by: id, response, in: session)
    }
  }

  /// The earliest due timer fires.
  func fireTimer(of session: Session) {
    guard let extras = session.extras, let kind = extras.timers.popDue(at: now) else { return }
    switch kind {
    case .field(let row, let field):
      if let instance = session.instance(of: row) { fieldDelayEnded(field, of: instance) }
    case .checkDebounce(let row, let check):
      if let instance = session.instance(of: row) { checkDebounceEnded(check, of: instance) }
    case .actionDelay(let action): delayEnded(action, of: session)
    case .heldTap(let action, let token): patienceEnded(token, of: action, in: session)
    case .retry(let action, let token): pauseEnded(token, of: action, in: session)
    case .lookupDebounce(let lookup): lookupDebounceEnded(lookup, of: session)
    case .lookupPause(let lookup): lookupPauseEnded(lookup, of: session)
    case .effect(let id):
      cancel(id)
      effectEnded(id, EffectResponse(kind: .timeout, reason: "no answer in time"), in: session)
    }
  }

  /// Cancels all effects and timers of a session, and puts its checks back to their beginning. Lookups go on: what they have found, or ask,
  /// is as good as before where what they read stays.
  func cancelEverything(in session: Session) {
    guard faults.through(.keepEffects, true, broken: false) else { return }
    if let extras = session.extras {
      for (id, owner) in extras.effects.all where !owner.isLookup { cancel(id) }
      extras.effects.keepLookups()
      extras.checkRuns = CheckRuns()
      for answers in extras.answersOfRows.values { session.computedBytes -= answers.bytes }
      extras.answersOfRows = [:]
      extras.timers.removeAll(but: extras.effects)
      extras.lookups = faults.through(.forgetLookups, extras.lookups, broken: extras.lookups.map { _ in LookupState() })
    }
    session.forEachInstance { instance in
      guard let own = instance.own else { return }
      for index in own.checks.indices {
        session.computedBytes -= own.checks[index].answers.bytes
        own.checks[index] = CheckState()
        changed(.progress, ofCheck: index, in: instance)
      }
    }
  }
}
