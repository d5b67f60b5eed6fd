/// The rule for all years to come at the end of a time zone file, such as `EST5EDT,M3.2.0,M11.1.0` (POSIX, "TZ", with
/// the longer times of RFC 8536, section 3.3.1).
struct ZoneRule: Sendable {
  private let standardOffset: Int
  /// nil without daylight saving time.
  private let daylight: Daylight?

  private struct Daylight: Sendable {
    let offset: Int
    let start: Change
    let end: Change
  }

  /// When the clocks change in each year.
  private struct Change: Sendable {
    enum Day: Sendable {
      /// From 1 up to 365; the leap day is never counted.
      case withoutLeapDay(Int)
      /// From 0 up to 365.
      case ofYear(Int)
      case weekday(month: Int, week: Int, day: Int)
    }
    let day: Day
    /// Seconds after midnight by the clock before the change; may be negative or beyond a day.
    let time: Int

    /// Seconds from 1970 on the clock before the change.
    func localSeconds(year: Int) -> Int64 {
      let firstDay = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
      let days: Int64
      switch day {
      case .withoutLeapDay(let day):
        days = firstDay + Int64(day - 1) + (CivilDate.isLeap(year) && day >= 60 ? 1 : 0)
      case .ofYear(let day): days = firstDay + Int64(day)
      case .weekday(let month, let week, let weekday):
        let first = CivilDate(year: year, month: month, day: 1)
        var day = 1 + (weekday - first.dayOfWeek + 7) % 7 + (week - 1) * 7
        // The fifth week means the last.
        if day > CivilDate.daysInMonth(month, year: year) { day -= 7 }
        days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
      }
      return days * 86_400 + Int64(time)
    }
  }

  /// Reads a rule; nil for a text that is none.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(rest: bytes[...])
    guard reader.skipName(), let offset = reader.offset() else { return nil }
    standardOffset = -offset
    if reader.rest.isEmpty {
      daylight = nil
      return
    }
    guard reader.skipName() else { return nil }
    var daylightOffset = standardOffset + 3600
    if let next = reader.rest.first, next != UInt8(ascii: ",") {
      guard let offset = reader.offset() else { return nil }
      daylightOffset = -offset
    }
    guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
    daylight = Daylight(offset: daylightOffset, start: start, end: end)
  }

  /// The offset in seconds at that instant.
  func offset(at instant: Int64) -> Int {
    guard let daylight else { return standardOffset }
    let year = CivilTime(secondsSinceEpoch: instant + Int64(standardOffset)).date.year
    let start = daylight.start.localSeconds(year: year) - Int64(standardOffset)
    let end = daylight.end.localSeconds(year: year) - Int64(daylight.offset)
    // South of the equator summer spans the turn of the year.
    let isDaylight = start < end ? instant >= start && instant < end : !(instant >= end && instant < start)
    return isDaylight ? daylight.offset : standardOffset
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    /// `EST` or `<-03>`.
    mutating func skipName() -> Bool {
      if rest.first == UInt8(ascii: "<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { (0x41...0x5a).contains($0 & 0xdf) }
      rest.removeFirst(letters.count)
      return letters.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func offset() -> Int? {
      var sign = 1
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        sign = rest.removeFirst() == UInt8(ascii: "-") ? -1 : 1
      }
      guard var seconds = number().map({ $0 * 3600 }) else { return nil }
      for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
        rest.removeFirst()
        guard let part = number() else { return nil }
        seconds += part * unit
      }
      return sign * seconds
    }

    mutating func change() -> Change? {
      guard skip(",") else { return nil }
      let day: Change.Day
      if skip("M") {
        guard let month = number(), skip("."), let week = number(), skip("."), let weekday = number(),
          (1...12).contains(month), (1...5).contains(week), weekday < 7
        else { return nil }
        day = .weekday(month: month, week: week, day: weekday)
      } else if skip("J") {
        guard let number = number(), (1...365).contains(number) else { return nil }
        day = .withoutLeapDay(number)
      } else {
        guard let number = number(), number < 366 else { return nil }
        day = .ofYear(number)
      }
      // Two in the morning unless the rule says otherwise.
      var time = 7200
      if skip("/") {
        guard let written = offset() else { return nil }
        time = written
      }
      return Change(day: day, time: time)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// Up to three digits.
    private mutating func number() -> Int? {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard (1...3).contains(digits.count) else { return nil }
      rest.removeFirst(digits.count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
  }
}
