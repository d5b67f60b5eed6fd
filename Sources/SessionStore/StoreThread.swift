#if canImport(Glibc)
  internal import Glibc
#endif

/// The thread of a store: commits wait for the disk, and the threads that Swift's tasks share are as few as the processors.
enum StoreThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a fresh thread, which nobody joins.
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
}
