/// A token of the expression language (langdef.md, "Syntax").
struct Token {
  enum Kind: Equatable {
    case end
    /// A name; reserved words are names too, and the parser refuses them at the positions at which they are not
    /// allowed.
    case identifier(String)
    /// A field name in backquotes.
    case quotedIdentifier(String)
    case literal(Literal)
    /// Digits of an integer that does not fit before its sign is known: -9223372036854775808.
    case hugeInt
    case punctuation(Punctuation)
    /// A token that the lexer has already complained about.
    case invalid
  }

  enum Punctuation: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case dot = "."
    case comma = ","
    case minus = "-"
    case not = "!"
    case question = "?"
    case colon = ":"
    case plus = "+"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case `in` = "in"
  }

  let kind: Kind
  /// The first byte of the token in the source.
  let start: Int
  /// The byte behind its last one.
  var end = 0

  /// The bytes of the token.
  var range: Range<Int> { start..<max(start, end) }

  /// How a message names the token.
  var description: String {
    switch kind {
    case .end: "end of expression"
    case .identifier(let name): "'\(name)'"
    case .quotedIdentifier(let name): "'`\(name)`'"
    case .literal, .hugeInt: "a literal"
    case .punctuation(let punctuation): "'\(punctuation.rawValue)'"
    case .invalid: "an invalid token"
    }
  }
}
