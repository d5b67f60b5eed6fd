import Testing
import Texts

struct PrintableTests {
  @Test(arguments: [
    ("login", "login"), ("이메일 é ~", "이메일 é ~"), ("a\nb\u{7f}", "a?b?"), ("\u{1b}[31m", "?[31m"),
    ("x\u{9b}31m", "x?31m"),
    ("a\u{85}b\u{2028}c\u{2029}d", "a?b?c?d"), ("\u{202e}gnp", "?gnp"), ("\u{feff}\u{ad}", "??"),
  ])
  func `what a terminal would obey is shown as a question mark`(_ text: String, _ shown: String) {
    #expect(text.printable == shown)
  }
}
