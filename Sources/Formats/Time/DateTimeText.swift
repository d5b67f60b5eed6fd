/// Dates and times of RFC 3339, section 5.6: the formats `date`, `time` and `date-time` of JSON Schema.
enum DateTimeText {
  /// `full-date`: a day that exists in the Gregorian calendar.
  static func isDate(_ text: Span<UInt8>) -> Bool {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let year = number(text, at: 0, count: 4),
      let month = number(text, at: 5, count: 2), month >= 1, month <= 12,
      let day = number(text, at: 8, count: 2), day >= 1
    else { return false }
    return day <= days(inMonth: month, year: year)
  }

  /// `full-time`: with an offset. A 60th second is valid only if it is 23:59:60 in UTC.
  static func isTime(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 9, text[2] == UInt8(ascii: ":"), text[5] == UInt8(ascii: ":"),
      let hour = number(text, at: 0, count: 2), hour <= 23,
      let minute = number(text, at: 3, count: 2), minute <= 59,
      let second = number(text, at: 6, count: 2), second <= 60
    else { return false }
    var index = 8
    if text[index] == UInt8(ascii: ".") {
      let start = index + 1
      index = start
      while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
      if index == start { return false }
    }
    guard index < text.count, let offset = offsetMinutes(text.extracting(index..<text.count)) else { return false }
    guard second == 60 else { return true }
    let minuteOfDay = (hour * 60 + minute - offset + 2 * 1440) % 1440
    return minuteOfDay == 1439
  }

  /// `date-time`.
  static func isDateTime(_ text: Span<UInt8>) -> Bool {
    guard text.count > 11, text[10] | 0x20 == UInt8(ascii: "t") else { return false }
    return isDate(text.extracting(0..<10)) && isTime(text.extracting(11..<text.count))
  }

  /// A day and a time of day, without an offset. A leap second is not valid, because it belongs to an instant.
  static func isLocalDateTime(_ text: Span<UInt8>) -> Bool {
    guard text.count > 11, text[10] == UInt8(ascii: "T") else { return false }
    return isDate(text.extracting(0..<10)) && isLocalTime(text.extracting(11..<text.count))
  }

  /// A time of day without an offset: `14:30`, `14:30:15`, `14:30:15.5`.
  static func isLocalTime(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 5, text[2] == UInt8(ascii: ":"), let hour = number(text, at: 0, count: 2), hour <= 23,
      let minute = number(text, at: 3, count: 2), minute <= 59
    else { return false }
    if text.count == 5 { return true }
    guard text.count >= 8, text[5] == UInt8(ascii: ":"), let second = number(text, at: 6, count: 2), second <= 59 else {
      return false
    }
    if text.count == 8 { return true }
    guard text.count > 9, text[8] == UInt8(ascii: ".") else { return false }
    for index in 9..<text.count where !ASCII.isDigit(text[index]) { return false }
    return true
  }

  /// `time-offset` in minutes east of UTC, or nil.
  private static func offsetMinutes(_ text: Span<UInt8>) -> Int? {
    if text.count == 1 { return text[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
    guard text.count == 6, text[3] == UInt8(ascii: ":"),
      text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
      let hours = number(text, at: 1, count: 2), hours <= 23,
      let minutes = number(text, at: 4, count: 2), minutes <= 59
    else { return nil }
    let offset = hours * 60 + minutes
    return text[0] == UInt8(ascii: "-") ? -offset : offset
  }

  private static func number(_ text: Span<UInt8>, at start: Int, count: Int) -> Int? {
    var value = 0
    for index in start..<(start + count) {
      guard ASCII.isDigit(text[index]) else { return nil }
      value = value * 10 + Int(text[index] - 0x30)
    }
    return value
  }

  /// RFC 3339, appendix C.
  private static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
