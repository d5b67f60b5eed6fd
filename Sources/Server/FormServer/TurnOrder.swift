internal import HeapModule

/// Which of the connections with unread input goes on next: whoever has used the least time.
///
/// Times are those of start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng, SIGCOMM 1996). A connection that was quiet comes back
/// right before those who wait and not further ahead, so that nobody saves up time.
struct TurnOrder {
  /// Nanoseconds that a connection may use before others go first.
  static let slice: Int64 = 2_000_000

  private struct Entry: Comparable {
    let usedTime: Int64
    let number: UInt64
    let connection: ClientConnection

    /// Of those who have used as much, the first to come goes first.
    static func < (left: Entry, right: Entry) -> Bool {
      (left.usedTime, left.number) < (right.usedTime, right.number)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
  }

  private var waiting = Heap<Entry>()
  private var lastNumber: UInt64 = 0
  /// What the connection that went last had used.
  private var front: Int64 = 0

  /// Whether nobody waits.
  @inline(__always)
  var isEmpty: Bool { waiting.isEmpty }

  /// Whether a connection that has used so much goes before all who wait.
  @inline(__always)
  func goesFirst(usedTime: Int64) -> Bool {
    guard let next = waiting.min else { return true }
    return usedTime < next.usedTime
  }

  /// A connection has used its time.
  ///
  /// - Returns: what it has used now.
  @inline(__always)
  func charged(usedTime: Int64, for time: Int64) -> Int64 {
    max(usedTime, front &- Self.slice) &+ time
  }

  /// A connection waits for its turn.
  mutating func add(_ connection: ClientConnection, usedTime: Int64) {
    lastNumber += 1
    waiting.insert(Entry(usedTime: usedTime, number: lastNumber, connection: connection))
  }

  /// Takes the connection whose turn it is.
  mutating func next() -> ClientConnection? {
    guard let next = waiting.popMin() else { return nil }
    front = max(front, next.usedTime)
    return next.connection
  }
}
