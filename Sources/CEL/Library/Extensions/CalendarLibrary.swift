internal import Formats
internal import Times

extension Library {
  /// Dates as people write them into forms: texts such as `2026-11-22` (`full-date` of RFC 3339), in no zone. A text
  /// that is not a date, such as a half-typed one, gives null.
  public static let calendar = Library(
    name: "calendar",
    functions: [
      Function(
        "date(text)",
        .datesAndTimes,
        "midnight, in UTC, of a date such as '2026-11-22'; absent if the text is not a date",
        examples: ["date('2026-11-22').getDayOfWeek()": "0"],
        overloads: [
          Overload(
            id: "date_string",
            name: "date",
            parameters: [.string],
            result: .wrapper(.timestamp),
            implementation: .text { text in
              CivilDate(fullDate: text).flatMap { Timestamp(seconds: $0.daysSinceEpoch * 86_400) }.map {
                .timestamp($0)
              }
                ?? .null
            }
          )
        ]
      ),
      Function(
        "days(from, to)",
        .datesAndTimes,
        "the days from one date to another; absent if a text is not a date",
        examples: ["days('2026-11-22', '2026-12-01')": "9", "days('', '2026-12-01')": "null"],
        overloads: [
          Overload(
            id: "days_string_string",
            name: "days",
            parameters: [.string, .string],
            result: .wrapper(.int),
            implementation: .dates { .int($1.daysSinceEpoch - $0.daysSinceEpoch) }
          )
        ]
      ),
      Function(
        "years(from, to)",
        .datesAndTimes,
        "the whole years from one date to another, such as an age; absent if a text is not a date",
        examples: ["years('2008-02-29', '2026-02-28')": "17", "years('2008-02-29', '2026-03-01')": "18"],
        overloads: [
          Overload(
            id: "years_string_string",
            name: "years",
            parameters: [.string, .string],
            result: .wrapper(.int),
            implementation: .dates { .int(Int64($0.wholeYears(until: $1))) }
          )
        ]
      ),
    ]
  )
}

extension Overload.Implementation {
  /// Over two dates; null if one of the texts is not a date.
  fileprivate static func dates(_ body: @escaping @Sendable (CivilDate, CivilDate) -> Value) -> Self {
    .texts { from, to in
      guard let from = CivilDate(fullDate: from), let to = CivilDate(fullDate: to) else { return .null }
      return body(from, to)
    }
  }
}

extension CivilDate {
  /// Reads a `full-date` of RFC 3339; nil for any other text.
  fileprivate init?(fullDate text: String) {
    guard TextFormat.date.accepts(text) else { return nil }
    let numbers = text.utf8.split(separator: UInt8(ascii: "-")).map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// How often the day of the year has recurred: the age of a person born on that day. A person born on 29 February is
  /// a year older on 1 March in a year without that day. Negative when the other date is earlier.
  fileprivate func wholeYears(until other: CivilDate) -> Int {
    if (other.year, other.month, other.day) < (year, month, day) { return -other.wholeYears(until: self) }
    let years = other.year - year
    return (other.month, other.day) < (month, day) ? years - 1 : years
  }
}
