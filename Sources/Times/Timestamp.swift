internal import Texts

/// An instant (`google.protobuf.Timestamp`) between the years 0001 and 9999, to the nanosecond.
public struct Timestamp: Hashable, Sendable {
  /// 0001-01-01T00:00:00Z.
  public static let secondsMin: Int64 = -62_135_596_800
  /// 9999-12-31T23:59:59Z.
  public static let secondsMax: Int64 = 253_402_300_799

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// The rest, from 0 up to 999,999,999.
  public let nanoseconds: Int32

  /// The instant, or nil outside the years 0001 to 9999 or when the rest is out of its range.
  public init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard (Self.secondsMin...Self.secondsMax).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
      return nil
    }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// 1970-01-01T00:00:00Z.
  public static let epoch = Timestamp(secondsInRange: 0)

  private init(secondsInRange seconds: Int64) {
    self.seconds = seconds
    nanoseconds = 0
  }

  /// The instant, truncated to milliseconds.
  public var inMilliseconds: Timestamp {
    Timestamp(seconds: seconds, nanoseconds: nanoseconds - nanoseconds % 1_000_000) ?? self
  }
}

extension Timestamp: Comparable {
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds
  }
}

extension Timestamp {
  /// The instant that much later (earlier if negative); nil outside the years 0001 to 9999.
  public func advanced(by duration: DurationValue) -> Timestamp? {
    // Both parts are split so that nothing overflows: seconds stay within 2^38 plus 2^34.
    var total = seconds + duration.nanoseconds / 1_000_000_000
    var rest = Int64(nanoseconds) + duration.nanoseconds % 1_000_000_000
    if rest >= 1_000_000_000 {
      rest -= 1_000_000_000
      total += 1
    } else if rest < 0 {
      rest += 1_000_000_000
      total -= 1
    }
    return Timestamp(seconds: total, nanoseconds: Int32(rest))
  }

  /// The time from the other instant to this one; nil when nanoseconds in 64 bits cannot hold it (about 292 years).
  public func since(_ other: Timestamp) -> DurationValue? {
    let (scaled, overflow) = (seconds - other.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    let (total, overflowAgain) = scaled.addingReportingOverflow(Int64(nanoseconds) - Int64(other.nanoseconds))
    return overflowAgain ? nil : DurationValue(nanoseconds: total)
  }
}

extension Timestamp {
  /// Reads an RFC 3339 date-time with upper-case `T` and `Z`, as protobuf's JSON mapping writes them; nil for
  /// anything else, a leap second, or an instant out of range. More than nine digits of a fraction are accepted and
  /// cut.
  public init?(rfc3339 text: String) {
    guard let parsed = text.withCodeUnits({ Timestamp.parse($0) }) else { return nil }
    self = parsed
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    func number(_ start: Int, _ length: Int) -> Int? {
      guard start + length <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[start..<(start + length)] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: character)
    }
    guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7), let day = number(8, 2),
      has("T", at: 10), let hour = number(11, 2), has(":", at: 13), let minute = number(14, 2), has(":", at: 16),
      let second = number(17, 2), (1...12).contains(month),
      (1...CivilDate.daysInMonth(month, year: year)).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var position = 19
    var nanoseconds: Int32 = 0
    if has(".", at: position) {
      position += 1
      let start = position
      var scale: Int32 = 100_000_000
      while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
        nanoseconds += Int32(bytes[position] - 0x30) * scale
        scale /= 10
        position += 1
      }
      guard position > start else { return nil }
    }
    var offset = 0
    if has("Z", at: position) {
      position += 1
    } else {
      guard has("+", at: position) || has("-", at: position), let hours = number(position + 1, 2),
        has(":", at: position + 3),
        let minutes = number(position + 4, 2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (has("-", at: position) ? -60 : 60)
      position += 6
    }
    guard position == bytes.count else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// The instant in RFC 3339, in UTC, with as many digits of the fraction as are needed.
  public var rfc3339: String {
    let time = CivilTime(secondsSinceEpoch: seconds)
    var text: [UInt8] = []
    text.reserveCapacity(30)
    text.append(time.date)
    text.append(UInt8(ascii: "T"))
    text.append(time.hour, width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(time.minute, width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(time.second, width: 2)
    if nanoseconds != 0 {
      text.append(UInt8(ascii: "."))
      text.append(Int(nanoseconds), width: 9)
      while text.last == 0x30 { text.removeLast() }
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }
}

extension CivilDate {
  /// The date as a `full-date` of RFC 3339: `2026-11-22`.
  package var fullDate: String {
    var text: [UInt8] = []
    text.append(self)
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ date: CivilDate) {
    append(date.year, width: 4)
    append(UInt8(ascii: "-"))
    append(date.month, width: 2)
    append(UInt8(ascii: "-"))
    append(date.day, width: 2)
  }

  /// Appends so many decimal digits of a number.
  fileprivate mutating func append(_ number: Int, width: Int) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity; the divisor is positive.
  func dividedRoundingDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
