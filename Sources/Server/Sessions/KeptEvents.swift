internal import Configuration
internal import DequeModule
internal import FormProtocol
internal import JSON

/// The last events of a kept session, for clients that come back and say which they have seen.
struct KeptEvents {
  private var events: Deque<(event: ActionEvent, textBytes: Int)> = []
  /// Bytes of their texts, as an answer to a client has them.
  private var textBytes = 0
  /// The large values of the events, and how many events have each of them. Events with an equal value share it.
  private var values: [SharedValue: Int] = [:]
  /// Bytes of memory that they take, approximately. A value that several events share counts once.
  private(set) var bytes = 0
  /// The number of the last event.
  private var last = 0

  /// Bytes of an event without its values, approximately.
  private static let eventBytes = MemoryLayout<ActionEvent>.stride + 32
  /// A value of at most so many bytes belongs to its event: sharing it would take as much memory as it saves.
  private static let ownValueBytesMax = 256
  /// Bytes of an entry of ``values``, approximately.
  private static let entryBytes = 64

  init() {}

  /// The events that a store has of a session whose last event has that number. Some may be missing.
  init(_ stored: [ActionEvent], last: Int) {
    for event in stored { append(event) }
    self.last = last
  }

  /// An event was sent. ``dropOldest(_:isFull:)`` is to follow.
  mutating func append(_ event: ActionEvent) {
    let text = OutputBuffer()
    event.write(into: text)
    var event = event
    share(&event.result)
    share(&event.error)
    bytes += Self.ownBytes(of: event)
    textBytes += text.count
    events.append((event, text.count))
    last = event.sequence
  }

  /// Drops the oldest events if there are too many, or their texts are too long. If memory is full, all but the last
  /// are dropped.
  ///
  /// - Returns: the numbers of the dropped events.
  mutating func dropOldest(_ limits: ServerLimits, isFull: Bool) -> [Int] {
    var gone: [Int] = []
    while let first = events.first,
      events.count > limits[.eventsKeptMax] || textBytes > limits[.outputHardBytes] || isFull && events.count > 1
    {
      events.removeFirst()
      gone.append(first.event.sequence)
      textBytes -= first.textBytes
      bytes -= Self.ownBytes(of: first.event)
      release(first.event.result)
      release(first.event.error)
    }
    return gone
  }

  // MARK: Values

  /// Bytes of an event without its result and its error.
  private static func ownBytes(of event: ActionEvent) -> Int {
    let blockers = event.blockers.reduce(0) {
      $0 + MemoryLayout<Blocker>.stride + ($1.field?.utf8.count ?? 0) + $1.code.utf8.count
    }
    return eventBytes + (event.message?.utf8.count ?? 0) + blockers
  }

  /// An event has that value. If an earlier event has an equal one, the event takes that one instead.
  private mutating func share(_ value: inout JSON?) {
    guard let given = value else { return }
    let size = given.approximateBytes
    if size > Self.ownValueBytesMax {
      if let index = values.index(forKey: SharedValue(value: given)) {
        value = values.keys[index].value
        values.values[index] += 1
        return
      }
      values[SharedValue(value: given)] = 1
      bytes += Self.entryBytes
    }
    bytes += size
  }

  /// An event with that value is dropped.
  private mutating func release(_ value: JSON?) {
    guard let value else { return }
    let size = value.approximateBytes
    if size > Self.ownValueBytesMax {
      guard let index = values.index(forKey: SharedValue(value: value)) else {
        preconditionFailure("an event's value of \(size) bytes is not counted")
      }
      if values.values[index] > 1 {
        values.values[index] -= 1
        return
      }
      values.remove(at: index)
      bytes -= Self.entryBytes
    }
    bytes -= size
  }

  // MARK: What clients ask

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

/// A value that events share if its text is the same.
private struct SharedValue: Hashable {
  let value: JSON

  static func == (left: SharedValue, right: SharedValue) -> Bool {
    // Equal values may have different texts: 1 and 1.0, or members in another order.
    left.value == right.value && left.value.description == right.value.description
  }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
