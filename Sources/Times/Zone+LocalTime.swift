extension Zone {
  /// The instant at which the clocks there show a local time.
  ///
  /// If the clocks skip that time, it is the instant that the clocks would show if they had not been changed: in a gap
  /// from 02:00 to 03:00, 02:30 is the instant that is called 03:30. If the clocks show the time twice, it is the first
  /// of both instants. This is the rule `compatible` of ECMAScript's Temporal, and RFC 5545, section 3.3.5.
  ///
  /// - Parameter local: seconds from 1970-01-01T00:00:00 to the local time.
  /// - Returns: seconds since 1970-01-01T00:00:00Z, and whether the clocks show that time.
  package func instant(atLocal local: Int64) -> (seconds: Int64, exists: Bool) {
    // No zone changes its clocks twice in two days.
    let before = Int64(offset(at: local - Self.secondsPerDay))
    let after = Int64(offset(at: local + Self.secondsPerDay))
    let shown = [before, after].map { local - $0 }.filter { $0 + Int64(offset(at: $0)) == local }
    return shown.min().map { ($0, true) } ?? (local - before, false)
  }
}
