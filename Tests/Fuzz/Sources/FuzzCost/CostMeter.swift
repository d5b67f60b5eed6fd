internal import Glibc

/// Measures what one input costs, as CPU time of the thread.
///
/// CPU time, since containers and virtual machines mostly have no counter of instructions to lend.
public struct CostMeter {
  /// What a unit of a budget may take. Some hundred times what it takes in a release build: these builds are for debugging and count
  /// every branch.
  private static let unitTimeMax = Duration.microseconds(10)

  private let start = Self.now
  private var uncounted = Duration.zero

  /// What was used since the meter was made, without what had a bound of its own.
  var used: Duration { Self.now - start - uncounted }

  /// Does work that a budget bounds, whatever the input's length is: what it takes beyond its bound counts, and nothing else.
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
