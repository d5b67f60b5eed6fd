/// A point on the monotonic time line that the caller of the engine supplies. It is the daemon's clock, or a test's
/// virtual clock.
public struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since an arbitrary beginning.
  public var nanoseconds: Int64

  /// The point so many nanoseconds after the beginning.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The point so many milliseconds after the beginning.
  public static func milliseconds(_ count: Int64) -> Instant {
    Instant(nanoseconds: count * 1_000_000)
  }

  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The point that much later, or the last one that can be expressed.
  public static func + (left: Instant, right: Duration) -> Instant {
    let (seconds, attoseconds) = right.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return Instant(nanoseconds: .max) }
    let (sum, overflow2) = left.nanoseconds.addingReportingOverflow(whole)
    let (result, overflow3) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
    return Instant(nanoseconds: overflow2 || overflow3 ? .max : result)
  }

  /// The time from the right point to the left one.
  public static func - (left: Instant, right: Instant) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }
}
