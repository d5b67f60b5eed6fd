/// A cursor over the code points of a pattern, with the state that both parsers keep while they read.
struct PatternReader {
  /// Groups and classes inside one another; a limit because the parsers and everything behind them recurse.
  static let nestingMax = 200

  let scalars: [UInt32]
  var position = 0
  var groupNames: [String?] = []
  var needsBacktracking = false
  private var nesting = 0

  init(_ source: String) {
    scalars = source.unicodeScalars.map(\.value)
  }

  var isAtEnd: Bool { position >= scalars.count }

  /// The code point `distance` ahead, or nil past the end.
  func peek(_ distance: Int = 0) -> UInt32? {
    let index = position + distance
    return index < scalars.count ? scalars[index] : nil
  }

  func sees(_ text: StaticString) -> Bool {
    var index = position
    for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
      guard index < scalars.count, scalars[index] == UInt32(byte) else { return false }
      index += 1
    }
    return true
  }

  /// Steps over `text` (ASCII) when it comes next.
  mutating func eat(_ text: StaticString) -> Bool {
    guard sees(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  mutating func next() -> UInt32? {
    guard position < scalars.count else { return nil }
    defer { position += 1 }
    return scalars[position]
  }

  mutating func enterGroup(at offset: Int) throws(PatternError) {
    nesting += 1
    if nesting > Self.nestingMax {
      throw .tooLarge("groups are nested more than \(Self.nestingMax) levels deep", at: offset)
    }
  }

  mutating func leaveGroup() { nesting -= 1 }

  /// Decimal digits as a number, held at a bound far above every limit so that it cannot overflow; nil without a digit.
  mutating func decimal() -> Int? {
    var value: Int?
    while let scalar = peek(), scalar >= 0x30, scalar <= 0x39 {
      value = min((value ?? 0) * 10 + Int(scalar - 0x30), 1_000_000_000)
      position += 1
    }
    return value
  }

  /// Exactly `count` hexadecimal digits; nil (and no step) when they are not there.
  mutating func hexadecimal(count: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<count {
      guard let scalar = peek(index), let digit = Self.hexDigit(scalar) else { return nil }
      value = value << 4 | digit
    }
    position += count
    return value
  }

  /// Hexadecimal digits up to a closing brace, which is stepped over, as a code point; nil when malformed or too large.
  mutating func bracedHexadecimal() -> UInt32? {
    var value: UInt32 = 0
    var isEmpty = true
    while let scalar = peek(), let digit = Self.hexDigit(scalar) {
      value = value << 4 | digit
      guard value <= 0x10FFFF else { return nil }
      isEmpty = false
      position += 1
    }
    return !isEmpty && eat("}") ? value : nil
  }

  func text(from start: Int, to end: Int) -> String {
    var result = String.UnicodeScalarView()
    for value in scalars[start..<end] { result.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    return String(result)
  }

  static func hexDigit(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x30...0x39: scalar - 0x30
    case 0x41...0x46: scalar - 0x37
    case 0x61...0x66: scalar - 0x57
    default: nil
    }
  }

  static func isDigit(_ scalar: UInt32?) -> Bool {
    guard let scalar else { return false }
    return scalar >= 0x30 && scalar <= 0x39
  }

  static func isLetter(_ scalar: UInt32) -> Bool {
    (scalar >= 0x41 && scalar <= 0x5A) || (scalar >= 0x61 && scalar <= 0x7A)
  }
}

/// A character of pattern syntax, so that the parsers read as the grammars do.
func code(_ character: Unicode.Scalar) -> UInt32 { character.value }
