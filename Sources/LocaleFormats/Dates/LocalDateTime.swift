/// A day of the Gregorian calendar, and maybe a time of that day, in no zone.
package struct LocalDateTime: Equatable {
  /// The whole year, from 1 up to 9999.
  let year: Int
  /// From 1.
  let month: Int
  /// From 1.
  let day: Int
  /// Hour, minute and second; nil: a day.
  let time: (hour: Int, minute: Int, second: Int)?

  /// A day that exists, and a time that exists; nil otherwise.
  init?(year: Int, month: Int, day: Int, time: (hour: Int, minute: Int, second: Int)? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.daysInMonth(month, year: year)).contains(day)
    else { return nil }
    if let time {
      guard (0...23).contains(time.hour), (0...59).contains(time.minute), (0...59).contains(time.second) else {
        return nil
      }
    }
    (self.year, self.month, self.day, self.time) = (year, month, day, time)
  }

  /// Reads `2026-11-28`, `2026-11-28T14:30` or `2026-11-28T14:30:15`; nil for other texts.
  package init?(iso text: String) {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, date.map(\.utf8.count) == [4, 2, 2],
      let year = Int(date[0]), let month = Int(date[1]), let day = Int(date[2])
    else { return nil }
    var time: (hour: Int, minute: Int, second: Int)?
    if parts.count == 2 {
      let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(clock.count), clock.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(clock[0]),
        let minute = Int(clock[1]), let second = clock.count == 3 ? Int(clock[2]) : 0
      else { return nil }
      time = (hour, minute, second)
    }
    self.init(year: year, month: month, day: day, time: time)
  }

  /// The text of ISO 8601. Seconds are left out if there are none.
  package var iso: String {
    func padded(_ number: Int, _ count: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    let date = "\(padded(year, 4))-\(padded(month))-\(padded(day))"
    guard let time else { return date }
    let seconds = time.second == 0 ? "" : ":\(padded(time.second))"
    return "\(date)T\(padded(time.hour)):\(padded(time.minute))\(seconds)"
  }

  /// The year that two digits mean: 69 to 99 are of the 20th century, 00 to 68 of the 21st (POSIX, `strptime`, `%y`).
  static func year(ofTwoDigits number: Int) -> Int { number >= 69 ? 1900 + number : 2000 + number }

  private static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func == (left: LocalDateTime, right: LocalDateTime) -> Bool { left.iso == right.iso }
}
