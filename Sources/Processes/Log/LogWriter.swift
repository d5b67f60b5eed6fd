internal import Files
internal import JSON
package import Logging
internal import NIOConcurrencyHelpers
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Writes lines to a file from a thread of its own. A thread that logs never waits for the reader of the log. A pipe
/// without a reader fills the ``LogQueue``, and lines for which it has no room are counted.
///
/// `@unchecked Sendable`: `queue` is only touched while `state` is locked, and the rest is constant.
package final class LogWriter: @unchecked Sendable {
  private enum State {
    /// Everything is written.
    case idle
    /// The queue has something for the thread.
    case queued
    /// The thread writes what it took out of the queue, which has nothing more.
    case writing
  }

  private let state = ConditionLock(value: State.idle)
  private var queue = LogQueue()
  private let descriptor: CInt
  /// Told of the first of several writes in a row that the file refuses.
  private let refused: @Sendable (_ code: CInt) -> Void
  /// The position of ``level`` in ``levels``.
  private let levelIndex = Atomic(0)
  private static let levels = Logger.Level.allCases

  /// The least level of lines that loggers hand over. It may change at any time.
  package var level: Logger.Level {
    get { Self.levels[levelIndex.load(ordering: .relaxed)] }
    set { levelIndex.store(Self.levels.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
  }

  /// Writes to that open file until the process ends.
  ///
  /// - Parameters:
  ///   - countsKinds: see ``LogQueue/countsKinds``.
  ///   - refused: called with the code of the error when the file begins to refuse writes.
  package init(
    descriptor: CInt,
    level: Logger.Level = .info,
    format: LogFormat = LogFormat(),
    countsKinds: Bool = true,
    refused: @escaping @Sendable (_ code: CInt) -> Void = { _ in }
  ) {
    self.descriptor = descriptor
    self.refused = refused
    queue.format = format
    queue.countsKinds = countsKinds
    self.level = level
    DetachedThread.start { self.writeForEver() }
  }

  /// Lines from now on have that level at least, and that format.
  package func follow(level: Logger.Level, isJSON: Bool) {
    self.level = level
    state.lock()
    queue.format.isJSON = isJSON
    unlock()
  }

  /// Logs a line. Never waits for the file.
  package func write(_ line: LogLine) {
    state.lock()
    queue.append(line, at: SystemClock.now())
    unlock()
  }

  /// Waits until everything is written, or that time is over.
  ///
  /// - Returns: whether everything is written.
  @discardableResult
  package func flush(within limit: Duration) -> Bool {
    state.lock()
    queue.endWindow(stamp: LogLine.stamp())
    unlock()
    guard state.lock(whenValue: .idle, timeoutSeconds: limit / .seconds(1)) else { return false }
    state.unlock()
    return true
  }

  /// Lets the thread know when there is something for it.
  private func unlock() {
    if queue.isEmpty { state.unlock() } else { state.unlock(withValue: .queued) }
  }

  private func writeForEver() {
    var hasReported = false
    while true {
      lockWhenQueued()
      let bytes = queue.takeAll(stamp: LogLine.stamp())
      state.unlock(withValue: .writing)
      let code = write(bytes)
      if code != 0, !hasReported { refused(code) }
      hasReported = code != 0
      state.lock()
      state.unlock(withValue: queue.isEmpty ? .idle : .queued)
    }
  }

  private func lockWhenQueued() {
    while true {
      state.lock()
      let isCounting = queue.isCounting
      state.unlock()
      guard isCounting else { return state.lock(whenValue: .queued) }
      if state.lock(whenValue: .queued, timeoutSeconds: 1) { return }
      // Counted lines are reported when their second is over, even if nothing else is logged.
      state.lock()
      queue.endWindow(stamp: LogLine.stamp())
      unlock()
    }
  }

  /// Writes all of it, however long the file takes. Lines that the file refuses are lost.
  ///
  /// - Returns: 0, or the code of the error.
  private func write(_ bytes: [UInt8]) -> CInt {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process that has the file open may have made it non-blocking.
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
