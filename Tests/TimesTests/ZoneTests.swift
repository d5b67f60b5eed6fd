import Randomness
import Testing

@testable import Times

@Suite struct ZoneTests {
  @Test(arguments: [
    ("UTC", 0), ("-05:00", -18_000), ("+02:30", 9_000), ("02:30", 9_000), ("-00:30", -1_800), ("9:30", 34_200),
  ])
  func `fixed offsets need no data`(zone: String, seconds: Int) {
    #expect(Zone(named: zone)?.offset(at: 0) == seconds)
  }

  @Test(arguments: [
    "Nowhere/City", "../../etc/passwd", "/etc/localtime", "America/../UTC", "America/", "America//New_York", "america",
    "24:00", "00:60", "1:2", "+:30", "5:", ":", "-", "UTC\u{0}", "America", "zone.tab", "",
  ])
  func `what names no zone has no offset`(zone: String) {
    #expect(Zone(named: zone) == nil)
  }

  private static let hasZones = ZoneDatabase.zone(named: "America/New_York") != nil

  @Test(
    .enabled(if: hasZones, "this machine has no time zone data"),
    arguments: [
      // Winter and summer of now, of a year that only the rule covers, and local mean time.
      ("America/New_York", "2009-02-13T23:31:30Z", -18_000), ("America/New_York", "2009-07-13T23:31:30Z", -14_400),
      ("America/New_York", "2150-01-13T23:31:30Z", -18_000), ("America/New_York", "2150-07-13T23:31:30Z", -14_400),
      ("America/New_York", "1850-07-13T23:31:30Z", -17_762), ("Australia/Sydney", "2150-01-13T00:00:00Z", 39_600),
      ("Australia/Sydney", "2150-07-13T00:00:00Z", 36_000), ("Asia/Kathmandu", "2020-01-01T00:00:00Z", 20_700),
      ("Europe/Berlin", "2024-03-31T00:59:59Z", 3_600), ("Europe/Berlin", "2024-03-31T01:00:00Z", 7_200),
      ("Asia/Seoul", "2026-01-01T00:00:00Z", 32_400),
    ]
  )
  func `named zones follow their history and their rule`(zone: String, instant: String, seconds: Int) throws {
    let instant = try #require(Timestamp(rfc3339: instant))
    #expect(Zone(named: zone)?.offset(at: instant.seconds) == seconds)
  }

  @Test(
    .enabled(if: hasZones, "this machine has no time zone data"),
    arguments: [
      ("UTC", "2026-11-22T17:00:00Z", "2026-11-22", "2026-11-23T00:00:00Z"),
      ("UTC", "2026-11-23T00:00:00Z", "2026-11-23", "2026-11-24T00:00:00Z"),
      ("UTC", "1969-12-31T23:59:59.5Z", "1969-12-31", "1970-01-01T00:00:00Z"),
      ("-05:00", "2026-12-31T23:00:00Z", "2026-12-31", "2027-01-01T05:00:00Z"),
      ("Asia/Seoul", "2026-11-22T15:00:00Z", "2026-11-23", "2026-11-23T15:00:00Z"),
      // Days of 23 and of 25 hours.
      ("Europe/Zurich", "2026-03-28T23:00:00Z", "2026-03-29", "2026-03-29T22:00:00Z"),
      ("Europe/Zurich", "2026-10-24T22:00:00Z", "2026-10-25", "2026-10-25T23:00:00Z"),
      // Midnight does not exist: the clocks go from 24:00 to 01:00.
      ("America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-03", "2018-11-04T03:00:00Z"),
      ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04", "2018-11-05T02:00:00Z"),
      ("Asia/Beirut", "2022-03-26T12:00:00Z", "2022-03-26", "2022-03-26T22:00:00Z"),
      // Midnight comes twice: the clocks go from 24:00 back to 23:00.
      ("America/Sao_Paulo", "2018-02-17T12:00:00Z", "2018-02-17", "2018-02-18T03:00:00Z"),
      // The clocks go from 00:01 back to 23:01, so the date returns to the day before.
      ("America/St_Johns", "2009-10-31T12:00:00Z", "2009-10-31", "2009-11-01T02:30:00Z"),
      ("America/St_Johns", "2009-11-01T02:30:00Z", "2009-11-01", "2009-11-01T02:31:00Z"),
      ("America/St_Johns", "2009-11-01T02:31:00Z", "2009-10-31", "2009-11-01T03:30:00Z"),
      // 30 December 2011 did not exist there.
      ("Pacific/Apia", "2011-12-30T00:00:00Z", "2011-12-29", "2011-12-30T10:00:00Z"),
      ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", "2011-12-31T10:00:00Z"),
    ]
  )
  func `the date changes at midnight, and when clocks are set across midnight`(
    zone: String,
    instant: String,
    date: String,
    change: String
  ) throws {
    let zone = try #require(Zone(named: zone))
    let instant = try #require(Timestamp(rfc3339: instant))
    #expect(zone.date(at: instant) == date)
    #expect(zone.dateChange(after: instant)?.rfc3339 == change)
  }

  @Test(.enabled(if: hasZones, "this machine has no time zone data"))
  func `between two changes of the date it stays the same`() throws {
    for name in ["America/St_Johns", "Asia/Gaza", "America/Havana", "Africa/Cairo", "Atlantic/Azores"] {
      let zone = try #require(Zone(named: name))
      var instant = try #require(Timestamp(rfc3339: "2005-01-01T12:00:00Z"))
      for _ in 0..<2_000 {
        let date = zone.date(at: instant)
        let change = try #require(zone.dateChange(after: instant))
        for second in stride(from: instant.seconds, to: change.seconds, by: 600) {
          #expect(zone.date(at: try #require(Timestamp(seconds: second))) == date)
        }
        #expect(zone.date(at: try #require(Timestamp(seconds: change.seconds - 1))) == date)
        #expect(zone.date(at: change) != date)
        instant = change
      }
    }
  }

  @Test func `there is a date as long as there are timestamps`() throws {
    let last = try #require(Timestamp(rfc3339: "9999-12-31T12:00:00Z"))
    #expect(Zone.utc.date(at: last) == "9999-12-31")
    #expect(Zone.utc.dateChange(after: last) == nil)
  }

  @Test(
    .enabled(if: hasZones, "this machine has no time zone data"),
    arguments: [
      ("Asia/Seoul", nil, "Asia/Seoul"), (":Asia/Seoul", "/usr/share/zoneinfo/Europe/Paris", "Asia/Seoul"),
      (nil, "/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"), ("", "../usr/share/zoneinfo/UTC", "UTC"),
      (nil, "/somewhere/else", "UTC"), (nil, nil, "UTC"), ("CET-1CEST", "/usr/share/zoneinfo/Europe/Paris", "UTC"),
    ] as [(String?, String?, String)]
  )
  func `the system's zone is that of the environment, else that of a link`(
    variable: String?,
    link: String?,
    zone: String
  ) {
    #expect(Zone.named(by: variable, link: link).name == zone)
  }

  @Test(arguments: [
    // The last Sunday of October and other days, at the second of the change.
    ("EST5EDT,M3.2.0,M11.1.0", "2024-03-10T06:59:59Z", -18_000),
    ("EST5EDT,M3.2.0,M11.1.0", "2024-03-10T07:00:00Z", -14_400),
    ("EST5EDT,M3.2.0,M11.1.0", "2024-11-03T05:59:59Z", -14_400),
    ("EST5EDT,M3.2.0,M11.1.0", "2024-11-03T06:00:00Z", -18_000),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2024-10-27T00:59:59Z", 7_200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2024-10-27T01:00:00Z", 3_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2024-01-01T00:00:00Z", 39_600),
    ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2024-07-01T00:00:00Z", -7_200),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2024-12-25T00:00:00Z", 0),
    ("XXX4YYY,J60/0,J300/0", "2024-02-29T12:00:00Z", -14_400),
    ("XXX4YYY,59/0,300/0", "2024-02-29T12:00:00Z", -10_800), ("<+0330>-3:30", "2024-02-29T12:00:00Z", 12_600),
  ])
  func `a rule says when clocks change`(rule: String, instant: String, seconds: Int) throws {
    let instant = try #require(Timestamp(rfc3339: instant))
    #expect(try #require(ZoneRule(Array(rule.utf8))).offset(at: instant.seconds) == seconds)
  }

  @Test(arguments: [
    "", "5", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0x", "<E5", "EST5555",
  ])
  func `what is no rule is refused`(rule: String) {
    #expect(ZoneRule(Array(rule.utf8)) == nil)
  }

  @Test func `a broken zone file is refused and never read beyond its end`() throws {
    var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    for count: [UInt8] in [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 4]] {
      bytes += count
    }
    #expect(ZoneFile(bytes) == nil)
    #expect(ZoneFile([]) == nil)
    #expect(ZoneFile(Array("TZif".utf8) + [UInt8](repeating: 0xff, count: 200)) == nil)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var mutated = bytes + (0..<60).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for _ in 0..<4 {
        mutated[Int.random(in: 4..<mutated.count, using: &generator)] = UInt8.random(in: 0...9, using: &generator)
      }
      _ = ZoneFile(mutated)?.offset(at: Int64.random(in: -1 << 40...1 << 40, using: &generator))
    }
  }
}
