/// When a lost connection is tried to be made again: at once, then after pauses that grow and vary, until the patience is used up.
///
/// A connection that was made and did not last goes on where the last time has ended, so that nothing is tried without pauses.
struct RetrySchedule {
  /// Pauses begin with this one, and double.
  static let pauseMin = Duration.milliseconds(50)
  /// They grow up to this one. A connection that lasts for less did not last.
  static let pauseMax = Duration.seconds(2)

  private var nextPause = Duration.zero
  private var end: ContinuousClock.Instant?
  private var returned: ContinuousClock.Instant?

  /// The connection was lost.
  mutating func began(at now: ContinuousClock.Instant, patience: Duration) {
    if let returned, now - returned < Self.pauseMax, end != nil { return }
    nextPause = .zero
    end = now + patience
  }

  /// How long to wait before the next try.
  ///
  /// - Parameters:
  ///   - least: the daemon asked for a pause that long.
  ///   - variation: from 0.5 to 1.5, so that not all who were cut off come at once.
  /// - Returns: nil when the patience is used up.
  mutating func pause(
    at now: ContinuousClock.Instant,
    atLeast least: Duration = .zero,
    variation: Double = .random(in: 0.5...1.5)
  ) -> Duration? {
    guard let left = timeLeft(at: now), left > .zero else { return nil }
    let pause = max(nextPause * variation, least)
    nextPause = min(max(nextPause * 2, Self.pauseMin), Self.pauseMax)
    return min(pause, left)
  }

  /// How much of the patience is left; nil before the first loss.
  func timeLeft(at now: ContinuousClock.Instant) -> Duration? { end.map { $0 - now } }

  /// There is a connection again, with all that the lost one had.
  mutating func succeeded(at now: ContinuousClock.Instant) { returned = now }
}
