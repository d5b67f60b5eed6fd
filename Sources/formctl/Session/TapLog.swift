internal import FormProtocol

/// Which taps of one session have come to their end, and whether the last one succeeded.
struct TapLog {
  /// Taps that have not come to their end.
  private(set) var openCount = 0
  /// The number of the tap that was sent last; 0 before the first.
  private var lastNumber = 0
  /// Whether no tap was sent, or the last one succeeded.
  private(set) var isFine = true

  /// A tap is sent.
  ///
  /// - Returns: its number.
  mutating func sent() -> Int {
    openCount += 1
    lastNumber += 1
    isFine = false
    return lastNumber
  }

  /// The tap of that number has come to its end.
  ///
  /// - Parameter kind: that of its event; nil when a throttle or debounce swallowed the tap, or when it was refused.
  mutating func ended(_ number: Int, _ kind: EventKind?) {
    openCount -= 1
    if number == lastNumber { isFine = kind == .succeeded }
  }
}
