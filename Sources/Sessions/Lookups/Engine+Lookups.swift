internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Lookups: the inputs of their machines, and the effects of these inputs.
extension Engine {
  /// Starts, stops or keeps a lookup after a change of the cells that its condition and its request read.
  func computeLookup(_ index: Int, _ instance: Instance) -> FactSet {
    let session = instance.session
    guard !session.flags.contains(.skipsChecks) else { return .none }
    let lookup = session.form.lookups[index]
    guard lookup.when.map({ isTrue($0, in: instance) }) ?? true else { return stop(index, instance) }
    var maker = RequestMaker(self, instance)
    let inquiry: Inquiry
    do throws(RequestError) {
      inquiry = Inquiry(try maker.request(for: lookup.request))
    } catch {
      // An absent value in a path is not a fault.
      if maker.hasOmitted { return stop(index, instance) }
      report(error.formula, reason: error.reason, in: instance)
      return tell(index, instance) { $0.faulted(.failed(EffectResponse.Kind.fault.rawValue)) }
    }
    if maker.hasOmitted { return stop(index, instance) }
    let instanceExtras = instance.madeInstanceExtras
    if instanceExtras.lookups[index].machine.isAbout(inquiry) { return .none }
    // The result is computed in any case, because it may read cells of this instance.
    let known =
      instanceExtras.lookups[index].restoredAnswer(to: inquiry)
      ?? cachedAnswer(to: inquiry, by: .lookup(index), in: session).map { answer(of: lookup, $0, instance) }
    let effect = effectID(for: inquiry, by: .lookup(index), in: instance)
    // While the session opens, no user is typing yet.
    let isDebounced =
      waitsForComposition(.lookup(index), in: instance)
      || lookup.debounce != nil && !isOpening
    return tell(index, instance) { $0.asked(inquiry, known: known, isDebounced: isDebounced, effect: effect) }
  }

  private func stop(_ index: Int, _ instance: Instance) -> FactSet {
    // A lookup that has never asked has nothing to stop.
    guard instance.instanceExtras != nil else { return .none }
    return tell(index, instance) { $0.stopped() }
  }

  /// Stops everything of a row's lookup that is under way, and discards its state.
  func endLookup(_ index: Int, of row: Row) {
    if row.instanceExtras != nil { _ = tell(index, row) { $0.stopped() } }
  }

  /// Lookups that have failed ask once more, because a tap asks for it.
  func retryFailedLookups(of session: Session) {
    guard !session.form.lookups.isEmpty else { return }
    session.forEachInstance { instance in
      for index in instance.instanceExtras?.lookups.indices ?? 0..<0 {
        goOn(withLookup: index, instance) { $0.askedAgain(effect: $1) }
      }
    }
  }

  /// Goes on with the inquiry that a lookup has, under the name of the effect that would answer it.
  func goOn(
    withLookup index: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<LookupAnswer>, EffectID) -> InquirySteps?
  ) {
    guard let inquiry = instance.instanceExtras?.lookups[index].machine.inquiry else { return }
    let effect = effectID(for: inquiry, by: .lookup(index), in: instance)
    changed(tell(index, instance) { event(&$0, effect) }, ofLookup: index, in: instance)
  }

  /// The answer to a lookup's effect came.
  func lookupAnswered(_ index: Int, by effect: EffectID, _ response: EffectResponse, in instance: Instance) {
    let lookup = instance.form.lookups[index]
    let answer = answer(of: lookup, response, instance)
    let facts = tell(index, instance) {
      $0.answered(answer, by: effect) { tries in
        guard let retry = lookup.retry, tries <= retry.times, response.isWorthRetrying else { return nil }
        return retry.pause(beforeTry: tries - 1)
      }
    }
    cache(
      response,
      toInquiryOf: instance.instanceExtras?.lookups[index].machine,
      by: .lookup(index),
      in: instance.session
    )
    changed(facts, ofLookup: index, in: instance)
  }

  /// Restores a lookup from a snapshot. The value stays until there is an answer, and the answer is used if its inquiry
  /// comes again.
  func restoreLookup(
    _ index: Int,
    _ value: JSON?,
    _ answer: (key: JSON, answer: LookupAnswer)?,
    in instance: Instance
  ) {
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.lookups[index]
    instanceExtras.lookups[index].restore(value, answer)
    _ = store(instanceExtras.lookups[index], over: before, of: index, in: instance)
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
    _ index: Int,
    _ instance: Instance,
    _ event: (inout InquiryMachine<LookupAnswer>) -> InquirySteps?
  ) -> FactSet {
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.lookups[index]
    markForSnapshot(.lookup(index), in: instance)
    if let steps = instanceExtras.lookups[index].tell(event) {
      perform(steps, for: .lookup(index), in: instance)
      if instanceExtras.lookups[index].isLoading { holdTapsAgain(by: index, in: instance) }
    }
    return store(instanceExtras.lookups[index], over: before, of: index, in: instance)
  }

  private func store(
    _ state: LookupState,
    over before: LookupState,
    of index: Int,
    in instance: Instance
  ) -> FactSet {
    instance.session.computedBytes += state.bytes - before.bytes
    let slots = instance.form.slots
    var facts = FactSet.none
    if state.isLoading != before.isLoading {
      note(.isLoading, of: index, .bool(before.isLoading), in: instance)
      store(state.isLoading, in: slots.offset(slots.lookups[.isLoading, index]), of: instance)
      facts |= FactSet(lookup: .isLoading)
    }
    if !state.value.isIdentical(to: before.value) {
      note(.value, of: index, DocumentValue(before.value), in: instance)
      let slot = slots.offset(slots.lookups[.value, index])
      if slot >= 0 { _ = store(state.value.map(Value.init) ?? .null, in: slot, of: instance) }
      facts |= FactSet(lookup: .value)
    }
    if state.error != before.error {
      note(.error, of: index, before.error.map { .text($0) } ?? .absent, in: instance)
      let slot = slots.offset(slots.lookups[.error, index])
      if slot >= 0 { _ = store(.string(state.error ?? ""), in: slot, of: instance) }
      facts |= FactSet(lookup: .error)
    }
    return facts
  }

  /// Notes the document's old content of a lookup before it changes.
  private func note(_ property: LookupProperty, of index: Int, _ old: DocumentValue, in instance: Instance) {
    if let row = instance.row { return note(row.cell(ofLookup: index, property), of: row, old) }
    note(instance.form.layout.lookup(index, property), old, isCertain: property != .value)
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
