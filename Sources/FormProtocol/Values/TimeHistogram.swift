/// A distribution of durations.
public struct TimeHistogram: Message, Sendable {
  /// The number of durations up to a bound.
  public struct Bucket: Message, Sendable {
    /// The bound, in microseconds.
    public var microsecondsMax = 0
    /// The number of calls that took as long or less: it includes the calls in the buckets before.
    public var count = 0

    package init() {}

    package init(microsecondsMax: Int, count: Int) {
      self.microsecondsMax = microsecondsMax
      self.count = count
    }

    package static let schemaName: StaticString? = "TimeBucket"
    package static let summary: StaticString = "How many durations are up to a bound."

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("microsecondsMax", &microsecondsMax, "The bound.")
      members.required("count", &count, "How many took at most as long as the bound.")
    }
  }

  /// The number of all durations.
  public var count = 0
  /// The sum of all durations.
  public var totalMicroseconds = 0
  /// By ascending bound; only ``count`` includes values above the last bound.
  public var buckets: [Bucket] = []

  package init() {}

  package static let schemaName: StaticString? = "TimeHistogram"
  package static let summary: StaticString = "A distribution of durations."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("count", &count, "How many there were.")
    members.required("totalMicroseconds", &totalMicroseconds, "The sum of all durations.")
    members.required("buckets", &buckets, "How many took at most as long as each bound, in ascending order.")
  }

  /// The bound below which that share of all durations lie, in microseconds; nil if there are none, or the bound is
  /// above the last bucket.
  ///
  /// - Parameter share: from 0 to 1.
  public func bound(of share: Double) -> Int? {
    guard count > 0 else { return nil }
    return buckets.first { Double($0.count) >= share * Double(count) }?.microsecondsMax
  }

  /// The durations that are counted here and not in an earlier histogram of the same daemon.
  public func since(_ earlier: TimeHistogram) -> TimeHistogram {
    var result = self
    result.count -= earlier.count
    result.totalMicroseconds -= earlier.totalMicroseconds
    for index in buckets.indices {
      let bound = buckets[index].microsecondsMax
      result.buckets[index].count -= earlier.buckets.first { $0.microsecondsMax == bound }?.count ?? 0
    }
    return result
  }
}
