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

  /// Asks what checks and lookups of rows want to know, as far as there is room.
  private func startRowRuns(in session: Session) {
    let extras = session.madeExtras
    while let run = extras.rowRuns.next() {
      extras.effects.begin(run.id, for: .rows)
      start(run.id, run.request, timeout: run.timeout, in: session)
    }
  }

  // MARK: Questions of rows

  /// The name of the effect that would answer a question: in a row that of another with the same question, if there is one.
  func effectID(for question: EffectQuestion, by asker: Asker, in instance: Instance) -> EffectID {
    let extras = instance.session.madeExtras
    guard instance.template != 0 else { return extras.effects.nextID }
    return extras.rowRuns.id(of: question, by: asker) ?? extras.effects.reserve()
  }

  /// A row waits for the answer to a question, under the name of ``effectID(for:by:in:)``.
  func join(_ id: EffectID, _ question: EffectQuestion, by asker: Asker, timeout: Duration, in row: Instance) {
    row.session.madeExtras.rowRuns.join(id, question, by: asker, timeout: timeout, row: row.rowID)
    startRowRuns(in: row.session)
  }

  /// An instance does not want an answer any more. A question of rows is given up if no other wants it.
  func leave(_ id: EffectID, by instance: Instance) {
    let session = instance.session
    if instance.template == 0 { return abandon(id, in: session) }
    guard let run = session.extras?.rowRuns.leave(id, row: instance.rowID) else { return }
    if run.isUnderWay { abandon(id, in: session) }
    startRowRuns(in: session)
  }

  // MARK: Ends

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
    case .rows:
      guard let run = extras.rowRuns.end(id) else { break }
      for row in run.rows.compactMap({ extras.rows[$0] }) {
        switch run.asker {
        case .check(let check): checkAnswered(check, by: id, response, in: row)
        case .lookup(let lookup): lookupAnswered(lookup, by: id, response, in: row)
        }
      }
      startRowRuns(in: session)
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
    case .lookupDebounce(let row, let lookup):
      if let instance = session.instance(of: row) { lookupDebounceEnded(lookup, of: instance) }
    case .lookupPause(let row, let lookup):
      if let instance = session.instance(of: row) { lookupPauseEnded(lookup, of: instance) }
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
      var ended = extras.rowRuns.keepLookups()
      for (id, owner) in extras.effects.all {
        switch owner {
        case .check, .run: ended.append(id)
        case .lookup, .rows: break
        }
      }
      for id in ended { cancel(id) }
      extras.effects.end(ended)
      forgetAnswersOfChecks(in: session)
      extras.timers.removeAll(but: extras.effects)
      // Questions of lookups may have waited for those of checks.
      startRowRuns(in: session)
    }
    session.forEachInstance { instance in
      guard let own = instance.own else { return }
      if faults.through(.forgetLookups, false, broken: true) {
        own.lookups = InstanceStates(instance.ownLookups, of: LookupState())
      }
      for index in own.checks.indices {
        forgetCheck(index, of: instance)
        changed(.progress, ofCheck: index, in: instance)
      }
    }
  }
}
