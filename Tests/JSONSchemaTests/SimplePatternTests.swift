import JSON
import Testing

@testable import JSONSchema

/// Patterns that are matched without the engine mean what the engine says.
@Suite struct SimplePatternTests {
  private static let sources = [
    "^[A-Z]{3}-[0-9]{6}$", "^\\d{5}$", "^[a-c]+$", "^[a-c]*d?$", "^a{2,3}b{0,2}$", "^ab?c+$", "^a+a$", "^a*ab$",
    "^[ab]{2,}c$",
    "^a?b?c?$", "^a{0}b$", "^a{3,2}$", "^[^a]$", "^a|b$", "^(a)$", "^.$", "^a+?$", "@", "ab", "aab", "a-b", "^$", "^a",
    "a$",
    "^[a-]$", "^[]$", "^[a-c-e]$", "^\\D$", "^a{1}{2}$", "^a{,2}$", "^é$", "^ $", "^a{2}$",
  ]

  @Test(arguments: sources)
  func `the simple matcher and the engine agree`(source: String) throws {
    guard let simple = try? Schema.compile(["pattern": .string(source)]) else { return }
    // A group is not simple, and changes nothing.
    let engine = try Schema.compile(["pattern": .string("(?:\(source))")])
    var random = Seeded(UInt64(source.utf8.count))
    let characters = ["a", "b", "c", "d", "-", "A", "Z", "0", "9", "@", "é", "\n", " "]
    for round in 0..<3000 {
      var text = (0..<Int.random(in: 0...(round % 9), using: &random)).map { _ in
        characters[Int.random(in: 0..<(round % 2 == 0 ? 3 : characters.count), using: &random)]
      }.joined()
      if round % 50 == 0 { text = "ABC-" + String(Int.random(in: 10_000...9_999_999, using: &random)) }
      #expect(simple.validate(.string(text)) == engine.validate(.string(text)), "\(source) \(text)")
    }
  }

  @Test(arguments: [
    ("^[A-Z]{3}-[0-9]{6}$", true), ("@", true), ("^a+b$", true), ("^a+b*$", false), ("^a+a$", false),
    ("^a*b?a$", false), ("^(a|b)$", false),
    ("a+", false), ("^a", false), ("^[^a]$", false),
  ])
  func `only what is certainly simple is taken`(source: String, isSimple: Bool) {
    #expect((SimplePattern(source) != nil) == isSimple)
  }
}
