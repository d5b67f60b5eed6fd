internal import CEL
internal import Forms
internal import JSON

/// Lookups: what their machines hear, and what becomes of it.
extension Engine {
  /// Starts, stops or keeps a lookup after a change of the cells that its condition and its request read.
  func computeLookup(_ index: Int, _ instance: Instance) -> FactSet {
    let session = instance.session
    guard !session.flags.contains(.skipsChecks) else { return .none }
    let lookup = session.form.lookups[index]
    guard lookup.when.map({ isTrue($0, in: instance) }) ?? true else { return stop(index, instance) }
    var maker = RequestMaker(self, instance)
    let question: EffectQuestion
    do throws(RequestFault) {
      question = EffectQuestion(try maker.request(for: lookup.run))
    } catch {
      // What is absent in a path is no fault.
      if maker.hasOmitted { return stop(index, instance) }
      report(error.formula, reason: error.reason, in: instance)
      return tell(index, instance) { $0.machine.faulted() }
    }
    if maker.hasOmitted { return stop(index, instance) }
    let own = instance.madeOwn
    let isKnown = own.lookups[index].machine.isAbout(question)
    if faults.through(.skipLookup, isKnown, broken: own.lookups[index].machine.question != nil) { return .none }
    // What it says is computed in any case: it may read cells of this instance.
    let known =
      own.lookups[index].restoredAnswer(to: question)
      ?? keptAnswer(to: question, by: .lookup(index), in: session).map { answer(of: lookup, $0, instance) }
    let effect = effectID(for: question, by: .lookup(index), in: instance)
    return tell(index, instance) { state in
      state.machine.asked(
        question,
        known: known,
        // Nobody is typing yet.
        isDebounced: lookup.debounce != nil && !session.flags.contains(.isOpening),
        effect: effect
      )
    }
  }

  private func stop(_ index: Int, _ instance: Instance) -> FactSet {
    // One that has never asked has nothing to stop.
    guard instance.own != nil, faults.through(.keepLookup, true, broken: false) else { return .none }
    return tell(index, instance) { $0.machine.stopped() }
  }

  /// Nothing of a row's lookup is under way any more, and nothing of it is kept.
  func endLookup(_ index: Int, of row: Row) {
    if row.own != nil { _ = tell(index, row) { $0.machine.stopped() } }
  }

  /// The debounce of a lookup is over.
  func lookupDebounceEnded(_ index: Int, of instance: Instance) {
    goOn(index, instance) { $0.debounceEnded(effect: $1) }
  }

  /// The pause before another try of a lookup is over.
  func lookupPauseEnded(_ index: Int, of instance: Instance) {
    goOn(index, instance) { $0.pauseEnded(effect: $1) }
  }

  /// Lookups that have failed ask once more: a tap asks for it.
  func retryFailedLookups(of session: Session) {
    guard !session.form.lookups.isEmpty else { return }
    session.forEachInstance { instance in
      for index in instance.own?.lookups.indices ?? 0..<0 { goOn(index, instance) { $0.askedAgain(effect: $1) } }
    }
  }

  /// Goes on with the question that a lookup has, under the name of the effect that would answer it.
  private func goOn(
    _ index: Int,
    _ instance: Instance,
    _ event: (inout LookupMachine, EffectID) -> LookupMachine.Steps?
  ) {
    guard let question = instance.own?.lookups[index].machine.question else { return }
    let effect = effectID(for: question, by: .lookup(index), in: instance)
    changed(tell(index, instance) { event(&$0.machine, effect) }, ofLookup: index, in: instance)
  }

  /// The answer to a lookup's effect came.
  func lookupAnswered(_ index: Int, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    let lookup = instance.form.lookups[index]
    let answer = answer(of: lookup, response, instance)
    let facts = tell(index, instance) { state in
      let steps = state.machine.answered(answer, by: effect) { tries in
        guard let retry = lookup.retry, tries <= retry.times, response.isWorthRetrying else { return nil }
        return retry.pause(beforeTry: tries - 1)
      }
      return steps
    }
    if let machine = instance.own?.lookups[index].machine, machine.error == nil,
      case .settled(let question) = machine.state
    {
      keep(response, to: question, by: .lookup(index), countMax: lookup.cacheCount, in: instance.session)
    }
    changed(facts, ofLookup: index, in: instance)
  }

  /// What a snapshot has of a lookup: the value stands until there is an answer, and the answer is used if its question comes again.
  func restoreLookup(
    _ index: Int,
    _ value: JSON?,
    _ answer: (key: JSON, answer: LookupMachine.Answer)?,
    in instance: Instance
  ) {
    _ = tell(index, instance) { state in
      state.restore(value, answer)
      return nil
    }
  }

  private func answer(of lookup: Lookup, _ response: EffectResponse, _ instance: Instance) -> LookupMachine.Answer {
    guard response.kind == .ok else { return .failed(response.kind.rawValue) }
    // What a server says of its failure is no value.
    guard response.status < 400 else { return .failed("status") }
    guard let formula = lookup.value else {
      return .value((response.body ?? response.rows.map { .array($0) })?.withoutNullMembers)
    }
    let value = OutcomeScope(response: response, previous: nil, instance: instance).evaluate(formula, by: self)
    guard let json = value.json else { return .failed(EffectResponse.Kind.fault.rawValue) }
    return .value(json.isNull ? nil : json.withoutNullMembers)
  }

  /// Tells a lookup what has happened, does what it wants, and stores what it says now.
  ///
  /// - Returns: the facts about it that differ from before.
  private func tell(
    _ index: Int,
    _ instance: Instance,
    _ event: (inout LookupState) -> LookupMachine.Steps?
  ) -> FactSet {
    let own = instance.madeOwn
    let before = own.lookups[index].machine
    let steps = event(&own.lookups[index])
    if let steps { perform(steps, of: index, in: instance) }
    let machine = own.lookups[index].machine
    instance.session.computedBytes += machine.bytes - before.bytes
    return store(machine, over: before, of: index, in: instance)
  }

  private func store(
    _ machine: LookupMachine,
    over before: LookupMachine,
    of index: Int,
    in instance: Instance
  ) -> FactSet {
    let slots = instance.form.slots
    var facts = FactSet.none
    if machine.isLoading != before.isLoading {
      note(.isLoading, of: index, .bool(before.isLoading), in: instance)
      store(machine.isLoading, in: slots.place(slots.lookupIsLoading[index]), of: instance)
      facts |= .lookupIsLoading
    }
    if !machine.value.isIdentical(to: before.value) {
      note(.value, of: index, DocumentValue(before.value), in: instance)
      let slot = slots.place(slots.lookupValue[index])
      if slot >= 0 { _ = store(machine.value.map(Value.init) ?? .null, in: slot, of: instance) }
      facts |= .lookupValue
    }
    if machine.error != before.error {
      note(.error, of: index, before.error.map { .text($0) } ?? .absent, in: instance)
      let slot = slots.place(slots.lookupError[index])
      if slot >= 0 { _ = store(.string(machine.error ?? ""), in: slot, of: instance) }
      facts |= .lookupError
    }
    return facts
  }

  /// Notes what the document said of a lookup before it changes.
  private func note(_ cell: DocumentLayout.LookupCell, of index: Int, _ old: DocumentValue, in instance: Instance) {
    if let row = instance.row { return note(row.cell(ofLookup: index, cell), of: row, old) }
    note(instance.form.layout.lookup(index, cell), old, isCertain: cell != .value, in: instance.session)
  }

  private func perform(_ steps: LookupMachine.Steps, of index: Int, in instance: Instance) {
    let extras = instance.session.madeExtras
    let lookup = instance.form.lookups[index]
    switch steps.ends {
    case .nothing: break
    case .debounce: extras.timers.set(.lookupDebounce(row: instance.rowID, lookup: index), to: nil)
    case .pause: extras.timers.set(.lookupPause(row: instance.rowID, lookup: index), to: nil)
    case .effect(let id): leave(id, by: instance)
    }
    switch steps.begins {
    case .nothing: break
    case .debounce:
      extras.timers.set(
        .lookupDebounce(row: instance.rowID, lookup: index),
        to: lookup.debounce.map { now + $0 }
      )
    case .pause(let pause):
      extras.timers.set(.lookupPause(row: instance.rowID, lookup: index), to: now + pause)
    case .effect(let request):
      guard instance.template != 0, case .running(let question, let id, _)? = instance.own?.lookups[index].machine.state
      else {
        launch(request, timeout: lookup.timeout, owner: .lookup(index), in: instance.session)
        break
      }
      join(id, question, by: .lookup(index), timeout: lookup.timeout, in: instance)
    }
    if instance.own?.lookups[index].machine.isLoading ?? false { holdTapsAgain(by: index, in: instance) }
  }

  /// A lookup is loading: the taps that are held already wait for the fields whose options it gives, too.
  private func holdTapsAgain(by lookup: Int, in instance: Instance) {
    let session = instance.session
    guard session.extras?.actions.contains(where: { $0.firstHeldToken != nil }) ?? false else { return }
    instance.forEachPlace { place in
      if session.form.fields[place.field].lookups.contains(lookup) { holdAgain(by: place) }
    }
  }
}
