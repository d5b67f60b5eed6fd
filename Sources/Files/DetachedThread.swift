#if canImport(Glibc)
  internal import Glibc
#endif

/// Work that may block for any time, and that the end of the process does not wait for.
///
/// The work gets a thread of its own. Swift's tasks share a few threads, as many as there are processors.
package enum DetachedThread {
  /// Runs `body` on a new thread.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    let code = tryToStart(body)
    precondition(code == 0, "no thread could be started: error \(code)")
  }

  /// Runs `body` on a new thread, if the system has one.
  ///
  /// - Returns: 0, or the system's error.
  package static func tryToStart(_ body: @escaping @Sendable () -> Void) -> CInt {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body: body))
    let code = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      work.toOpaque()
    )
    if code == 0 { pthread_detach(thread) } else { work.release() }
    return code
  }

  /// The value that `body` makes on a new thread.
  package static func result<Value: Sendable>(of body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: body()) } }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
