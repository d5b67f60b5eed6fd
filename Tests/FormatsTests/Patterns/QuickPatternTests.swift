import Formats
import Randomness
import Testing

/// Patterns that are matched without the engine give the engine's results.
@Suite struct `Quick patterns` {
  private static let sources = [
    "^[A-Z]{3}-[0-9]{6}$", "^\\d{5}$", "^[a-c]+$", "^[a-c]*d?$", "^a{2,3}b{0,2}$", "^ab?c+$", "^a+a$", "^a*ab$",
    "^[ab]{2,}c$",
    "^a?b?c?$", "^a{0}b$", "^a{3,2}$", "^[^a]$", "^a|b$", "^(a)$", "^.$", "^a+?$", "@", "ab", "aab", "a-b", "^$", "^a",
    "a$",
    "^[a-]$", "^[]$", "^[a-c-e]$", "^\\D$", "^a{1}{2}$", "^a{,2}$", "^é$", "^ $", "^a{2}$", "", "é", "a\\.b", "^a+?b$",
    "(?i)^ab$", "(?i)a", "(?m)^ab$", "^\\w+-\\w+$", "^a\\z", "\\Aa$", "^(?:a)b$", "^[[:alpha:]]+$", "^^a$$",
  ]

  @Test(arguments: sources, [Pattern.Dialect.ecma262, .re2])
  func `and the engine agree`(source: String, dialect: Pattern.Dialect) throws {
    guard let pattern = try? Pattern(source, dialect: dialect) else { return }
    // A capturing group is not quick, and does not change the result.
    let engine = try Pattern("(\(source))", dialect: dialect)
    #expect(engine.quick == nil)
    var random = SeededGenerator(seed: UInt64(source.utf8.count))
    let characters = ["a", "b", "c", "d", "-", "A", "Z", "0", "9", "@", "é", "\n", " "]
    for round in 0..<3000 {
      var text = (0..<Int.random(in: 0...(round % 9), using: &random)).map { _ in
        characters[Int.random(in: 0..<(round % 2 == 0 ? 3 : characters.count), using: &random)]
      }.joined()
      if round % 50 == 0 { text = "ABC-" + String(Int.random(in: 10_000...9_999_999, using: &random)) }
      #expect(pattern.matches(text) == engine.matches(text), "\(source) \(text)")
    }
  }

  @Test(arguments: [
    ("^[A-Z]{3}-[0-9]{6}$", true), ("@", true), ("^a+b$", true), ("^[a-]$", true), ("^a+b*$", false), ("^a+a$", false),
    ("^a*b?a$", false), ("^(a|b)$", false), ("^é$", false), ("(?i:a)", false), ("a|b", false),
    ("a+", false), ("^a", false), ("^[^a]$", false), (String(repeating: "a", count: 65), false),
  ])
  func `are only those that are certainly of the kind`(source: String, isQuick: Bool) throws {
    #expect((try Pattern(source, dialect: .re2).quick != nil) == isQuick)
  }
}
