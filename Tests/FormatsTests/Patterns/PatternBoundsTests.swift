internal import Budgets
import Formats
import Testing

struct PatternBoundsTests {
  /// Patterns that explode in a backtracking matcher. Only the pattern at `matching` matches its text.
  static let hostile: [(source: String, text: String)] = [
    ("^(a+)+$", String(repeating: "a", count: 5_000) + "b"),
    ("^(a|a)*$", String(repeating: "a", count: 5_000) + "b"),
    ("^(a|aa)+$", String(repeating: "a", count: 3_000) + "b"),
    ("(x+x+)+y", String(repeating: "x", count: 5_000)),
    ("^(.*?,){11}P", String(repeating: "1,", count: 2_500)),
    ("(.*)*z", String(repeating: "a", count: 5_000)),
    ("((((a*)*)*)*)*b", String(repeating: "a", count: 1_000)),
    ("(?:[ab]*?[cd])", String(repeating: "ab", count: 5_000)),
    (".*.*.*.*=.*", String(repeating: "a", count: 10_000)),
    ("\\s+$", String(repeating: " ", count: 10_000) + "x"),
    (".*x.*y.*z", String(repeating: "a", count: 10_000)),
    ("x[xa]*[cd]", String(repeating: "xa", count: 4_000)),
    ("(a|b)+$", String(repeating: "ab", count: 4_000) + "c"),
    (".{0,90}.{0,90}.{0,90}[cd]$", String(repeating: "a", count: 10_000) + "e"),
  ]

  @Test(arguments: hostile.indices, [Pattern.Dialect.ecma262, .re2])
  func `a hostile pattern is answered all the same`(index: Int, dialect: Pattern.Dialect) throws {
    let pattern = try Pattern(Self.hostile[index].source, dialect: dialect)
    // Work in proportion to the text: all but the last, which counts far, take fewer than four units for each byte.
    var budget = WorkBudget(units: 100 * Self.hostile[index].text.utf8.count)
    #expect(pattern.matches(Self.hostile[index].text, budget: &budget) == .noMatch)
    #expect(pattern.firstMatch(in: Self.hostile[index].text) == .notFound)
    #expect(pattern.allMatches(in: Self.hostile[index].text) == [])
  }

  @Test(
    arguments: [
      ("(?=b)|x(?=[xa]*[cd])", 50_000), ("^(?=(a+)+$)b", 50), ("^(a+)+\\1$", 1_000),
      ("(?=[xa]*b?[xa]*b?[xa]*[cd])", 4_000),
    ]
  )
  func `a hostile pattern that needs backtracking ends as too costly`(source: String, count: Int) throws {
    let text = source.contains("x") ? String(repeating: "xa", count: count) : String(repeating: "a", count: count) + "c"
    let pattern = try Pattern(source, dialect: .ecma262)
    #expect(pattern.matches(text) == .tooCostly)
    #expect(pattern.firstMatch(in: text) == .tooCostly)
    #expect(pattern.allMatches(in: text) == nil)
  }

  @Test func `an automaton with too many ways through a long text ends as too costly`() throws {
    let pattern = try Pattern("(?:.{0,90}.{0,90}){10}[cd]$", dialect: .re2)
    #expect(pattern.allMatches(in: String(repeating: "a", count: 5_000), automatonSteps: 50_000) == nil)
  }

  @Test func `many matches share one budget`() throws {
    let pattern = try Pattern("a(?:.*b)?", dialect: .re2)
    let text = String(repeating: "a", count: 1_000)
    #expect(pattern.allMatches(in: text, automatonSteps: 50_000) == nil)
    #expect(pattern.allMatches(in: text)?.count == 1_000)
  }

  @Test(arguments: [
    ("(a+)(b?)c", [0..<5003, 0..<5001, 5001..<5002], "b"), ("(a+?)(a*)c", [0..<5002, 0..<1, 1..<5001], ""),
    ("(?i)(A+)([K])?c", [0..<5005, 0..<5001, 5001..<5004], "\u{212A}"),
    ("\\b(\\p{Ll}+)(\\p{Lu}?)c", [0..<5004, 0..<5001, 5001..<5003], "Ä"),
  ])
  func `a long text has the same match and groups as a short one`(source: String, ranges: [Range<Int>], tail: String)
    throws
  {
    let pattern = try Pattern(source, dialect: .re2)
    let text = String(repeating: "a", count: 5_001) + tail + "c"
    #expect(pattern.firstMatch(in: text) == .found(PatternMatch(ranges: ranges)))
    #expect(pattern.matches(text) == .match)
    #expect(pattern.matches(String(text.dropLast())) == .noMatch)
  }

  @Test func `a pattern may be ten thousand code units long and no longer`() throws {
    let longest = String(repeating: "a", count: Pattern.defaultLengthMax)
    #expect(try Pattern(longest, dialect: .ecma262).matches(longest) == .match)
    #expect(try Pattern(longest, dialect: .re2).matches("a" + longest) == .match)
    let error = #expect(throws: PatternError.self) { try Pattern(longest + "a", dialect: .re2) }
    #expect(error?.reason == .tooLarge)
    #expect(throws: PatternError.self) { try Pattern("ab", dialect: .re2, lengthMax: 1) }
  }

  @Test(arguments: ["(", "[", "(?:", "(?i:", "a|(", "[^", "(?=", "(?<n>"], [Pattern.Dialect.ecma262, .re2])
  func `ten thousand openings are refused without harm`(opening: String, dialect: Pattern.Dialect) {
    let source = String(repeating: opening, count: Pattern.defaultLengthMax / opening.utf8.count)
    #expect(throws: PatternError.self) { try Pattern(source, dialect: dialect) }
  }

  @Test(arguments: [
    "(abcdef){60000}", "(((a{60}){60}){60}){60}", "(ab|c){65536}", "a{2000000}", "((((((a*)+)*)+)*)+){60000}",
  ])
  func `a pattern that would compile to too much is refused`(source: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(source, dialect: .ecma262) }
    #expect(error?.reason == .tooLarge)
  }

  @Test func `one pattern serves many threads at once`() async throws {
    let pattern = try Pattern("^(?<word>\\p{L}+)-(\\d{2,})$", dialect: .ecma262)
    let wrong = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<16 {
        group.addTask {
          var wrong = 0
          for round in 0..<2_000 {
            let number = worker * 10_000 + round + 10
            if pattern.matches("wört-\(number)") != .match { wrong += 1 }
            if pattern.matches("wört-\(number)x") != .noMatch { wrong += 1 }
            let digits = String(number).utf8.count
            let expected = PatternMatch(ranges: [0..<(6 + digits), 0..<5, 6..<(6 + digits)])
            if pattern.firstMatch(in: "wört-\(number)") != .found(expected) { wrong += 1 }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test func `groups may be nested two hundred deep`() throws {
    let source = String(repeating: "(a|", count: 200) + "b" + String(repeating: ")*", count: 200)
    #expect(try Pattern(source, dialect: .re2).matches("b") == .match)
    let error = #expect(throws: PatternError.self) { try Pattern("(" + source + ")", dialect: .re2) }
    #expect(error?.reason == .tooLarge)
  }

  @Test func `more groups than the shared space holds are reported all the same`() throws {
    let pattern = try Pattern(String(repeating: "(a)", count: 100), dialect: .re2)
    guard case .found(let match) = pattern.firstMatch(in: String(repeating: "a", count: 100)) else {
      Issue.record("no match")
      return
    }
    #expect(match.ranges.count == 101)
    #expect(match.ranges.last == 99..<100)
  }

  @Test(arguments: 0..<4)
  func `no pattern made at random does harm`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let pieces = [
      "a", "b", "ä", "🐲", ".", "^", "$", "(", ")", "(?:", "(?i:", "(?=", "(?<=", "(?<n>", "[", "]", "[^", "a-z", "\\d",
      "\\W",
      "\\b", "\\p{L}", "\\1", "\\k<n>", "*", "+", "?", "{2}", "{1,3}", "{3,}", "|", "\\u{1F432}", "\\x41", "-", "\\",
      "\\Q", "\\E", "(?s)",
      "[[:alpha:]]", "\\pN", "\0", "\n",
    ]
    let texts = ["", "a", "ab\nä🐲", String(repeating: "ab", count: 50)]
    var compiled = 0
    for _ in 0..<1_500 {
      let source = (0..<(1 + next(12))).map { _ in pieces[next(pieces.count)] }.joined()
      for dialect in [Pattern.Dialect.ecma262, .re2] {
        guard let pattern = try? Pattern(source, dialect: dialect) else { continue }
        compiled += 1
        for text in texts {
          let outcome = pattern.matches(text)
          guard case .found(let match) = pattern.firstMatch(in: text) else {
            #expect(outcome != .match, "\(source)")
            continue
          }
          #expect(outcome == .match, "\(source)")
          for case let range? in match.ranges { #expect(range.upperBound <= text.utf8.count) }
          #expect(pattern.allMatches(in: text) != [], "\(source)")
        }
      }
    }
    #expect(compiled > 100)
  }

  @Test(arguments: 0..<4)
  func `short and long texts are matched alike`(seed: UInt64) {
    var state = (seed + 1) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let pieces = [
      "a", "b", "ä", "[ab]", "[^a]", ".", "(?:a|b)", "(?:ab|a)", "(?i:B)", "\\b", "(?m:^)", "(?m:$)", "\\pL", "\\n",
      "a|b",
    ]
    let counts = ["", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}"]
    // After a filler that no piece matches, the text is long, and goes to the automaton.
    let filler = String(repeating: "-", count: 4_100)
    for _ in 0..<60 {
      let source = (0..<(1 + next(5))).map { _ in pieces[next(pieces.count)] + counts[next(counts.count)] }.joined()
      guard let pattern = try? Pattern("x(?:\(source))y", dialect: .re2) else { continue }
      for _ in 0..<6 {
        let letters = ["a", "b", "ä", "B", "\n", "x", "y", " "]
        let text = "x" + (0..<next(7)).map { _ in letters[next(letters.count)] }.joined() + "y"
        guard pattern.matches(filler + "x*y") != .tooCostly else { continue }
        let short = pattern.matches(text)
        #expect(pattern.matches(filler + text) == short, "\(source) on \(text)")
        if case .found(let first) = pattern.firstMatch(in: text),
          case .found(let second) = pattern.firstMatch(in: filler + text)
        {
          #expect(first.range.lowerBound + 4_100 == second.range.lowerBound, "\(source) on \(text)")
          #expect(first.range.upperBound + 4_100 == second.range.upperBound, "\(source) on \(text)")
        } else {
          #expect(short == .noMatch, "\(source) on \(text)")
        }
      }
    }
  }

  @Test(arguments: [
    ("[ -]", "DE89 3704-0044", "DE8937040044"), ("a+", "aaa", ""), ("a*", "baac", "bc"), ("^a", "aab", "ab"),
    ("a$", "baa", "ba"), ("x*", "é한x👪", "é한👪"), (".", "👪\n", "\n"), ("(a)(b)?", "abac", "c"), ("z", "", ""),
    ("\\D", "+82 10-1234", "82101234"),
  ])
  func `what matches is removed`(_ pattern: String, _ text: String, _ expected: String) throws {
    var budget = WorkBudget(units: 1_000)
    let removed = try Pattern(pattern, dialect: .re2).replacingMatches(in: text, with: "", budget: &budget)
    #expect(removed == expected)
    #expect(budget.unitsLeft < 1_000 || text.isEmpty)
  }

  @Test(arguments: ["[ -]", "(a|aa)+x", "(x+x+)+y", "a"])
  func `removing spends for every byte, and nothing is removed when too little is left`(_ source: String) throws {
    let pattern = try Pattern(source, dialect: .re2)
    for letters in ["a", "a ", "xa"] {
      let text = String(repeating: letters, count: 5_000)
      var rich = WorkBudget(units: 20_000_000)
      let removed = try #require(pattern.replacingMatches(in: text, with: "", budget: &rich))
      #expect(
        removed
          == pattern.allMatches(in: text)?.reversed().reduce(into: Array(text.utf8)) { $0.removeSubrange($1.range) }
          .withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      )
      #expect(20_000_000 - rich.unitsLeft >= text.utf8.count / 2)
      var poor = WorkBudget(units: text.utf8.count / 4)
      #expect(pattern.replacingMatches(in: text, with: "", budget: &poor) == nil)
      #expect(poor.isSpent)
    }
  }
}
