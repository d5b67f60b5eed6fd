/// A regular expression as both dialects mean it, after parsing: no flags are left, every shorthand is spelled out.
/// Both parsers produce these nodes, so all later steps exist once.
indirect enum PatternNode: Sendable {
  case empty
  case scalar(UInt32, foldsCase: Bool)
  case set(PatternSet)
  case sequence([PatternNode])
  case alternation([PatternNode])
  case capture(PatternNode, index: Int)
  /// `maximum` nil means without bound; `minimum <= maximum` always.
  case repetition(PatternNode, minimum: Int, maximum: Int?, isLazy: Bool, offset: Int)
  case anchor(PatternAnchor)
  case look(PatternNode, isBehind: Bool, isNegative: Bool, offset: Int)
  /// The number of a group of this pattern, counted from 1.
  case backreference(Int)
}

/// A position between characters.
enum PatternAnchor: Sendable {
  case textStart
  case textEnd
  case lineStart
  case lineEnd
  /// ASCII words, as both dialects have it.
  case wordBoundary
  case noWordBoundary
}

/// The result of a parser.
struct ParsedPattern: Sendable {
  var root: PatternNode
  /// One entry per capturing group, in order of the opening parentheses; nil is a group without a name.
  var groupNames: [String?]
  /// True when the pattern looks around or refers back, so that no automaton can run it.
  var needsBacktracking: Bool
}
