/// The binary operators with their functions and how tightly they bind (langdef.md, "Syntax").
struct BinaryOperator {
  let sign: String
  let function: String
  let precedence: Int

  static let orPrecedence = 1
  static let andPrecedence = 2
  static let relationPrecedence = 3

  var isLogical: Bool { precedence <= Self.andPrecedence }

  /// The operator with that sign, if it is one.
  init?(_ sign: Token.Punctuation) {
    switch sign {
    case .or: self.init(sign, "_||_", Self.orPrecedence)
    case .and: self.init(sign, "_&&_", Self.andPrecedence)
    case .less: self.init(sign, "_<_", Self.relationPrecedence)
    case .lessOrEqual: self.init(sign, "_<=_", Self.relationPrecedence)
    case .greater: self.init(sign, "_>_", Self.relationPrecedence)
    case .greaterOrEqual: self.init(sign, "_>=_", Self.relationPrecedence)
    case .equal: self.init(sign, "_==_", Self.relationPrecedence)
    case .notEqual: self.init(sign, "_!=_", Self.relationPrecedence)
    case .in: self.init(sign, "@in", Self.relationPrecedence)
    case .plus: self.init(sign, "_+_", 4)
    case .minus: self.init(sign, "_-_", 4)
    case .star: self.init(sign, "_*_", 5)
    case .slash: self.init(sign, "_/_", 5)
    case .percent: self.init(sign, "_%_", 5)
    default: return nil
    }
  }

  private init(_ sign: Token.Punctuation, _ function: String, _ precedence: Int) {
    self.sign = sign.rawValue
    self.function = function
    self.precedence = precedence
  }

  private static let byFunction = Dictionary(
    uniqueKeysWithValues: Token.Punctuation.allCases.compactMap { BinaryOperator($0) }.map { ($0.function, $0) }
  )

  /// The operator of the function, if it has one.
  init?(function: String) {
    guard let found = Self.byFunction[function] else { return nil }
    self = found
  }
}
