internal import Configuration
internal import FormProtocol
internal import JSON
internal import Sessions

/// The updates of one session that a slow reader has missed: for each cell the value last sent, the values that moved
/// by themselves, and the events.
///
/// Merge patches do not compose (RFC 7396), so none is kept. The difference between the last sent values and the
/// current values makes one patch when there is room.
final class HeldBackUpdate {
  /// By cell: the value that the client has.
  private var oldValues: [Int: DocumentValue] = [:]
  private(set) var events: [ActionEvent] = []
  /// The values that are sent when there is room.
  private(set) var told: Set<ValueID> = []
  /// Bytes of memory of the values.
  private var toldBytes = 0
  private var eventBytes = 0
  /// Bytes of the values that the client has and the session does not have any more.
  private var oldValueBytes = 0
  /// Events that were held back, including events that were given up.
  private(set) var eventCount = 0
  /// Whether events were lost, so that the client must ask for the document.
  private(set) var isDesynchronized = false
  /// The cause of the last turn.
  private(set) var cause = Cause.effect

  /// Bytes of memory, approximately.
  var bytes: Int { eventBytes + oldValueBytes + toldBytes }

  /// Another turn that is not sent.
  ///
  /// - Parameter isMemoryFull: whether there is no room for another turn, however small.
  func add(
    events: [ActionEvent],
    told: [ValueID],
    _ changes: [DocumentChange],
    cause: Cause,
    limits: ServerLimits,
    isMemoryFull: Bool
  ) {
    self.cause = cause
    eventCount += events.count
    if isDesynchronized { return }
    if cause == .sessionSetLocale { for cell in oldValues.keys { oldValues[cell]?.languageChanged() } }
    for change in changes {
      let known = oldValues[change.cell]
      let old = known?.beforeBoth(later: change.old) ?? change.old
      oldValueBytes += old.approximateBytes - (known?.approximateBytes ?? 0)
      oldValues[change.cell] = old
    }
    for id in told where self.told.insert(id).inserted { toldBytes += id.bytes }
    self.events += events
    for event in events {
      let text = OutputBuffer()
      event.write(into: text)
      eventBytes += text.count
    }
    if eventCount > limits[.eventsKeptMax] || bytes > limits[.outputHardBytes] || isMemoryFull {
      isDesynchronized = true
      oldValues = [:]
      oldValueBytes = 0
      self.events = []
      eventBytes = 0
      self.told = []
      toldBytes = 0
    }
  }

  /// The changed cells with the values that the client has, in the document's order.
  var changes: [DocumentChange] {
    oldValues.map { DocumentChange(cell: $0.key, old: $0.value) }.sorted { $0.cell < $1.cell }
  }
}

extension ValueID {
  /// Bytes of memory, approximately.
  fileprivate var bytes: Int {
    switch self {
    case .field: 32
    case .member(let name): 32 + name.utf8.count
    }
  }
}
