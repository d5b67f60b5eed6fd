internal import FormProtocol

/// How long pieces of work took: messages of clients, timers of sessions, answers to effects.
struct WorkTimes {
  /// The bounds of the buckets, in microseconds. Most work takes some ten, and none is to take more than 25,000.
  private static let bounds = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
  ]

  /// The counts by bucket; the last bucket is for work longer than all bounds. The first is empty: ``shortCount`` is in
  /// its place.
  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// The count of the first bucket, in which most work is.
  private var shortCount = 0
  private var totalNanoseconds: Int64 = 0

  /// A piece of work took so long.
  @inline(__always)
  mutating func add(_ nanoseconds: Int64) {
    totalNanoseconds &+= nanoseconds
    if _fastPath(nanoseconds <= 50_000) { shortCount &+= 1 } else { addLong(nanoseconds) }
  }

  @inline(never)
  private mutating func addLong(_ nanoseconds: Int64) {
    let bucket = Self.bounds.firstIndex { nanoseconds <= Int64($0) * 1_000 } ?? Self.bounds.count
    counts[bucket] += 1
  }

  /// The histogram for clients.
  var histogram: TimeHistogram {
    var counts = counts
    counts[0] = shortCount
    var histogram = TimeHistogram()
    histogram.totalMicroseconds = Int(totalNanoseconds / 1_000)
    for (bound, count) in zip(Self.bounds, counts) {
      histogram.count += count
      histogram.buckets.append(.init(microsecondsMax: bound, count: histogram.count))
    }
    histogram.count += counts[Self.bounds.count]
    return histogram
  }
}
