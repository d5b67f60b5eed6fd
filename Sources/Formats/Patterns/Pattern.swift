public import Budgets

/// A regular expression: compiled once, then matched any number of times, from any thread, without allocating.
///
/// A pattern never takes the process hostage: its length is limited when it is compiled, and the work of a match is
/// bounded; a match that reaches the bound ends as ``MatchOutcome/tooCostly``. That concerns few: patterns that look
/// around or refer back on hostile texts or, when they begin anywhere and repeat without bound, on texts over 16 KiB;
/// and very large patterns on very large texts.
public struct Pattern: Sendable {
  /// Whose rules a pattern is written by.
  public enum Dialect: Hashable, Sendable {
    /// ECMA-262 with the `u` flag, unanchored: the regular expressions of JSON Schema.
    case ecma262
    /// RE2: the regular expressions of CEL. It has no back references and no look-around.
    case re2
  }

  /// UTF-8 code units that a pattern may have unless the caller says otherwise: far beyond any that a person wrote.
  public static let defaultLengthMax = 10_000

  /// The same if programs may have written the patterns, such as long lists of alternatives.
  public static let generatedLengthMax = 65_536

  /// The syntax that is accepted in addition to the dialect.
  public enum Leniency: Hashable, Sendable {
    /// Nothing.
    case none
    /// ECMA-262: a backslash before a character that is neither a letter nor a digit means that character, as in
    /// browsers (Annex B).
    case needlessEscapes
  }

  /// The unchanged pattern.
  public let source: String
  /// The rules it was read by.
  public let dialect: Dialect
  /// One entry per capturing group in order: its name, or nil.
  public let groupNames: [String?]

  private let compiled: CompiledPattern
  /// How ``matches(validUTF8:budget:)`` is answered in one pass, for callers that keep the pattern alive and match
  /// often; nil when it needs an engine.
  package var quick: QuickPattern? { compiled.quick }

  /// The number of capturing groups.
  public var captureCount: Int { groupNames.count }

  /// Compiles `source`, which may have up to `lengthMax` UTF-8 code units.
  ///
  /// Throws a ``PatternError`` with the error and its position.
  public init(
    _ source: String,
    dialect: Dialect,
    lengthMax: Int = Pattern.defaultLengthMax,
    leniency: Leniency = .none
  ) throws(PatternError) {
    let parsed = try Self.parse(source, dialect: dialect, lengthMax: lengthMax, leniency)
    self.source = source
    self.dialect = dialect
    groupNames = parsed.groupNames
    compiled = try CompiledPattern(parsed)
  }

  /// Why `source` is not a regular expression of `dialect`, or nil when it is one.
  ///
  /// Only the language is judged: an expression may be right and still be of a kind that
  /// ``init(_:dialect:lengthMax:leniency:)`` refuses, such as looking behind at a text of any length.
  public static func syntaxError(
    in source: String,
    dialect: Dialect,
    lengthMax: Int = Pattern.defaultLengthMax
  ) -> PatternError? {
    do {
      _ = try parse(source, dialect: dialect, lengthMax: lengthMax, .none)
      return nil
    } catch {
      return error
    }
  }

  private static func parse(
    _ source: String,
    dialect: Dialect,
    lengthMax: Int,
    _ leniency: Leniency
  ) throws(PatternError) -> ParsedPattern {
    let length = source.utf8.count
    guard length <= lengthMax else {
      throw .tooLarge("the pattern has \(length) code units; the maximum is \(lengthMax)", at: 0)
    }
    switch dialect {
    case .ecma262: return try ECMAPatternParser.parse(source, leniency)
    case .re2: return try RE2PatternParser.parse(source)
    }
  }

  /// Whether a match is anywhere in `text`, within the bounds of each match.
  public func matches(_ text: borrowing String) -> MatchOutcome {
    var text = copy text
    return text.withUTF8 { compiled.matches($0) }
  }

  /// The same, spending from a budget; `tooCostly` also when that has too little left.
  @inline(__always)
  public func matches(_ text: borrowing String, budget: inout WorkBudget) -> MatchOutcome {
    var text = copy text
    return text.withUTF8 { matches(validUTF8: $0, budget: &budget) }
  }

  /// The same for a text that must be valid UTF-8: it is not checked again.
  public func matches(validUTF8 text: UnsafeBufferPointer<UInt8>, budget: inout WorkBudget) -> MatchOutcome {
    compiled.matches(text, budget: &budget)
  }

  /// The first match in `text` that begins at the UTF-8 offset `start` or later (clamped to the text and to the start
  /// of a character).
  public func firstMatch(in text: borrowing String, from start: Int = 0) -> SearchOutcome {
    var text = copy text
    return text.withUTF8 { bytes in
      var budget = CompiledPattern.Budget(isShared: false)
      return search(bytes, from: start, budget: &budget)
    }
  }

  /// All matches in `text` from left to right that do not overlap, at most `countMax`; nil when it was too costly.
  ///
  /// An empty match right behind another one does not count, as in RE2 and Go.
  public func allMatches(in text: borrowing String, countMax: Int = .max) -> [PatternMatch]? {
    allMatches(in: text, countMax: countMax, automatonSteps: CompiledPattern.Budget.automatonStepsMax)
  }

  /// The same with a bound on the work that a test can reach soon.
  package func allMatches(
    in text: borrowing String,
    countMax: Int = .max,
    automatonSteps: Int
  ) -> [PatternMatch]? {
    var text = copy text
    return text.withUTF8 { bytes -> [PatternMatch]? in
      var matches: [PatternMatch] = []
      var position = 0
      var previousEnd = -1
      var budget = CompiledPattern.Budget(automatonSteps: automatonSteps, isShared: true)
      while position <= bytes.count, matches.count < countMax {
        switch search(bytes, from: position, budget: &budget) {
        case .tooCostly: return nil
        case .notFound: return matches
        case .found(let match):
          let range = match.range
          if !range.isEmpty || range.lowerBound != previousEnd { matches.append(match) }
          previousEnd = range.upperBound
          position = range.upperBound
          if range.isEmpty {
            position += 1
            while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
          }
        }
      }
      return matches
    }
  }

  /// The text with another text in place of each match, found as by ``allMatches(in:countMax:)``. Empty matches stay as
  /// they are. It is nil when that takes more than the budget has, or than the bounds of a match.
  public func replacingMatches(in text: String, with other: String, budget: inout WorkBudget) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      var kept: [UInt8] = []
      var position = 0
      while position < bytes.count {
        switch compiled.firstRange(in: bytes, from: position, budget: &budget) {
        case .tooCostly: return nil
        case .notFound:
          kept += bytes[position...]
          position = bytes.count
        case .found(let match):
          // Past an empty match there is a character to keep.
          var next = match.range.upperBound
          if match.range.isEmpty {
            next = min(next + 1, bytes.count)
            while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
            kept += bytes[position..<next]
          } else {
            kept += bytes[position..<match.range.lowerBound]
            kept += other.utf8
          }
          position = next
        }
      }
      return String(decoding: kept, as: UTF8.self)
    }
  }

  private func search(
    _ bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
    budget: inout CompiledPattern.Budget
  ) -> SearchOutcome {
    var start = min(max(0, start), bytes.count)
    while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
    return compiled.search(bytes, from: start, groupCount: captureCount, budget: &budget)
  }
}

extension Pattern: Hashable {
  /// Patterns are equal when text (by code points) and dialect are.
  public static func == (first: Pattern, second: Pattern) -> Bool {
    first.dialect == second.dialect && first.source.utf8.elementsEqual(second.source.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(dialect)
    for byte in source.utf8 { hasher.combine(byte) }
  }
}
