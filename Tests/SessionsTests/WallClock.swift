import CEL
internal import Times

/// A clock for the time of day. It goes on with virtual time, and can be set.
final class WallClock {
  private(set) var time: Timestamp

  /// - Parameter text: the time that it shows at first, in the format of RFC 3339.
  init(_ text: String = "1970-01-01T00:00:00Z") {
    guard let time = Timestamp(rfc3339: text) else { preconditionFailure("\(text) is no time") }
    self.time = time
  }

  /// So much time passes; or, by hand, the clock is set forth, or (negative) back.
  func goOn(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    guard let time = time.advanced(by: DurationValue(nanoseconds: nanoseconds)) else {
      preconditionFailure("the clock goes to \(time.rfc3339) and no further")
    }
    self.time = time
  }
}
