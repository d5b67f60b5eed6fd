internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema

/// Notes the results of a turn other than changed cells.
extension Engine {
  /// The turn's details, made when they are first needed.
  private var madeDetails: Turn.Details {
    if let details { return details }
    let fresh = Turn.Details()
    details = fresh
    return fresh
  }

  /// Rows that an input has put in.
  func inserted(_ rows: [Int]) { madeDetails.rows += rows }

  func emit(_ event: Event) { madeDetails.events.append(event) }

  /// Notes that clients must get the current value, because they cannot know it.
  func tell(_ id: ValueID) {
    let details = madeDetails
    if details.toldSet.insert(id).inserted { details.told.append(id) }
  }

  /// Notes that clients must get a value that has changed by itself, unless they get the object around it.
  func tellMoved(_ field: Int, in instance: Instance) {
    var around: LiveField? = LiveField(field, in: instance)
    while let live = around {
      if details?.toldSet.contains(ValueID(live.field, in: live.instance)) ?? false { return }
      around = live.around
    }
    tell(ValueID(field, in: instance))
  }

  /// Notes that an input has changed a value, if another client must get it.
  @inline(__always)
  func noteGiven(_ id: @autoclosure () -> ValueID) {
    if _slowPath(sender != nil) { keepGiven(id()) }
  }

  @inline(never)
  private func keepGiven(_ id: ValueID) {
    if let sender { madeDetails.given.append(GivenValue(id: id, sender: sender)) }
  }

  func start(_ effect: Effect) { madeDetails.starts.append(effect) }

  func timedOut(_ id: EffectID) { madeDetails.timeouts.append(id) }

  func cancel(_ id: EffectID) {
    // An effect of this very turn has not started yet.
    let details = madeDetails
    if let position = details.starts.firstIndex(where: { $0.id == id }) {
      details.starts.remove(at: position)
    } else {
      details.cancels.append(id)
    }
  }

  func answerTap(_ result: TapResult) { madeDetails.tap = result }

  func swallow(_ token: UInt64) { madeDetails.swallowedTaps.append(token) }

  /// A formula has no usable result. It is reported if it went right before.
  @inline(never)
  func report(_ formula: Formula, _ value: Value, in instance: Instance) {
    report(formula, reason: reason(for: value, of: formula), in: instance)
  }

  /// Reports a formula for a reason other than its result.
  func report(_ formula: Formula, reason: String, in instance: Instance) {
    if let node = instance.form.graph.node(of: formula) {
      instance.session.flags.insert(.hasFaults)
      let extras = instance.session.madeExtras
      guard extras.faults.note(formula, at: node, in: instance.rowID, reason: reason) else { return }
    }
    let details = madeDetails
    guard details.faults.count < 32 else { return }
    details.faults.append(Fault(pointer: formula.pointer, name: formula.name, message: reason))
  }

  /// Reports a keyword of the schema that could not be judged within the turn's budget.
  func report(_ failure: Failure) {
    let details = madeDetails
    guard details.faults.count < 32 else { return }
    let location = JSONPointer(tokens: ["schema"] + failure.keywordLocation.tokens).description
    details.faults.append(
      Fault(pointer: location, name: "schema", message: "the schema takes more steps than a turn may")
    )
  }

  /// The reason in words for the log. The text of an error could contain a value that the formula read. So the reason
  /// has only the kind and the operands' types, and for a secret not even the types.
  func reason(for value: Value, of formula: Formula) -> String {
    if formula.readsSecret { return "run-time error" }
    if case .error(let error) = value { return formula.program.typesOnly(of: error) }
    return "the result is of type \(value.runtimeType?.name ?? "unknown")"
  }
}
