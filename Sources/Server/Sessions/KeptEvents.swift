internal import Configuration
internal import DequeModule
internal import FormProtocol
internal import JSON

/// The last events of a kept session, for clients that come back and say which they have seen.
struct KeptEvents {
  private var events: Deque<(event: ActionEvent, bytes: Int)> = []
  /// Bytes of memory that they take, approximately.
  private(set) var bytes = 0
  /// The number of the last event.
  private var last = 0

  init() {}

  /// The events that a store has of a session whose last event has that number. Some may be missing.
  init(_ stored: [ActionEvent], last: Int) {
    for event in stored { add(event) }
    self.last = last
  }

  private mutating func add(_ event: ActionEvent) {
    let text = OutputBuffer()
    event.write(into: text)
    events.append((event, text.count))
    bytes += text.count
    last = event.sequence
  }

  /// An event was sent. The oldest events are dropped if there are too many, or they take too much memory. If memory is
  /// full, all but the last are dropped.
  ///
  /// - Returns: the numbers of the dropped events.
  mutating func append(_ event: ActionEvent, limits: ServerLimits, isMemoryFull: Bool) -> [Int] {
    add(event)
    var gone: [Int] = []
    while let first = events.first,
      events.count > limits[.eventsKeptMax] || bytes > limits[.outputHardBytes] || isMemoryFull && events.count > 1
    {
      bytes -= first.bytes
      gone.append(first.event.sequence)
      events.removeFirst()
    }
    return gone
  }

  /// Whether there was none yet.
  var isEmpty: Bool { last == 0 }

  /// The number of the next event.
  var next: Int { last + 1 }

  /// The events after the one of that number, without the events that a client has heard, and the number of events that
  /// are not kept any more.
  func events(after sequence: Int, heard: Range<Int>) -> (events: [ActionEvent], lost: Int) {
    let wanted = events.lazy.map(\.event).filter { $0.sequence > sequence && !heard.contains($0.sequence) }
    let behind = (min(max(sequence, 0), last) + 1)..<next
    return (Array(wanted), max(behind.count - behind.clamped(to: heard).count - wanted.count, 0))
  }
}
