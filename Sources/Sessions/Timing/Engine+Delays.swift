internal import Forms

/// Changes of fields: they come in, and a throttle or debounce of their field holds them back.
extension Engine {
  /// A change has come in. It takes effect now, or when the field's throttle or debounce lets it through.
  func receive(_ change: FieldChange, origin: Origin, isComposing: Bool, in session: Session) {
    guard change.field != FieldChange.root, session.tables.pointee.fields[change.field].hasTiming,
      let timing = session.form.fields[change.field].timing
    else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: session)
    }
    guard session.isReachable(change.field) else { return }
    var delay = session.madeExtras.delays[change.field] ?? Delay(timing)
    if delay.passed(at: now) {
      store(delay, of: change.field, in: session)
      applyChange(change, origin: origin, isComposing: isComposing, in: session)
    } else {
      let isOverfull = hold((change, origin, isComposing), by: &delay, in: session)
      store(delay, of: change.field, in: session)
      if isOverfull { flush(alone: change.field, of: session) }
    }
  }

  /// Holds back a change that was held back in a snapshot, for a whole interval.
  func hold(_ change: FieldChange, origin: Origin, isComposing: Bool, in session: Session) {
    guard let timing = session.form.fields[change.field].timing else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: session)
    }
    var delay = session.madeExtras.delays[change.field] ?? Delay(timing)
    _ = hold((change, origin, isComposing), by: &delay, in: session)
    store(delay, of: change.field, in: session)
  }

  /// Returns whether the field now holds back more changes than it may.
  private func hold(_ change: HeldChanges.Change, by delay: inout Delay<HeldChanges>, in session: Session) -> Bool {
    var held = delay.held ?? HeldChanges()
    session.valueBytes -= held.bytes
    let isOverfull = held.append(change, bytes: session.heldBytes(of: change.change))
    session.valueBytes += held.bytes
    delay.hold(held, at: now)
    return isOverfull
  }

  /// Stores a field's throttle or debounce, and sets its timer.
  private func store(_ delay: Delay<HeldChanges>, of field: Int, in session: Session) {
    let extras = session.madeExtras
    extras.delays[field] = delay
    extras.timers.set(.field(field), to: delay.deadline)
  }

  /// The interval of a field's throttle or debounce is over.
  func fieldDelayEnded(_ field: Int, of session: Session) {
    guard var delay = session.extras?.delays[field] else { return }
    let passing = delay.deadlineReached(at: now)
    store(delay, of: field, in: session)
    if let passing { apply(passing, in: session) }
  }

  private func apply(_ held: HeldChanges, in session: Session) {
    for (change, origin, isComposing) in held.all {
      applyChange(change, origin: origin, isComposing: isComposing, in: session)
    }
    session.valueBytes -= held.bytes
  }

  /// The changes that the field holds back, and those that the fields below it do, take effect now.
  func flush(field: Int, of session: Session) {
    guard let extras = session.extras, !extras.delays.isEmpty else { return }
    for field in field..<Int(session.tables.pointee.fields[field].end) { flush(alone: field, of: session) }
  }

  private func flush(alone field: Int, of session: Session) {
    guard var delay = session.extras?.delays[field], let passing = delay.flush() else { return }
    store(delay, of: field, in: session)
    apply(passing, in: session)
  }

  /// The changes that all fields hold back take effect now.
  func flushAll(_ session: Session) {
    guard let extras = faults.through(.skipFlush, session.extras, broken: nil), !extras.delays.isEmpty else { return }
    for field in extras.delays.keys.sorted() { flush(alone: field, of: session) }
  }
}

extension Delay where Held == HeldChanges {
  /// The delay that a field's definition asks for.
  init(_ timing: Field.Timing) {
    switch timing {
    case .throttle(let interval): self.init(Throttle(interval: interval, edges: .both))
    case .debounce(let interval): self.init(Debounce(interval: interval))
    }
  }
}
