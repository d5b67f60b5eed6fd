internal import Testing

@testable internal import TerminalForms

struct LineEditorTests {
  private func pressed(_ keys: [Key], _ start: String = "", isMultiline: Bool = false) -> (String, Int) {
    var editor = LineEditor(start, isMultiline: isMultiline)
    for key in keys { editor.press(key) }
    return (editor.text, editor.cursor)
  }

  @Test func `a line is edited at its cursor`() {
    #expect(pressed([.text("kim"), .left, .left, .text("X")]) == ("kXim", 2))
    #expect(pressed([.home, .delete, .end, .erase], "kim") == ("i", 1))
    #expect(pressed([.eraseWord], "two words ") == ("two ", 4))
    #expect(pressed([.eraseAll], "kim") == ("", 0))
    #expect(pressed([.home, .erase, .left, .end, .right, .delete], "kim") == ("kim", 3))
    #expect(pressed([.text("a\nb"), .enter]) == ("a b", 3))
  }

  @Test func `a mark joins the character before it, and both go together`() {
    #expect(pressed([.text("e"), .text("\u{301}")]) == ("e\u{301}", 1))
    #expect(pressed([.text("ㅎ"), .erase, .text("\u{1112}"), .text("\u{1161}"), .text("\u{11AB}")]) == ("한", 1))
    #expect(pressed([.text("👨‍👩‍👧‍👦a"), .left, .erase]) == ("a", 0))
  }

  @Test func `a text of several lines is walked up and down`() {
    #expect(pressed([.text("one\ntwo"), .enter, .text("3")], isMultiline: true) == ("one\ntwo\n3", 9))
    #expect(pressed([.up, .text("X")], "one\ntwo", isMultiline: true) == ("oneX\ntwo", 4))
    #expect(pressed([.up, .up, .home, .down, .text("X")], "one\ntwo", isMultiline: true) == ("one\nXtwo", 5))
    #expect(pressed([.home, .erase], "one\ntwo", isMultiline: true) == ("onetwo", 3))
    #expect(pressed([.up, .end, .down, .end], "long line\nx", isMultiline: true) == ("long line\nx", 11))
  }
}
