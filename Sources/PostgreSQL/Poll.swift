#if canImport(Glibc)
  internal import Glibc
#endif

/// Waits for descriptors, as poll(2) does.
enum Poll {
  /// Waits until one of some descriptors is ready; descriptors below 0 are ignored.
  ///
  /// - Parameter deadline: the end of the wait; nil: never.
  /// - Returns: the events for which each is ready; nil when the time is over.
  static func wait(
    _ descriptors: [(descriptor: CInt, events: Int32)],
    until deadline: ContinuousClock.Instant?
  ) throws(PostgresFailure) -> [Int32]? {
    var polled = descriptors.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    while true {
      var milliseconds: CInt = -1
      if let deadline {
        let left = ContinuousClock.now.duration(to: deadline)
        if left <= .zero { return nil }
        milliseconds = CInt(clamping: Int64(left / .milliseconds(1)) + 1)
      }
      let count = poll(&polled, nfds_t(polled.count), milliseconds)
      if count > 0 { return polled.map { Int32($0.revents) } }
      if count < 0, errno != EINTR { throw PostgresFailure(.error, String(cString: strerror(errno))) }
    }
  }
}

extension PostgresFailure {
  /// The process has no descriptor left; with the system's error.
  static func noDescriptor() -> PostgresFailure {
    PostgresFailure(.error, "a pipe cannot be opened: \(String(cString: strerror(errno)))")
  }
}
