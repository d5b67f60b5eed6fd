/// The times at which a lost connection is retried: at once, then after growing and varying pauses, until the patience
/// is used up.
///
/// If a new connection does not last, the schedule continues where it ended, so that there is never a retry without a
/// pause.
struct RetrySchedule {
  /// The first pause. Each pause is twice as long as the one before.
  static let pauseMin = Duration.milliseconds(50)
  /// The longest pause. A connection that lasts for less than this counts as a failure.
  static let pauseMax = Duration.seconds(2)

  private var nextPause = Duration.zero
  private var end: ContinuousClock.Instant?
  private var returned: ContinuousClock.Instant?

  /// Notes the loss of the connection.
  mutating func began(at now: ContinuousClock.Instant, patience: Duration) {
    if let returned, now - returned < Self.pauseMax, end != nil { return }
    nextPause = .zero
    end = now + patience
  }

  /// The pause before the next try.
  ///
  /// - Parameters:
  ///   - least: the pause that the daemon asked for.
  ///   - variation: from 0.5 to 1.5, so that clients that were disconnected together do not return together.
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

  /// The rest of the patience; nil before the first loss.
  func timeLeft(at now: ContinuousClock.Instant) -> Duration? { end.map { $0 - now } }

  /// Notes that the connection and all its state are restored.
  mutating func succeeded(at now: ContinuousClock.Instant) { returned = now }
}
