import LocaleFormats
import Testing

/// Reads a text by a format, and says the value as a text.
func read(_ format: TypedFormat, _ text: String, _ locale: String?) -> String? {
  switch format.read(text, .first(of: locale)) {
  case .number(let number): number
  case .text(let text): text
  case nil: nil
  }
}

@Suite struct NumberReadingTests {
  @Test(
    "numbers are read by the locale's separators",
    arguments: [
      ("en", "1,234.5", "1234.5"), ("en", "1234.5", "1234.5"), ("en", "1,234", "1234"), ("en", ".5", "0.5"),
      ("en", "1,234,567.89", "1234567.89"), ("en", "-5", "-5"), ("en", "+5", "5"), ("en", "− 5", "-5"),
      ("de", "1.234,5", "1234.5"), ("de", "1234,5", "1234.5"), ("de", "1.234", "1234"), ("de", "1 234,5", "1234.5"),
      ("de", "1,234", "1.234"), ("de", ",5", "0.5"), ("de", "007", "007"), ("de-AT", "1 234,5", "1234.5"),
      ("de-CH", "1’234.50", "1234.50"), ("de-CH", "1'234.50", "1234.50"), ("de-CH", "1234.50", "1234.50"),
      ("fr", "1\u{202F}234,5", "1234.5"), ("fr", "1 234,5", "1234.5"), ("fr", "1\u{A0}234,5", "1234.5"),
      ("es", "1.234,5", "1234.5"), ("es", "1234,5", "1234.5"), ("es-MX", "1,234.5", "1234.5"),
      ("pt", "1.234,5", "1234.5"), ("pt-PT", "1 234,5", "1234.5"), ("it", "1.234,5", "1234.5"),
      ("ja", "1,234.5", "1234.5"), ("ja", "１，２３４．５", "1234.5"), ("ko", "1,234.5", "1234.5"),
      ("zh", "１２３４", "1234"), ("zh-TW", "1,234.5", "1234.5"), ("sv", "−1 234,5", "-1234.5"),
      ("hi", "12,34,567.5", "1234567.5"), ("en-IN", "1,23,456", "123456"), ("en-IN", "123,456", "123456"),
      ("hi", "१२३", "123"), ("ar", "١٬٢٣٤٫٥", "1234.5"), ("ar", "1234٫5", "1234.5"), ("fa", "۱۲۳۴٫۵", "1234.5"),
      ("he", "\u{200E}-5", "-5"), ("pl", "1 234,5", "1234.5"), ("ru", "1 234,5", "1234.5"),
      (" en ", "1.5", "1.5"), ("DE-de", "1,5", "1.5"), ("de_DE", "1,5", "1.5"), ("xx", "1,234.5", "1234.5"),
      ("en", "  7 ", "7"),
    ]
  )
  func numbers(locale: String, text: String, value: String) {
    #expect(read(TypedFormat(.number), text, locale) == value)
  }

  @Test(
    "what is no number, or could be two, is not read",
    arguments: [
      ("de", "1.5"), ("de", "1.23"), ("de", "1.2345"), ("de", "0.123"), ("de", "1,234.5"), ("de", "1.234.5"),
      ("en", "1,5"), ("en", "1,23"), ("en", "1.234,5"), ("en", "1,234,5"), ("en", "12,34,567"), ("en", "0,123"),
      ("fr", "1.5"), ("fr", "1.234"), ("de-CH", "1,5"), ("en", "1,,234"), ("en", ",234"), ("en", "1,234,"),
      ("en", "5."), ("en", "."), ("en", "-"), ("en", ""), ("en", "1.2.3"), ("en", "1.234,567"), ("en", "1.2,3"),
      ("en", "--5"), ("en", "5-"), ("en", "(5)"), ("en", "1e3"), ("en", "0x10"), ("en", "five"), ("en", "NaN"),
      ("en", "5 %"), ("en", "$5"), ("en", "1 2"), ("en", "12 34"), ("en", "1,234 567"), ("en", "1/2"),
      ("de", "1.234 567"),
    ]
  )
  func notNumbers(locale: String, text: String) { #expect(read(TypedFormat(.number), text, locale) == nil) }

  @Test("a text that is longer than any number is not read")
  func longTexts() {
    #expect(read(TypedFormat(.number), String(repeating: "1", count: 100), "en") != nil)
    #expect(read(TypedFormat(.number), String(repeating: "1", count: 101), "en") == nil)
    #expect(read(TypedFormat(.number), String(repeating: " ", count: 1_000_000) + "1", "en") == nil)
  }

  @Test(
    "percentages are hundredths, with or without their sign",
    arguments: [
      ("en", "12.5%", "12.5e-2"), ("en", "12.5 %", "12.5e-2"), ("en", "12.5", "12.5e-2"), ("en", "%5", "5e-2"),
      ("de", "12,5 %", "12.5e-2"), ("tr", "%12,5", "12.5e-2"), ("ja", "５％", "5e-2"), ("ar", "٥٪؜", "5e-2"),
      ("en", "-5%", "-5e-2"), ("en", "5 % ", "5e-2"),
    ]
  )
  func percentages(locale: String, text: String, value: String) {
    #expect(read(TypedFormat(.percent), text, locale) == value)
  }

  @Test("a percentage has one sign", arguments: ["5%%", "%5%", "%", "5 percent", "5‰"])
  func notPercentages(text: String) { #expect(read(TypedFormat(.percent), text, "en") == nil) }

  @Test(
    "amounts have the sign or code of the form's currency in front or behind",
    arguments: [
      ("EUR", "de", "5,50 €", "5.50"), ("EUR", "de", "€ 5,50", "5.50"), ("EUR", "de", "EUR 5,50", "5.50"),
      ("EUR", "de", "5,50 eur", "5.50"), ("EUR", "de", "5,50", "5.50"), ("EUR", "de", "-5,50 €", "-5.50"),
      ("EUR", "de", "€ -5,50", "-5.50"), ("EUR", "de", "- € 5,50", "-5.50"), ("EUR", "de", "1.234,50€", "1234.50"),
      ("EUR", "de-AT", "1.234,50 €", "1234.50"), ("EUR", "de-AT", "1 234,50", "1234.50"),
      ("CHF", "de-CH", "CHF 1’234.50", "1234.50"), ("CHF", "fr-CH", "12,50 CHF", "12.50"),
      ("CHF", "fr-CH", "12.50 CHF", "12.50"), ("USD", "en", "$1,234.50", "1234.50"), ("USD", "de", "5 $", "5"),
      ("USD", "en-CA", "US$5", "5"), ("CAD", "en", "CA$5", "5"), ("CAD", "en", "$5", "5"),
      ("JPY", "ja", "￥1,000", "1000"),
      ("JPY", "ja", "¥1,000", "1000"), ("KRW", "ko", "₩1,000", "1000"), ("KRW", "ko", "1,000 KRW", "1000"),
      ("PLN", "pl", "5,50 zł", "5.50"), ("INR", "en-IN", "₹1,00,000", "100000"), ("BRL", "pt", "R$ 5,50", "5.50"),
    ]
  )
  func amounts(code: String, locale: String, text: String, value: String) {
    var format = TypedFormat(.currency)
    format.currency = code
    #expect(read(format, text, locale) == value)
  }

  @Test(
    "an amount of another currency is not read",
    arguments: [
      ("EUR", "5 $"), ("EUR", "5 USD"), ("EUR", "CHF 5"), ("EUR", "€ 5 €"), ("EUR", "5 euros"), ("USD", "€5"),
    ]
  )
  func otherCurrencies(code: String, text: String) {
    var format = TypedFormat(.currency)
    format.currency = code
    #expect(read(format, text, "en") == nil)
  }

  @Test("without a code, the sign of any currency is read", arguments: ["5 $", "€5", "5 USD", "CHF 5", "5", "₩5"])
  func anyCurrency(text: String) { #expect(read(TypedFormat(.currency), text, "en") == "5") }

  @Test("an author's separators count in every locale", arguments: ["en", "de", "fr", "ar"])
  func ownSeparators(locale: String) {
    var format = TypedFormat(.number)
    (format.decimal, format.group) = (",", ".")
    #expect(read(format, "1.234,5", locale) == "1234.5")
    #expect(read(format, "1.5", locale) == nil)
    #expect(read(format, "1,234.5", locale) == nil)
    #expect(read(format, "1 234", locale) == nil)
    format.group = nil
    #expect(read(format, "1.234", locale) == nil)
    #expect(read(format, "1234,5", locale) == "1234.5")
    format.group = "\u{202F}"
    #expect(read(format, "1 234,5", locale) == "1234.5")
  }
}
