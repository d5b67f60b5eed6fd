internal import Forms
internal import JSON

extension Session {
  /// Whether a throttle or debounce may hold a change back.
  package var holdsChanges: Bool { extras?.timers.hasFields ?? false }
}

extension Instance {
  /// The fields that hold changes back: the field, and the fields below it.
  func fieldsWithHeldChanges(from field: Int) -> [LiveField] {
    var held: [LiveField] = []
    forEachField(from: field) { live in
      if live.instance.instanceExtras?.delays[live.field]?.held != nil { held.append(live) }
    }
    return held
  }
}

/// Changes of fields: they come in, and a throttle or debounce of their field delays them.
extension Engine {
  /// A change has come in. It takes effect now, or when the field's throttle or debounce lets it through.
  func receive(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    guard change.field != FieldChange.root, instance.tables.pointee.fields[change.field].hasTiming,
      let timing = instance.form.fields[change.field].timing
    else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    }
    guard instance.isReachable(change.field) else { return }
    var delay = instance.madeInstanceExtras.delays[change.field] ?? Delay(timing)
    if delay.passed(at: now) {
      store(delay, of: change.field, in: instance)
      applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    } else {
      let isOverfull = hold((change, origin, isComposing, sender ?? .nobody), by: &delay, in: instance)
      store(delay, of: change.field, in: instance)
      if isOverfull { flush(alone: change.field, of: instance) }
    }
  }

  /// Delays a change for a whole interval. The snapshot had it as a delayed change.
  func hold(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    guard let timing = instance.form.fields[change.field].timing else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    }
    var delay = instance.madeInstanceExtras.delays[change.field] ?? Delay(timing)
    _ = hold((change, origin, isComposing, sender ?? .nobody), by: &delay, in: instance)
    store(delay, of: change.field, in: instance)
  }

  /// Returns whether the field now holds back more changes than allowed.
  private func hold(_ change: HeldChanges.Change, by delay: inout Delay<HeldChanges>, in instance: Instance) -> Bool {
    // The session will need no more memory than now when the change takes effect.
    if instance.template != 0 {
      instance.keepInitialValue(instance.fields[change.change.field].value, of: change.change.field)
    }
    var held = delay.held ?? HeldChanges()
    instance.session.valueBytes -= held.bytes
    let isOverfull = held.append(change, bytes: instance.session.heldBytes(of: change.change))
    instance.session.valueBytes += held.bytes
    delay.hold(held, at: now)
    return isOverfull
  }

  /// Stores a field's throttle or debounce, and sets its timer.
  private func store(_ delay: Delay<HeldChanges>, of field: Int, in instance: Instance) {
    instance.madeInstanceExtras.delays[field] = delay
    markForSnapshot(field, in: instance)
    instance.session.madeExtras.timers.set(.field(row: instance.rowID, field: field), to: delay.deadline)
  }

  /// The interval of a field's throttle or debounce is over.
  func fieldDelayEnded(_ field: Int, of instance: Instance) {
    guard var delay = instance.instanceExtras?.delays[field] else { return }
    let passing = delay.deadlineReached(at: now)
    store(delay, of: field, in: instance)
    if let passing { apply(passing, in: instance) }
  }

  private func apply(_ held: HeldChanges, in instance: Instance) {
    let current = sender
    for (change, origin, isComposing, sender) in held.all {
      if current != nil { self.sender = sender }
      applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    }
    // The client whose change was replaced gets the current value, even if it is the old value.
    if held.replacesOfOthers, let last = held.all.last { noteGiven(ValueID(last.change.field, in: instance)) }
    sender = current
    instance.session.valueBytes -= held.bytes
  }

  /// The delayed changes of the field, and of the fields below it, take effect now.
  func flush(field: Int, of instance: Instance) {
    // Every delayed change has a timer.
    if instance.session.holdsChanges { flush(instance.fieldsWithHeldChanges(from: field)) }
  }

  /// The delayed changes of those fields take effect now.
  func flush(_ held: [LiveField]) {
    // A change of a list may remove a row of another delayed change.
    for live in held where !(live.instance.row?.isGone ?? false) { flush(alone: live.field, of: live.instance) }
  }

  private func flush(alone field: Int, of instance: Instance) {
    guard var delay = instance.instanceExtras?.delays[field], let passing = delay.flush() else { return }
    store(delay, of: field, in: instance)
    apply(passing, in: instance)
  }

  /// The delayed changes of all fields take effect now.
  func flushAll(_ session: Session) {
    guard let extras = session.extras, extras.timers.hasFields else { return }
    var held: [LiveField] = []
    session.forEachInstance { instance in
      for field in (instance.instanceExtras?.delays ?? [:]).keys.sorted() {
        held.append(LiveField(field, in: instance))
      }
    }
    flush(held)
  }
}

extension Delay where Held == HeldChanges {
  /// The delay of a field's definition.
  init(_ timing: Field.Timing) {
    switch timing {
    case .throttle(let interval): self.init(Throttle(interval: interval, edges: .both))
    case .debounce(let interval): self.init(Debounce(interval: interval))
    }
  }
}
