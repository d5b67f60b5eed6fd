import LocaleFormats
import Testing

@Suite struct WritingTests {
  private func decimal(_ text: String) throws -> DecimalText { try #require(DecimalText(text)) }

  @Test(
    "numbers are written with the locale's separators, groups and digits",
    arguments: [
      ("en", "1234.5", "1,234.5"), ("de", "1234.5", "1.234,5"), ("de-AT", "1234.5", "1\u{A0}234,5"),
      ("de-CH", "1234567", "1’234’567"), ("fr", "1234.5", "1\u{202F}234,5"), ("es", "1234.5", "1234,5"),
      ("es", "12345", "12.345"), ("pt-PT", "1234", "1234"), ("pl", "12345", "12\u{A0}345"),
      ("hi", "1234567", "12,34,567"),
      ("en-IN", "123456", "1,23,456"), ("ar", "1234.5", "١٬٢٣٤٫٥"), ("ko", "-1234.5", "-1,234.5"),
      ("sv", "-5", "−5"), ("en", "0", "0"), ("en", "-0.0", "0"), ("en", "0.001", "0.001"),
      ("en", "1e21", "1,000,000,000,000,000,000,000"),
      ("xx", "1234.5", "1,234.5"), ("en", "1e-7", "0.0000001"), ("en", "999", "999"), ("en", "1e60", "1E+60"),
    ]
  )
  func numbers(locale: String, number: String, text: String) throws {
    #expect(LocaleConventions.first(of: locale).number(try decimal(number)) == text)
  }

  @Test(
    "a number of digits rounds halves away from zero",
    arguments: [
      ("1.005", 2, "1.01"), ("2.675", 2, "2.68"), ("-2.5", 0, "-3"), ("0.4", 0, "0"), ("-0.4", 0, "0"), ("0.5", 0, "1"),
      ("999.995", 2, "1,000.00"), ("5", 2, "5.00"), ("0", 2, "0.00"), ("0.001", 2, "0.00"), ("9.99", 1, "10.0"),
      ("0.05", 1, "0.1"), ("1234567.891", 0, "1,234,568"),
    ]
  )
  func rounding(number: String, digits: Int, text: String) throws {
    #expect(LocaleConventions.first(of: "en").number(try decimal(number), fractionDigits: digits) == text)
  }

  @Test(
    "amounts have the currency's sign and digits",
    arguments: [
      ("en", "USD", "1234.5", "$1,234.50"), ("de", "EUR", "1234.5", "1.234,50\u{A0}€"), ("en", "EUR", "-5", "-€5.00"),
      ("de-CH", "CHF", "1234.5", "CHF\u{A0}1’234.50"), ("de-CH", "CHF", "-5", "CHF-5.00"),
      ("en", "CHF", "5", "CHF\u{A0}5.00"), ("ja", "JPY", "1000", "￥1,000"), ("ko", "KRW", "1000.4", "₩1,000"),
      ("fr", "EUR", "1234.5", "1\u{202F}234,50\u{A0}€"), ("de-AT", "EUR", "1234.5", "€\u{A0}1.234,50"),
      ("en-CA", "USD", "5", "US$5.00"), ("de", "KWD", "5", "5,000\u{A0}KWD"), ("en", "XXX", "5", "XXX\u{A0}5.00"),
      ("pt", "BRL", "5.5", "R$\u{A0}5,50"), ("pl", "PLN", "5.5", "5,50\u{A0}zł"),
      ("en-IN", "INR", "100000", "₹1,00,000.00"),
    ]
  )
  func amounts(locale: String, code: String, number: String, text: String) throws {
    #expect(LocaleConventions.first(of: locale).amount(try decimal(number), code: code) == text)
  }

  @Test(
    "percentages are written in hundredths",
    arguments: [
      ("en", "0.125", "12.5%"), ("de", "0.125", "12,5\u{A0}%"), ("tr", "0.5", "%50"), ("en", "-0.5", "-50%"),
      ("en", "0", "0%"),
    ]
  )
  func percentages(locale: String, number: String, text: String) throws {
    #expect(LocaleConventions.first(of: locale).percentage(try decimal(number)) == text)
  }

  @Test(
    "dates and times are written as in the locale",
    arguments: [
      ("en", "2026-04-05", "4/5/2026"), ("de", "2026-04-05", "5.4.2026"), ("en-GB", "2026-04-05", "05/04/2026"),
      ("fr", "2026-04-05", "05/04/2026"), ("ko", "2026-04-05", "2026. 4. 5."), ("ja", "2026-04-05", "2026/4/5"),
      ("sv", "2026-04-05", "2026-04-05"), ("de", "2026-04-05T14:30", "5.4.2026, 14:30"),
      ("en", "2026-04-05T14:30", "4/5/2026, 2:30 PM"), ("en", "2026-04-05T00:05:10", "4/5/2026, 12:05 AM"),
      ("ko", "2026-04-05T14:30", "2026. 4. 5. 오후 2:30"), ("ar", "2026-04-05", "٥\u{200F}/٤\u{200F}/٢٠٢٦"),
    ]
  )
  func dates(locale: String, iso: String, text: String) {
    #expect(LocaleConventions.first(of: locale).write(iso: iso) == text)
  }

  @Test(
    "a text that is no date is not written",
    arguments: ["", "5.4.2026", "2026-02-30", "2026-4-5", "2026-04-05T25:00", "2026-04-05Z"]
  )
  func notDates(text: String) { #expect(LocaleConventions.first(of: "en").write(iso: text) == nil) }

  /// Every locale that tests name, and more with other scripts and orders.
  static let locales = [
    "en", "en-GB", "en-IN", "de", "de-AT", "de-CH", "fr", "fr-CH", "es", "es-MX", "pt", "pt-PT", "it", "nl", "sv", "da",
    "nb", "fi", "pl", "cs", "sk", "sl", "hr", "sr", "bg", "ru", "uk", "el", "tr", "he", "ar", "ar-EG", "fa", "ur", "hi",
    "bn", "mr", "ta", "th", "vi", "id", "ms", "ko", "ja", "zh", "zh-TW", "zh-HK", "hu", "ro", "lt", "lv", "et", "ka",
    "hy", "kk", "mn", "my", "km", "ne", "si", "sw", "am", "af", "eu", "ca", "gl", "is", "mk", "sq", "az", "uz", "ky",
  ]

  @Test("what is written is read as the same value, in every locale", arguments: locales)
  func roundTrip(locale: String) throws {
    let conventions = LocaleConventions.first(of: locale)
    for kind in [TypedFormat.Kind.number, .percent, .currency] {
      for code in [nil, "EUR", "USD", "JPY", "CHF"] where code == nil || kind == .currency {
        var format = TypedFormat(kind)
        format.currency = code
        let texts = code == "JPY" ? ["5", "1234", "-1234567"] : ["0", "5", "1234", "12345.5", "-1234567.25", "0.25"]
        for number in texts {
          let written = format.write(try decimal(number), conventions)
          let value = read(format, written, locale).flatMap { DecimalText($0) }
          #expect(value == (try decimal(number)), "\(kind) \(number) is written \(written)")
        }
      }
    }
    for (kind, text) in [(TypedFormat.Kind.date, "2026-04-05"), (.date, "2026-12-31"), (.dateTime, "2026-04-05T14:30")]
    {
      let written = try #require(TypedFormat(kind).write(iso: text, conventions))
      #expect(read(TypedFormat(kind), written, locale) == text, "\(text) is written \(written)")
    }
    #expect(read(TypedFormat(.dateTime), "2026-04-05T09:05", locale) == "2026-04-05T09:05")
  }

  @Test("an author's separators and patterns write in every locale", arguments: ["en", "de", "ko"])
  func ownFormats(locale: String) throws {
    var number = TypedFormat(.number)
    (number.decimal, number.group) = (",", ".")
    #expect(number.write(try decimal("1234.5"), .first(of: locale)) == "1.234,5")
    #expect(number.example(.first(of: locale), isWhole: false) == "1.234,5")
    var date = TypedFormat(.date)
    date.patterns = [try #require(DatePattern("dd.MM.yyyy"))]
    #expect(date.write(iso: "2026-04-05", .first(of: locale)) == "05.04.2026")
  }

  @Test("an example is a text that is read", arguments: locales)
  func examples(locale: String) {
    for kind in TypedFormat.Kind.allCases {
      let format = TypedFormat(kind)
      for isWhole in [true, false] {
        let example = format.example(.first(of: locale), isWhole: isWhole)
        #expect(read(format, example, locale) != nil, "\(kind): \(example)")
      }
    }
  }
}
