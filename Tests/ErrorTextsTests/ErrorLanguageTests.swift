import ErrorTexts
import Testing

/// The built-in texts of errors.
@Suite struct `The languages of errors` {
  @Test func `are these`() {
    #expect(ErrorLanguage.all.map(\.locale) == ["en", "ko", "de", "fr", "es", "pt", "it", "ja", "zh"])
  }

  @Test(arguments: [
    ("de", "de"), ("de-AT", "de"), ("DE_ch", "de"), ("pt-BR", "pt"), ("zh-Hant-TW", "zh"), ("", nil), ("nl", nil),
    ("d", nil), ("deu", nil), ("-", nil),
  ])
  func `are found by the language of a locale`(_ locale: String, _ found: String?) {
    #expect(ErrorLanguage.known(locale)?.locale == found)
  }
}
