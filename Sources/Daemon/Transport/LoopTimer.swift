internal import NIOCore
internal import Server
internal import Sessions
internal import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// The one scheduled task of an event loop: the server's next wake-up.
final class LoopTimer {
  private let loop: NIOIsolatedEventLoop
  /// Set right after the server is made. The two hold each other until ``cancel()``.
  var server: FormServer?
  private var scheduled: Scheduled<Void>?

  init(loop: any EventLoop) {
    self.loop = loop.assumeIsolated()
  }

  /// The loop's clock.
  static func now() -> Instant {
    Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
  }

  /// The clock that goes on while the machine sleeps; the loop's does not.
  static func nowThroughSleep() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
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
