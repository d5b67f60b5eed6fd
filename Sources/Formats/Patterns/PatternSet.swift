/// One position of a pattern that admits several characters: `[a-z]`, `\d`, `.`, `\p{Lu}`.
struct PatternSet: Sendable {
  /// A Unicode property in the spelling that PCRE2 10.42 takes between the braces of `\p{}`.
  struct Property: Sendable {
    var name: String
    var isNegated: Bool
    var offset: Int
  }

  var ranges: [ClosedRange<UInt32>] = []
  var properties: [Property] = []
  /// Negates all of the above together.
  var isNegated = false
  var foldsCase = false

  init(_ ranges: [ClosedRange<UInt32>] = [], isNegated: Bool = false) {
    self.ranges = ranges
    self.isNegated = isNegated
  }

  mutating func insert(_ scalar: UInt32) { ranges.append(scalar...scalar) }

  mutating func insert(_ more: [ClosedRange<UInt32>]) { ranges.append(contentsOf: more) }

  /// The ranges in order, joined if they touch, without the surrogates: no text of ours can hold one.
  var normalizedRanges: [ClosedRange<UInt32>] { Self.normalize(ranges) }

  static func normalize(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var pieces: [ClosedRange<UInt32>] = []
    for range in ranges {
      if range.lowerBound < 0xD800 { pieces.append(range.lowerBound...min(range.upperBound, 0xD7FF)) }
      if range.upperBound > 0xDFFF { pieces.append(max(range.lowerBound, 0xE000)...range.upperBound) }
    }
    pieces.sort { $0.lowerBound < $1.lowerBound }
    var result: [ClosedRange<UInt32>] = []
    for piece in pieces {
      if let last = result.last, piece.lowerBound <= last.upperBound + 1 {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, piece.upperBound)
      } else {
        result.append(piece)
      }
    }
    return result
  }

  static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in normalize(ranges) {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return result
  }

  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  static let wordCharacters: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  /// WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
  static let ecmaSpaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]
  /// The characters that `.` leaves out in ECMA-262.
  static let ecmaLineTerminators: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]
  /// `\s` of RE2: no vertical tab.
  static let re2Spaces: [ClosedRange<UInt32>] = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
  static let everything: [ClosedRange<UInt32>] = [0...0x10FFFF]

  /// `[[:name:]]` of RE2; nil for a name that it does not know.
  static func posix(_ name: String) -> [ClosedRange<UInt32>]? {
    switch name {
    case "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
    case "alpha": [0x41...0x5A, 0x61...0x7A]
    case "ascii": [0x00...0x7F]
    case "blank": [0x09...0x09, 0x20...0x20]
    case "cntrl": [0x00...0x1F, 0x7F...0x7F]
    case "digit": digits
    case "graph": [0x21...0x7E]
    case "lower": [0x61...0x7A]
    case "print": [0x20...0x7E]
    case "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]
    case "space": [0x09...0x0D, 0x20...0x20]
    case "upper": [0x41...0x5A]
    case "word": wordCharacters
    case "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66]
    default: nil
    }
  }
}
