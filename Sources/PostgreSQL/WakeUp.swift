#if canImport(Glibc)
  internal import Glibc
#endif

/// Wakes a thread that waits for a connection: a descriptor that it can poll becomes readable, as often as that is wanted.
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

  /// From any thread. Whoever waits, or is next to wait, goes on.
  package func signal() {
    var byte: UInt8 = 0
    // It fails when the pipe is full of signals that nobody has taken.
    _ = write(end, &byte, 1)
  }

  /// Takes the signals that were given: the next one that waits does wait.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Waits for a signal, at most until then, and takes it.
  package func wait(until deadline: ContinuousClock.Instant?) {
    // What poll(2) can fail with leaves nothing to wait for.
    _ = try? Poll.wait([(descriptor, POLLIN)], until: deadline)
    clear()
  }
}
