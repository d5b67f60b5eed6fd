internal import Forms
internal import Times

/// Effects and timers: they start here, and their results go back to their owners.
extension Engine {
  /// Starts an effect for an owner, and the timer that ends the effect when no answer comes in time.
  func launch(_ request: EffectRequest, timeout: Duration, owner: EffectsUnderWay.Owner, in session: Session) {
    let extras = session.madeExtras
    start(extras.effects.begin(for: owner), request, timeout: timeout, onlyAsks: owner.onlyAsks, in: session)
  }

  /// Starts an effect that is already under way for its owner, and the timer that ends it.
  func start(_ id: EffectID, _ request: EffectRequest, timeout: Duration, onlyAsks: Bool, in session: Session) {
    session.madeExtras.timers.set(.effect(id), to: now + timeout)
    start(Effect(id: id, request: request, timeout: timeout, onlyAsks: onlyAsks))
  }

  // MARK: Ends

  /// Cancels an effect whose answer is not wanted any more.
  func abandon(_ id: EffectID, in session: Session) {
    guard let extras = session.extras else { return }
    extras.timers.set(.effect(id), to: nil)
    extras.effects.end(id)
    cancel(id)
  }

  /// An effect has its answer. The answer is ignored when the effect was cancelled or its time was over.
  func effectEnded(_ id: EffectID, _ response: EffectResponse, in session: Session) {
    guard let extras = session.extras, let owner = extras.effects.end(id) else { return }
    extras.timers.set(.effect(id), to: nil)
    switch owner {
    case .inquiry(let inquirer): answered(inquirer, by: id, response, in: session)
    case .rows: rowsAnswered(by: id, response, in: session)
    case .run(let action, let token): runAnswered(token, of: action, by: id, response, in: session)
    }
  }

  /// The earliest due timer fires.
  func fireTimer(of session: Session) {
    guard let extras = session.extras, let kind = extras.timers.popDue(at: now) else { return }
    switch kind {
    case .field(let row, let field):
      if let instance = session.instance(of: row) { fieldDelayEnded(field, of: instance) }
    case .debounce(let row, let inquirer):
      if let instance = session.instance(of: row) { debounceEnded(of: inquirer, in: instance) }
    case .pause(let row, let inquirer):
      if let instance = session.instance(of: row) { pauseEnded(of: inquirer, in: instance) }
    case .actionDelay(let action): delayEnded(action, of: session)
    case .heldTap(let action, let token): patienceEnded(token, of: action, in: session)
    case .retry(let action, let token): pauseEnded(token, of: action, in: session)
    case .effect(let id):
      cancel(id)
      timedOut(id)
      effectEnded(id, EffectResponse(kind: .timeout, reason: "no answer in time"), in: session)
    }
  }

  /// Cancels all effects and timers of a session, and puts its checks back to their beginning. Lookups go on: their
  /// values and inquiries stay valid if the cells that they read stay.
  func cancelEverything(in session: Session) {
    if let extras = session.extras {
      var ended = extras.sharedInquiries.keepLookups()
      for (id, owner) in extras.effects.all {
        switch owner {
        case .inquiry(let inquirer) where inquirer.isLookup: break
        case .inquiry, .run: ended.append(id)
        case .rows: break
        }
      }
      for id in ended { cancel(id) }
      extras.effects.end(ended)
      forgetAnswersOfChecks(in: session)
      extras.timers.removeAll(but: extras.effects)
      // Inquiries of lookups may have waited for inquiries of checks.
      startSharedInquiries(in: session)
    }
    session.forEachInstance { instance in
      guard let instanceExtras = instance.instanceExtras else { return }
      for index in instanceExtras.checks.indices {
        forgetCheck(index, of: instance)
        changed(.progress, ofCheck: index, in: instance)
      }
    }
  }
}
