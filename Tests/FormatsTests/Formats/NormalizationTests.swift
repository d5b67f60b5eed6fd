import Formats
import Testing

/// In the manner of the Unicode Character Database's `NormalizationTest.txt`: a text, and its NFC.
@Suite struct `Normalization Form C` {
  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test(arguments: [
    // Composed stays composed, decomposed becomes it.
    ("é", "é"), ("e\u{301}", "\u{e9}"), ("A\u{30a}", "\u{c5}"), ("\u{1e0b}\u{323}", "\u{1e0d}\u{307}"),
    // Singletons, and characters that composition excludes.
    ("\u{212b}", "\u{c5}"), ("\u{2126}", "\u{3a9}"), ("\u{958}", "\u{915}\u{93c}"), ("\u{2adc}", "\u{2add}\u{338}"),
    ("\u{fb1d}", "\u{5d9}\u{5b4}"), ("\u{f900}", "\u{8c48}"),
    // Marks in the wrong order; marks of one class keep their order.
    ("a\u{301}\u{323}", "\u{1ea1}\u{301}"), ("a\u{323}\u{301}", "\u{1ea1}\u{301}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("a\u{301}\u{302}", "\u{e1}\u{302}"),
    // A mark that is blocked by another of its class, and one that begins the text.
    ("a\u{5ae}\u{300}b", "\u{e0}\u{5ae}b"), ("\u{301}a", "\u{301}a"), ("\u{344}", "\u{308}\u{301}"),
    // Hangul: two and three letters, one more on a syllable, and a letter too many.
    ("\u{1100}\u{1161}", "가"), ("\u{1100}\u{1161}\u{11a8}", "각"), ("가\u{11a8}", "각"), ("각\u{11a8}", "각\u{11a8}"),
    ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글"), ("\u{1161}\u{1100}", "\u{1161}\u{1100}"),
    // Beyond the first plane: a composed letter, and notes that stay apart.
    ("\u{11099}\u{110ba}", "\u{1109a}"), ("\u{1d15e}", "\u{1d157}\u{1d165}"), ("😀", "😀"), ("👨‍👩‍👧", "👨‍👩‍👧"),
    // Compatibility characters are not its business.
    ("ﬁ", "ﬁ"), ("①", "①"), ("Ｋ", "Ｋ"),
    ("", ""), ("plain", "plain"), ("a\u{0}b\u{301}", "a\u{0}b\u{301}"), ("naïve\u{a0}Straße", "naïve\u{a0}Straße"),
  ])
  func `is the composed way to write a text`(_ text: String, _ expected: String) {
    #expect(Self.scalars(nfc(text)) == Self.scalars(expected))
    #expect(Self.scalars(nfc(nfc(text))) == Self.scalars(expected))
  }

  @Test func `of a long text is that of its parts`() {
    let text = String(repeating: "e\u{301} \u{1100}\u{1161}\u{11a8} plain ", count: 20_000)
    #expect(Self.scalars(nfc(text)) == Self.scalars(String(repeating: "é 각 plain ", count: 20_000)))
  }

  @Test func `of very many marks on one letter ends, and keeps them`() {
    let text = "q" + String(repeating: "\u{301}\u{323}", count: 5_000)
    let expected = "q" + String(repeating: "\u{323}", count: 5_000) + String(repeating: "\u{301}", count: 5_000)
    #expect(Self.scalars(nfc(text)) == Self.scalars(expected))
  }
}
