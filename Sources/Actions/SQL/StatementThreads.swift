internal import JSON
internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Threads that wait for a database, one for each statement that runs at once. A statement waits for disks, locks and
/// servers. Event loops and the threads of Swift's tasks must not wait for these.
final class StatementThreads: Sendable {
  private enum State {
    /// Before the first statement, without threads.
    case idle
    case running
    case closed
  }

  private let pool: NIOThreadPool
  private let state = NIOLockedValueBox(State.idle)

  /// So many threads; they begin at the first statement.
  init(count: Int) { pool = NIOThreadPool(numberOfThreads: count) }

  deinit { close() }

  /// The rows that `body` returns on one of the threads.
  ///
  /// - Parameter cancel: called when the task is cancelled, also before `body` runs. It makes `body` end soon.
  /// - Throws: the failure of `body`, or `.cancelled` once the threads are closed.
  func rows(
    _ body: @escaping @Sendable () throws(SQLFailure) -> [JSON],
    cancel: @escaping @Sendable () -> Void
  ) async throws(SQLFailure) -> [JSON] {
    guard start() else { throw .cancelled }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<[JSON], SQLFailure>, Never>) in
        pool.submit { state in
          guard case .active = state else { return continuation.resume(returning: .failure(.cancelled)) }
          continuation.resume(returning: Result { () throws(SQLFailure) in try body() })
        }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// Ends the threads when they are done. Nothing is waited for.
  func close() {
    let wasRunning = state.withLockedValue { state in
      defer { state = .closed }
      return state == .running
    }
    if wasRunning { pool.shutdownGracefully { _ in } }
  }

  /// Returns false when the threads are closed.
  private func start() -> Bool {
    state.withLockedValue { state in
      if state == .idle {
        pool.start()
        state = .running
      }
      return state == .running
    }
  }
}
