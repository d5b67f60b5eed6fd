internal import CEL

/// What a session knows of the date and the time, where formulas of its form read them.
///
/// Two clocks meet here. Deadlines are on the monotonic one (``Instant``). What formulas read is on the wall clock, which may be set back and
/// forth: so the date is compared at the start of every turn, and no deadline lies so far ahead that a jump would hide it for long.
final class SessionClock {
  /// In which zone it is `today`.
  let zone: Zone
  /// How often `now` ticks; nil where it does not.
  private let period: Duration?
  /// Whether the session asks to be woken when the date changes.
  private let isDateRead: Bool
  /// Whether somebody is told what changes.
  var isAttended = true
  /// What `now` says: the time when the session was opened, at the last tap or the last tick.
  private(set) var time: Timestamp
  /// What `today` says.
  private(set) var date: String
  /// The date is that one from the first on and before the second, as far as is known.
  private var dateHolds: (since: Timestamp, before: Timestamp?)
  /// When `now` ticks next.
  private var nextTick: Instant?
  /// When the date is compared next, if no turn comes before.
  private var nextLook: Instant?

  /// What a clock costs in memory, approximately.
  static let bytes = 256
  /// The date is compared at least so often: a wall clock may be set, and a monotonic one may stand still while the machine sleeps.
  private static let lookMax = Duration.seconds(600)
  /// And at most so often, so that a wall clock that stands still before midnight keeps nobody busy.
  private static let lookMin = Duration.milliseconds(10)

  /// A clock that is looked at for the first time.
  ///
  /// - Parameters:
  ///   - period: how often `now` ticks.
  ///   - time: what `now` says; nil: the wall clock's time.
  init(
    zone: Zone,
    period: Duration?,
    isDateRead: Bool,
    time: Timestamp? = nil,
    wall: Timestamp,
    at instant: Instant
  ) {
    self.zone = zone
    self.period = period
    self.isDateRead = isDateRead
    self.time = (time ?? wall).inMilliseconds
    date = zone.date(at: wall)
    dateHolds = (wall, zone.dateChange(after: wall))
    // What was set a while ago ticks when it would have ticked; a wall clock that was set back delays that by one period at most.
    if let period {
      let age = wall.since(self.time).map { Duration.nanoseconds($0.nanoseconds) } ?? period
      nextTick = instant + min(max(period - age, .zero), period)
    }
    setNextLook(wall, instant)
  }

  /// When the session has to be woken up for its clock; nil: not at all.
  var deadline: Instant? {
    guard isAttended else { return nil }
    switch (nextTick, nextLook) {
    case (let tick?, let look?): return min(tick, look)
    case (let tick, let look): return tick ?? look
    }
  }

  /// The date may be another one. Returns whether it is.
  func compareDate(_ wall: Timestamp, at instant: Instant) -> Bool {
    defer { setNextLook(wall, instant) }
    if wall >= dateHolds.since, dateHolds.before.map({ wall < $0 }) ?? true { return false }
    dateHolds = (wall, zone.dateChange(after: wall))
    let before = date
    date = zone.date(at: wall)
    return date != before
  }

  /// The time has come to tick.
  func isTickDue(at instant: Instant) -> Bool { nextTick.map { $0 <= instant } ?? false }

  /// `now` is set to the wall clock's time. Returns whether it is another one.
  func setTime(_ wall: Timestamp, at instant: Instant) -> Bool {
    nextTick = period.map { instant + $0 }
    defer { time = wall.inMilliseconds }
    return time != wall.inMilliseconds
  }

  /// A deadline that is near enough stays as it is: the two clocks never agree to the nanosecond, and a timer that moves has a price.
  private func setNextLook(_ wall: Timestamp, _ instant: Instant) {
    guard isDateRead, let change = dateHolds.before else {
      nextLook = nil
      return
    }
    let rest = change.since(wall).map { Duration.nanoseconds($0.nanoseconds) } ?? Self.lookMax
    let wanted = instant + min(max(rest, Self.lookMin), Self.lookMax)
    if let nextLook, nextLook > instant, nextLook < wanted + .seconds(1) { return }
    nextLook = wanted
  }
}
