/// Decides which output waits for the results of the next inputs, so that a few connections are flushed together.
///
/// Handing output to the system wakes up the process that reads it. If one process has many connections with input at a
/// time, each of them wakes it up, and most of its answers are still to come. So up to ``connectionsMax`` connections
/// are flushed together. Output goes out at once if only one connection has input, and after anything but short plain
/// inputs.
///
/// Output waits only while plain inputs of other connections are handled, and never beyond the event loop's next look
/// for input. When other connections have been at work for ``workNanosecondsMax``, it goes out before the next input. A
/// connection may handle its input for a slice, so output can wait for one slice more.
struct OutputGathering {
  /// How many connections are flushed together.
  static let connectionsMax = 4
  /// How long other connections may be at work while output waits, before more is handled.
  static let workNanosecondsMax: Int64 = 100_000
  /// After so many short plain inputs in a row, each from another connection than the input before it, the next input
  /// is expected to be such an input, too.
  static let streakMin = 16
  /// If fewer than ``connectionsMax`` had input between two looks of the event loop, so many inputs are answered at
  /// once. Then waiting is tried again.
  static let pauseInputs = 1_000

  /// Short plain inputs in a row, at most ``streakMin``; below 0 in a pause.
  private var streak = 0
  /// The connection whose input came last.
  private var lastConnection: Int64 = 0
  /// Connections with waiting output.
  private var waiting = 0
  /// The work since the first connection waits.
  private var workNanoseconds: Int64 = 0
  /// Inputs whose output waited, or could have waited, since the event loop looked for input.
  private var roundCount = 0

  /// Whether output waits, and other connections have been at work for long enough since then.
  @inline(__always)
  var isOverdue: Bool { waiting > 0 && workNanoseconds >= Self.workNanosecondsMax }

  @inline(__always)
  var isWaiting: Bool { waiting > 0 }

  /// A connection was at work for so long.
  @inline(__always)
  mutating func charge(_ nanoseconds: Int64) {
    workNanoseconds &+= nanoseconds
    if _slowPath(nanoseconds > Self.workNanosecondsMax) { breakStreak() }
  }

  /// Something came that is not short and plain. If it is an input, its end does not count.
  mutating func breakStreak() {
    streak = min(streak, -1)
  }

  /// The input of that connection is handled.
  ///
  /// - Returns: whether its output may wait; then ``pollCame()`` is to follow.
  @inline(__always)
  mutating func inputHandled(of connection: Int64) -> Bool {
    if connection == lastConnection {
      streak = min(streak, 0)
      return false
    }
    lastConnection = connection
    if streak < Self.streakMin {
      streak &+= 1
      // Only the end of this round is seen, which does not show how many have input at a time.
      roundCount = Self.connectionsMax
      return false
    }
    roundCount &+= 1
    if waiting == 0 { workNanoseconds = 0 }
    guard waiting &+ 1 < Self.connectionsMax, workNanoseconds < Self.workNanosecondsMax else { return false }
    waiting &+= 1
    return true
  }

  /// All output is flushed.
  @inline(__always)
  mutating func flushed() {
    waiting = 0
  }

  /// The event loop is about to look for input.
  mutating func pollCame() {
    // Waiting costs more than it saves if so few come at a time.
    if roundCount < Self.connectionsMax, roundCount > 0 { streak = -Self.pauseInputs }
    roundCount = 0
  }
}
