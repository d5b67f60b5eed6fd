internal import DequeModule
internal import JSON
internal import JSONRPC
internal import Sessions

/// The messages of a stored session and the effects that it wants to start, in order, until the turns behind them are
/// committed.
///
/// Each message is written once, when it is added, with the state at that time. It leaves with all earlier messages and
/// effects, when all jobs of the store are done that were handed over until then. So no client hears of a change, and
/// no request is sent, that a crash would undo. If the store fails, all that waits is dropped, and the waiting requests
/// get the reason.
///
/// ```
///   add ──▶ [added] ── handOver: jobs ──▶ [batch] [batch] … ── jobEnded ──▶ deliver
///                   └─ no jobs: behind the last batch, or at once where there is none
/// ```
struct SessionOutbox {
  /// Messages to one client, and the effects that start behind them.
  struct Delivery {
    /// The client; nil if there are only effects.
    fileprivate(set) var connection: ClientConnection?
    /// The messages, as the client's connection has written them (``RPCWriter/hold(in:_:)``); nil if there are only
    /// effects.
    fileprivate(set) var text: OutputBuffer?
    /// The requests whose answers are in the text.
    fileprivate(set) var answered: [AnsweredRequest] = []
    /// Whether the text is nothing but the result of one request, which belongs to a batch.
    fileprivate(set) var isBatchMember = false
    /// Whether there are notifications in the text.
    fileprivate(set) var notifies = false
    /// Whether there is the notification that the session has ended.
    fileprivate(set) var endsSession = false
    /// The requests to services, databases and providers.
    fileprivate(set) var effects: [Effect] = []

    fileprivate var isEmpty: Bool { text == nil && effects.isEmpty }

    /// Bytes of memory, approximately. Effects are not counted here.
    fileprivate var bytes: Int {
      text.map { MemoryLayout<Self>.stride + $0.count + (isBatchMember ? memberBytes : firstBytes) } ?? 0
    }

    /// Whether further messages to the client belong to it.
    fileprivate var takesMessages: Bool { !isBatchMember && effects.isEmpty }
  }

  /// A request whose answer waits.
  struct AnsweredRequest {
    let token: RequestToken
    /// Whether the client learns by the answer that it has the session.
    let introduces: Bool
  }

  /// Deliveries that leave together.
  private struct Batch {
    var deliveries: [Delivery] = []
    /// How many jobs of the store are not done yet.
    var jobs = 0

    /// Bytes of memory, approximately.
    var bytes: Int { deliveries.reduce(0) { $0 + $1.bytes } }
  }

  /// The last delivery that is not handed over, to which messages and effects are added.
  private var last = Delivery()
  /// The deliveries before it that are not handed over.
  private var added: [Delivery] = []
  /// Handed over, the oldest first; each has jobs that are not done.
  private var batches: Deque<Batch> = []

  /// Bytes of memory, approximately.
  private(set) var bytes = 0

  /// Whether notifications or effects were added since the last hand-over.
  var hasMoreThanResults: Bool { (added + [last]).contains { $0.notifies || !$0.effects.isEmpty } }

  // MARK: Adding

  /// Adds the answer to a request.
  ///
  /// - Parameters:
  ///   - introduces: whether the client learns by it that it has the session.
  ///   - write: writes the result.
  mutating func answer(
    _ token: RequestToken,
    to connection: ClientConnection,
    introduces: Bool,
    _ write: (OutputBuffer) -> Void
  ) {
    beginDelivery(to: connection, isBatchMember: token.isBatchMember)
    last.answered.append(AnsweredRequest(token: token, introduces: introduces))
    addText { last in
      if let text = last.text, last.isBatchMember {
        write(text)
      } else {
        connection.output.writer.holdAnswer(token, in: &last.text, write)
      }
    }
  }

  /// Adds notifications.
  ///
  /// - Parameters:
  ///   - endsSession: whether the notification that the session has ended is among them.
  ///   - write: writes them.
  mutating func notify(
    _ connection: ClientConnection,
    endsSession: Bool,
    _ write: (inout RPCWriter) -> Void
  ) {
    beginDelivery(to: connection, isBatchMember: false)
    last.notifies = true
    if endsSession { last.endsSession = true }
    addText { connection.output.writer.hold(in: &$0.text, write) }
  }

  /// Adds an effect.
  mutating func start(_ effect: Effect) {
    last.effects.append(effect)
  }

  /// The last delivery is one to that client from now on.
  @inline(__always)
  private mutating func beginDelivery(to connection: ClientConnection, isBatchMember: Bool) {
    if isBatchMember || last.connection !== connection || !last.takesMessages {
      beginAnother(to: connection, isBatchMember: isBatchMember)
    }
  }

  @inline(never)
  private mutating func beginAnother(to connection: ClientConnection, isBatchMember: Bool) {
    if !last.isEmpty { added.append(last) }
    last = Delivery()
    last.connection = connection
    last.text = OutputBuffer(capacity: isBatchMember ? memberBytes : firstBytes)
    last.isBatchMember = isBatchMember
    if !isBatchMember { last.answered.reserveCapacity(firstAnswers) }
    bytes += last.bytes
  }

  @inline(__always)
  private mutating func addText(_ write: (inout Delivery) -> Void) {
    let bytesBefore = last.text?.count ?? 0
    write(&last)
    bytes += (last.text?.count ?? 0) - bytesBefore
  }

  /// An effect is not wanted any more.
  mutating func withdraw(_ id: EffectID) {
    withdrawEffects { $0.id == id }
  }

  /// The effects that are meant are not wanted any more.
  mutating func withdrawEffects(where isMeant: (Effect) -> Bool = { _ in true }) {
    func withdraw(_ deliveries: inout [Delivery]) {
      for index in deliveries.indices { deliveries[index].effects.removeAll(where: isMeant) }
    }
    last.effects.removeAll(where: isMeant)
    withdraw(&added)
    for index in batches.indices { withdraw(&batches[index].deliveries) }
  }

  // MARK: Handing over

  /// So many jobs cover what was added.
  ///
  /// - Returns: the deliveries that can leave now, in order.
  mutating func handOver(jobs: Int) -> [Delivery] {
    var batch = Batch(deliveries: takeAdded())
    if jobs > 0 {
      batch.jobs = jobs
      batches.append(batch)
    } else if let last = batches.indices.last {
      batches[last].deliveries += batch.deliveries
    } else {
      bytes -= batch.bytes
      return batch.deliveries
    }
    return []
  }

  /// The oldest job is done.
  ///
  /// - Returns: the deliveries that can leave now, in order.
  mutating func jobEnded() -> [Delivery] {
    guard let first = batches.indices.first else {
      preconditionFailure("a job has ended that is in no batch; \(bytes) bytes wait")
    }
    batches[first].jobs -= 1
    guard batches[first].jobs == 0, let batch = batches.popFirst() else { return [] }
    if batches.isEmpty { batches = [] }
    bytes -= batch.bytes
    return batch.deliveries
  }

  /// A job has failed.
  ///
  /// - Returns: all that waits, to be dropped.
  mutating func takeAll() -> [Delivery] {
    defer { self = SessionOutbox() }
    return batches.flatMap(\.deliveries) + takeAdded()
  }

  /// Takes what is not handed over.
  private mutating func takeAdded() -> [Delivery] {
    if !last.isEmpty { added.append(last) }
    defer {
      last = Delivery()
      added = []
    }
    return added
  }
}

/// Bytes for which a delivery has room at first: the messages of a few changes.
private let firstBytes = 1_024
/// The same for the result of one member of a batch.
private let memberBytes = 64
/// Answers for which a delivery has room at first.
private let firstAnswers = 8
