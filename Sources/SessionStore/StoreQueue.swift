internal import Dispatch
internal import NIOConcurrencyHelpers

/// A request to a store.
struct StoreJob<Work: Sendable>: Sendable {
  typealias Answer = Result<any Sendable, StoreFailure>

  let work: Work
  /// Called once, with a value of the type that the request wants, or with the failure.
  let complete: @Sendable (Answer) -> Void

  init<Value: Sendable>(_ work: Work, _ completion: @escaping @Sendable (Result<Value, StoreFailure>) -> Void) {
    self.work = work
    complete = { answer in
      completion(
        answer.map { value in
          guard let value = value as? Value else { preconditionFailure("the answer to \(work) is \(type(of: value))") }
          return value
        }
      )
    }
  }
}

/// Jobs on their way to the store's thread, in the order in which they came.
final class StoreQueue<Work: Sendable>: Sendable {
  private struct State: Sendable {
    var jobs: [StoreJob<Work>] = []
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
  func append(_ job: StoreJob<Work>) {
    let (isFirst, isClosed) = state.withLockedValue { state in
      if state.isClosed { return (false, true) }
      state.jobs.append(job)
      return (state.jobs.count == 1, false)
    }
    if isClosed { return job.complete(.failure(StoreFailure(.closed, "the store is closed"))) }
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
    case jobs([StoreJob<Work>])
    /// The time is over.
    case nothing
    /// No job is left, and no more jobs come.
    case end
  }

  /// Takes all jobs; waits for the first one, at most so long.
  func take(within limit: Duration) -> Taken {
    while true {
      let taken: Taken? = state.withLockedValue { state in
        if state.jobs.isEmpty { return state.isClosed ? .end : nil }
        defer { state.jobs = [] }
        return .jobs(state.jobs)
      }
      if let taken { return taken }
      if wakeUp.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .timedOut { return .nothing }
    }
  }
}
