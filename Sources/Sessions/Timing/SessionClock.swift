internal import CEL
internal import Times

/// The date and the time of a session whose formulas read them.
///
/// It uses two clocks. Deadlines are on the monotonic clock (``Instant``). Formulas read the wall clock, which an
/// operator may set back and forth. So the date is compared at the start of every turn. The deadlines are so near that
/// a jump stays hidden only for a short time.
final class SessionClock {
  /// The zone in which it is `today`.
  let zone: Zone
  /// How often `now` ticks, or nil if it does not.
  private let period: Duration?
  /// Whether the session asks to be woken when the date changes.
  private let isDateRead: Bool
  /// Whether any client gets the changes.
  var isAttended = true
  /// The value of `now`: the time when the session was opened, or the time of the last tap or tick.
  private(set) var time: Timestamp
  /// The value of `today`.
  private(set) var date: String
  /// The date is valid from the first time until before the second, as far as is known.
  private var dateHolds: (since: Timestamp, before: Timestamp?)
  /// When `now` ticks next.
  private var nextTick: Instant?
  /// When the date is compared next, if no turn comes before.
  private var nextLook: Instant?

  /// The approximate memory of a clock.
  static let bytes = 256
  /// The longest time between comparisons of the date. A wall clock may be set, and a monotonic clock may stop while
  /// the machine sleeps.
  private static let lookMax = Duration.seconds(600)
  /// The shortest time between comparisons, so that a wall clock that stops before midnight causes little work.
  private static let lookMin = Duration.milliseconds(10)

  /// A clock for its first use.
  ///
  /// - Parameters:
  ///   - period: how often `now` ticks.
  ///   - time: the value of `now`. If nil, it is the wall clock's time.
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
    // A time that was set a while ago ticks on its old schedule. A wall clock that was set back delays the tick by one
    // period at most.
    if let period {
      let age = wall.since(self.time).map { Duration.nanoseconds($0.nanoseconds) } ?? period
      nextTick = instant + min(max(period - age, .zero), period)
    }
    setNextLook(wall, instant)
  }

  /// When the session has to be woken up for its clock, or nil if it has not.
  var deadline: Instant? {
    guard isAttended else { return nil }
    switch (nextTick, nextLook) {
    case (let tick?, let look?): return min(tick, look)
    case (let tick, let look): return tick ?? look
    }
  }

  /// Compares the date. Returns whether it has changed.
  func compareDate(_ wall: Timestamp, at instant: Instant) -> Bool {
    defer { setNextLook(wall, instant) }
    if wall >= dateHolds.since, dateHolds.before.map({ wall < $0 }) ?? true { return false }
    dateHolds = (wall, zone.dateChange(after: wall))
    let before = date
    date = zone.date(at: wall)
    return date != before
  }

  func isTickDue(at instant: Instant) -> Bool { nextTick.map { $0 <= instant } ?? false }

  /// Sets `now` to the wall clock's time. Returns whether it has changed.
  func setTime(_ wall: Timestamp, at instant: Instant) -> Bool {
    nextTick = period.map { instant + $0 }
    defer { time = wall.inMilliseconds }
    return time != wall.inMilliseconds
  }

  /// A deadline that is near enough does not change. The two clocks never agree to the nanosecond, and moving a timer
  /// has a cost.
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
