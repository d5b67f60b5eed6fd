#if canImport(Glibc)
  internal import Glibc
#endif

/// A clock that goes on by steps of some milliseconds and costs next to nothing to look at (CLOCK_MONOTONIC_COARSE, clock_gettime(2)):
/// it says when the server's own clock is worth a look.
enum CoarseClock {
  /// The step that the clock is in.
  @inline(__always)
  static var step: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }
}
