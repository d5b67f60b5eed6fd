internal import Dispatch
internal import Files
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

/// A database, as the store's thread uses it.
protocol StoreBackend: AnyObject, SendableMetatype {
  /// The kinds of work that it does.
  associatedtype Work: Sendable

  /// The thread begins.
  func begin()

  /// Does jobs, as many as possible in one commit. It completes each job, in their order, when the job is committed or
  /// has failed.
  ///
  /// - Parameter isIdle: whether no other job waits.
  func perform(_ jobs: [StoreJob<Work>], isIdle: () -> Bool)

  /// Looks whether a store that was not used for a while is still well.
  func look()

  /// The time until a store that is away is to be tried again; nil: it is well, as far as is known.
  var timeToTry: Duration? { get }

  /// Tries whether a store that is away is well again.
  func recover()

  /// No more jobs come.
  ///
  /// - Returns: whether everything is done.
  func end() -> Bool

  /// The current work is to be given up. From any thread.
  func cancel()
}

/// The thread of a store. It takes all jobs that wait, and its backend does them together, in the order in which they
/// came.
///
/// `@unchecked Sendable`: the backend belongs to the thread, except ``StoreBackend/cancel()``.
final class StoreWorker<Backend: StoreBackend>: @unchecked Sendable {
  private struct State: Sendable {
    var jobs: [StoreJob<Backend.Work>] = []
    var isClosed = false
    /// Whether the backend has ended, and has done everything.
    var isDone = false
  }

  private let backend: Backend
  /// Not a `Mutex`: ThreadSanitizer does not see its lock. So it does not see the order between the callers and the
  /// store's thread.
  private let state = NIOLockedValueBox(State())
  /// Signalled when there is a job for a thread that has found none.
  private let wakeUp = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  /// Calls its closure, at once or soon: the thread may then begin.
  private let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// How often a store that is not used is looked at.
  private var lookInterval: Duration { .seconds(2) }

  /// Starts the thread.
  ///
  /// - Parameter soon: calls its closure when the caller has sent all its current requests.
  init(_ backend: Backend, soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.backend = backend
    self.soon = soon
    DetachedThread.start { self.work() }
  }

  /// The work is to be done behind all earlier work. The completion is called on the store's thread; when the store is
  /// closed, at once.
  func add<Value: Sendable>(
    _ work: Backend.Work,
    _ completion: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
  ) {
    let (isFirst, isClosed) = state.withLockedValue { state in
      if state.isClosed { return (false, true) }
      state.jobs.append(StoreJob(work, completion))
      return (state.jobs.count == 1, false)
    }
    if isClosed { return completion(.failure(.closed)) }
    if isFirst { soon { [wakeUp] in _ = wakeUp.signal() } }
  }

  /// Does the jobs so far, and ends. Later jobs fail.
  ///
  /// - Parameter limit: the longest wait; then the current work is given up.
  /// - Returns: whether everything is done.
  func close(within limit: Duration) -> Bool {
    state.withLockedValue { $0.isClosed = true }
    wakeUp.signal()
    guard hasEnded.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .success else {
      backend.cancel()
      return false
    }
    hasEnded.signal()
    return state.withLockedValue { $0.isDone }
  }

  private func work() {
    backend.begin()
    while let jobs = takeJobs(within: backend.timeToTry ?? lookInterval) {
      if jobs.isEmpty {
        backend.look()
      } else {
        backend.perform(jobs) { state.withLockedValue { $0.jobs.isEmpty } }
      }
      if backend.timeToTry == .zero { backend.recover() }
    }
    let isDone = backend.end()
    state.withLockedValue { $0.isDone = isDone }
    hasEnded.signal()
  }

  /// Takes all jobs; waits for the first one, at most so long.
  ///
  /// - Returns: nil: no job is left, and no more jobs come.
  private func takeJobs(within limit: Duration) -> [StoreJob<Backend.Work>]? {
    let end = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
    while true {
      let (jobs, isClosed) = state.withLockedValue { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isClosed)
      }
      if !jobs.isEmpty { return jobs }
      if isClosed { return nil }
      if wakeUp.wait(timeout: end) == .timedOut { return [] }
    }
  }
}
