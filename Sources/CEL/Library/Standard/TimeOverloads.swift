internal import Times

extension Library {
  /// The parts of instants and durations. Months, days of the month (`getDayOfMonth`) and days of the year count from
  /// 0, `getDate` from 1, days of the week from Sunday as 0.
  static let timeOverloads: [Overload] = {
    let parts: [(String, String, @Sendable (CivilTime, Timestamp) -> Int)] = [
      ("getFullYear", "timestamp_to_year", { time, _ in time.date.year }),
      ("getMonth", "timestamp_to_month", { time, _ in time.date.month - 1 }),
      ("getDayOfYear", "timestamp_to_day_of_year", { time, _ in time.date.dayOfYear }),
      ("getDayOfMonth", "timestamp_to_day_of_month", { time, _ in time.date.day - 1 }),
      ("getDate", "timestamp_to_day_of_month_1_based", { time, _ in time.date.day }),
      ("getDayOfWeek", "timestamp_to_day_of_week", { time, _ in time.date.dayOfWeek }),
      ("getHours", "timestamp_to_hours", { time, _ in time.hour }),
      ("getMinutes", "timestamp_to_minutes", { time, _ in time.minute }),
      ("getSeconds", "timestamp_to_seconds", { time, _ in time.second }),
      ("getMilliseconds", "timestamp_to_milliseconds", { _, instant in Int(instant.nanoseconds / 1_000_000) }),
    ]
    let timestampOverloads = parts.flatMap { name, id, part in
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
    // A duration's hours, minutes and seconds are the whole duration in that unit; its milliseconds are the part within
    // the second.
    let lengths: [(String, String, @Sendable (Int64) -> Int64)] = [
      ("getHours", "duration_to_hours", { $0 / 3_600_000_000_000 }),
      ("getMinutes", "duration_to_minutes", { $0 / 60_000_000_000 }),
      ("getSeconds", "duration_to_seconds", { $0 / 1_000_000_000 }),
      ("getMilliseconds", "duration_to_milliseconds", { $0 / 1_000_000 % 1_000 }),
    ]
    let durationOverloads = lengths.map { name, id, length in
      Overload(
        id: id,
        name: name,
        isMember: true,
        parameters: [.duration],
        result: .int,
        implementation: .unary { argument in
          guard case .duration(let duration) = argument else { return .error(.noSuchOverload) }
          return .int(length(duration.nanoseconds))
        }
      )
    }
    return timestampOverloads + durationOverloads
  }()
}
