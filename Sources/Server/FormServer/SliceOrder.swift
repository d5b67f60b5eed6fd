internal import HeapModule

/// Decides which of the connections with unread input goes on next: the connection that has used the least time.
///
/// Times follow start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng, SIGCOMM 1996). A connection that was quiet
/// comes back right before the connections that wait, and not further ahead, so that no connection saves up time.
struct SliceOrder {
  /// Nanoseconds that a connection may use before other connections go first.
  static let slice: Int64 = 2_000_000

  private struct Entry: Comparable {
    let usedTime: Int64
    let number: UInt64
    let taker: any SliceTaker

    /// If two connections have used equal time, the first to come goes first.
    static func < (left: Entry, right: Entry) -> Bool {
      (left.usedTime, left.number) < (right.usedTime, right.number)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
  }

  private var waiting = Heap<Entry>()
  private var lastNumber: UInt64 = 0
  /// The largest start time of all slices so far. The time of every connection goes on with it, waiting or not.
  private var front: Int64 = 0

  /// How many connections wait.
  var count: Int { waiting.count }

  /// Whether no connection waits.
  @inline(__always)
  var isEmpty: Bool { waiting.isEmpty }

  /// The starting time of a connection that has used so much. A fresh connection starts near the front, and so does one
  /// that was quiet.
  @inline(__always)
  private func start(usedTime: Int64) -> Int64 { max(usedTime, front &- Self.slice) }

  /// Whether a connection that has used so much goes before all that wait.
  @inline(__always)
  func goesFirst(usedTime: Int64) -> Bool {
    guard let next = waiting.min else { return true }
    return start(usedTime: usedTime) < next.usedTime
  }

  /// A connection was at work.
  ///
  /// - Returns: the time that it has used now.
  @inline(__always)
  mutating func charge(_ time: Int64, usedTime: Int64) -> Int64 {
    let start = start(usedTime: usedTime)
    front = max(front, start)
    return start &+ time
  }

  /// A connection waits for its slice.
  mutating func add(_ taker: any SliceTaker, usedTime: Int64) {
    lastNumber += 1
    waiting.insert(Entry(usedTime: start(usedTime: usedTime), number: lastNumber, taker: taker))
  }

  /// Takes the connection that is next.
  mutating func next() -> (any SliceTaker)? {
    waiting.popMin()?.taker
  }
}
