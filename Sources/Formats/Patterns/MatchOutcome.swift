/// Whether a text contains a match of a pattern.
public enum MatchOutcome: Hashable, Sendable {
  /// The pattern matches somewhere in the text.
  case match
  /// The pattern matches nowhere in the text.
  case noMatch
  /// The bounds on time or memory were reached first; nothing is known about the text.
  case tooCostly
}

/// One match of a pattern.
public struct PatternMatch: Hashable, Sendable {
  /// The whole match first, then one entry per capturing group, in UTF-8 offsets into the text; nil for a group that
  /// took no part.
  public let ranges: [Range<Int>?]

  /// Makes a match; `ranges` has the whole match first.
  public init(ranges: [Range<Int>?]) { self.ranges = ranges }

  /// The whole match.
  public var range: Range<Int> { ranges[0] ?? 0..<0 }
}

/// The result of a search for a pattern's first match.
public enum SearchOutcome: Hashable, Sendable {
  /// The leftmost match.
  case found(PatternMatch)
  /// The pattern matches nowhere in the text.
  case notFound
  /// The bounds on time or memory were reached first.
  case tooCostly
}
