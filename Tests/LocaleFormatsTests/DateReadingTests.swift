import LocaleFormats
import Testing

@Suite struct DateReadingTests {
  @Test(
    "dates are read in the locale's order",
    arguments: [
      ("de", "5.4.2026", "2026-04-05"), ("de", "05.04.2026", "2026-04-05"), ("de", "5.4.26", "2026-04-05"),
      ("de", "5. 4. 2026", "2026-04-05"), ("de", "5/4/2026", "2026-04-05"), ("de", "5-4-2026", "2026-04-05"),
      ("de", "31 12 2026", "2026-12-31"), ("de", "2026-04-05", "2026-04-05"), ("de", "2026/4/5", "2026-04-05"),
      ("en", "4/5/2026", "2026-04-05"), ("en", "04/05/26", "2026-04-05"), ("en", "4-5-2026", "2026-04-05"),
      ("en", "2026-04-05", "2026-04-05"), ("en-GB", "5/4/2026", "2026-04-05"), ("en-GB", "5.4.2026", "2026-04-05"),
      ("fr", "05/04/2026", "2026-04-05"), ("ja", "2026/4/5", "2026-04-05"), ("ja", "2026年4月5日", "2026-04-05"),
      ("ja", "２０２６／４／５", "2026-04-05"), ("ko", "2026. 4. 5.", "2026-04-05"), ("ko", "26.4.5", "2026-04-05"),
      ("ko", "2026년 4월 5일", "2026-04-05"), ("zh", "2026年4月5日", "2026-04-05"), ("sv", "2026-04-05", "2026-04-05"),
      ("hr", "05. 04. 2026.", "2026-04-05"), ("nl", "5-4-2026", "2026-04-05"), ("ar", "٥‏/٤‏/٢٠٢٦", "2026-04-05"),
      ("en", "2/29/2024", "2024-02-29"), ("en", " 4/5/2026 ", "2026-04-05"),
    ]
  )
  func dates(locale: String, text: String, value: String) {
    #expect(read(TypedFormat(.date), text, locale) == value)
  }

  @Test(
    "what is no date, or could be two, is not read",
    arguments: [
      ("en", "25/4/2026"), ("en", "5.4.2026"), ("de", "4/25/2026"), ("de", "31.4.2026"), ("de", "29.2.2026"),
      ("de", "5.4."), ("de", "5.4"), ("de", "5.4.6"), ("de", "5.4.206"), ("de", "5.4/2026"), ("de", "5..4.2026"),
      ("de", "05042026"), ("de", "5. April 2026"), ("de", "heute"), ("de", ""), ("de", "0.4.2026"), ("de", "5.0.2026"),
      ("de", "5.4.0000"), ("de", "005.4.2026"), ("de", "5.4.2026 x"), ("de", "x 5.4.2026"), ("de", "5.4.2026.1"),
      ("de", "5.4.2026 14:30"), ("en", "4/5/2026."),
    ]
  )
  func notDates(locale: String, text: String) { #expect(read(TypedFormat(.date), text, locale) == nil) }

  @Test(
    "two digits of a year are of 1969 to 2068",
    arguments: [("00", "2000"), ("26", "2026"), ("68", "2068"), ("69", "1969"), ("99", "1999")]
  )
  func twoDigits(digits: String, year: String) {
    #expect(read(TypedFormat(.date), "1.2.\(digits)", "de") == "\(year)-02-01")
  }

  @Test(
    "dates with a time are read by the locale's clock",
    arguments: [
      ("de", "5.4.2026 14:30", "2026-04-05T14:30"), ("de", "5.4.2026, 14:30", "2026-04-05T14:30"),
      ("de", "5.4.2026 9:05", "2026-04-05T09:05"), ("de", "5.4.26 14:30:15", "2026-04-05T14:30:15"),
      ("de", "2026-04-05T14:30", "2026-04-05T14:30"), ("de", "5.4.2026 2:30 pm", "2026-04-05T14:30"),
      ("fi", "5.4.2026 14.30", "2026-04-05T14:30"), ("en", "4/5/2026, 2:30 PM", "2026-04-05T14:30"),
      ("en", "4/5/2026 2:30pm", "2026-04-05T14:30"), ("en", "4/5/2026 2:30 p.m.", "2026-04-05T14:30"),
      ("en", "4/5/2026 12:00 AM", "2026-04-05T00:00"), ("en", "4/5/2026 12:00 PM", "2026-04-05T12:00"),
      ("en", "4/5/2026 14:30", "2026-04-05T14:30"), ("en", "2026-04-05T09:30", "2026-04-05T09:30"),
      ("en", "2026-04-05 09:30", "2026-04-05T09:30"), ("en", "4/5/2026 0:30", "2026-04-05T00:30"),
      ("ko", "2026. 4. 5. 오후 2:30", "2026-04-05T14:30"), ("ko", "2026. 4. 5. 오전 9:30", "2026-04-05T09:30"),
      ("ja", "2026/04/05 9:30", "2026-04-05T09:30"), ("ja", "2026年4月5日 9:30", "2026-04-05T09:30"),
      ("es-MX", "5/4/2026 2:30 p. m.", "2026-04-05T14:30"), ("zh-TW", "2026/4/5 下午2:30", "2026-04-05T14:30"),
    ]
  )
  func dateTimes(locale: String, text: String, value: String) {
    #expect(read(TypedFormat(.dateTime), text, locale) == value)
  }

  @Test(
    "a time that does not exist, or that could be two, is not read",
    arguments: [
      ("en", "4/5/2026 9:30"), ("en", "4/5/2026, 12:30"), ("en", "4/5/2026 14:30 PM"), ("en", "4/5/2026 0:30 AM"),
      ("de", "5.4.2026 24:00"), ("de", "5.4.2026 14:60"), ("de", "5.4.2026 14:5"), ("de", "5.4.2026"),
      ("de", "5.4.2026 14"), ("de", "5.4.202614:30"), ("de", "5.4.2026 14:30 Uhr x"), ("en", "4/5/2026 2:30 xm"),
      ("en", "4/5/2026 pm 2:30 pm"), ("de", "2026-04-05T14:30Z"), ("de", "2026-04-05T14:30+02:00"),
    ]
  )
  func notDateTimes(locale: String, text: String) { #expect(read(TypedFormat(.dateTime), text, locale) == nil) }

  @Test("an author's patterns count in every locale, the first that fits", arguments: ["en", "de", "ko"])
  func ownPatterns(locale: String) throws {
    var format = TypedFormat(.date)
    format.patterns = [try #require(DatePattern("dd.MM.yyyy")), try #require(DatePattern("yyyy-MM-dd"))]
    #expect(read(format, "05.04.2026", locale) == "2026-04-05")
    #expect(read(format, "5. 4. 2026", locale) == "2026-04-05")
    #expect(read(format, "2026-04-05", locale) == "2026-04-05")
    #expect(read(format, "5/4/2026", locale) == nil)
    #expect(read(format, "5.4.26", locale) == nil)
    format.patterns = [try #require(DatePattern("ddMMyy"))]
    #expect(read(format, "050426", locale) == "2026-04-05")
    #expect(read(format, "50426", locale) == nil)
    format.patterns = [try #require(DatePattern("d 'de' M 'de' y"))]
    #expect(read(format, "5 de 4 de 2026", locale) == "2026-04-05")
    var time = TypedFormat(.dateTime)
    time.patterns = [try #require(DatePattern("M/d/y h:mm a"))]
    #expect(read(time, "4/5/2026 2:30 PM", locale) == "2026-04-05T14:30")
  }

  @Test(
    "a pattern has letters with a meaning, and each unit once",
    arguments: [
      ("dd.MM.yyyy", true, false), ("yyyy-MM-dd HH:mm", true, true), ("d/M/yy h:mm a", true, true),
      ("HH:mm", false, true),
      ("dd.MM.", false, false), ("dd.dd.yyyy", false, false), ("d.M.y h:mm", true, false),
      ("d.M.y H:mm a", true, false),
    ]
  )
  func patternUnits(text: String, hasDate: Bool, hasTime: Bool) throws {
    let pattern = try #require(DatePattern(text))
    #expect(pattern.hasDate == hasDate)
    #expect(pattern.hasTime == hasTime)
  }

  @Test(
    "unknown letters and open quotes are no pattern",
    arguments: ["DD.MM.YYYY", "MMMM", "dddd", "yyy", "d 'de", "z"]
  )
  func wrongPatterns(text: String) { #expect(DatePattern(text) == nil) }
}
