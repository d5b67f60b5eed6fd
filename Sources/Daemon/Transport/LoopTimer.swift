internal import NIOCore
internal import Server
internal import Sessions
internal import Times

/// The one scheduled task of an event loop: the server's next wake-up.
final class LoopTimer {
  private let loop: NIOIsolatedEventLoop
  /// Set right after the server is made. The two hold each other until ``cancel()``.
  var server: FormServer?
  private var scheduled: Scheduled<Void>?

  init(loop: any EventLoop) {
    self.loop = loop.assumeIsolated()
  }

  /// Wakes the server at that time and no other.
  func wake(at instant: Instant) {
    scheduled?.cancel()
    let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: instant.nanoseconds))
    scheduled = loop.scheduleTask(deadline: deadline) { [weak self] in
      self?.scheduled = nil
      self?.server?.timersDue()
    }
  }

  /// Nothing is woken any more.
  func cancel() {
    server = nil
    scheduled?.cancel()
    scheduled = nil
  }
}
