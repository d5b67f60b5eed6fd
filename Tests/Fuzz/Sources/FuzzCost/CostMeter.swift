internal import Glibc

/// Measures what one input costs, as CPU time of the thread.
///
/// CPU time, since containers and virtual machines mostly have no counter of instructions to lend.
public struct CostMeter {
  /// The longest time of a budget's unit. It is some hundred times the time in a release build: these builds are for
  /// debugging and count every branch.
  private static let unitTimeMax = Duration.microseconds(10)

  private let start = Self.now
  private var uncounted = Duration.zero

  /// The time since the meter was made, without the work that had a bound of its own.
  var used: Duration { Self.now - start - uncounted }

  /// Does work that a budget bounds, independent of the input's length. Only the time beyond its bound counts.
  ///
  /// - Parameter units: the budget.
  public mutating func bounded<Result>(units: Int, _ work: () throws -> Result) rethrows -> Result {
    try bounded(by: Self.unitTimeMax * units, work)
  }

  /// The same where the bound is a time.
  public mutating func bounded<Result>(by most: Duration, _ work: () throws -> Result) rethrows -> Result {
    let begin = Self.now
    defer { uncounted += min(Self.now - begin, most) }
    return try work()
  }

  private static var now: Duration {
    var time = timespec()
    // It cannot fail for this clock.
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
