import Testing
import Texts

struct StreamSafeTests {
  @Test
  func `texts of all writings are stream-safe`() {
    let longest = "e" + String(repeating: "\u{301}", count: 30)
    let texts = ["", "kim@example.com", "이메일을 입력해주세요", "नमस्ते", "Tiếng Việt", "שָׁלוֹם", "👩‍👩‍👧‍👦", longest, longest + longest]
    for text in texts { #expect(text.isStreamSafe, "\(text.debugDescription)") }
  }

  @Test(arguments: ["\u{301}", "\u{301}\u{323}", "\u{1d165}", "\u{3099}"])
  func `a text with more marks in a row than any writing needs is not`(marks: String) {
    let run = String(repeating: marks, count: 31)
    #expect(!run.isStreamSafe)
    #expect(!("before e" + run + " behind").isStreamSafe)
  }
}
