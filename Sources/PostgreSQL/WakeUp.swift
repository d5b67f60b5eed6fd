#if canImport(Glibc)
  internal import Glibc
#endif

/// Wakes a thread that waits for a connection: a descriptor that it can poll becomes readable. It can be used again and
/// again.
package final class WakeUp: Sendable {
  /// To be polled for input.
  package let descriptor: CInt
  /// The other end of the pipe.
  private let end: CInt

  /// - Throws: when the process has no descriptor left.
  package init() throws(PostgresFailure) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .noDescriptor() }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, end) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(end)
  }

  /// From any thread. A thread that waits, or is next to wait, goes on.
  package func signal() {
    var byte: UInt8 = 0
    // It fails when the pipe is full of signals that no thread has taken.
    _ = write(end, &byte, 1)
  }

  /// Takes the signals that were given, so that the next wait does wait.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Waits for a signal, at most until then, and takes it.
  package func wait(until deadline: ContinuousClock.Instant?) {
    // After any error of poll(2) there is nothing to wait for.
    _ = try? Poll.wait([(descriptor, POLLIN)], until: deadline)
    clear()
  }
}
