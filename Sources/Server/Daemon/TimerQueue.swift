internal import HeapModule
internal import Sessions

/// What is due when. An entry whose owner has moved on is skipped when its time comes; those of a closed session are taken out, for
/// they would keep it in memory until then.
struct TimerQueue {
  /// What wakes up.
  enum Owner {
    /// A session whose ``SessionSlot/timerDeadline`` is still that of the entry.
    case session(SessionSlot)
    /// A connection that was over its soft limit when the entry was made.
    case stall(ClientConnection)
    /// A question to a provider, by its number: the configuration bounds how long it may take.
    case evaluation(ClientConnection, Int)
    /// The end of the daemon's patience with open requests.
    case drain
  }

  struct Entry: Comparable {
    let deadline: Instant
    /// Orders equal deadlines by age.
    let number: UInt64
    let owner: Owner

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
  }

  private var heap = Heap<Entry>()
  private var lastNumber: UInt64 = 0

  /// The earliest deadline.
  var next: Instant? { heap.min?.deadline }

  mutating func add(_ owner: Owner, at deadline: Instant) {
    lastNumber += 1
    heap.insert(Entry(deadline: deadline, number: lastNumber, owner: owner))
  }

  /// Takes out every entry of a session.
  mutating func remove(_ slot: SessionSlot) {
    let rest = heap.unordered.filter { entry in
      if case .session(let other) = entry.owner { other !== slot } else { true }
    }
    if rest.count < heap.count { heap = Heap(rest) }
  }

  /// Takes the earliest entry that is due.
  mutating func popDue(at now: Instant) -> Entry? {
    guard let first = heap.min, first.deadline <= now else { return nil }
    return heap.removeMin()
  }
}
