/// Reads an expression of SurveyJS.
///
/// The operators bind as in SurveyJS, the weakest first: `or`; `and`; comparisons; `+ -`; `* / %`; `^`; `!` and `-`.
/// Words of operators are read in any case. A word without quotes is a text.
struct SurveyExpressionReader {
  /// Why a text is not an expression.
  enum Failure: Error, Equatable {
    /// The text ends too early, or has something else at that offset, in characters.
    case unexpected(offset: Int)
    /// The text has more than ``tokensMax`` tokens, or is nested deeper than ``depthMax``.
    case tooLarge
  }

  /// How many tokens an expression may have. People write some tens.
  static let tokensMax = 2_000
  /// How deep parentheses, lists, calls and signs may be nested: reading and writing recurse that deep.
  static let depthMax = 60

  private enum Token: Equatable {
    case number(Double)
    case text(String)
    case word(String)
    case value(String)
    case symbol(String)
  }

  private var tokens: [(token: Token, offset: Int)] = []
  private var position = 0
  private var depth = 0
  private let end: Int

  /// The expression of a text.
  static func read(_ text: String) throws(Failure) -> SurveyExpression {
    var reader = try SurveyExpressionReader(text)
    let expression = try reader.disjunction()
    if reader.position < reader.tokens.count { throw reader.unexpected }
    return expression
  }

  // MARK: Tokens

  private init(_ text: String) throws(Failure) {
    let characters = Array(text.unicodeScalars)
    end = characters.count
    var offset = 0
    while offset < characters.count {
      let start = offset
      let character = characters[offset]
      switch character {
      case " ", "\t", "\n", "\r", "\u{A0}":
        offset += 1
        continue
      case "{":
        guard let close = characters[offset...].firstIndex(of: "}") else { throw .unexpected(offset: start) }
        tokens.append((.value(Self.trimmed(characters[(offset + 1)..<close])), start))
        offset = close + 1
      case "'", "\"":
        tokens.append((.text(try Self.quotedText(characters, &offset)), start))
      default:
        if let symbol = Self.symbol(characters, offset) {
          tokens.append((.symbol(symbol), start))
          offset += symbol.unicodeScalars.count
        } else if Self.isOfWord(character) {
          while offset < characters.count, Self.isOfWord(characters[offset]) { offset += 1 }
          var word = String(String.UnicodeScalarView(characters[start..<offset]))
          // The sign of an exponent belongs to its number: 1e-3.
          if let last = word.last, last == "e" || last == "E", Double(word.dropLast()) != nil,
            offset + 1 < characters.count, characters[offset] == "-" || characters[offset] == "+"
          {
            let sign = offset
            offset += 1
            while offset < characters.count, Self.isOfWord(characters[offset]) { offset += 1 }
            word += String(String.UnicodeScalarView(characters[sign..<offset]))
          }
          tokens.append((Self.number(word).map { .number($0) } ?? .word(word), start))
        } else {
          throw .unexpected(offset: start)
        }
      }
      if tokens.count > Self.tokensMax { throw .tooLarge }
    }
  }

  private static func trimmed(_ characters: ArraySlice<Unicode.Scalar>) -> String {
    var characters = characters
    while characters.first?.properties.isWhitespace == true { characters.removeFirst() }
    while characters.last?.properties.isWhitespace == true { characters.removeLast() }
    return String(String.UnicodeScalarView(characters))
  }

  /// A backslash protects a quote; before other characters it is an ordinary character.
  private static func quotedText(_ characters: [Unicode.Scalar], _ offset: inout Int) throws(Failure) -> String {
    let start = offset
    let quote = characters[offset]
    var text = String.UnicodeScalarView()
    offset += 1
    while offset < characters.count {
      let character = characters[offset]
      offset += 1
      if character == quote { return String(text) }
      if character == "\\", offset < characters.count, characters[offset] == "'" || characters[offset] == "\"" {
        text.append(characters[offset])
        offset += 1
      } else {
        text.append(character)
      }
    }
    throw .unexpected(offset: start)
  }

  private static let symbols = [
    "<=", ">=", "==", "!=", "<>", "&&", "||", "*=", "=", "<", ">", "!", "&", "|", "+", "-", "*", "/", "%", "^", "(",
    ")", "[", "]", ",",
  ]

  private static func symbol(_ characters: [Unicode.Scalar], _ offset: Int) -> String? {
    symbols.first { symbol in
      let scalars = symbol.unicodeScalars
      return characters.count - offset >= scalars.count && characters[offset...].starts(with: scalars)
    }
  }

  private static func isOfWord(_ character: Unicode.Scalar) -> Bool {
    character.properties.isAlphabetic || character.properties.numericType != nil || character.value > 0x7f
      || "_.$@#:?;~\\".unicodeScalars.contains(character)
  }

  private static func number(_ word: String) -> Double? {
    if word.hasPrefix("0x") || word.hasPrefix("0X") { return Int(word.dropFirst(2), radix: 16).map { Double($0) } }
    guard let first = word.utf8.first, (48...57).contains(first) || first == 46, let number = Double(word),
      number.isFinite
    else { return nil }
    return number
  }

  // MARK: Operators

  private var unexpected: Failure {
    .unexpected(offset: position < tokens.count ? tokens[position].offset : end)
  }

  private var next: Token? { position < tokens.count ? tokens[position].token : nil }

  /// Consumes the next token if it is one of these symbols, or one of these words in any case.
  private mutating func take(_ spellings: String...) -> Bool {
    let spelling: String
    switch next {
    case .symbol(let symbol): spelling = symbol
    case .word(let word): spelling = word.lowercased()
    default: return false
    }
    guard spellings.contains(spelling) else { return false }
    position += 1
    return true
  }

  private mutating func nested<Value>(
    _ read: (inout SurveyExpressionReader) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthMax { throw .tooLarge }
    return try read(&self)
  }

  private mutating func disjunction() throws(Failure) -> SurveyExpression {
    var operands = [try conjunction()]
    while take("or", "||", "|") { operands.append(try conjunction()) }
    return operands.count == 1 ? operands[0] : .any(operands)
  }

  private mutating func conjunction() throws(Failure) -> SurveyExpression {
    var operands = [try comparison()]
    while take("and", "&&", "&") { operands.append(try comparison()) }
    return operands.count == 1 ? operands[0] : .all(operands)
  }

  private mutating func comparison() throws(Failure) -> SurveyExpression {
    var left = try sum()
    var count = 0
    while true {
      count += 1
      if count > Self.depthMax { throw .tooLarge }
      if take("empty") {
        left = .isEmpty(left)
      } else if take("notempty") {
        left = .not(.isEmpty(left))
      } else if let comparison = takeComparison() {
        left = .binary(comparison, left, try sum())
      } else {
        return left
      }
    }
  }

  private mutating func takeComparison() -> SurveyExpression.Operator? {
    if take("<=", "lessorequal") { return .lessOrEqual }
    if take(">=", "greaterorequal") { return .greaterOrEqual }
    if take("==", "=", "equal", "equals") { return .equal }
    if take("!=", "<>", "notequal", "notequals") { return .notEqual }
    if take("<", "less") { return .less }
    if take(">", "greater") { return .greater }
    if take("contains", "contain", "*=") { return .contains }
    if take("notcontains", "notcontain") { return .notContains }
    if take("anyof") { return .anyOf }
    if take("allof") { return .allOf }
    if take("noneof") { return .noneOf }
    return nil
  }

  private mutating func sum() throws(Failure) -> SurveyExpression {
    var left = try product()
    var count = 0
    while true {
      count += 1
      if count > Self.depthMax { throw .tooLarge }
      if take("+") {
        left = .binary(.plus, left, try product())
      } else if take("-") {
        left = .binary(.minus, left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(Failure) -> SurveyExpression {
    var left = try power()
    var count = 0
    while true {
      count += 1
      if count > Self.depthMax { throw .tooLarge }
      if take("*") {
        left = .binary(.times, left, try power())
      } else if take("/") {
        left = .binary(.divided, left, try power())
      } else if take("%") {
        left = .binary(.modulo, left, try power())
      } else {
        return left
      }
    }
  }

  private mutating func power() throws(Failure) -> SurveyExpression {
    let base = try factor()
    guard take("^", "power") else { return base }
    return .binary(.power, base, try nested { reader throws(Failure) in try reader.power() })
  }

  private mutating func factor() throws(Failure) -> SurveyExpression {
    if take("!", "negate") { return .not(try nested { reader throws(Failure) in try reader.factor() }) }
    if take("-") {
      let operand = try nested { reader throws(Failure) in try reader.factor() }
      if case .number(let number) = operand { return .number(-number) }
      return .minus(operand)
    }
    if take("+") { return try nested { reader throws(Failure) in try reader.factor() } }
    if take("(") {
      let inner = try nested { reader throws(Failure) in try reader.disjunction() }
      guard take(")") else { throw unexpected }
      return inner
    }
    if take("[") { return .list(try elements(until: "]")) }
    return try atom()
  }

  /// Words that an operand cannot be.
  private static let operatorWords: Set<String> = [
    "and", "or", "empty", "notempty", "contains", "contain", "notcontains", "notcontain", "anyof", "allof", "noneof",
    "equal", "equals", "notequal", "notequals", "less", "greater", "lessorequal", "greaterorequal",
  ]

  private mutating func atom() throws(Failure) -> SurveyExpression {
    switch next {
    case .number(let number):
      position += 1
      return .number(number)
    case .text(let text):
      position += 1
      return .text(text)
    case .value(let name):
      position += 1
      return .value(name)
    case .word(let word):
      let spelling = word.lowercased()
      if Self.operatorWords.contains(spelling) { throw unexpected }
      position += 1
      if take("(") { return .call(word, try elements(until: ")")) }
      switch spelling {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "null", "undefined": return .null
      default: return .text(word)
      }
    case .symbol, nil: throw unexpected
    }
  }

  private mutating func elements(until close: String) throws(Failure) -> [SurveyExpression] {
    var elements: [SurveyExpression] = []
    if take(close) { return [] }
    repeat {
      elements.append(try nested { reader throws(Failure) in try reader.disjunction() })
    } while take(",")
    guard take(close) else { throw unexpected }
    return elements
  }
}
