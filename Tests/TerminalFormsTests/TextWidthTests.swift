internal import Testing

@testable internal import TerminalForms

struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("닉네임", 6), ("\u{1102}\u{1175}\u{11A8}", 2), ("漢字", 4), ("ｶﾅ", 2),
    ("😀", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇰🇷", 2), ("❤️", 2), ("❤", 1), ("a\u{200B}b", 2), ("…", 1), ("›", 1),
  ])
  func `a text takes as many columns as terminals give it`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test func `what commands a terminal is shown as a question mark`() {
    #expect(StyledLine("a\u{1B}[2Jb\u{9B}c\u{7F}\u{07}").text == "a?[2Jb?c??")
    #expect(StyledLine("two\nlines\tand\r\n").text == "two lines and ")
  }

  @Test func `styles are written where there are colors`() {
    var line = StyledLine("Email", .strong)
    line.add(": ")
    #expect(line.rendered(hasColor: true) == "\u{1B}[1mEmail\u{1B}[0m: ")
    #expect(line.rendered(hasColor: false) == "Email: ")
  }
}
