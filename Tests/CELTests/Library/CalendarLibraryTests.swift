import CEL
import Testing

@Suite struct CalendarLibraryTests {
  @Test(arguments: [
    "years('2008-02-29', '2026-02-28') == 17 && years('2008-02-29', '2026-03-01') == 18 && years('2008-02-29', '2028-02-29') == 20",
    "years('2008-11-22', '2026-11-21') == 17 && years('2008-11-22', '2026-11-22') == 18 && years('2026-11-22', '2026-11-22') == 0",
    "years('2026-11-22', '2008-11-22') == -18 && years('2026-11-21', '2008-11-22') == -17 && years('0000-01-01', '9999-12-31') == 9999",
    "days('2026-11-22', '2026-12-01') == 9 && days('2026-12-01', '2026-11-22') == -9 && days('2024-02-28', '2024-03-01') == 2",
    "days('2023-02-28', '2023-03-01') == 1 && days('1969-12-31', '1970-01-01') == 1 && days('2026-01-01', '2026-01-01') == 0",
    "date('2026-11-22') == timestamp('2026-11-22T00:00:00Z') && date('2026-11-22').getDayOfWeek() == 0 && type(date('2026-11-22')) == google.protobuf.Timestamp",
    "date('2024-03-01') - date('2024-02-28') == duration('48h') && date('2026-11-22') < date('2026-11-23')",
  ])
  func `ages, days and dates are those of the calendar`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    "", "2026-02-29", "2026-13-01", "2026-1-1", "22.11.2026", "2026-11-22T00:00:00Z", "2026-11-2", "２０２６-11-22",
  ])
  func `a text that is no date gives null`(text: String) {
    expectTrue(
      "date('\(text)') == null && days('\(text)', '2026-11-22') == null && years('2026-11-22', '\(text)') == null"
    )
  }

  @Test func `a year before the first has days and no instant`() {
    expectTrue("date('0000-01-01') == null && days('0000-12-31', '0001-01-01') == 1")
  }
}
