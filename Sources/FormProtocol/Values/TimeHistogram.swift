/// How often something took how long.
public struct TimeHistogram: Message, Sendable {
  /// So many took so long or less.
  public struct Bucket: Message, Sendable {
    /// The bound, in microseconds.
    public var microsecondsMax = 0
    /// How many took as long or less: those of the buckets before are counted, too.
    public var count = 0

    package init() {}

    /// A bucket of that bound.
    package init(microsecondsMax: Int, count: Int) {
      self.microsecondsMax = microsecondsMax
      self.count = count
    }

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("microsecondsMax", &microsecondsMax, "The bound.")
      members.required("count", &count, "How many took as long or less.")
    }
  }

  /// How many there were.
  public var count = 0
  /// How long all of them took together.
  public var totalMicroseconds = 0
  /// By ascending bound; what took longer than the last one is only in ``count``.
  public var buckets: [Bucket] = []

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("count", &count, "How many there were.")
    members.required("totalMicroseconds", &totalMicroseconds, "How long all of them took together.")
    members.required("buckets", &buckets, "How many took so long or less, by ascending bound.")
  }

  /// The bound under which that share of all lie, in microseconds; nil where there are none, or it lies above the last bound.
  ///
  /// - Parameter share: from 0 to 1.
  public func bound(of share: Double) -> Int? {
    guard count > 0 else { return nil }
    return buckets.first { Double($0.count) >= share * Double(count) }?.microsecondsMax
  }

  /// Those that are counted here and not in an earlier histogram of the same daemon.
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
