internal import DequeModule
internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SessionStore
internal import Sessions

/// The messages of a stored session and the effects that it wants to start, in order, until the turns behind them are
/// committed.
///
/// Each item is written once, when it is added, with the state at that time. It leaves with all earlier items, when all
/// jobs of the store are done that were handed over until then. So no client hears of a change, and no request is sent,
/// that a crash would undo. If the store fails, all that waits is dropped, and the waiting requests get the reason.
///
/// ```
///   add ──▶ [added] ── handOver: jobs ──▶ [batch] [batch] … ── jobEnded ──▶ deliver
///                   └─ no jobs: behind the last batch, or at once where there is none
/// ```
struct SessionOutbox {
  /// One message or effect.
  enum Item {
    /// The result of a request: so many bytes of the text.
    ///
    /// - Parameter introduces: whether the client learns by it that it has the session.
    case result(ClientConnection, RequestToken, bytes: Int, introduces: Bool)
    /// A notification, whose params are so many bytes of the text.
    case notification(ClientConnection, StaticString, bytes: Int)
    /// A request to a service, a database or a provider.
    case effect(Effect)
  }

  /// Items that leave together.
  struct Batch {
    fileprivate(set) var items: [Item] = []
    /// The bytes of all items, one behind the other; nil without any.
    fileprivate(set) var text: OutputBuffer?
    /// How many jobs of the store are not done yet.
    fileprivate var jobs = 0

    /// Bytes of memory, approximately.
    fileprivate var bytes: Int { text?.count ?? 0 }

    /// Calls with each item in order, and with its bytes, which are valid only during the call.
    func unpack(_ body: (Item, UnsafeBufferPointer<UInt8>) -> Void) {
      var rest = text.map { $0.bytes[...] } ?? UnsafeBufferPointer(start: nil, count: 0)[...]
      for item in items {
        switch item {
        case .result(_, _, let count, _), .notification(_, _, let count):
          body(item, UnsafeBufferPointer(rebasing: rest.prefix(count)))
          rest = rest.dropFirst(count)
        case .effect: body(item, UnsafeBufferPointer(start: nil, count: 0))
        }
      }
    }

    fileprivate mutating func add(_ item: Item, _ bytes: UnsafeBufferPointer<UInt8>) {
      items.append(item)
      let text = text ?? OutputBuffer(capacity: 512)
      self.text = text
      text.append(bytes)
    }

    fileprivate mutating func append(_ next: Batch) {
      items += next.items
      guard let more = next.text else { return }
      if let text { text.append(more.bytes) } else { text = more }
    }
  }

  /// Items that are not handed over.
  private var added = Batch()
  /// Handed over, the oldest first; each has jobs that are not done.
  private var batches: Deque<Batch> = []

  /// Bytes of memory, approximately.
  private(set) var bytes = 0

  /// Whether notifications or effects were added since the last hand-over.
  var hasMoreThanResults: Bool { added.items.contains { if case .result = $0 { false } else { true } } }

  // MARK: Adding

  /// Adds the result of a request.
  ///
  /// - Parameter introduces: whether the client learns by it that it has the session.
  mutating func answer(
    _ token: RequestToken,
    to connection: ClientConnection,
    introduces: Bool,
    _ result: UnsafeBufferPointer<UInt8>
  ) {
    added.add(.result(connection, token, bytes: result.count, introduces: introduces), result)
    bytes += result.count
  }

  /// Adds a notification.
  mutating func addNotification(
    to connection: ClientConnection,
    _ method: StaticString,
    _ params: UnsafeBufferPointer<UInt8>
  ) {
    added.add(.notification(connection, method, bytes: params.count), params)
    bytes += params.count
  }

  /// Adds an effect.
  mutating func start(_ effect: Effect) {
    added.items.append(.effect(effect))
  }

  /// An effect is not wanted any more.
  mutating func withdraw(_ id: EffectID) {
    withdrawEffects { $0.id == id }
  }

  /// The effects that are meant are not wanted any more.
  mutating func withdrawEffects(where isMeant: (Effect) -> Bool = { _ in true }) {
    func withdraw(_ batch: inout Batch) {
      batch.items.removeAll { if case .effect(let effect) = $0 { isMeant(effect) } else { false } }
    }
    withdraw(&added)
    for index in batches.indices { withdraw(&batches[index]) }
  }

  // MARK: Handing over

  /// So many jobs cover the items that were added.
  ///
  /// - Returns: the items that can leave now.
  mutating func handOver(jobs: Int) -> Batch? {
    var batch = added
    added = Batch()
    if jobs > 0 {
      batch.jobs = jobs
      batches.append(batch)
      return nil
    }
    guard let last = batches.indices.last else {
      bytes -= batch.bytes
      return batch
    }
    batches[last].append(batch)
    return nil
  }

  /// The oldest job is done.
  ///
  /// - Returns: the items that can leave now.
  mutating func jobEnded() -> Batch? {
    guard let first = batches.indices.first else {
      preconditionFailure("a job has ended that is in no batch; \(bytes) bytes wait")
    }
    batches[first].jobs -= 1
    guard batches[first].jobs == 0, let batch = batches.popFirst() else { return nil }
    if batches.isEmpty { batches = [] }
    bytes -= batch.bytes
    return batch
  }

  /// A job has failed.
  ///
  /// - Returns: all that waits, to be dropped.
  mutating func takeAll() -> Batch {
    defer { self = SessionOutbox() }
    var all = Batch()
    for batch in batches { all.append(batch) }
    all.append(added)
    return all
  }
}
