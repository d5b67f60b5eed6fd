import CEL
import Testing
import Times

@Suite struct LocalTimeLibraryTests {
  private static let hasZones = Zone(named: "Europe/Berlin") != nil

  @Test(
    .enabled(if: hasZones, "this machine has no time zone data"),
    arguments: [
      "instant('2026-11-28T14:30', 'Europe/Berlin') == timestamp('2026-11-28T13:30:00Z')",
      "instant('2026-07-28T14:30:15.25', 'Europe/Berlin') == timestamp('2026-07-28T12:30:15.25Z')",
      "instant('2026-11-28T14:30', 'Asia/Seoul') == timestamp('2026-11-28T05:30:00Z')",
      "instant('2026-11-28T14:30', '-05:30') == timestamp('2026-11-28T20:00:00Z')",
      "instant('2026-11-28T14:30', '') == null && exists('2026-11-28T14:30', '') == null",
      "localDateTime(timestamp('2026-11-28T13:30:00Z'), '') == null",
      "localDateTime(timestamp('2026-11-28T13:30:00Z'), 'Europe/Berlin') == '2026-11-28T14:30'",
      "localDateTime(timestamp('2026-07-28T12:30:15.25Z'), 'Europe/Berlin') == '2026-07-28T14:30:15'",
      "localDateTime(timestamp('2026-12-31T23:30:00Z'), 'Asia/Seoul') == '2027-01-01T08:30'",
      // A gap: on 29 March 2026 the clocks of Berlin go from 02:00 to 03:00.
      "!exists('2026-03-29T02:30', 'Europe/Berlin') && exists('2026-03-29T01:59:59', 'Europe/Berlin')",
      "exists('2026-03-29T03:00', 'Europe/Berlin') && !exists('2026-03-29T02:00', 'Europe/Berlin')",
      "instant('2026-03-29T02:30', 'Europe/Berlin') == timestamp('2026-03-29T01:30:00Z')",
      "localDateTime(instant('2026-03-29T02:30', 'Europe/Berlin'), 'Europe/Berlin') == '2026-03-29T03:30'",
      // An overlap: on 25 October 2026 they go from 03:00 to 02:00.
      "exists('2026-10-25T02:30', 'Europe/Berlin')",
      "instant('2026-10-25T02:30', 'Europe/Berlin') == timestamp('2026-10-25T00:30:00Z')",
      "instant('2026-10-25T03:00', 'Europe/Berlin') == timestamp('2026-10-25T02:00:00Z')",
      // Samoa left out a whole day.
      "!exists('2011-12-30T12:00', 'Pacific/Apia') && exists('2011-12-31T12:00', 'Pacific/Apia')",
      "instant('2011-12-31T00:00', 'Pacific/Apia') == timestamp('2011-12-30T10:00:00Z')",
      // Half an hour at Lord Howe Island, west of Greenwich, and a rule beyond the data.
      "!exists('2026-10-04T02:15', 'Australia/Lord_Howe') && exists('2026-10-04T02:30', 'Australia/Lord_Howe')",
      "!exists('2150-03-08T02:30', 'America/New_York') && exists('2150-11-01T01:30', 'America/New_York')",
      "instant('2026-11-01T01:30', 'America/New_York') == timestamp('2026-11-01T05:30:00Z')",
    ]
  )
  func `local times are instants in a zone`(source: String) { expectTrue(source) }

  @Test(arguments: [
    "", "2026-11-28", "2026-11-28T14", "2026-11-28T14:30Z", "2026-11-28T14:30:00+01:00", "2026-11-28 14:30",
    "2026-11-31T14:30", "2026-11-28T24:00", "28.11.2026 14:30",
  ])
  func `a text that is no local time gives null`(text: String) {
    expectTrue("instant('\(text)', 'UTC') == null && exists('\(text)', 'UTC') == null")
  }
}
