internal import CEL
internal import DocumentProperties
internal import Forms
internal import Times

/// The date and the time that formulas read.
extension Engine {
  /// Gives a session its clock, if its form reads one.
  ///
  /// - Parameter time: the value of `now`. If nil, it is the wall clock's time.
  func setClock(of session: Session, zone: Zone, time: Timestamp? = nil) {
    guard session.form.slots.readsTime else { return }
    session.madeExtras.clock = SessionClock(
      zone: zone,
      period: session.form.clock,
      isDateRead: session.form.slots.today >= 0,
      time: time,
      wall: wallClock(),
      at: now
    )
  }

  /// A turn begins: `today` is compared, and `now` is set if a tap or a tick needs it.
  ///
  /// Everything that depends on them is computed before the input is applied, so that the input sees the current time.
  @inline(never)
  func lookAtClock(of session: Session, isTap: Bool) {
    guard let clock = session.extras?.clock else { return }
    let wall = wallClock()
    let slots = session.form.slots
    var changed = FactSet.none
    if clock.compareDate(wall, at: now), slots.today >= 0, store(.string(clock.date), in: slots.today, of: session) {
      changed |= .today
    }
    let isTick = clock.isTickDue(at: now)
    let isSet = isTap || isTick
    if isSet { session.madeMarks?.isHeadMarked = true }
    if isSet, clock.setTime(wall, at: now), slots.now >= 0, store(.timestamp(clock.time), in: slots.now, of: session) {
      changed |= .now
    }
    guard changed != .none else { return }
    formChanged(changed, in: session)
    settle(session)
  }

  /// Gives the slots their initial content.
  func initializeTimeSlots(of session: Session) {
    guard let clock = session.extras?.clock else { return }
    let slots = session.form.slots
    func fill(_ slot: Int32, _ value: Value) {
      if slot >= 0 { session.slots[Int(slot)] = value }
    }
    fill(slots.today, .string(clock.date))
    fill(slots.now, .timestamp(clock.time))
    fill(slots.form[.zone, 0], .string(clock.zone.name))
  }
}
