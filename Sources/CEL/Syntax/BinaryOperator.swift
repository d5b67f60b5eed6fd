/// The binary operators with their functions and how tightly they bind (langdef.md, "Syntax").
struct BinaryOperator {
  let sign: String
  let function: String
  let precedence: Int

  static let orPrecedence = 1
  static let andPrecedence = 2
  static let relationPrecedence = 3

  var isLogical: Bool { precedence <= Self.andPrecedence }

  private init(_ sign: String, _ function: String, _ precedence: Int) {
    self.sign = sign
    self.function = function
    self.precedence = precedence
  }

  private static let all = [
    BinaryOperator("||", "_||_", orPrecedence), BinaryOperator("&&", "_&&_", andPrecedence),
    BinaryOperator("<", "_<_", relationPrecedence), BinaryOperator("<=", "_<=_", relationPrecedence),
    BinaryOperator(">", "_>_", relationPrecedence), BinaryOperator(">=", "_>=_", relationPrecedence),
    BinaryOperator("==", "_==_", relationPrecedence), BinaryOperator("!=", "_!=_", relationPrecedence),
    BinaryOperator("in", "@in", relationPrecedence),
    BinaryOperator("+", "_+_", 4), BinaryOperator("-", "_-_", 4),
    BinaryOperator("*", "_*_", 5), BinaryOperator("/", "_/_", 5), BinaryOperator("%", "_%_", 5),
  ]

  private static let bySign = Dictionary(uniqueKeysWithValues: all.map { ($0.sign, $0) })
  private static let byFunction = Dictionary(uniqueKeysWithValues: all.map { ($0.function, $0) })

  /// The operator with that sign, if it is one.
  init?(_ sign: Token.Punctuation) {
    guard let found = Self.bySign[sign.rawValue] else { return nil }
    self = found
  }

  /// The operator that the function stands for, if it is one.
  init?(function: String) {
    guard let found = Self.byFunction[function] else { return nil }
    self = found
  }
}
