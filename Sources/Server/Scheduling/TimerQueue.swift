internal import HeapModule
internal import Sessions
internal import Times

/// A queue of deadlines. Adding and cancelling an entry costs at most the logarithm of the number of entries, on
/// average.
struct TimerQueue {
  /// The owner of an entry, which wakes up.
  enum Owner {
    case session(LiveSession)
    /// A kept session whose clients did not come back.
    case expiry(LiveSession)
    /// Stored sessions that have expired.
    case sweep
    /// The lease on stored sessions, or a request for one of another daemon.
    case lease
    /// A connection that was over its soft limit when the entry was added.
    case stall(ClientConnection)
    /// A call to a provider: the configuration bounds how long it may take.
    case providerCall(ProviderCallID)
    /// The next of the connections that wait for their slice.
    case slice
    /// Memory that was given back goes to the system.
    case trim
    /// The daemon stops waiting for open requests.
    case drain
    /// No client was connected for so long that the daemon may end.
    case idle
  }

  /// Names an entry, to cancel it. Tickets grow with time.
  struct Ticket: Hashable {
    fileprivate let number: UInt64
  }

  private struct Entry: Comparable {
    let deadline: Instant
    let ticket: Ticket

    /// Equal deadlines are ordered by age.
    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.ticket.number) < (right.deadline, right.ticket.number)
    }
  }

  /// Entries that are not cancelled, and some that are.
  private var heap = Heap<Entry>()
  /// By ticket, the owners of the entries that are not cancelled; so a cancelled entry keeps nothing in memory.
  private var owners: [Ticket: Owner] = [:]
  private var lastNumber: UInt64 = 0
  /// The time of the requested wake-up, if it lies ahead.
  private var wakeUp: Instant?

  /// A heap of fewer entries is not worth a clean-up.
  private static let sweepMin = 64

  /// Entries that are not cancelled.
  var count: Int { owners.count }

  /// Entries in memory, including cancelled ones: less than twice ``count``, plus a small rest. For tests.
  var storedCount: Int { heap.count }

  /// The wake-up to request now; nil: none, or the requested one comes early enough.
  mutating func nextWakeUp() -> Instant? {
    // It may be the deadline of a cancelled entry.
    guard let next = heap.min?.deadline else { return nil }
    if let wakeUp, wakeUp <= next { return nil }
    wakeUp = next
    return next
  }

  /// The requested wake-up has come.
  mutating func wakeUpCame() { wakeUp = nil }

  mutating func add(_ owner: Owner, at deadline: Instant) -> Ticket {
    lastNumber += 1
    let ticket = Ticket(number: lastNumber)
    owners[ticket] = owner
    heap.insert(Entry(deadline: deadline, ticket: ticket))
    return ticket
  }

  /// Nothing happens when that entry is due.
  mutating func cancel(_ ticket: Ticket) {
    guard owners.removeValue(forKey: ticket) != nil else { return }
    // Every clean-up halves the heap at least, so it is paid for by the cancellations before it.
    if heap.count >= Self.sweepMin, owners.count * 2 <= heap.count {
      heap = Heap(heap.unordered.filter { owners[$0.ticket] != nil })
    }
  }

  /// Takes the earliest entry that is due.
  mutating func popDue(at now: Instant) -> Owner? {
    while let first = heap.min, first.deadline <= now {
      heap.removeMin()
      if let owner = owners.removeValue(forKey: first.ticket) { return owner }
    }
    return nil
  }
}
