internal import Sessions
internal import Times

/// Decides which failures of effects the log gets: a few for each target and kind in each window of time, so that a
/// service that is down neither floods the log nor hides another one.
struct EffectFailures {
  /// Lines of one target and kind in one window.
  static let linesMax = 5
  /// How long a window is. It begins with a failure.
  static let window = Duration.seconds(10)
  /// Targets and kinds that are told apart. Definitions of clients can name any target; the targets beyond this number
  /// share one count.
  static let keysMax = 256

  private struct Key: Hashable {
    var target: EffectTarget
    var kind: EffectResponse.Kind
  }

  private struct Count {
    var end: Instant
    var lines = 0
    /// Failures without a line since the last line.
    var more = 0
  }

  private var counts: [Key: Count] = [:]
  private var others = Count(end: Instant(nanoseconds: .min))

  /// An effect has failed.
  ///
  /// - Returns: nil if the log does not get it; otherwise the number of equal failures before it that the log did not
  ///   get.
  mutating func failed(_ target: EffectTarget, _ kind: EffectResponse.Kind, at now: Instant) -> Int? {
    let key = Key(target: target, kind: kind)
    if counts[key] == nil, counts.count >= Self.keysMax {
      counts = counts.filter { $0.value.end > now }
      if counts.count >= Self.keysMax { return Self.count(&others, now) }
    }
    return Self.count(&counts[key, default: Count(end: now + Self.window)], now)
  }

  private static func count(_ count: inout Count, _ now: Instant) -> Int? {
    if now >= count.end {
      count.end = now + window
      count.lines = 0
    }
    guard count.lines < linesMax else {
      count.more += 1
      return nil
    }
    count.lines += 1
    defer { count.more = 0 }
    return count.more
  }
}
