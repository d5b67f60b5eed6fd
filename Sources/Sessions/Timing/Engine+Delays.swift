internal import Forms

/// Changes of fields: they come in, and a throttle or debounce of their field holds them back.
extension Engine {
  /// A change has come in. It takes effect now, or when the field's throttle or debounce lets it through.
  func receive(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    guard change.field != FieldChange.root, instance.tables.pointee.fields[change.field].hasTiming,
      let timing = instance.form.fields[change.field].timing
    else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    }
    guard instance.isReachable(change.field) else { return }
    var delay = instance.madeOwn.delays[change.field] ?? Delay(timing)
    if delay.passed(at: now) {
      store(delay, of: change.field, in: instance)
      applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    } else {
      let isOverfull = hold((change, origin, isComposing, sender ?? 0), by: &delay, in: instance)
      store(delay, of: change.field, in: instance)
      if isOverfull { flush(alone: change.field, of: instance) }
    }
  }

  /// Holds back a change that was held back in a snapshot, for a whole interval.
  func hold(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    guard let timing = instance.form.fields[change.field].timing else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: instance)
    }
    var delay = instance.madeOwn.delays[change.field] ?? Delay(timing)
    _ = hold((change, origin, isComposing, sender ?? 0), by: &delay, in: instance)
    store(delay, of: change.field, in: instance)
  }

  /// Returns whether the field now holds back more changes than it may.
  private func hold(_ change: HeldChanges.Change, by delay: inout Delay<HeldChanges>, in instance: Instance) -> Bool {
    // When the change takes effect, the session needs no more memory than now.
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
    instance.madeOwn.delays[field] = delay
    mark(field, in: instance, unless: .forgetHeldMark)
    instance.session.madeExtras.timers.set(.field(row: instance.rowID, field: field), to: delay.deadline)
  }

  /// The interval of a field's throttle or debounce is over.
  func fieldDelayEnded(_ field: Int, of instance: Instance) {
    guard var delay = instance.own?.delays[field] else { return }
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
    // Whose change was replaced shows what counts now, even if that is what stood there before.
    if held.replacesOfOthers, let last = held.all.last { noteGiven(ToldPlace(last.change.field, in: instance)) }
    sender = current
    instance.session.valueBytes -= held.bytes
  }

  /// The changes that the field holds back, and those that the fields below it do, take effect now.
  func flush(field: Int, of instance: Instance) {
    // Whatever is held back has a timer.
    guard let extras = instance.session.extras, extras.timers.hasFields else { return }
    var held: [Place] = []
    instance.forEachPlace(from: field) { place in
      if place.instance.own?.delays[place.field]?.held != nil { held.append(place) }
    }
    flush(held)
  }

  /// The changes that those fields hold back take effect now.
  func flush(_ held: [Place]) {
    // What one of them makes of a list may end another.
    for place in held where !(place.instance.row?.isGone ?? false) { flush(alone: place.field, of: place.instance) }
  }

  private func flush(alone field: Int, of instance: Instance) {
    guard var delay = instance.own?.delays[field], let passing = delay.flush() else { return }
    store(delay, of: field, in: instance)
    apply(passing, in: instance)
  }

  /// The changes that all fields hold back take effect now.
  func flushAll(_ session: Session) {
    guard faults.through(.skipFlush, true, broken: false) else { return }
    guard let extras = session.extras, extras.timers.hasFields else { return }
    var held: [Place] = []
    session.forEachInstance { instance in
      for field in (instance.own?.delays ?? [:]).keys.sorted() { held.append(Place(field, in: instance)) }
    }
    flush(held)
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
