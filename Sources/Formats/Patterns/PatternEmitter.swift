/// Writes a parsed pattern in the one spelling of PCRE2 that leaves nothing to its dialect: code points in
/// hexadecimal, groups for every precedence, anchors that know no flags.
struct PatternEmitter {
  /// PCRE2 counts a repetition in 16 bits; one class or character may repeat more often, in several pieces.
  private static let pieceMax = 65_535
  private static let repeatMax = 1_000_000

  private(set) var bytes: [UInt8] = []
  /// The positions of the source's parts in the output, in rising order, so that an error of PCRE2 gets its position in
  /// the source.
  private var marks: [(output: Int, source: Int)] = []

  /// Whether most of the pattern folds case: then the whole is compiled that way, and only the rest is marked. A mark
  /// is a group, and a repeated group is slower than a repeated character.
  private(set) var foldsCase = false

  static func emit(_ pattern: ParsedPattern) throws(PatternError) -> PatternEmitter {
    var emitter = PatternEmitter()
    var balance = 0
    weighCase(pattern.root, into: &balance)
    emitter.foldsCase = balance > 0
    try emitter.write(pattern.root)
    return emitter
  }

  /// The position in the source for a position in `bytes`.
  func sourceOffset(of output: Int) -> Int { marks.last { $0.output <= output }?.source ?? 0 }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func write(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .empty:
      return
    case .scalar(let scalar, let folds):
      let isMarked = needsMark(scalar, folds: folds)
      if isMarked { putMark() }
      put(scalar: scalar)
      if isMarked { put(")") }
    case .set(let set):
      let isMarked = needsMark(set)
      if isMarked { putMark() }
      write(set)
      if isMarked { put(")") }
    case .sequence(let nodes):
      try write(sequence: nodes)
    case .alternation(let nodes):
      put("(?:")
      for (index, inner) in nodes.enumerated() {
        if index > 0 { put("|") }
        try write(inner)
      }
      put(")")
    case .capture(let inner, _):
      put("(")
      try write(inner)
      put(")")
    case .repetition(let inner, let minimum, let maximum, let isLazy, let offset):
      marks.append((bytes.count, offset))
      try write(inner, minimum: minimum, maximum: maximum, isLazy: isLazy, offset: offset)
    case .anchor(let anchor):
      write(anchor)
    case .look(let inner, let isBehind, let isNegative, let offset):
      marks.append((bytes.count, offset))
      put(isBehind ? "(?<" : "(?")
      put(isNegative ? "!" : "=")
      try write(inner)
      put(")")
      marks.append((bytes.count, offset))
    case .backreference(let number):
      put("\\g{\(number)}")
    }
  }

  /// Neighbors that need the same mark share one group: PCRE2 then sees a string and not single characters.
  private mutating func write(sequence nodes: [PatternNode]) throws(PatternError) {
    var isMarked = false
    for node in nodes {
      if case .scalar(let scalar, let folds) = node, needsMark(scalar, folds: folds) {
        if !isMarked { putMark() }
        isMarked = true
        put(scalar: scalar)
        continue
      }
      if isMarked { put(")") }
      isMarked = false
      try write(node)
    }
    if isMarked { put(")") }
  }

  private mutating func putMark() { put(foldsCase ? "(?-i:" : "(?i:") }

  private func needsMark(_ scalar: UInt32, folds: Bool) -> Bool { folds != foldsCase && Self.hasCase(scalar) }

  private func needsMark(_ set: PatternSet) -> Bool { set.foldsCase != foldsCase && Self.hasCase(set) }

  /// False only if folding case cannot change anything.
  private static func hasCase(_ scalar: UInt32) -> Bool { scalar >= 0x80 || PatternReader.isLetter(scalar) }

  private static func hasCase(_ set: PatternSet) -> Bool {
    let ranges = set.normalizedRanges
    if set.properties.isEmpty, ranges.isEmpty || ranges == PatternSet.normalize(PatternSet.everything) { return false }
    return !set.properties.isEmpty
      || ranges.contains { range in
        range.upperBound >= 0x80 || range.overlaps(0x41...0x5A) || range.overlaps(0x61...0x7A)
      }
  }

  private static func weighCase(_ node: PatternNode, into balance: inout Int) {
    switch node {
    case .scalar(let scalar, let folds):
      if hasCase(scalar) { balance += folds ? 1 : -1 }
    case .set(let set):
      if hasCase(set) { balance += set.foldsCase ? 1 : -1 }
    case .sequence(let nodes), .alternation(let nodes):
      for inner in nodes { weighCase(inner, into: &balance) }
    case .capture(let inner, _), .repetition(let inner, _, _, _, _), .look(let inner, _, _, _):
      weighCase(inner, into: &balance)
    case .backreference, .empty, .anchor:
      return
    }
  }

  private mutating func write(_ anchor: PatternAnchor) {
    switch anchor {
    case .textStart: put("\\A")
    case .textEnd: put("\\z")
    case .lineStart: put("(?:\\A|(?<=\\n))")
    case .lineEnd: put("(?:\\z|(?=\\n))")
    case .wordBoundary: put("\\b")
    case .noWordBoundary: put("\\B")
    }
  }

  private mutating func write(
    _ inner: PatternNode,
    minimum: Int,
    maximum: Int?,
    isLazy: Bool,
    offset: Int
  ) throws(PatternError) {
    let largest = max(minimum, maximum ?? 0)
    guard largest > Self.pieceMax else {
      try writeAtom(inner)
      put(minimum: minimum, maximum: maximum, isLazy: isLazy)
      return
    }
    switch inner {
    case .scalar, .set: break
    default: throw .tooLarge("a group repeats more than \(Self.pieceMax) times", at: offset)
    }
    guard largest <= Self.repeatMax else {
      throw .tooLarge("a repeat count is above \(Self.repeatMax)", at: offset)
    }
    var required = minimum
    while required > 0 {
      let piece = min(required, Self.pieceMax)
      try writeAtom(inner)
      put(minimum: piece, maximum: piece, isLazy: false)
      required -= piece
    }
    guard let maximum else {
      try writeAtom(inner)
      put(minimum: 0, maximum: nil, isLazy: isLazy)
      return
    }
    var optional = maximum - minimum
    while optional > 0 {
      let piece = min(optional, Self.pieceMax)
      try writeAtom(inner)
      put(minimum: 0, maximum: piece, isLazy: isLazy)
      optional -= piece
    }
  }

  private mutating func writeAtom(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .scalar, .set, .capture, .alternation:
      try write(node)
    default:
      put("(?:")
      try write(node)
      put(")")
    }
  }

  private mutating func put(minimum: Int, maximum: Int?, isLazy: Bool) {
    switch (minimum, maximum) {
    case (0, nil): put("*")
    case (1, nil): put("+")
    case (0, 1): put("?")
    case (_, nil): put("{\(minimum),}")
    case (_, let maximum?): put(minimum == maximum ? "{\(minimum)}" : "{\(minimum),\(maximum)}")
    }
    if isLazy { put("?") }
  }

  private mutating func put(scalar: UInt32) {
    if PatternReader.isLetter(scalar) || PatternReader.isDigit(scalar) {
      bytes.append(UInt8(scalar))
    } else if scalar >= 0xD800, scalar <= 0xDFFF {
      // Half a surrogate pair: no text holds one.
      put("(?!)")
    } else {
      put("\\x{\(String(scalar, radix: 16))}")
    }
  }

  /// A class. A plain `.` is any character at all: the whole is compiled with PCRE2_DOTALL.
  private mutating func write(_ set: PatternSet) {
    let ranges = set.normalizedRanges
    if set.properties.isEmpty {
      let isFull = ranges.count == 2 && ranges[0] == 0...0xD7FF && ranges[1] == 0xE000...0x10FFFF
      if ranges.isEmpty { return put(set.isNegated ? "." : "(?!)") }
      if isFull { return put(set.isNegated ? "(?!)" : ".") }
    }
    put(set.isNegated ? "[^" : "[")
    for range in ranges {
      put(scalar: range.lowerBound)
      if range.upperBound > range.lowerBound {
        if range.upperBound > range.lowerBound + 1 { put("-") }
        put(scalar: range.upperBound)
      }
    }
    for property in set.properties {
      marks.append((bytes.count, property.offset))
      put(property.isNegated ? "\\P{" : "\\p{")
      put(property.name)
      put("}")
    }
    put("]")
  }
}
