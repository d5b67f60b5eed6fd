internal import Logging
package import Times

/// Lines on their way to the log: it decides which lines are kept, and what the log says about lines that are not. A
/// value; ``LogWriter`` guards it and writes.
///
/// Each second takes ``linesPerKindMax`` lines of one kind (``LogLine/message``) and counts the other lines. So a
/// client that causes equal lines again and again hides no other line. Lines of the levels `debug` and `trace` are all
/// taken, because an operator who asks for them wants to see each message; so are all lines of an audit
/// (``countsKinds``). All waiting lines together take
/// ``bytesMax``, because it is possible that no process reads the log.
package struct LogQueue {
  /// Bytes of all waiting lines: some thousand lines, and little beside what the daemon needs anyway.
  package static let bytesMax = 1 << 20
  /// Bytes of one line with its end; a longer line is cut. A form's problem with its position has some hundred.
  package static let lineBytesMax = 8192
  /// Lines of one kind in one second.
  package static let linesPerKindMax = 20
  /// Kinds that are counted in one second; lines of more kinds are only bounded by ``bytesMax``. Clients can cause a
  /// few kinds only. The problems of a folder full of broken forms are each a kind of its own, and all of them are
  /// wanted.
  package static let kindsMax = 256

  private static let window = Duration.seconds(1)

  /// The lines of one kind in the current second.
  private struct Kind {
    /// At most ``linesPerKindMax``.
    var taken = 1
    /// Lines that were not taken.
    var more = 0
    /// The last line that was not taken.
    var last: LogLine
  }

  /// Whether many lines of one kind are counted, and not all written.
  package var countsKinds = true
  /// The format of the lines that come from now on.
  package var format = LogFormat()
  /// Whole lines, at most ``bytesMax`` bytes.
  private var waiting: [UInt8] = []
  /// Lines dropped for lack of room since the log last reported such lines.
  private var dropped = 0
  /// By message; at most ``kindsMax``.
  private var kinds: [String: Kind] = [:]
  /// The time at which ``kinds`` is emptied.
  private var windowEnd = Instant(nanoseconds: .min)

  /// A queue without lines.
  package init() {}

  /// Whether nothing is to be written now.
  package var isEmpty: Bool { waiting.isEmpty && dropped == 0 }

  /// Whether a second is under way, at whose end there may be more to write.
  package var isCounting: Bool { !kinds.isEmpty }

  /// Takes a line, counts it, or drops it.
  package mutating func append(_ line: LogLine, at now: Instant) {
    if now >= windowEnd {
      endWindow(stamp: line.stamp)
      windowEnd = now + Self.window
    }
    if line.level < .info || !countsKinds {
      // Not counted.
    } else if var kind = kinds[line.message] {
      if kind.taken >= Self.linesPerKindMax {
        kind.more += 1
        kind.last = line
        kinds[line.message] = kind
        return
      }
      kind.taken += 1
      kinds[line.message] = kind
    } else if kinds.count < Self.kindsMax {
      kinds[line.message] = Kind(last: line)
    }
    enqueue(line.bytes(format), standingFor: 1)
  }

  /// Ends the current second: for each kind with lines that were only counted, adds the last line, with their number.
  package mutating func endWindow(stamp: String) {
    for kind in kinds.values.filter({ $0.more > 0 }).sorted(by: { $0.last.message < $1.last.message }) {
      var line = kind.last
      line.stamp = stamp
      line.more = kind.more - 1
      enqueue(line.bytes(format), standingFor: kind.more)
    }
    kinds = [:]
  }

  /// Takes all that is to be written now out of the queue: whole lines. A line about dropped lines follows them.
  package mutating func takeAll(stamp: String) -> [UInt8] {
    defer {
      waiting = []
      dropped = 0
    }
    guard dropped > 0 else { return waiting }
    let lines = dropped == 1 ? "1 log line was" : "\(dropped) log lines were"
    return waiting + LogLine(stamp: stamp, level: .warning, message: "\(lines) dropped").bytes(format)
  }

  private mutating func enqueue(_ line: [UInt8], standingFor count: Int) {
    // No line jumps the queue, so that dropped lines are reported in their order.
    if dropped > 0 || line.count > Self.bytesMax - waiting.count {
      dropped += count
    } else {
      waiting += line
    }
  }
}
