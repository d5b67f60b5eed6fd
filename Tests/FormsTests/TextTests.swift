import Forms
import JSON
import Testing

@Suite struct `Texts and durations` {
  private let hello = Text(variants: [("ko", "안녕"), ("en", "hello"), ("pt-BR", "oi")])

  @Test(arguments: [
    ("ko", nil, "안녕"), ("ko-KR", nil, "안녕"), ("ko_KR", nil, "안녕"), ("pt-BR", nil, "oi"), ("pt", nil, "oi"),
    ("fr", "en", "hello"),
    ("fr", "en-GB", "hello"), ("fr", "xx", "안녕"), ("", nil, "안녕"), ("en-US", "ko", "hello"),
    // A locale consists of code points, not of characters as users see them: a mark after the hyphen does not hide it.
    ("en-\u{301}US", nil, "hello"),
    // RFC 4647: without regard to case, and by lookup.
    ("KO", nil, "안녕"), ("EN-us", "ko", "hello"), ("pt-br", nil, "oi"), ("PT_br-x-a", nil, "oi"), ("Pt-pt", "en", "oi"),
    ("p", "en", "hello"), ("pt-BRA", "en", "oi"), ("fr", "EN_gb", "hello"), ("-", "en", "hello"), ("e", "en", "hello"),
  ])
  func `a text is that of the closest locale, of the form's default, or the first`(
    _ locale: String,
    _ fallback: String?,
    _ expected: String
  ) {
    #expect(hello.resolved(for: locale, default: fallback) == expected)
  }

  @Test(arguments: [
    ("zh-Hant-HK", "zh-Hant-TW"), ("zh-hant", "zh-Hant-TW"), ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"),
    ("de-AT-1996", "de-AT"), ("de-CH", "de"), ("DE", "de"), ("De-at", "de-AT"), ("de-u-co-phonebk", "de"),
    ("en-us", "en-US"), ("en", "en-US"), ("en-GB", "en-US"), ("fr", "de"),
  ])
  func `a locale is found by its longest part`(_ locale: String, _ found: String) {
    let locales = ["de-AT", "de", "zh-Hans", "zh-Hant-TW", "en-US"]
    let text = Text(variants: locales.map { ($0, $0) })
    #expect(text.resolved(for: locale, default: "de") == found)
  }

  @Test(arguments: [
    ("en", "EN-us"), ("EN", "EN-us"), ("de-CH", "de"), ("KO-kr", "de"), ("FR", "fr-CA"), ("it", "de"), (nil, "de"),
    ("", "de"),
  ])
  func `a form's texts are in the closest of its own locales`(_ wanted: String?, _ own: String) throws {
    let definition = """
      {"form": "f", "locale": "de", "schema": {"properties": {"a": {"type": "string", "minLength": 3}}},
       "fields": {"a": {"label": {"de": "Name", "EN-us": "Name"},
         "messages": {"minLength": {"de": "kurz", "fr-CA": "court"}}}}}
      """
    let form = try #require(Form.compile(Array(definition.utf8)).form)
    #expect(form.textLocale(for: wanted) == own)
  }

  @Test func `one text is for all locales`() {
    #expect(Text("x").resolved(for: "ko", default: "en") == "x")
    #expect(Text("e\u{301}") != Text("\u{e9}"))
  }

  @Test(arguments: [
    ("{limit} at least", "3 at least"), ("{name}: {limit}", "kim: 3"), ("{unknown} stays", "{unknown} stays"),
    ("no end {limit", "no end {limit"),
    ("{}", "{}"), ("{list}", "[1]"), ("plain", "plain"), ("", ""), ("{limit}{limit}", "33"),
  ])
  func `placeholders become parameters`(_ template: String, _ expected: String) {
    #expect(fillPlaceholders(template, from: ["limit": 3, "name": "kim", "list": [1]]) == expected)
  }

  @Test(arguments: [
    ("300ms", Duration.milliseconds(300)), ("10s", .seconds(10)), ("1.5s", .milliseconds(1_500)), ("2m", .seconds(120)),
    ("1h", .seconds(3_600)), ("24h", .seconds(86_400)), ("0ms", .zero),
  ])
  func `a duration is a number and a unit`(_ text: String, _ expected: Duration) {
    #expect(duration(from: text) == expected)
  }

  @Test(arguments: [
    "", "s", "10", "-1s", "1 s", "1e3s", "25h", "1..5s", "ms", "infs", "１s", "999999999999999999999999999s", "1d",
    "+1s",
  ])
  func `anything else is none`(_ text: String) {
    #expect(duration(from: text) == nil)
  }
}
