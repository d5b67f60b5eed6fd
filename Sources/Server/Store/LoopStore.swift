internal import NIOCore
internal import SessionStore
internal import Synchronization

/// A ``SQLiteSessionStore`` joined to an event loop: what it completes is told there, many completions at once.
final class LoopStore: SessionStoring {
  private let store: SQLiteSessionStore
  private let loop: any EventLoop
  private let answers: Answers

  /// Answers on their way from the store's thread to the loop, in order.
  final class Answers: Sendable {
    private let loop: any EventLoop
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let server: NIOLoopBoundBox<FormServer?>

    init(_ loop: any EventLoop) {
      self.loop = loop
      server = .makeBoxSendingValue(nil, eventLoop: loop)
    }

    /// From now on that server is told, on the loop.
    func begin(for server: FormServer) { self.server.value = server }

    /// Calls on the loop, when it has done what is to be done before it looks for input.
    func soon(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }

    /// Nobody is told any more.
    func end() { server.value = nil }

    /// Calls on the loop, in the order of these calls.
    func append(_ answer: @escaping @Sendable () -> Void) {
      let isFirst = waiting.withLock { waiting in
        waiting.append(answer)
        return waiting.count == 1
      }
      if isFirst { loop.execute(deliver) }
    }

    /// Tells the server of another state, on the loop.
    func append(_ state: StoreState) {
      append { [server] in server.value?.storeChanged(to: state) }
    }

    /// As many as a turn takes; the others when the loop has looked for input.
    @Sendable private func deliver() {
      let answers = waiting.withLock { Array($0) }
      let count = server.value?.storeAnswered(answers.count) { answers[$0]() } ?? answers.count
      let isEmpty = waiting.withLock { waiting in
        waiting.removeFirst(count)
        return waiting.isEmpty
      }
      if !isEmpty { loop.execute(deliver) }
    }
  }

  /// The store, for the loop that the answers go to.
  init(_ store: SQLiteSessionStore, _ answers: Answers, _ loop: any EventLoop) {
    self.store = store
    self.answers = answers
    self.loop = loop
  }

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    store.write([write], told(completion))
  }

  func read(
    _ id: StoredSessionID,
    at now: Int64,
    _ completion: @escaping (Result<StoredSession?, StoreFailure>) -> Void
  ) {
    store.read(id, at: now, onLoop(completion))
  }

  func remove(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    store.remove(id, told(completion))
  }

  func expired(by now: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    store.expired(by: now, atMost: countMax, onLoop { completion((try? $0.get()) ?? []) })
  }

  private func told<Value: Sendable>(
    _ completion: @escaping (StoreFailure?) -> Void
  ) -> @Sendable (Result<Value, StoreFailure>) -> Void {
    onLoop { (result: Result<Value, StoreFailure>) in
      if case .failure(let failure) = result { completion(failure) } else { completion(nil) }
    }
  }

  private func onLoop<Value: Sendable>(_ completion: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    // The completion is called on the loop that it comes from.
    let completion = NIOLoopBound(completion, eventLoop: loop)
    return { [answers] value in answers.append { completion.value(value) } }
  }
}
