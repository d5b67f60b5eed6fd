internal import CEL
internal import Forms
internal import JSON

/// Lookups: what their machines hear, and what becomes of it.
extension Engine {
  /// Starts, stops or keeps a lookup after a change of the cells that its condition and its request read.
  func computeLookup(_ index: Int, _ session: Session) -> FactSet {
    guard !session.flags.contains(.skipsChecks) else { return .none }
    let lookup = session.form.lookups[index]
    guard lookup.when.map({ isTrue($0, in: session) }) ?? true else { return stop(index, session) }
    var maker = RequestMaker(self, session)
    let question: EffectQuestion
    do throws(RequestFault) {
      question = EffectQuestion(try maker.request(for: lookup.run))
    } catch {
      // What is absent in a path is no fault.
      if maker.hasOmitted { return stop(index, session) }
      report(error.formula, reason: error.reason, in: session)
      return tell(index, session) { $0.machine.faulted() }
    }
    if maker.hasOmitted { return stop(index, session) }
    let extras = session.madeExtras
    let isKnown = extras.lookups[index].machine.isAbout(question)
    if faults.through(.skipLookup, isKnown, broken: extras.lookups[index].machine.question != nil) { return .none }
    return tell(index, session) { state in
      state.machine.asked(
        question,
        known: state.answers.answer(to: question),
        // Nobody is typing yet.
        isDebounced: lookup.debounce != nil && !session.flags.contains(.isOpening),
        effect: extras.effects.nextID
      )
    }
  }

  private func stop(_ index: Int, _ session: Session) -> FactSet {
    // One that has never asked has nothing to stop.
    guard session.extras != nil, faults.through(.keepLookup, true, broken: false) else { return .none }
    return tell(index, session) { $0.machine.stopped() }
  }

  /// The debounce of a lookup is over.
  func lookupDebounceEnded(_ index: Int, of session: Session) {
    let effect = session.madeExtras.effects.nextID
    changed(tell(index, session) { $0.machine.debounceEnded(effect: effect) }, ofLookup: index, in: session)
  }

  /// The pause before another try of a lookup is over.
  func lookupPauseEnded(_ index: Int, of session: Session) {
    let effect = session.madeExtras.effects.nextID
    changed(tell(index, session) { $0.machine.pauseEnded(effect: effect) }, ofLookup: index, in: session)
  }

  /// The answer to a lookup's effect came.
  func lookupAnswered(_ index: Int, by effect: EffectID, _ response: EffectResponse, in session: Session) {
    let lookup = session.form.lookups[index]
    let answer = answer(of: lookup, response, session)
    let facts = tell(index, session) { state in
      let steps = state.machine.answered(answer, by: effect) { tries in
        guard let retry = lookup.retry, tries <= retry.times, response.isWorthRetrying else { return nil }
        return retry.pause(beforeTry: tries - 1)
      }
      if case .settled(let question) = state.machine.state {
        state.answers.keep(answer, to: question, countMax: lookup.cacheCount)
      }
      return steps
    }
    changed(facts, ofLookup: index, in: session)
  }

  /// Lookups that have failed ask once more: a tap asks for it.
  func retryFailedLookups(of session: Session) {
    guard let extras = session.extras else { return }
    for index in extras.lookups.indices {
      let effect = extras.effects.nextID
      changed(tell(index, session) { $0.machine.askedAgain(effect: effect) }, ofLookup: index, in: session)
    }
  }

  /// What a snapshot has of a lookup: the value stands until there is an answer, and the answer is used if its question comes again.
  func restoreLookup(
    _ index: Int,
    _ value: JSON?,
    _ answer: (key: JSON, answer: LookupMachine.Answer)?,
    in session: Session
  ) {
    _ = tell(index, session) { state in
      state.machine.restored(value)
      state.answers.restored = answer
      return nil
    }
  }

  private func answer(of lookup: Lookup, _ response: EffectResponse, _ session: Session) -> LookupMachine.Answer {
    guard response.kind == .ok else { return .failed(response.kind.rawValue) }
    // What a server says of its failure is no value.
    guard response.status < 400 else { return .failed("status") }
    guard let formula = lookup.value else {
      return .value((response.body ?? response.rows.map { .array($0) })?.withoutNullMembers)
    }
    let value = OutcomeScope(response: response, previous: nil, instance: session).evaluate(formula, by: self)
    guard let json = value.json else { return .failed(EffectResponse.Kind.fault.rawValue) }
    return .value(json.isNull ? nil : json.withoutNullMembers)
  }

  /// Tells a lookup what has happened, does what it wants, and stores what it says now.
  ///
  /// - Returns: the facts about it that differ from before.
  private func tell(
    _ index: Int,
    _ session: Session,
    _ event: (inout LookupState) -> LookupMachine.Steps?
  ) -> FactSet {
    let extras = session.madeExtras
    let before = extras.lookups[index]
    let steps = event(&extras.lookups[index])
    if let steps { perform(steps, of: index, in: session) }
    let state = extras.lookups[index]
    session.computedBytes += state.bytes - before.bytes
    return store(state.machine, over: before.machine, of: index, in: session)
  }

  private func store(
    _ machine: LookupMachine,
    over before: LookupMachine,
    of index: Int,
    in session: Session
  ) -> FactSet {
    let (layout, slots) = (session.form.layout, session.form.slots)
    var facts = FactSet.none
    if machine.isLoading != before.isLoading {
      note(layout.lookup(index, .isLoading), .bool(before.isLoading), in: session)
      store(machine.isLoading, in: slots.lookupIsLoading[index], of: session)
      facts |= .lookupIsLoading
    }
    if !machine.value.isIdentical(to: before.value) {
      note(layout.lookup(index, .value), DocumentValue(before.value), isCertain: false, in: session)
      let slot = slots.lookupValue[index]
      if slot >= 0 { _ = store(machine.value.map(Value.init) ?? .null, in: slot, of: session) }
      facts |= .lookupValue
    }
    if machine.error != before.error {
      note(layout.lookup(index, .error), before.error.map { .text($0) } ?? .absent, in: session)
      let slot = slots.lookupError[index]
      if slot >= 0 { _ = store(.string(machine.error ?? ""), in: slot, of: session) }
      facts |= .lookupError
    }
    return facts
  }

  private func perform(_ steps: LookupMachine.Steps, of index: Int, in session: Session) {
    let extras = session.madeExtras
    let lookup = session.form.lookups[index]
    switch steps.ends {
    case .nothing: break
    case .debounce: extras.timers.set(.lookupDebounce(index), to: nil)
    case .pause: extras.timers.set(.lookupPause(index), to: nil)
    case .effect(let id): abandon(id, in: session)
    }
    switch steps.begins {
    case .nothing: break
    case .debounce: extras.timers.set(.lookupDebounce(index), to: lookup.debounce.map { now + $0 })
    case .pause(let pause): extras.timers.set(.lookupPause(index), to: now + pause)
    case .effect(let request): launch(request, timeout: lookup.timeout, owner: .lookup(index), in: session)
    }
    if extras.lookups[index].machine.isLoading { holdTapsAgain(by: index, in: session) }
  }

  /// A lookup is loading: the taps that are held already wait for the fields whose options it gives, too.
  private func holdTapsAgain(by lookup: Int, in session: Session) {
    guard session.extras?.actions.contains(where: { $0.firstHeldToken != nil }) ?? false else { return }
    session.forEachPlace { place in
      if session.form.fields[place.field].lookups.contains(lookup) { holdAgain(by: place) }
    }
  }
}
