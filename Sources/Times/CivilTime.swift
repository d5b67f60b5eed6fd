/// A date of the proleptic Gregorian calendar.
package struct CivilDate: Equatable {
  package let year: Int
  /// From 1 up to 12.
  package let month: Int
  /// From 1 up.
  package let day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days are counted in years that begin in March, so that the leap day is the last of its year; an era is 400
  /// years, after which the calendar repeats.
  private static let daysPerEra = 146_097
  /// From 0000-03-01 to 1970-01-01.
  private static let daysBeforeEpoch = 719_468

  /// The date so many days after 1970-01-01.
  package init(daysSinceEpoch: Int64) {
    let shifted = daysSinceEpoch + Int64(Self.daysBeforeEpoch)
    let era = shifted.dividedRoundingDown(by: Int64(Self.daysPerEra))
    let dayOfEra = Int(shifted - era * Int64(Self.daysPerEra))
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      year: yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0),
      month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }

  /// Days after 1970-01-01; negative before it.
  package var daysSinceEpoch: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = Int64(marchYear).dividedRoundingDown(by: 400)
    let yearOfEra = marchYear - Int(era) * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Int64(Self.daysPerEra) + Int64(dayOfEra) - Int64(Self.daysBeforeEpoch)
  }

  /// Days after the first of January, from 0 up to 365.
  package var dayOfYear: Int { Int(daysSinceEpoch - CivilDate(year: year, month: 1, day: 1).daysSinceEpoch) }

  /// 0 for Sunday up to 6 for Saturday.
  package var dayOfWeek: Int {
    // 1970-01-01 was a Thursday.
    let weekday = (daysSinceEpoch + 4) % 7
    return Int(weekday < 0 ? weekday + 7 : weekday)
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A date and a time of day, without a zone.
package struct CivilTime {
  package let date: CivilDate
  package let hour: Int
  package let minute: Int
  package let second: Int

  /// The time so many seconds after 1970-01-01T00:00:00, on a clock without leap seconds.
  package init(secondsSinceEpoch: Int64) {
    let days = secondsSinceEpoch.dividedRoundingDown(by: 86_400)
    let rest = Int(secondsSinceEpoch - days * 86_400)
    date = CivilDate(daysSinceEpoch: days)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
  }
}
