internal import NIOCore
package import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// The clocks of the machine that never go back.
package enum SystemClock {
  /// The clock of event loops. It stands still while the machine sleeps.
  package static func now() -> Instant {
    Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
  }

  /// The clock that goes on while the machine sleeps.
  package static func nowThroughSleep() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
