import Formats
import Testing

struct ECMAPatternTests {
  @Test(arguments: [
    ("^a$", "a"), ("b", "abc"), ("", "anything"), ("^$", ""), ("^\\d+$", "0123"), ("^\\w+$", "aZ_9"),
    ("^\\s$", "\u{FEFF}"), ("^\\s$", "\u{2028}"), ("^\\s$", "\u{0B}"), ("^\\S$", "\u{200B}"), ("^\\W$", "é"),
    ("^\\D$", "߀"), ("^.$", "🐲"), ("^🐲*$", "🐲🐲"), ("^[🐲-🐵]$", "🐳"), ("^\\u{1F432}$", "🐲"),
    ("^\\uD83D\\uDC32$", "🐲"), ("^[\\uD83D\\uDC32]$", "🐲"), ("^\\cA\\ca$", "\u{01}\u{01}"), ("^\\x41\\u0041$", "AA"),
    ("^\\0$", "\0"), ("^[\\b]$", "\u{08}"), ("^[a\\-z]+$", "a-z"), ("^[^]$", "\n"), ("^\\/\\.$", "/."),
    ("^\\p{Letter}+$", "Äß한"), ("^\\p{L}+$", "Äß한"), ("^\\p{gc=Lu}$", "Ä"), ("^\\p{General_Category=Nd}$", "৪"),
    ("^\\p{Script=Greek}+$", "αβγ"), ("^\\p{sc=Grek}+$", "αβγ"), ("^\\p{scx=Hira}$", "ー"), ("^\\p{Emoji}$", "😀"),
    ("^\\P{ASCII}$", "ü"), ("^[\\p{Lu}\\d]+$", "Ä1"), ("^[^\\p{Lu}]$", "ä"), ("^\\p{Any}$", "\u{10FFFF}"),
    ("^\\p{Assigned}$", "a"), ("^\\p{LC}$", "a"), ("^\\p{White_Space}$", "\u{85}"),
    ("^(?<year>\\d{4})-\\k<year>$", "2024-2024"), ("^\\k<a>(?<a>x)$", "x"), ("^(a)?b\\1$", "b"), ("^(.)\\1$", "🐲🐲"),
    ("^a(?=b)", "ab"), ("^a(?!c)", "ab"), ("(?<=\\$)\\d", "$5"), ("(?<!\\$)\\b\\d", "€5"), ("^a{2,3}?$", "aaa"),
    ("^(?:a|ab)(?:c|bcd)$", "abcd"), ("^(?i:ABC)d$", "aBcd"), ("^(?s:.)$", "\n"), ("(?m:^b$)", "a\nb\nc"),
    ("^.{1,100000}$", "x"), ("^[a-z]{70000,}$", String(repeating: "a", count: 70_001)), ("^\\$\\^$", "$^"),
    ("^[\\w-]+$", "a-b"), ("^[-a]$", "-"), ("^[a-]$", "-"), ("^(?<$é>a)$", "a"), ("\\bé", "xé"),
  ])
  func `a text that matches`(source: String, text: String) throws {
    #expect(try Pattern(source, dialect: .ecma262).matches(text) == .match)
  }

  @Test(arguments: [
    ("^a$", "a\n"), ("^\\d+$", "৪"), ("^\\w+$", "é"), ("^.$", "\u{2028}"), ("^.$", "\n"), ("^.$", "\r"), ("[]", "a"),
    ("^\\s$", "\u{200B}"), ("^\\s$", "\u{180E}"), ("^é$", "e\u{301}"), ("^[\\uD83D]$", "🐲"),
    ("^\\uD83D$", "🐲"), ("^(?i:a)b$", "AB"), ("a{70000}", "a"), ("^\\p{Lu}$", "a"), ("^\\p{Script=Greek}$", "a"),
    ("^(?<!a)b$", "ab"), ("^[^\\d]$", "1"), ("(?=a)(?!a)", "a"),
  ])
  func `a text that does not match`(source: String, text: String) throws {
    #expect(try Pattern(source, dialect: .ecma262).matches(text) == .noMatch)
  }

  @Test(arguments: [
    ("(", 0), (")", 0), ("a)", 1), ("[a", 0), ("*", 0), ("a**", 2), ("a{2,1}", 1), ("{", 0), ("a{", 1), ("a{,2}", 1),
    ("}", 0), ("]", 0), ("\\", 0), ("\\a", 0), ("x\\Z", 1), ("\\A", 0), ("\\z", 0), ("\\Q", 0), ("\\_", 0), ("\\-", 0),
    ("\\1", 0), ("(a)\\2", 3), ("\\01", 0), ("\\c", 0), ("\\c1", 0), ("\\x4", 0), ("\\u12", 0), ("\\u{110000}", 0),
    ("\\u{}", 0), ("[b-a]", 1), ("[\\d-z]", 1), ("[a-\\d]", 1), ("\\p{letter}", 0), ("\\p{Foo}", 0), ("\\p{}", 0),
    ("\\p{IsGreek}", 0), ("\\p{Script=greek}", 0), ("\\p", 0), ("\\pL", 0), ("\\k<a>", 0), ("\\k", 0),
    ("(?<a>x)(?<a>y)", 7), ("(?<1>x)", 0), ("(?<>x)", 0), ("(?P<a>x)", 0), ("(?#c)", 0), ("(?i)a", 0), ("(?ii:a)", 0),
    ("(?>a)", 0), ("(?=a)*", 5), ("^*", 1), ("\\b+", 2), ("a++", 2), ("(?-:a)", 0), ("(?", 0), ("(?:", 0),
  ])
  func `a pattern that ECMA-262 does not know is refused where it goes wrong`(source: String, offset: Int) {
    let error = Pattern.syntaxError(in: source, dialect: .ecma262)
    #expect(error?.offset == offset, "\(error?.description ?? "accepted")")
    #expect(error?.reason == .syntax)
    #expect(!TextFormat.regex.accepts(source))
  }

  @Test func `looking behind at a text of any length is right but not offered`() {
    #expect(TextFormat.regex.accepts("(?<=a+)b"))
    let error = #expect(throws: PatternError.self) { try Pattern("x(?<=a+)b", dialect: .ecma262) }
    #expect(error?.reason == .unsupported)
    #expect(error?.offset == 1)
  }

  @Test func `a script that Unicode does not have is refused at its place`() {
    let error = #expect(throws: PatternError.self) { try Pattern("ab\\p{Script=Klingon}", dialect: .ecma262) }
    #expect(error?.reason == .syntax)
    #expect(error?.offset == 2)
  }

  @Test(arguments: ["\\-", "\\_", "a\\ b", "[\\@]", "\\é", "[\\_-z]"])
  func `a backslash that nothing needs is refused by name, and taken on demand`(source: String) throws {
    let error = #expect(throws: PatternError.self) { try Pattern(source, dialect: .ecma262) }
    #expect(error?.message.contains("needs no backslash") == true)
    let text = source.replacing("\\", with: "").replacing("[", with: "").replacing("]", with: "")
    let lenient = try Pattern(source, dialect: .ecma262, leniency: .needlessEscapes)
    #expect(lenient.matches(text) == .match)
  }

  @Test(arguments: ["\\a", "\\q", "\\u12", "\\8", "(", "\\"])
  func `what is wrong otherwise is refused on demand, too`(source: String) {
    #expect(throws: PatternError.self) { try Pattern(source, dialect: .ecma262, leniency: .needlessEscapes) }
  }

  @Test func `a pattern may be as long as programs make them`() throws {
    let words = (0..<9_000).map { "word\($0 % 1_000)" }.joined(separator: "|")
    let source = "^(?:" + String(words.utf8.prefix(65_500))! + ")$"
    let pattern = try Pattern(source, dialect: .ecma262, lengthMax: Pattern.generatedLengthMax)
    #expect(pattern.matches("word999") == .match)
    #expect(pattern.matches("word1000") == .noMatch)
    let classes = String(repeating: "[a-z0-9_]\\p{L}?", count: 4_000)
    _ = try Pattern(classes, dialect: .ecma262, lengthMax: Pattern.generatedLengthMax)
    #expect(throws: PatternError.self) {
      try Pattern(
        source + "                                    ",
        dialect: .ecma262,
        lengthMax: Pattern.generatedLengthMax
      )
    }
  }
}
