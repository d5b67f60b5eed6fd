internal import Times

/// How much may happen on average, and how much at once: a token bucket (RFC 2697 describes one for packets).
struct TokenBucket {
  /// Nanoseconds in which one token comes.
  private let perToken: Int64
  /// Nanoseconds in which an empty bucket becomes full.
  private let wholeTime: Int64
  /// The time at which the bucket is full, if nothing is taken before.
  private var full: Instant

  /// A full bucket.
  ///
  /// - Parameters:
  ///   - perSecond: tokens that come each second.
  ///   - capacity: tokens that the bucket holds.
  init(perSecond: Int, capacity: Int, at now: Instant) {
    perToken = 1_000_000_000 / Int64(perSecond)
    wholeTime = perToken * Int64(capacity)
    full = now
  }

  /// Takes a token.
  ///
  /// - Returns: false, with nothing taken, if there is none.
  mutating func take(at now: Instant) -> Bool {
    let next = max(full, now).nanoseconds + perToken
    guard next - now.nanoseconds <= wholeTime else { return false }
    full = Instant(nanoseconds: next)
    return true
  }

  /// Whether it is as if nothing had ever been taken.
  func isFull(at now: Instant) -> Bool { full <= now }
}
