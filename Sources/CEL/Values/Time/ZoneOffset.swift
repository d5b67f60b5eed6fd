internal import Texts

/// How far the clocks of a time zone are ahead of UTC.
enum ZoneOffset {
  /// The offset in seconds at that instant of a zone named as in the IANA data base (`America/New_York`, `UTC`) or by
  /// its offset (`-05:00`, `+02:30`, `02:30`); nil when there is no such zone, or no data about zones on this
  /// machine.
  static func seconds(of zone: String, at secondsSinceEpoch: Int64) -> Int? {
    if let fixed = zone.withCodeUnits({ fixedOffset($0) }) { return fixed }
    switch zone {
    case "", "UTC": return 0
    default: return ZoneDatabase.zone(named: zone)?.offset(at: secondsSinceEpoch)
    }
  }

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
