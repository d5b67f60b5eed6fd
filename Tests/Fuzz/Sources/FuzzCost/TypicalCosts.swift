/// The costs per byte of the inputs so far.
struct TypicalCosts {
  /// Shorter inputs are not used: most of their cost is equal for all inputs.
  static let bytesMin = 64
  /// Longer inputs are judged, but not used as a measure: costs that grow faster than the input make all of them
  /// costly.
  private static let measureBytesMax = 1_024
  /// So many times the median are too much.
  private static let timesMax = 100.0
  /// The median of fewer inputs is not meaningful.
  private static let inputsMin = 25
  /// Cheaper inputs are never too costly.
  private static let costMin = Duration.milliseconds(20)
  /// So many inputs are remembered, the last ones.
  private static let rememberedMax = 1_000

  /// Costs for each byte, in no order.
  private var costs: [Duration] = []
  /// The index of the next cost once all entries are taken.
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
