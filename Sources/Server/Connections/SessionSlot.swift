internal import JSON
internal import Sessions

/// A session as its connection keeps it.
final class SessionSlot {
  /// The session's number, never used again while the daemon runs.
  let id: Int64
  let session: Session
  /// Read only while the session is not closed; the connection closes its sessions before it goes.
  unowned(unsafe) let connection: ClientConnection
  /// The revision last told to the client.
  var delivered = 0
  /// What is held back from a slow reader.
  var heldBack: HeldBackUpdate?
  /// Effects under way, with what cancels them.
  var runs: [(effect: EffectID, cancel: () -> Void)] = []
  /// The deadline for which an entry stands in the timer queue.
  var timerDeadline: Instant?
  /// Bytes of large values by field address.
  var valueBytes: [Int: Int] = [:]
  /// Whether the session belongs to `form/validate` and is unknown to the client.
  let isHidden: Bool
  /// Whether it was opened with a definition of the client's.
  let hasOwnDefinition: Bool
  var isClosed = false

  init(
    id: Int64,
    session: Session,
    connection: ClientConnection,
    isHidden: Bool = false,
    hasOwnDefinition: Bool = false
  ) {
    self.id = id
    self.session = session
    self.connection = connection
    self.isHidden = isHidden
    self.hasOwnDefinition = hasOwnDefinition
  }
}

/// What a slow reader has missed of one session: for each cell the value last sent, and the events.
///
/// Merge patches do not compose (RFC 7396), so none is kept: the difference between then and now makes one patch when there is
/// room.
final class HeldBackUpdate {
  /// By cell: what the client has.
  private(set) var oldValues: [Int: DocumentValue] = [:]
  /// The events as JSON texts with commas between them.
  private(set) var events: [UInt8] = []
  private(set) var eventCount = 0
  /// Whether events were lost, so that the client must ask for the document.
  private(set) var isDesynchronised = false
  /// What caused the last turn.
  private(set) var cause: StaticString = "effect"

  /// Another turn that is not sent.
  func add(_ turn: Turn, _ changes: [DocumentChange], cause: StaticString, limits: ServerLimits, scratch: OutputBuffer)
  {
    self.cause = cause
    eventCount += turn.events.count
    if isDesynchronised { return }
    for change in changes where oldValues[change.cell] == nil { oldValues[change.cell] = change.old }
    for event in turn.events {
      scratch.removeAll()
      scratch.write(event)
      if !events.isEmpty { events.append(UInt8(ascii: ",")) }
      events.append(contentsOf: scratch.bytes)
    }
    if eventCount > limits.eventsKeptMax || events.count > limits.outputHardBytes {
      isDesynchronised = true
      oldValues = [:]
      events = []
    }
  }

  /// The cells with what the client has, in the document's order.
  var changes: [DocumentChange] {
    oldValues.map { DocumentChange(cell: $0.key, old: $0.value) }.sorted { $0.cell < $1.cell }
  }
}
