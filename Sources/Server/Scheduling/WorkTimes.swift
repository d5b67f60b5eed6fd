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
    return TimeHistogram(bounds: Self.bounds, counts: counts, totalMicroseconds: Int(totalNanoseconds / 1_000))
  }
}

/// How long others took that the daemon waits for.
struct AnswerTimes {
  private let bounds: [Int]
  /// The counts by bucket; the last bucket is for times longer than all bounds.
  private var counts: [Int]
  private var total = Duration.zero

  /// - Parameter bounds: the bounds of the buckets, in microseconds, ascending.
  private init(bounds: [Int]) {
    self.bounds = bounds
    counts = [Int](repeating: 0, count: bounds.count + 1)
  }

  /// For writes of kept sessions, until they were committed. The last buckets are for stores that fail.
  static var ofStore: Self {
    Self(bounds: [
      500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000, 15_000_000,
    ])
  }

  /// For services, databases and providers. A form can let them take a minute.
  static var ofTarget: Self {
    Self(bounds: [
      1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
    ])
  }

  /// An answer has come after so long.
  mutating func add(_ time: Duration) {
    total += time
    counts[bounds.firstIndex { time <= .microseconds($0) } ?? bounds.count] += 1
  }

  /// The histogram for clients.
  var histogram: TimeHistogram {
    TimeHistogram(bounds: bounds, counts: counts, totalMicroseconds: Int(total / .microseconds(1)))
  }
}

extension TimeHistogram {
  /// - Parameter counts: one for each bound, and one for longer times.
  fileprivate init(bounds: [Int], counts: [Int], totalMicroseconds: Int) {
    self.init()
    self.totalMicroseconds = totalMicroseconds
    for (bound, count) in zip(bounds, counts) {
      self.count += count
      buckets.append(.init(microsecondsMax: bound, count: self.count))
    }
    count += counts[bounds.count]
  }
}
