/// Whether a text holds what a pattern describes.
public enum MatchOutcome: Hashable, Sendable {
  case match
  case noMatch
  /// The bounds on time or memory were reached first; nothing is known about the text.
  case tooCostly
}

/// One place where a pattern matches.
public struct PatternMatch: Hashable, Sendable {
  /// The whole match first, then one entry per capturing group, in UTF-8 offsets into the text; nil for a group that
  /// took no part.
  public let ranges: [Range<Int>?]

  /// Makes a match; `ranges` has the whole match first.
  public init(ranges: [Range<Int>?]) { self.ranges = ranges }

  /// The whole match.
  public var range: Range<Int> { ranges[0] ?? 0..<0 }
}

/// Where a pattern matches first.
public enum SearchOutcome: Hashable, Sendable {
  case found(PatternMatch)
  case notFound
  /// The bounds on time or memory were reached first.
  case tooCostly
}
