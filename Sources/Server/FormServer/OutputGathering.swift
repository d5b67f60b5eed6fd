/// Decides whose output waits for what the next inputs come to, so that a few connections are told together.
///
/// Handing output to the system wakes up whoever reads it. Where one process has many connections with input at a time, it is woken up for
/// each of them, only to find that most of its answers are still to come; so up to ``connectionsMax`` of them are told together. Who is alone,
/// or sends anything but short plain inputs, is told at once.
///
/// Output waits while plain inputs of others are handled, and never until the event loop has looked for input. When others have been at work
/// for ``workMax``, it goes out before more is handled than what was read at once: by then, a slice of work later at the most.
struct OutputGathering {
  /// So many connections are told together.
  static let connectionsMax = 4
  /// Nanoseconds that others may be at work while output waits, before more is handled.
  static let workMax: Int64 = 100_000
  /// After so many short plain inputs in a row, each of another connection than the one before, the next is expected to be alike.
  static let streakMin = 16
  /// When fewer than ``connectionsMax`` had input between two looks of the event loop, so many inputs are told at once before that is tried again.
  static let pause = 1_000

  /// Short plain inputs in a row, at most ``streakMin``; below 0 in a pause.
  private var streak = 0
  /// Whose input came last.
  private var lastConnection: Int64 = 0
  /// Connections that wait with their output.
  private var waiting = 0
  /// Nanoseconds of work since the first of them waits.
  private var work: Int64 = 0
  /// Inputs that waited, or could have, since the event loop looked for input.
  private var roundCount = 0

  /// Whether somebody waits with output, and others have been at work for long enough meanwhile.
  @inline(__always)
  var isOverdue: Bool { waiting > 0 && work >= Self.workMax }

  /// Whether somebody waits with output.
  @inline(__always)
  var isWaiting: Bool { waiting > 0 }

  /// Somebody was at work for so many nanoseconds.
  @inline(__always)
  mutating func worked(_ time: Int64) {
    work &+= time
    if _slowPath(time > Self.workMax) { breakStreak() }
  }

  /// Something came that is not short and plain. Where that is an input, its end does not count.
  mutating func breakStreak() {
    streak = min(streak, -1)
  }

  /// The input of that connection is handled.
  ///
  /// - Returns: whether its output may wait; then ``pollCame()`` is to follow.
  @inline(__always)
  mutating func inputEnded(of connection: Int64) -> Bool {
    if connection == lastConnection {
      streak = min(streak, 0)
      return false
    }
    lastConnection = connection
    if streak < Self.streakMin {
      streak &+= 1
      // Of this round only the end is seen, which says nothing of how many have input at a time.
      roundCount = Self.connectionsMax
      return false
    }
    roundCount &+= 1
    if waiting == 0 { work = 0 }
    guard waiting &+ 1 < Self.connectionsMax, work < Self.workMax else { return false }
    waiting &+= 1
    return true
  }

  /// All output is handed over.
  @inline(__always)
  mutating func told() {
    waiting = 0
  }

  /// The event loop is about to look for input.
  mutating func pollCame() {
    // Waiting costs more than it saves where so few come at a time.
    if roundCount < Self.connectionsMax, roundCount > 0 { streak = -Self.pause }
    roundCount = 0
  }
}
