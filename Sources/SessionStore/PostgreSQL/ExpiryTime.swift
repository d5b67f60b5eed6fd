/// The time at which a session expires, by a clock of this process that cannot be set and that goes on while the
/// machine sleeps.
struct ExpiryTime: Sendable {
  private let deadline: ContinuousClock.Instant

  /// Expiries are at most a hundred years away, in both directions, because a server's times have an end.
  private static let secondsMax = 100.0 * 365 * 86_400

  /// - Parameters:
  ///   - expiry: in seconds since 1970, by a clock that may be wrong.
  ///   - now: the current time of that clock.
  init(_ expiry: Int64, _ now: Double) {
    deadline = .now + .seconds(min(max(Double(expiry) - now, -Self.secondsMax), Self.secondsMax))
  }

  /// The seconds until then.
  var secondsLeft: Double { ContinuousClock.now.duration(to: deadline) / .seconds(1) }

  /// A time that is so many seconds from now by the server, by a clock that may be wrong.
  static func expiry(in seconds: Double, _ now: Double) -> Int64 { Int64((now + seconds).rounded()) }
}
