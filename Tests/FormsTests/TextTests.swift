import Forms
import JSON
import Testing

@Suite struct `Texts and durations` {
  private let hello = Text(variants: [("ko", "안녕"), ("en", "hello"), ("pt-BR", "oi")])

  @Test(arguments: [
    ("ko", nil, "안녕"), ("ko-KR", nil, "안녕"), ("ko_KR", nil, "안녕"), ("pt-BR", nil, "oi"), ("pt", nil, "안녕"),
    ("fr", "en", "hello"),
    ("fr", "en-GB", "hello"), ("fr", "xx", "안녕"), ("", nil, "안녕"), ("en-US", "ko", "hello"),
    // A locale consists of code points, not of characters as users see them: a mark after the hyphen does not hide it.
    ("en-\u{301}US", nil, "hello"),
  ])
  func `a text is that of the locale, of its language, of the form's default, or the first`(
    _ locale: String,
    _ fallback: String?,
    _ expected: String
  ) {
    #expect(hello.resolved(for: locale, default: fallback) == expected)
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
