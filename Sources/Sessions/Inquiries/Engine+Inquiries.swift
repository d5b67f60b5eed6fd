internal import Forms
internal import JSON
internal import Times

/// Inquiries of checks and lookups: the engine carries out the steps of their machines, and brings the answers back to
/// them.
extension Engine {
  // MARK: What machines want

  /// Carries out the steps of an inquiry's machine.
  func perform(_ steps: InquirySteps, for inquirer: Inquirer, in instance: Instance) {
    let session = instance.session
    let extras = session.madeExtras
    let terms = session.form.terms(of: inquirer)
    let debounce = TimerList.Kind.debounce(row: instance.rowID, of: inquirer)
    let pause = TimerList.Kind.pause(row: instance.rowID, of: inquirer)
    switch steps.ends {
    case nil: break
    case .debounce: extras.timers.set(debounce, to: nil)
    case .pause: extras.timers.set(pause, to: nil)
    case .answer(let id): giveUp(id, by: instance)
    }
    switch steps.begins {
    case .nothing: break
    case .debounce:
      // The end of a composition begins the debounce.
      let isHeld = extras.compositions.waiting.contains(debounce)
      extras.timers.set(debounce, to: isHeld ? nil : terms.debounce.map { now + $0 })
    case .pause(let duration): extras.timers.set(pause, to: now + duration)
    case .effect(let id, let inquiry):
      guard instance.template != 0 else {
        return launch(inquiry.request, timeout: terms.timeout, owner: .inquiry(inquirer), in: session)
      }
      extras.sharedInquiries.join(id, inquiry, by: inquirer, timeout: terms.timeout, row: instance.rowID)
      startSharedInquiries(in: session)
    }
  }

  /// The name of the effect that would answer an inquiry. If another row has an equal inquiry, it is the effect of that
  /// row.
  func effectID(for inquiry: Inquiry, by inquirer: Inquirer, in instance: Instance) -> EffectID {
    let extras = instance.session.madeExtras
    guard instance.template != 0 else { return extras.effects.nextID }
    return extras.sharedInquiries.id(of: inquiry, by: inquirer) ?? extras.effects.reserve()
  }

  /// An instance does not want an answer any more. An inquiry of rows is given up if no other row wants its answer.
  private func giveUp(_ id: EffectID, by instance: Instance) {
    let session = instance.session
    if instance.template == 0 { return abandon(id, in: session) }
    guard let shared = session.extras?.sharedInquiries.giveUp(id, row: instance.rowID) else { return }
    if shared.isUnderWay { abandon(id, in: session) }
    startSharedInquiries(in: session)
  }

  /// Makes the waiting inquiries of checks and lookups of rows, as far as there is room.
  func startSharedInquiries(in session: Session) {
    let extras = session.madeExtras
    while let shared = extras.sharedInquiries.next() {
      let owner = EffectsUnderWay.Owner.rows
      extras.effects.begin(shared.id, for: owner)
      start(shared.id, shared.request, timeout: shared.timeout, onlyAsks: owner.onlyAsks, in: session)
    }
  }

  // MARK: What comes back

  /// The debounce of a check or a lookup is over. It asks, unless it has to wait for the end of a composition.
  func debounceEnded(of inquirer: Inquirer, in instance: Instance) {
    if waitsForComposition(inquirer, in: instance) { return }
    switch inquirer {
    case .check(let index): goOn(withCheck: index, instance) { $0.debounceEnded(effect: $1) }
    case .lookup(let index): goOn(withLookup: index, instance) { $0.debounceEnded(effect: $1) }
    }
  }

  /// The pause before a check or a lookup asks again is over.
  func pauseEnded(of inquirer: Inquirer, in instance: Instance) {
    switch inquirer {
    case .check(let index): goOn(withCheck: index, instance) { $0.pauseEnded(effect: $1) }
    case .lookup(let index): goOn(withLookup: index, instance) { $0.pauseEnded(effect: $1) }
    }
  }

  /// The answer to an inquiry of a check or a lookup came.
  func answered(_ inquirer: Inquirer, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    switch inquirer {
    case .check(let index): checkAnswered(index, by: effect, response, in: instance)
    case .lookup(let index): lookupAnswered(index, by: effect, response, in: instance)
    }
  }

  /// The answer to an inquiry of rows came.
  func rowsAnswered(by effect: EffectID, _ response: EffectResponse, in session: Session) {
    guard let extras = session.extras, let shared = extras.sharedInquiries.end(effect) else { return }
    for row in shared.rows.compactMap({ extras.rows[$0] }) { answered(shared.inquirer, by: effect, response, in: row) }
    startSharedInquiries(in: session)
  }

  // MARK: The cache

  func cachedAnswer(to inquiry: Inquiry, by inquirer: Inquirer, in session: Session) -> EffectResponse? {
    session.extras?.answers[inquirer]?[inquiry]
  }

  /// Caches a service's response to an inquiry that it has settled. A response that reports a failure of the service is
  /// not cached.
  func cache<Answer>(
    _ response: EffectResponse,
    toInquiryOf machine: InquiryMachine<Answer>?,
    by inquirer: Inquirer,
    in session: Session
  ) {
    let countMax = session.form.terms(of: inquirer).cacheCount
    guard countMax > 0, case .settled(let inquiry, let answer) = machine?.state, answer.isGiven else { return }
    let extras = session.madeExtras
    var answers = extras.answers[inquirer] ?? AnswerCache()
    session.computedBytes -= answers.bytes
    answers.keep(response, to: inquiry, countMax: countMax)
    session.computedBytes += answers.bytes
    extras.answers[inquirer] = answers
  }

  /// Discards the answers to checks. The answers to lookups stay valid.
  func forgetAnswersOfChecks(in session: Session) {
    guard let extras = session.extras else { return }
    for (inquirer, answers) in extras.answers where !inquirer.isLookup {
      session.computedBytes -= answers.bytes
      extras.answers[inquirer] = nil
    }
  }
}
