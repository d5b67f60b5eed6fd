internal import Times

/// How much may happen on average, and how much at once: a token bucket (RFC 2697 describes one for packets).
struct TokenBucket {
  /// Tokens that come each second.
  let perSecond: Int
  /// Tokens that the bucket holds.
  let capacity: Int
  /// The time at which the bucket is full, if nothing is taken before.
  private var full: Instant

  /// A full bucket.
  init(perSecond: Int, capacity: Int, at now: Instant) {
    self.perSecond = perSecond
    self.capacity = capacity
    full = now
  }

  private var perToken: Duration { .seconds(1) / perSecond }

  /// Takes a token.
  ///
  /// - Returns: false, with nothing taken, if there is none.
  mutating func take(at now: Instant) -> Bool {
    let next = max(full, now) + perToken
    guard next - now <= perToken * capacity else { return false }
    full = next
    return true
  }

  /// Whether it is as if nothing had ever been taken.
  func isFull(at now: Instant) -> Bool { full <= now }
}
