internal import CEL
import Testing

@testable import Times

@Suite struct TimeTests {
  @Test(arguments: [
    "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2000-02-29T12:30:45.5Z",
    "1969-12-31T23:59:59.000000001Z", "1900-03-01T00:00:00Z",
  ])
  func `an instant prints as it was written in UTC`(text: String) throws {
    #expect(try #require(Timestamp(rfc3339: text)).rfc3339 == text)
  }

  @Test(arguments: [
    ("2009-02-13T23:31:30+02:00", "2009-02-13T21:31:30Z"), ("2009-02-13T23:31:30-00:30", "2009-02-14T00:01:30Z"),
    ("2009-02-13T23:31:30.1234567899Z", "2009-02-13T23:31:30.123456789Z"),
    ("2009-02-13T23:31:30.100Z", "2009-02-13T23:31:30.1Z"),
  ])
  func `offsets and fractions are brought to one form`(text: String, expected: String) throws {
    #expect(try #require(Timestamp(rfc3339: text)).rfc3339 == expected)
  }

  @Test(arguments: [
    "", "2009", "2009-02-13", "2009-02-13T23:31Z", "2009-02-13T23:31:30", "2009-02-13 23:31:30Z",
    "2009-02-13t23:31:30z",
    "2009-02-30T00:00:00Z", "2009-13-01T00:00:00Z", "2009-00-01T00:00:00Z", "2009-01-00T00:00:00Z",
    "2009-02-13T24:00:00Z", "2009-02-13T23:60:00Z", "2009-02-13T23:59:60Z", "2009-02-13T23:31:30.Z",
    "2009-02-13T23:31:30,5Z", "2009-02-13T23:31:30+2:00", "2009-02-13T23:31:30+24:00", "2009-02-13T23:31:30Zx",
    "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "+2009-02-13T23:31:30Z",
    "٢٠٠٩-02-13T23:31:30Z",
  ])
  func `what is not RFC 3339 or out of range is no instant`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `the calendar agrees with itself on every day of eight centuries`() {
    var date = CivilDate(year: 1600, month: 1, day: 1)
    for days in date.daysSinceEpoch...CivilDate(year: 2400, month: 12, day: 31).daysSinceEpoch {
      #expect(date.daysSinceEpoch == days)
      #expect(CivilDate(daysSinceEpoch: days) == date)
      let isLastOfMonth = date.day == CivilDate.daysInMonth(date.month, year: date.year)
      let isLastOfYear = isLastOfMonth && date.month == 12
      date = CivilDate(
        year: date.year + (isLastOfYear ? 1 : 0),
        month: isLastOfYear ? 1 : date.month + (isLastOfMonth ? 1 : 0),
        day: isLastOfMonth ? 1 : date.day + 1
      )
    }
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("1h", 3_600_000_000_000), ("1h30m", 5_400_000_000_000), ("-1.5h", -5_400_000_000_000),
    ("1.5s", 1_500_000_000), (".5s", 500_000_000), ("1.s", 1_000_000_000), ("1us", 1_000), ("1µs", 1_000),
    ("1μs", 1_000),
    ("1ms2ns", 1_000_002), ("+5ns", 5), ("1.5ns", 1), ("0.000000001s", 1),
    ("0.3333333333333333333h", 1_199_999_999_999),
    ("9223372036854775807ns", Int64.max), ("-9223372036854775808ns", Int64.min),
  ])
  func `a duration is numbers with units`(text: String, nanoseconds: Int64) {
    #expect(DurationValue(text)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "-", "1", "s", "1d", "1 s", "1h ", "--1s", "1h-1m", ".s", "1..5s", "9223372036854775808ns",
    "-9223372036854775809ns",
    "1e3s", "320000000000s", "99999999999999999999h", "-320000000000s",
  ])
  func `what is not a duration or out of range is refused`(text: String) {
    #expect(DurationValue(text) == nil)
  }

  @Test(arguments: [
    (Int64(0), "0s"), (1, "0.000000001s"), (-1_500_000_000, "-1.5s"), (60_000_000_000, "60s"),
    (Int64.min, "-9223372036.854775808s"),
  ])
  func `a duration prints in seconds`(nanoseconds: Int64, text: String) {
    #expect(DurationValue(nanoseconds: nanoseconds).secondsText == text)
    #expect(DurationValue(text)?.nanoseconds == nanoseconds)
  }

  @Test func `instants do not leave their range`() throws {
    let first = try #require(Timestamp(seconds: Timestamp.secondsMin))
    let last = try #require(Timestamp(seconds: Timestamp.secondsMax, nanoseconds: 999_999_999))
    #expect(first.advanced(by: DurationValue(nanoseconds: -1)) == nil)
    #expect(last.advanced(by: DurationValue(nanoseconds: 1)) == nil)
    #expect(first.advanced(by: DurationValue(nanoseconds: .max)) != nil)
    #expect(last.since(first) == nil)
    #expect(first.since(last) == nil)
    let leastDuration = Value.duration(DurationValue(nanoseconds: .min))
    #expect(Value.timestamp(first).subtracting(leastDuration).adding(leastDuration) == .timestamp(first))
  }
}
