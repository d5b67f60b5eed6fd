#if canImport(Glibc)
  internal import Glibc
#endif

/// Writes a message to the user that is not a result. Waits at most a second if no process reads it.
package func complain(_ text: String) {
  var rest = Array((text + "\n").utf8)[...]
  while !rest.isEmpty {
    var wanted = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&wanted, 1, 1000) > 0 else { return }
    // A pipe that has room takes as many bytes without waiting (pipe(7)).
    let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, min($0.count, Int(PIPE_BUF))) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
