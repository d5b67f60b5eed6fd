internal import FormProtocol

/// The open taps of one session, and whether the last tap succeeded.
struct TapLog {
  /// The number of taps that have not ended yet.
  private(set) var openCount = 0
  /// The number of the tap that was sent last; 0 before the first.
  private var lastNumber = 0
  /// Whether no tap was sent, or the last one succeeded.
  private(set) var isFine = true

  /// Notes that a tap is sent.
  ///
  /// - Returns: the number of the tap.
  mutating func sent() -> Int {
    openCount += 1
    lastNumber += 1
    isFine = false
    return lastNumber
  }

  /// Notes the end of a tap.
  ///
  /// - Parameter kind: the kind of its event; nil if a throttle or debounce dropped the tap, or if it was refused.
  mutating func ended(_ number: Int, _ kind: EventKind?) {
    openCount -= 1
    if number == lastNumber { isFine = kind == .succeeded }
  }
}
