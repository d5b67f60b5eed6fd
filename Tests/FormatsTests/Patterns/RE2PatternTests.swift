import Formats
import Testing

struct RE2PatternTests {
  @Test(arguments: [
    ("^a$", "a"), ("^\\d\\w\\s$", "1_\n"), ("^.$", "\r"), ("(?s)^.$", "\n"), ("(?m)^b$", "a\nb\nc"),
    ("(?m)a$", "a\n"), ("(?m)^$", "a\n"), ("(?i)ABC", "xabcx"), ("(?i)k", "\u{212A}"), ("a(?i)b", "aB"),
    ("(?i:a)b", "Ab"), ("(?i-s:A)", "a"), ("^\\pL\\p{Lu}\\PN$", "äÄx"), ("^\\p{Greek}$", "α"), ("^\\p{^Greek}$", "a"),
    ("^\\P{^Greek}$", "α"), ("^\\Qa.b\\E$", "a.b"), ("^\\Qa.b", "a.b"), ("^\\Qab\\E+$", "abbb"),
    ("^[[:alpha:]]+$", "aZ"),
    ("^[[:^alpha:]]$", "1"), ("^[[:word:]-]+$", "a-_"), ("^[]a]+$", "]a"), ("^[^]]$", "a"), ("^[a-]$", "-"),
    ("^[a-b-c]+$", "-cab"), ("^{$", "{"), ("^a{,2}$", "a{,2}"), ("^a{2}$", "aa"), ("^x{2,}$", "xxx"), ("\\Aa\\z", "a"),
    ("^\\x41\\x{1F432}\\101\\a\\f\\v\\_$", "A🐲A\u{07}\u{0C}\u{0B}_"), ("^(?P<n>a)(?<m>b)$", "ab"), ("a||b", ""),
    ("()", ""), ("^*", ""), ("^(?:a*)*$", "aaa"), ("\\b+a", "a"), ("^}]$", "}]"), ("^[\\d\\-\\]]+$", "1-]"),
    ("(?i)^[^k]$", "x"), ("^[[:space:]]$", "\u{0B}"), ("(?-s)^.$", "x"), ("(?i)ß", "ẞ"),
  ])
  func `a text that matches`(source: String, text: String) throws {
    #expect(try Pattern(source, dialect: .re2).matches(text) == .match)
  }

  @Test(arguments: [
    ("^a$", "a\n"), ("^.$", "\n"), ("^\\s$", "\u{0B}"), ("^\\s$", "\u{A0}"), ("^\\d$", "৪"), ("^\\w$", "é"),
    ("(?i)^\\w$", "\u{212A}"), ("(?i:a)b", "AB"), ("(?i)^[^k]$", "K"), ("^\\p{Greek}$", "a"), ("a$", "a\n"),
    ("(?m)\\Ab", "a\nb"), ("^[[:alpha:]]$", "ä"),
  ])
  func `a text that does not match`(source: String, text: String) throws {
    #expect(try Pattern(source, dialect: .re2).matches(text) == .noMatch)
  }

  @Test(arguments: [
    "(", ")", "[a", "*", "a**", "a*{2}", "a+*", "a{2}{3}", "+", "(?i)*", "a{2,1}", "\\", "\\1", "(a)\\1", "\\8", "\\Z",
    "\\K", "\\G", "\\E", "\\C", "\\pX", "\\p{Foo}", "\\p", "\\p{Lu", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?P=n)",
    "(?P>n)",
    "(?P<n>a)(?P<n>b)", "(?P<>a)", "(?P<n", "(?x)a", "(?i", "(?-)a", "[b-a]", "[a-\\d]", "[[:foo:]]", "a{1001}",
    "(a{100}){11}", "((a{10}){10}){11}", "\\x", "\\x{110000}", "\\xg0", "(?>a)", "\\u0041", "x{1000,1001}",
  ])
  func `a pattern that RE2 refuses is refused`(source: String) {
    #expect(throws: PatternError.self) { try Pattern(source, dialect: .re2) }
  }

  @Test func `groups are reported in bytes and by name`() throws {
    let pattern = try Pattern("(?P<user>[^@]+)@(\\w+)(!)?", dialect: .re2)
    #expect(pattern.captureCount == 3)
    #expect(pattern.groupNames == ["user", nil, nil])
    let found = pattern.firstMatch(in: "ü@x y")
    #expect(found == .found(PatternMatch(ranges: [0..<4, 0..<2, 3..<4, nil])))
    #expect(pattern.firstMatch(in: "ü@x y", from: 3) == .notFound)
  }

  @Test(arguments: [
    ("a*", "baaac", [0..<0, 1..<4, 5..<5]), ("a", "banana", [1..<2, 3..<4, 5..<6]), ("", "äb", [0..<0, 2..<2, 3..<3]),
    ("a|", "aab", [0..<1, 1..<2, 3..<3]), ("x", "", []), ("^", "ab", [0..<0]),
    ("\\b", "a b", [0..<0, 1..<1, 2..<2, 3..<3]),
    ("a??", "aa", [0..<0, 1..<1, 2..<2]), ("(?U)a+", "aa", [0..<1, 1..<2]),
  ])
  func `all matches are found from left to right, as in Go`(source: String, text: String, ranges: [Range<Int>]) throws {
    let matches = try Pattern(source, dialect: .re2).allMatches(in: text)
    #expect(matches?.map(\.range) == ranges)
  }
}
