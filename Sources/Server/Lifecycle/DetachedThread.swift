#if canImport(Glibc)
  internal import Glibc
#endif

/// Work that may block for as long as it likes, and that the end of the process does not wait for.
///
/// It gets a thread of its own: the threads that Swift's tasks share are as few as the processors, and the signals are awaited there.
enum DetachedThread {
  /// Runs `body` on a fresh thread.
  static func start(_ body: @escaping @Sendable () -> Void) {
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
    precondition(code == 0, "no thread could be started: error \(code)")
    pthread_detach(thread)
  }

  /// What `body` makes on a fresh thread.
  static func result<Value: Sendable>(of body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: body()) } }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
