internal import HeapModule

/// Decides which of the connections with unread input or other work goes on next: the connection that will have used
/// the least time after its next slice, if that slice takes as long as its last slices.
///
/// Times follow start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng, SIGCOMM 1996). A connection that was quiet
/// comes back right before the connections that wait, and not further ahead, so that no connection saves up time.
///
/// The expected time matters if many connections come at the same time: then all have used the same time. A client with
/// short turns would wait for all clients with long turns.
struct SliceOrder {
  /// The time that a connection may use before other connections go first.
  static let sliceNanoseconds: Int64 = 2_000_000

  private struct Entry: Comparable {
    /// The virtual time of the connection after its next slice.
    let endNanoseconds: Int64
    let number: UInt64
    let taker: any SliceTaker

    /// If the virtual times are equal, the first to come goes first.
    static func < (left: Entry, right: Entry) -> Bool {
      (left.endNanoseconds, left.number) < (right.endNanoseconds, right.number)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
  }

  private var waiting = Heap<Entry>()
  private var lastNumber: UInt64 = 0
  /// The largest start time of all slices so far. The time of every connection goes on with it, waiting or not.
  private(set) var frontNanoseconds: Int64 = 0

  /// How many connections wait.
  var count: Int { waiting.count }

  @inline(__always)
  var isEmpty: Bool { waiting.isEmpty }

  /// The virtual time at which the next slice of a connection starts. A connection that was quiet starts near the
  /// front. A fresh connection starts at the front (``SliceAccount/init(in:)``).
  @inline(__always)
  private func start(virtualNanoseconds: Int64) -> Int64 {
    max(virtualNanoseconds, frontNanoseconds &- Self.sliceNanoseconds)
  }

  /// Whether a connection with that virtual time goes before all connections in this order.
  ///
  /// - Parameter expectedNanoseconds: how long its next slice will take, as far as is known.
  @inline(__always)
  func goesFirst(virtualNanoseconds: Int64, expectedNanoseconds: Int64) -> Bool {
    guard let next = waiting.min else { return true }
    return start(virtualNanoseconds: virtualNanoseconds) &+ expectedNanoseconds < next.endNanoseconds
  }

  /// A connection was at work.
  ///
  /// - Returns: its virtual time now.
  @inline(__always)
  mutating func charge(_ nanoseconds: Int64, virtualNanoseconds: Int64) -> Int64 {
    let start = start(virtualNanoseconds: virtualNanoseconds)
    frontNanoseconds = max(frontNanoseconds, start)
    return start &+ nanoseconds
  }

  /// A connection waits for its slice.
  ///
  /// - Parameter expectedNanoseconds: how long the slice will take, as far as is known.
  mutating func add(_ taker: any SliceTaker, virtualNanoseconds: Int64, expectedNanoseconds: Int64) {
    lastNumber += 1
    waiting.insert(
      Entry(
        endNanoseconds: start(virtualNanoseconds: virtualNanoseconds) &+ expectedNanoseconds,
        number: lastNumber,
        taker: taker
      )
    )
  }

  /// Takes the connection that is next.
  mutating func next() -> (any SliceTaker)? {
    waiting.popMin()?.taker
  }
}
