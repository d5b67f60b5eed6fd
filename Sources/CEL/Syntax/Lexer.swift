/// Splits the source of an expression into tokens (langdef.md, "Syntax").
///
/// The lexer never stops at an error: it reports, puts an invalid token there, and goes on behind it.
struct Lexer {
  let source: [UInt8]
  private(set) var position = 0

  init(source: [UInt8]) {
    self.source = source
  }

  /// All tokens; the last one is `.end`.
  mutating func tokens(reportingTo errors: inout ProblemCollector) -> [Token] {
    var tokens: [Token] = []
    tokens.reserveCapacity(source.count / 3 + 1)
    repeat {
      let known = errors.count
      tokens.append(next(&errors))
      tokens[tokens.count - 1].end = position
      // A problem within a token covers the whole token.
      errors.extend(from: known, to: position)
    } while tokens[tokens.count - 1].kind != .end
    return tokens
  }

  private func byte(_ ahead: Int = 0) -> UInt8? {
    position + ahead < source.count ? source[position + ahead] : nil
  }

  private mutating func skipBlanks() {
    while let unit = byte() {
      switch unit {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
        position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while let unit = byte(), unit != 0x0A { position += 1 }
      default:
        return
      }
    }
  }

  private mutating func next(_ errors: inout ProblemCollector) -> Token {
    skipBlanks()
    let start = position
    guard let unit = byte() else { return Token(kind: .end, start: start) }
    switch unit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return Token(kind: number(&errors), start: start)
    case UInt8(ascii: "."):
      if let digit = byte(1), digit.isDigit { return Token(kind: number(&errors), start: start) }
      return punctuation(.dot, 1)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return Token(kind: quoted(raw: false, bytes: false, start: start, &errors), start: start)
    case UInt8(ascii: "`"):
      return Token(kind: quotedIdentifier(&errors), start: start)
    case _ where unit.isNameStart:
      if let prefixed = prefixedString(start: start, &errors) { return Token(kind: prefixed, start: start) }
      while let unit = byte(), unit.isNameStart || unit.isDigit { position += 1 }
      return Token(kind: Self.word(String(decoding: source[start..<position], as: UTF8.self)), start: start)
    default:
      return operatorToken(unit, &errors)
    }
  }

  private static func word(_ word: String) -> Token.Kind {
    switch word {
    case "true": .literal(.bool(true))
    case "false": .literal(.bool(false))
    case "null": .literal(.null)
    case "in": .punctuation(.in)
    default: .identifier(word)
    }
  }

  private mutating func punctuation(_ kind: Token.Punctuation, _ length: Int) -> Token {
    let start = position
    position += length
    return Token(kind: .punctuation(kind), start: start)
  }

  private mutating func operatorToken(_ unit: UInt8, _ errors: inout ProblemCollector) -> Token {
    let following = byte(1)
    switch unit {
    case UInt8(ascii: "=") where following == UInt8(ascii: "="): return punctuation(.equal, 2)
    case UInt8(ascii: "!"):
      return following == UInt8(ascii: "=") ? punctuation(.notEqual, 2) : punctuation(.not, 1)
    case UInt8(ascii: "<"):
      return following == UInt8(ascii: "=") ? punctuation(.lessOrEqual, 2) : punctuation(.less, 1)
    case UInt8(ascii: ">"):
      return following == UInt8(ascii: "=") ? punctuation(.greaterOrEqual, 2) : punctuation(.greater, 1)
    case UInt8(ascii: "&") where following == UInt8(ascii: "&"): return punctuation(.and, 2)
    case UInt8(ascii: "|") where following == UInt8(ascii: "|"): return punctuation(.or, 2)
    case UInt8(ascii: "["): return punctuation(.leftBracket, 1)
    case UInt8(ascii: "]"): return punctuation(.rightBracket, 1)
    case UInt8(ascii: "{"): return punctuation(.leftBrace, 1)
    case UInt8(ascii: "}"): return punctuation(.rightBrace, 1)
    case UInt8(ascii: "("): return punctuation(.leftParenthesis, 1)
    case UInt8(ascii: ")"): return punctuation(.rightParenthesis, 1)
    case UInt8(ascii: ","): return punctuation(.comma, 1)
    case UInt8(ascii: "-"): return punctuation(.minus, 1)
    case UInt8(ascii: "?"): return punctuation(.question, 1)
    case UInt8(ascii: ":"): return punctuation(.colon, 1)
    case UInt8(ascii: "+"): return punctuation(.plus, 1)
    case UInt8(ascii: "*"): return punctuation(.star, 1)
    case UInt8(ascii: "/"): return punctuation(.slash, 1)
    case UInt8(ascii: "%"): return punctuation(.percent, 1)
    default:
      let start = position
      position += 1
      while let unit = byte(), unit & 0xC0 == 0x80 { position += 1 }
      let text = String(decoding: source[start..<position], as: UTF8.self)
      let remedy = ForeignWord.sign(at: start, in: source).map { "; \($0.advice)" } ?? ""
      errors.report("unexpected character '\(text)'\(remedy)", at: start)
      return Token(kind: .invalid, start: start)
    }
  }

  /// A field name in backquotes: letters, digits and `_ . - /` and space (langdef.md, "Syntax", ESC_IDENT).
  private mutating func quotedIdentifier(_ errors: inout ProblemCollector) -> Token.Kind {
    let start = position
    position += 1
    while let unit = byte(), unit != UInt8(ascii: "`"), unit != 0x0A { position += 1 }
    guard byte() == UInt8(ascii: "`") else {
      errors.report("a name in backquotes is not closed", at: start)
      return .invalid
    }
    let name = source[(start + 1)..<position]
    position += 1
    let extra: [UInt8] = [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: " ")]
    guard !name.isEmpty, name.allSatisfy({ $0.isNameStart || $0.isDigit || extra.contains($0) }) else {
      let message = "a name in backquotes can contain only letters, digits, '_', '.', '-', '/' and spaces"
      errors.report("\(message); a text is written in quotes, and joined with '+'", at: start)
      return .invalid
    }
    return .quotedIdentifier(String(decoding: name, as: UTF8.self))
  }

  /// A string with a prefix (`r`, `b` or `br` in either case), if one begins here.
  private mutating func prefixedString(start: Int, _ errors: inout ProblemCollector) -> Token.Kind? {
    var isBytes = false
    var isRaw = false
    var length = 0
    if let unit = byte(), unit | 0x20 == UInt8(ascii: "b") {
      isBytes = true
      length += 1
    }
    if let unit = byte(length), unit | 0x20 == UInt8(ascii: "r") {
      isRaw = true
      length += 1
    }
    guard length > 0, let quote = byte(length), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    position += length
    return quoted(raw: isRaw, bytes: isBytes, start: start, &errors)
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isNameStart: Bool { (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")) || self == 0x5F }
  var hexadecimalValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

extension Lexer {
  /// Moves on by a number of bytes that the caller has looked at.
  fileprivate mutating func advance(_ count: Int = 1) { position += count }

  /// The number that begins here. Integers carry no sign; the parser puts it on.
  fileprivate mutating func number(_ errors: inout ProblemCollector) -> Token.Kind {
    let start = position
    if byte() == UInt8(ascii: "0"), let x = byte(1), x | 0x20 == UInt8(ascii: "x"), byte(2)?.hexadecimalValue != nil {
      advance(2)
      while byte()?.hexadecimalValue != nil { advance() }
      return integer(digits: start + 2, radix: 16, start: start, &errors)
    }
    while let unit = byte(), unit.isDigit { advance() }
    var isDouble = false
    if byte() == UInt8(ascii: "."), let unit = byte(1), unit.isDigit {
      isDouble = true
      advance()
      while let unit = byte(), unit.isDigit { advance() }
    }
    if let unit = byte(), unit | 0x20 == UInt8(ascii: "e") {
      let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
      if let unit = byte(1 + sign), unit.isDigit {
        isDouble = true
        advance(1 + sign)
        while let unit = byte(), unit.isDigit { advance() }
      }
    }
    guard isDouble else { return integer(digits: start, radix: 10, start: start, &errors) }
    // Swift accepts the numbers of C's strtod; a value beyond the range becomes infinite there, which no literal may
    // be.
    guard let value = Double(String(decoding: source[start..<position], as: UTF8.self)), value.isFinite else {
      errors.report("the number is beyond the range of double", at: start)
      return .invalid
    }
    return .literal(.double(value))
  }

  private mutating func integer(
    digits: Int,
    radix: Int,
    start: Int,
    _ errors: inout ProblemCollector
  ) -> Token.Kind {
    let text = String(decoding: source[digits..<position], as: UTF8.self)
    let isUnsigned = byte().map { $0 | 0x20 == UInt8(ascii: "u") } ?? false
    if isUnsigned { advance() }
    let magnitude = UInt64(text, radix: radix)
    if isUnsigned {
      if let magnitude { return .literal(.uint(magnitude)) }
      errors.report("the number is beyond the range of uint", at: start)
      return .invalid
    }
    if let magnitude, let value = Int64(exactly: magnitude) { return .literal(.int(value)) }
    if magnitude == Int64.min.magnitude { return .hugeInt }
    errors.report("the number is beyond the range of int", at: start)
    return .invalid
  }

  /// The string or bytes that begin here, at the quote.
  fileprivate mutating func quoted(
    raw: Bool,
    bytes: Bool,
    start: Int,
    _ errors: inout ProblemCollector
  ) -> Token.Kind {
    guard let quote = byte() else { return .invalid }
    let isTriple = byte(1) == quote && byte(2) == quote
    advance(isTriple ? 3 : 1)
    var content: [UInt8] = []
    var isValid = true
    while let unit = byte() {
      if unit == quote, !isTriple || (byte(1) == quote && byte(2) == quote) {
        advance(isTriple ? 3 : 1)
        guard isValid else { return .invalid }
        return .literal(bytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self)))
      }
      if !isTriple, unit == 0x0A || unit == 0x0D { break }
      if unit == UInt8(ascii: "\\") {
        if raw {
          // A raw string ends at the first quote, a backslash before it or not, as the grammar has it.
          content.append(unit)
          advance()
        } else if !escape(bytes: bytes, into: &content, &errors) {
          isValid = false
        }
      } else {
        content.append(unit)
        advance()
      }
    }
    errors.report(bytes ? "the bytes literal is not closed" : "the string is not closed", at: start)
    return .invalid
  }

  /// Reads an escape sequence and appends its meaning; false if it is invalid.
  private mutating func escape(
    bytes: Bool,
    into content: inout [UInt8],
    _ errors: inout ProblemCollector
  ) -> Bool {
    let start = position
    guard let letter = byte(1) else {
      advance()
      return false
    }
    advance(2)
    switch letter {
    case UInt8(ascii: "a"): content.append(0x07)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      content.append(letter)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return numeric(digits: 2, radix: 16, bytes: bytes, start: start, into: &content, &errors)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      position -= 1
      return numeric(digits: 3, radix: 8, bytes: bytes, start: start, into: &content, &errors)
    case UInt8(ascii: "u") where !bytes:
      return numeric(digits: 4, radix: 16, bytes: false, start: start, into: &content, &errors)
    case UInt8(ascii: "U") where !bytes:
      return numeric(digits: 8, radix: 16, bytes: false, start: start, into: &content, &errors)
    default:
      let what = letter | 0x20 == UInt8(ascii: "u") ? "a bytes literal cannot have Unicode escapes" : "unknown escape"
      errors.report("\(what); a backslash itself is written '\\\\'", at: start)
      return false
    }
    return true
  }

  private mutating func numeric(
    digits: Int,
    radix: UInt32,
    bytes: Bool,
    start: Int,
    into content: inout [UInt8],
    _ errors: inout ProblemCollector
  ) -> Bool {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = byte()?.hexadecimalValue, digit < radix else {
        errors.report("the escape needs \(digits) \(radix == 8 ? "octal" : "hexadecimal") digits", at: start)
        return false
      }
      // Eight hexadecimal digits fill 32 bits exactly, so this cannot overflow.
      value = value &* radix &+ digit
      advance()
    }
    if bytes {
      content.append(UInt8(truncatingIfNeeded: value))
      return true
    }
    guard let scalar = Unicode.Scalar(value) else {
      errors.report("the escape is not a Unicode code point", at: start)
      return false
    }
    content.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    return true
  }
}
