internal import NIOCore
internal import Server
internal import SessionStore
internal import Synchronization

/// Results on their way from a store's threads to the event loop, in order, many at once.
final class StoreResults: Sendable {
  private let loop: any EventLoop
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let server: NIOLoopBoundBox<FormServer?>
  private let heard: NIOLoopBoundBox<(StoredSessionID?) -> Void>

  init(_ loop: any EventLoop) {
    self.loop = loop
    server = .makeBoxSendingValue(nil, eventLoop: loop)
    heard = .makeBoxSendingValue({ _ in }, eventLoop: loop)
  }

  /// From now on that server gets the results, on the loop.
  ///
  /// - Parameter heard: called with each notification of the database about another daemon.
  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void) {
    self.server.value = server
    self.heard.value = heard
  }

  /// Calls on the loop, when it has done the work that is due before it looks for input.
  func soon(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }

  /// No result reaches the server any more.
  func end() { server.value = nil }

  /// Calls on the loop, in the order of these calls.
  func append(_ result: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(result)
      return waiting.count == 1
    }
    if isFirst { loop.execute(deliver) }
  }

  /// Reports a notification of the database about another daemon, on the loop.
  func append(notificationAbout session: StoredSessionID?) {
    append { [heard] in heard.value(session) }
  }

  /// Reports a new state to the server, on the loop.
  func append(_ state: StoreState) {
    append { [server] in server.value?.storedSessions?.storeChanged(to: state) }
  }

  /// Reports a lost connection, or one that is back, to the server, on the loop.
  func append(_ change: StoreConnectionChange) {
    append { [server] in server.value?.storedSessions?.connectionChanged(change) }
  }

  /// A completion that a store may call on a thread of its own: it calls the given completion on the loop. This method
  /// is called on the loop.
  func onLoop<Value: Sendable>(_ completion: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    let completion = NIOLoopBound(completion, eventLoop: loop)
    return { [self] value in append { completion.value(value) } }
  }

  /// As many as a slice takes; the rest when the loop has looked for input.
  @Sendable private func deliver() {
    let results = waiting.withLock { Array($0) }
    let count = server.value?.storedSessions?.jobsEnded(results.count) { results[$0]() } ?? results.count
    let isEmpty = waiting.withLock { waiting in
      waiting.removeFirst(count)
      return waiting.isEmpty
    }
    if !isEmpty { loop.execute(deliver) }
  }
}

extension Result {
  /// The failure; nil if there is a value.
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
