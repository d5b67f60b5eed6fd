internal import Texts

/// A time zone: how far its clocks are ahead of UTC at each instant, and so which date it is there.
public struct Zone: Sendable {
  /// The name that it was asked for by.
  public let name: String
  private let offsets: Offsets

  private enum Offsets: Sendable {
    case fixed(Int)
    case file(ZoneFile)
  }

  /// Universal time.
  public static let utc = Zone(name: "UTC", offsets: .fixed(0))

  private init(name: String, offsets: Offsets) {
    self.name = name
    self.offsets = offsets
  }

  /// The zone of a name of the IANA data base (`America/New_York`, `UTC`), or of an offset (`-05:00`, `+02:30`,
  /// `02:30`). It is nil when the zone is unknown, or this machine has no data about zones.
  public init?(named name: String) {
    if let fixed = name.withCodeUnits({ Self.fixedOffset($0) }) {
      self.init(name: name, offsets: .fixed(fixed))
    } else if name == "UTC" {
      self = .utc
    } else if let file = ZoneDatabase.zone(named: name) {
      self.init(name: name, offsets: .file(file))
    } else {
      return nil
    }
  }

  /// How many seconds its clocks are ahead of UTC, so many seconds after 1970-01-01T00:00:00Z.
  package func offset(at secondsSinceEpoch: Int64) -> Int {
    switch offsets {
    case .fixed(let offset): offset
    case .file(let file): file.offset(at: secondsSinceEpoch)
    }
  }

  // MARK: Dates

  /// The date there at an instant, as a `full-date` of RFC 3339: `2026-11-22`.
  public func date(at instant: Timestamp) -> String { CivilDate(daysSinceEpoch: day(at: instant.seconds)).fullDate }

  /// The instant at which the date there changes: the next midnight, or if the clocks skip midnight, the moment at
  /// which they do. If the clocks are set back over midnight, the date of the day before returns for a while. Nil
  /// behind the year 9999.
  public func dateChange(after instant: Timestamp) -> Timestamp? {
    var start = instant.seconds
    let today = day(at: start)
    while true {
      let offset = offset(at: start)
      let midnight = (day(at: start) + 1) * Self.secondsPerDay - Int64(offset)
      if self.offset(at: midnight) == offset { return Timestamp(seconds: midnight) }
      // The clocks change before or at that midnight. No zone changes its clocks twice in a day.
      let change = firstSecond(in: start...midnight) { self.offset(at: $0) != offset }
      if day(at: change) != today { return Timestamp(seconds: change) }
      start = change
    }
  }

  static let secondsPerDay: Int64 = 86_400

  /// Days after 1970-01-01 by the clocks there.
  private func day(at instant: Int64) -> Int64 {
    (instant + Int64(offset(at: instant))).dividedRoundingDown(by: Self.secondsPerDay)
  }

  /// The first second of a range at which something has begun that holds at its end, and not at its start.
  private func firstSecond(in range: ClosedRange<Int64>, since hasBegun: (Int64) -> Bool) -> Int64 {
    var (before, since) = (range.lowerBound, range.upperBound)
    while since - before > 1 {
      let middle = before + (since - before) / 2
      if hasBegun(middle) { since = middle } else { before = middle }
    }
    return since
  }

  // MARK: Offsets

  /// `[+-]H:MM` or `[+-]HH:MM`, less than a day.
  private static func fixedOffset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var rest = bytes[...]
    var sign = 1
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
      sign = rest.removeFirst() == UInt8(ascii: "-") ? -1 : 1
    }
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    guard let hours = number(rest[..<colon]), let minutes = number(rest[(colon + 1)...]), hours < 24, minutes < 60,
      rest.endIndex - colon == 3
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard (1...2).contains(digits.count) else { return nil }
    var value = 0
    for byte in digits {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}
