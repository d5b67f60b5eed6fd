internal import Dispatch
internal import Files
internal import Synchronization

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

/// The thread of a store. It takes all jobs that wait, and its backend does them together.
///
/// `@unchecked Sendable`: the backend belongs to the thread, except ``StoreBackend/cancel()``.
final class StoreWorker<Backend: StoreBackend>: @unchecked Sendable {
  private let backend: Backend
  private let queue: StoreQueue<Backend.Work>
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isDone = Mutex(false)

  /// How often a store that is not used is looked at.
  private var lookInterval: Duration { .seconds(2) }

  /// Starts the thread.
  ///
  /// - Parameter soon: calls its closure when the caller has sent all its current requests.
  init(_ backend: Backend, soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.backend = backend
    queue = StoreQueue(soon: soon)
    DetachedThread.start { self.work() }
  }

  /// The work is to be done behind all earlier work. The completion is called on the store's thread.
  func add<Value: Sendable>(
    _ work: Backend.Work,
    _ completion: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
  ) {
    queue.append(StoreJob(work, completion))
  }

  /// Does the jobs so far, and ends. Later jobs fail.
  ///
  /// - Parameter limit: the longest wait; then the current work is given up.
  /// - Returns: whether everything is done.
  func close(within limit: Duration) -> Bool {
    queue.close()
    guard hasEnded.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .success else {
      backend.cancel()
      return false
    }
    hasEnded.signal()
    return isDone.withLock { $0 }
  }

  private func work() {
    backend.begin()
    loop: while true {
      switch queue.take(within: backend.timeToTry ?? lookInterval) {
      case .jobs(let jobs): backend.perform(jobs) { queue.isEmpty }
      case .nothing: backend.look()
      case .end: break loop
      }
      if backend.timeToTry == .zero { backend.recover() }
    }
    let isDone = backend.end()
    self.isDone.withLock { $0 = isDone }
    hasEnded.signal()
  }
}
