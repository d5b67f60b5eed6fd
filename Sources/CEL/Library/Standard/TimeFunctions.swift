internal import Times

extension Library {
  /// The parts of instants and durations. Months, days of the month (`getDayOfMonth`) and days of the year count from
  /// 0, `getDate` from 1, days of the week from Sunday as 0.
  static let timeFunctions: [Function] = [
    Function(
      "time.getFullYear(zone)",
      .datesAndTimes,
      "the year, in UTC or in a time zone",
      examples: ["timestamp('2026-12-31T23:30:00Z').getFullYear('Asia/Seoul')": "2027"],
      overloads: ofTimestamp("getFullYear", "timestamp_to_year") { time, _ in time.date.year }
    ),
    Function(
      "time.getMonth(zone)",
      .datesAndTimes,
      "the month, from 0, in UTC or in a time zone",
      examples: ["date('2026-11-22').getMonth()": "10"],
      overloads: ofTimestamp("getMonth", "timestamp_to_month") { time, _ in time.date.month - 1 }
    ),
    Function(
      "time.getDayOfYear(zone)",
      .datesAndTimes,
      "the day of the year, from 0, in UTC or in a time zone",
      examples: ["date('2026-02-01').getDayOfYear()": "31"],
      overloads: ofTimestamp("getDayOfYear", "timestamp_to_day_of_year") { time, _ in time.date.dayOfYear }
    ),
    Function(
      "time.getDayOfMonth(zone)",
      .datesAndTimes,
      "the day of the month, from 0, in UTC or in a time zone",
      examples: ["date('2026-11-22').getDayOfMonth()": "21"],
      overloads: ofTimestamp("getDayOfMonth", "timestamp_to_day_of_month") { time, _ in time.date.day - 1 }
    ),
    Function(
      "time.getDate(zone)",
      .datesAndTimes,
      "the day of the month, from 1, in UTC or in a time zone",
      examples: ["date('2026-11-22').getDate()": "22"],
      overloads: ofTimestamp("getDate", "timestamp_to_day_of_month_1_based") { time, _ in time.date.day }
    ),
    Function(
      "time.getDayOfWeek(zone)",
      .datesAndTimes,
      "the day of the week, 0 for Sunday, in UTC or in a time zone",
      examples: ["date('2026-11-22').getDayOfWeek()": "0"],
      overloads: ofTimestamp("getDayOfWeek", "timestamp_to_day_of_week") { time, _ in time.date.dayOfWeek }
    ),
    Function(
      "time.getHours(zone)",
      .datesAndTimes,
      "the hour of a timestamp in UTC or in a time zone, or the whole hours of a duration",
      examples: ["timestamp('2026-11-22T17:05:09.250Z').getHours('Asia/Seoul')": "2"],
      overloads: ofTimestamp("getHours", "timestamp_to_hours") { time, _ in time.hour }
        + [ofDuration("getHours", "duration_to_hours") { $0 / 3_600_000_000_000 }]
    ),
    Function(
      "time.getMinutes(zone)",
      .datesAndTimes,
      "the minute of a timestamp in UTC or in a time zone, or the whole minutes of a duration",
      examples: ["timestamp('2026-11-22T17:05:09.250Z').getMinutes()": "5"],
      overloads: ofTimestamp("getMinutes", "timestamp_to_minutes") { time, _ in time.minute }
        + [ofDuration("getMinutes", "duration_to_minutes") { $0 / 60_000_000_000 }]
    ),
    Function(
      "time.getSeconds(zone)",
      .datesAndTimes,
      "the second of a timestamp, or the whole seconds of a duration",
      examples: ["duration('1h30m').getSeconds()": "5400"],
      overloads: ofTimestamp("getSeconds", "timestamp_to_seconds") { time, _ in time.second }
        + [ofDuration("getSeconds", "duration_to_seconds") { $0 / 1_000_000_000 }]
    ),
    Function(
      "time.getMilliseconds(zone)",
      .datesAndTimes,
      "the milliseconds within the second of a timestamp or a duration",
      examples: ["timestamp('2026-11-22T17:05:09.250Z').getMilliseconds()": "250"],
      overloads: ofTimestamp("getMilliseconds", "timestamp_to_milliseconds") { _, instant in
        Int(instant.nanoseconds / 1_000_000)
      }
        + [ofDuration("getMilliseconds", "duration_to_milliseconds") { $0 / 1_000_000 % 1_000 }]
    ),
  ]

  /// A part of an instant, in UTC or in a time zone.
  private static func ofTimestamp(
    _ name: String,
    _ id: String,
    _ part: @escaping @Sendable (CivilTime, Timestamp) -> Int
  ) -> [Overload] {
    [
      Overload(
        id: id,
        name: name,
        isMember: true,
        parameters: [.timestamp],
        result: .int,
        implementation: .unary { argument in
          guard case .timestamp(let instant) = argument else { return .error(.noSuchOverload) }
          return .int(Int64(part(CivilTime(secondsSinceEpoch: instant.seconds), instant)))
        }
      ),
      Overload(
        id: "\(id)_with_tz",
        name: name,
        isMember: true,
        parameters: [.timestamp, .string],
        result: .int,
        cost: .constant(5),
        implementation: .binary { argument, zone in
          guard case .timestamp(let instant) = argument, case .string(let zone) = zone else {
            return .error(.noSuchOverload)
          }
          // CEL's specification has a zone without a name be UTC.
          guard let zone = zone.isEmpty ? .utc : Zone(named: zone) else {
            return .failure(.invalidArgument, "unknown time zone \(zone.excerpt)")
          }
          let local = instant.seconds + Int64(zone.offset(at: instant.seconds))
          return .int(Int64(part(CivilTime(secondsSinceEpoch: local), instant)))
        }
      ),
    ]
  }

  /// A duration's hours, minutes and seconds are the whole duration in that unit; its milliseconds are the part within
  /// the second.
  private static func ofDuration(
    _ name: String,
    _ id: String,
    _ part: @escaping @Sendable (_ nanoseconds: Int64) -> Int64
  ) -> Overload {
    Overload(
      id: id,
      name: name,
      isMember: true,
      parameters: [.duration],
      result: .int,
      implementation: .unary { argument in
        guard case .duration(let duration) = argument else { return .error(.noSuchOverload) }
        return .int(part(duration.nanoseconds))
      }
    )
  }
}
