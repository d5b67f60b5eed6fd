import Testing

@testable import LanguageServer

@Suite struct `A string and where its parts stand` {
  private func text(_ source: String) -> QuotedText {
    let bytes = Array(source.utf8)
    return QuotedText(0..<bytes.count, in: bytes)
  }

  @Test(arguments: [
    (#""abc""#, "abc"), (#""a\"b""#, #"a"b"#), (#""\u00e9\n""#, "é\n"), (#""\ud83d\ude00!""#, "😀!"), (#""abc"#, "abc"),
    (#""ab\"#, "ab\\"), (#""\u12"#, "\\u12"), (#""\ud83d""#, "\u{fffd}"), ("\"", ""), ("abc", "abc"),
    (#""é\t😀""#, "é\t😀"),
    (#""\+12""#, "+12"),
  ])
  func `it says what it means, also half-typed`(_ source: String, _ meaning: String) {
    #expect(text(source).text == meaning)
  }

  @Test func `a part of what it says has its bytes`() {
    let text = text(#""é\"x\u00e9😀y""#)
    // é, ", x, é, 😀, y
    #expect(text.range(of: 0..<2) == 1..<3)
    #expect(text.range(of: 2..<3) == 3..<5)
    #expect(text.range(of: 3..<4) == 5..<6)
    #expect(text.range(of: 4..<6) == 6..<12)
    #expect(text.range(of: 6..<10) == 12..<16)
    #expect(text.range(of: 10..<11) == 16..<17)
    #expect(text.range(of: 11..<11) == 17..<17)
    #expect(text.range(of: 50..<60) == 17..<17)
  }

  @Test func `what stands before a byte of the document is what it says up to there`() {
    let text = text(#""a\"b""#)
    #expect(String(decoding: text.content(before: 1), as: UTF8.self) == "")
    #expect(String(decoding: text.content(before: 4), as: UTF8.self) == #"a""#)
    #expect(String(decoding: text.content(before: 99), as: UTF8.self) == #"a"b"#)
  }
}
