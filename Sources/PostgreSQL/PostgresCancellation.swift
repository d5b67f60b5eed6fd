internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Tells a thread that waits for a server that its answer is not wanted any more: a descriptor that it can poll becomes
/// readable.
package final class PostgresCancellation: Sendable {
  /// To be polled for input beside a connection's socket.
  package let descriptor: CInt
  /// The other end of the pipe.
  private let signal: CInt
  private let flag = Atomic(false)

  /// - Throws: when the process has no descriptor left.
  package init() throws(PostgresFailure) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .noDescriptor() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, signal) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(signal)
  }

  /// Whether ``cancel()`` was called.
  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// The answer is not wanted any more. From any thread, any number of times.
  package func cancel() {
    guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    write(signal, &byte, 1)
  }
}
