internal import Dispatch
internal import NIOConcurrencyHelpers

/// A request to a store.
protocol QueuedJob: Sendable {
  /// Completes the request with a failure.
  func fail(_ failure: StoreFailure)
}

/// A request to a store in a file.
enum SQLiteStoreJob: QueuedJob {
  typealias Completion<Value> = @Sendable (Result<Value, StoreFailure>) -> Void

  case write([SessionWrite], Completion<Void>)
  case read(StoredSessionID, Int64, Completion<StoredSession?>)
  case remove(StoredSessionID, Completion<Bool>)
  case expired(Int64, Int, Completion<[StoredSessionID]>)
  case count(Completion<Int>)
  case backUp(String, Completion<Int>)

  /// Whether it changes the file.
  var writes: Bool {
    switch self {
    case .write, .remove: true
    case .read, .expired, .count, .backUp: false
    }
  }

  /// Whether it makes room, so that it is worth a try while the store is full.
  var makesRoom: Bool {
    switch self {
    case .remove: true
    case .write, .read, .expired, .count, .backUp: false
    }
  }

  func fail(_ failure: StoreFailure) {
    switch self {
    case .write(_, let completion): completion(.failure(failure))
    case .read(_, _, let completion): completion(.failure(failure))
    case .remove(_, let completion): completion(.failure(failure))
    case .expired(_, _, let completion): completion(.failure(failure))
    case .count(let completion): completion(.failure(failure))
    case .backUp(_, let completion): completion(.failure(failure))
    }
  }
}

/// Jobs on their way to the store's thread, in the order in which they came.
final class StoreQueue<Job: QueuedJob>: Sendable {
  private struct State: Sendable {
    var jobs: [Job] = []
    var isClosed = false
  }

  /// Not a `Mutex`: ThreadSanitizer does not see its lock. So it does not see the order between the callers and the
  /// store's thread.
  private let state = NIOLockedValueBox(State())
  /// Signalled when there is a job for a thread that has found none.
  private let wakeUp = DispatchSemaphore(value: 0)
  /// Calls its closure, at once or soon: the thread may then begin.
  private let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.soon = soon
  }

  /// Adds a job. Fails it at once, on the caller's thread, when the queue is closed.
  func append(_ job: Job) {
    let (isFirst, isClosed) = state.withLockedValue { state in
      if state.isClosed { return (false, true) }
      state.jobs.append(job)
      return (state.jobs.count == 1, false)
    }
    if isClosed { return job.fail(StoreFailure(.closed, "the store is closed")) }
    if isFirst { soon { [wakeUp] in _ = wakeUp.signal() } }
  }

  /// Whether no job waits.
  var isEmpty: Bool { state.withLockedValue { $0.jobs.isEmpty } }

  /// No more jobs come.
  func close() {
    state.withLockedValue { $0.isClosed = true }
    wakeUp.signal()
  }

  /// The result of taking jobs.
  enum Taken {
    case jobs([Job])
    /// The time is over.
    case nothing
    /// No job is left, and no more jobs come.
    case end
  }

  /// Takes all jobs; waits for the first one, at most so long.
  func take(within limit: Duration?) -> Taken {
    while true {
      let taken: Taken? = state.withLockedValue { state in
        if state.jobs.isEmpty { return state.isClosed ? .end : nil }
        defer { state.jobs = [] }
        return .jobs(state.jobs)
      }
      if let taken { return taken }
      let deadline = limit.map { DispatchTime.now() + .nanoseconds(Int($0 / .nanoseconds(1))) } ?? .distantFuture
      if wakeUp.wait(timeout: deadline) == .timedOut { return .nothing }
    }
  }
}
