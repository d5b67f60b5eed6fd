internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Lookups: the inputs of their machines, and the effects of these inputs.
extension Engine {
  /// Starts, stops or keeps a lookup after a change of the values that its condition and its request read.
  func computeLookup(_ number: Int, _ instance: Instance) -> FactSet {
    let session = instance.session
    guard !session.flags.contains(.skipsChecks) else { return .none }
    let lookup = session.form.lookups[number]
    guard lookup.when.map({ isTrue($0, in: instance) }) ?? true else { return stop(number, instance) }
    var maker = RequestMaker(self, instance)
    let inquiry: Inquiry
    do throws(RequestError) {
      inquiry = Inquiry(try maker.request(for: lookup.request))
    } catch {
      // An absent value in a path is not a fault.
      if maker.hasOmitted { return stop(number, instance) }
      report(error.formula, reason: error.reason, in: instance)
      return tell(number, instance) { $0.faulted(.failed(EffectResponse.Kind.fault.rawValue)) }
    }
    if maker.hasOmitted { return stop(number, instance) }
    let instanceExtras = instance.madeInstanceExtras
    if instanceExtras.lookups[number].machine.isAbout(inquiry) { return .none }
    // The result is computed in any case, because it may read values of this instance.
    let known =
      instanceExtras.lookups[number].restoredAnswer(to: inquiry)
      ?? cachedAnswer(to: inquiry, by: .lookup(number), in: session).map { answer(of: lookup, $0, instance) }
    let effect = effectID(for: inquiry, by: .lookup(number), in: instance)
    // While the session opens, no user is typing yet.
    let isDebounced =
      waitsForComposition(.lookup(number), in: instance)
      || lookup.debounce != nil && !isOpening
    return tell(number, instance) { $0.asked(inquiry, known: known, isDebounced: isDebounced, effect: effect) }
  }

  private func stop(_ lookup: Int, _ instance: Instance) -> FactSet {
    // A lookup that has never asked has nothing to stop.
    guard instance.instanceExtras != nil else { return .none }
    return tell(lookup, instance) { $0.stopped() }
  }

  /// Stops everything of a row's lookup that is under way, and discards its state.
  func endLookup(_ lookup: Int, of row: Row) {
    if row.instanceExtras != nil { _ = tell(lookup, row) { $0.stopped() } }
  }

  /// Lookups that have failed ask once more, because a tap asks for it.
  func retryFailedLookups(of session: Session) {
    guard !session.form.lookups.isEmpty else { return }
    session.forEachInstance { instance in
      for lookup in instance.instanceExtras?.lookups.indices ?? 0..<0 {
        goOn(withLookup: lookup, instance) { $0.askedAgain(effect: $1) }
      }
    }
  }

  /// Goes on with the inquiry that a lookup has, under the name of the effect that would answer it.
  func goOn(
    withLookup lookup: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<LookupAnswer>, EffectID) -> InquirySteps?
  ) {
    guard let inquiry = instance.instanceExtras?.lookups[lookup].machine.inquiry else { return }
    let effect = effectID(for: inquiry, by: .lookup(lookup), in: instance)
    changed(tell(lookup, instance) { event(&$0, effect) }, ofLookup: lookup, in: instance)
  }

  /// The answer to a lookup's effect came.
  func lookupAnswered(_ number: Int, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    let lookup = instance.form.lookups[number]
    let answer = answer(of: lookup, response, instance)
    let facts = tell(number, instance) {
      $0.answered(answer, by: effect) { tries in
        guard let retry = lookup.retry, tries <= retry.times, response.isWorthRetrying else { return nil }
        return retry.pause(beforeTry: tries - 1)
      }
    }
    cache(
      response,
      toInquiryOf: instance.instanceExtras?.lookups[number].machine,
      by: .lookup(number),
      in: instance.session
    )
    changed(facts, ofLookup: number, in: instance)
  }

  /// Restores a lookup from a snapshot. The value stays until there is an answer, and the answer is used if its inquiry
  /// comes again.
  func restoreLookup(
    _ lookup: Int,
    _ value: JSON?,
    _ answer: (key: JSON, answer: LookupAnswer)?,
    in instance: Instance
  ) {
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.lookups[lookup]
    instanceExtras.lookups[lookup].restore(value, answer)
    _ = store(instanceExtras.lookups[lookup], over: before, of: lookup, in: instance)
  }

  private func answer(of lookup: Lookup, _ response: EffectResponse, _ instance: Instance) -> LookupAnswer {
    guard response.kind == .ok else { return .failed(response.kind.rawValue) }
    // A server's response about its failure is not a value.
    guard response.status < 400 else { return .failed("status") }
    guard let formula = lookup.value else {
      return .value((response.body ?? response.rows.map { .array($0) })?.withoutNullMembers)
    }
    let value = OutcomeScope(response: response, previous: nil, instance: instance).evaluate(formula, by: self)
    guard let json = value.json else { return .failed(EffectResponse.Kind.fault.rawValue) }
    return .value(json.isNull ? nil : json.withoutNullMembers)
  }

  /// Tells a lookup what has happened, carries out its requests, and stores its new state.
  ///
  /// - Returns: the facts about it that differ from before.
  private func tell(
    _ lookup: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<LookupAnswer>) -> InquirySteps?
  ) -> FactSet {
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.lookups[lookup]
    markForSnapshot(.lookup(lookup), in: instance)
    if let steps = instanceExtras.lookups[lookup].tell(event) {
      perform(steps, for: .lookup(lookup), in: instance)
      if instanceExtras.lookups[lookup].isLoading { holdTapsAgain(by: lookup, in: instance) }
    }
    return store(instanceExtras.lookups[lookup], over: before, of: lookup, in: instance)
  }

  private func store(
    _ state: LookupState,
    over before: LookupState,
    of lookup: Int,
    in instance: Instance
  ) -> FactSet {
    instance.session.computedBytes += state.bytes - before.bytes
    let slots = instance.form.slots
    var facts = FactSet.none
    if state.isLoading != before.isLoading {
      note(.isLoading, of: lookup, .bool(before.isLoading), in: instance)
      store(state.isLoading, in: slots.offset(slots.lookups[.isLoading, lookup]), of: instance)
      facts |= FactSet(lookup: .isLoading)
    }
    if !state.value.isIdentical(to: before.value) {
      note(.value, of: lookup, DocumentValue(before.value), in: instance)
      let slot = slots.offset(slots.lookups[.value, lookup])
      if slot >= 0 { _ = store(state.value.map(Value.init) ?? .null, in: slot, of: instance) }
      facts |= FactSet(lookup: .value)
    }
    if state.error != before.error {
      note(.error, of: lookup, before.error.map { .text($0) } ?? .absent, in: instance)
      let slot = slots.offset(slots.lookups[.error, lookup])
      if slot >= 0 { _ = store(.string(state.error ?? ""), in: slot, of: instance) }
      facts |= FactSet(lookup: .error)
    }
    return facts
  }

  /// Notes the document's old content of a lookup before it changes.
  private func note(_ property: LookupProperty, of lookup: Int, _ old: DocumentValue, in instance: Instance) {
    if let row = instance.row { return note(row.cell(ofLookup: lookup, property), of: row, old) }
    note(instance.form.layout.lookup(lookup, property), old, isCertain: property != .value)
  }

  /// A lookup is loading: the taps that are held already wait for the fields whose options it gives, too.
  private func holdTapsAgain(by lookup: Int, in instance: Instance) {
    let session = instance.session
    guard session.extras?.actions.contains(where: { $0.firstHeldToken != nil }) ?? false else { return }
    instance.forEachField { live in
      if session.form.fields[live.field].lookups.contains(lookup) { holdAgain(by: live) }
    }
    // Fields around the row may have options that all rows give.
    var around = instance.row?.list.owner
    while let outer = around {
      for field in outer.ownFields where session.form.fields[field].lookups.contains(lookup) {
        holdAgain(by: LiveField(field, in: outer))
      }
      around = outer.row?.list.owner
    }
  }
}
