internal import Formats
internal import Times

extension Library {
  /// Local dates and times as people write them into forms, such as `2026-11-28T14:30`, and the instants that they are
  /// in a zone. A text that is not one, such as a half-typed one, gives null, and so does an empty zone.
  public static let localTime = Library(
    name: "localTime",
    functions: [
      Function(
        "instant(text, zone)",
        .datesAndTimes,
        "the instant of a local date and time in a zone; a skipped time counts as if the clocks had not been changed, and of a time that is there twice the first counts; absent if the text is not a local date and time",
        examples: ["instant('2026-11-28T14:30', 'Asia/Seoul')": #"timestamp("2026-11-28T05:30:00Z")"#],
        overloads: [
          Overload(
            id: "instant_string_string",
            name: "instant",
            parameters: [.string, .string],
            result: .wrapper(.timestamp),
            cost: .constant(5),
            implementation: .localTime { local, zone in
              Timestamp(seconds: zone.instant(atLocal: local.seconds).seconds, nanoseconds: local.nanoseconds)
                .map { .timestamp($0) } ?? .failure(.overflow, "timestamp out of range")
            }
          )
        ]
      ),
      Function(
        "exists(text, zone)",
        .datesAndTimes,
        "whether the clocks of a zone show a local date and time: they skip some; absent if the text is not one",
        examples: ["exists('2026-03-29T02:30', 'Europe/Berlin')": "false"],
        overloads: [
          Overload(
            id: "exists_string_string",
            name: "exists",
            parameters: [.string, .string],
            result: .wrapper(.bool),
            cost: .constant(5),
            implementation: .localTime { local, zone in .bool(zone.instant(atLocal: local.seconds).exists) }
          )
        ]
      ),
      Function(
        "localDateTime(time, zone)",
        .datesAndTimes,
        "the date and time that the clocks of a zone show at an instant, such as '2026-11-28T14:30'",
        examples: ["localDateTime(timestamp('2026-11-28T05:30:00Z'), 'Asia/Seoul')": #""2026-11-28T14:30""#],
        overloads: [
          Overload(
            id: "localDateTime_timestamp_string",
            name: "localDateTime",
            parameters: [.timestamp, .string],
            result: .wrapper(.string),
            cost: .constant(5),
            resultSize: .atMost(19),
            implementation: .binary { instant, zone in
              guard case .timestamp(let instant) = instant, case .string(let name) = zone else {
                return .error(.noSuchOverload)
              }
              if name.isEmpty { return .null }
              guard let zone = Zone(ofFormula: name) else { return .unknownZone(name) }
              return .string(LocalDateTimeText.text(of: instant, in: zone))
            }
          )
        ]
      ),
    ]
  )
}

extension Overload.Implementation {
  /// Over a local date and time, and a zone; null if the text is not a local date and time, or no zone is named.
  fileprivate static func localTime(
    _ body: @escaping @Sendable (_ local: (seconds: Int64, nanoseconds: Int32), Zone) -> Value
  ) -> Self {
    .texts { text, name in
      guard let local = LocalDateTimeText.read(text), !name.isEmpty else { return .null }
      guard let zone = Zone(ofFormula: name) else { return .unknownZone(name) }
      return body(local, zone)
    }
  }
}

extension Zone {
  /// The zone that a formula names. CEL's specification has a zone without a name be UTC.
  fileprivate init?(ofFormula name: String) {
    if name.isEmpty { self = .utc } else { self.init(named: name) }
  }
}

extension Value {
  fileprivate static func unknownZone(_ name: String) -> Value {
    .failure(.invalidArgument, "unknown time zone \(name.excerpt)")
  }
}

/// Texts of the format `local-date-time`.
private enum LocalDateTimeText {
  /// Seconds from 1970-01-01T00:00:00, and nanoseconds; nil if the text is not of the format.
  static func read(_ text: String) -> (seconds: Int64, nanoseconds: Int32)? {
    guard TextFormat.localDateTime.accepts(text) else { return nil }
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int {
      bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let date = CivilDate(year: number(0, 4), month: number(5, 2), day: number(8, 2))
    let second = bytes.count >= 19 ? number(17, 2) : 0
    // A timestamp has nine digits of a second.
    let fraction = bytes.count > 20 ? bytes[20...].prefix(9) : []
    let padded = fraction + [UInt8](repeating: UInt8(ascii: "0"), count: 9 - fraction.count)
    let nanoseconds = padded.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    let seconds = date.daysSinceEpoch * 86_400 + Int64(number(11, 2) * 3600 + number(14, 2) * 60 + second)
    return (seconds, nanoseconds)
  }

  /// The shortest text of HTML ("valid normalized local date and time string"): seconds are left out if there are none.
  /// Parts of a second are left out.
  static func text(of instant: Timestamp, in zone: Zone) -> String {
    let time = CivilTime(secondsSinceEpoch: instant.seconds + Int64(zone.offset(at: instant.seconds)))
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = time.second == 0 ? "" : ":\(padded(time.second))"
    return "\(time.date.fullDate)T\(padded(time.hour)):\(padded(time.minute))\(seconds)"
  }
}
