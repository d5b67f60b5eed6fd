/// What the inputs so far have cost for each of their bytes.
struct TypicalCosts {
  /// Shorter inputs say nothing: most of what they cost is the same for all.
  static let bytesMin = 64
  /// Longer inputs are judged, but are no measure: what grows faster than the input makes all of them costly.
  private static let measureBytesMax = 1_024
  /// So many times the median are too much.
  private static let timesMax = 100.0
  /// The median of fewer inputs says nothing.
  private static let inputsMin = 25
  /// Cheaper inputs are never too costly.
  private static let costMin = Duration.milliseconds(20)
  /// So many inputs are remembered, the last ones.
  private static let rememberedMax = 1_000

  /// Costs for each byte, in no order.
  private var costs: [Duration] = []
  /// Where the next one goes once all places are taken.
  private var next = 0

  /// Notes an input.
  mutating func add(_ cost: Duration, bytes: Int) {
    guard bytes <= Self.measureBytesMax else { return }
    if costs.count < Self.rememberedMax {
      costs.append(cost / bytes)
    } else {
      costs[next] = cost / bytes
      next = (next + 1) % costs.count
    }
  }

  /// Whether that is too much for an input of that length.
  func isExceeded(by cost: Duration, bytes: Int) -> Bool {
    cost > Self.costMin && costs.count >= Self.inputsMin && times(cost, bytes: bytes) > Self.timesMax
  }

  /// How many times the median that is, for each byte. There must be a cost to compare it with.
  func times(_ cost: Duration, bytes: Int) -> Double {
    let median = costs.sorted()[costs.count / 2]
    return (cost / bytes) / max(median, .nanoseconds(1))
  }
}
