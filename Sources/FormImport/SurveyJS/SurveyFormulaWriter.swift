internal import Texts

/// Writes an expression of SurveyJS as a formula in CEL.
///
/// SurveyJS is written in JavaScript and compares values loosely. The writer knows the types of the answers, and writes
/// the comparison that SurveyJS makes for them. If a constant has another type than the answer, the writer converts the
/// constant and notes it.
struct SurveyFormulaWriter {
  /// Why an expression has no formula.
  struct Failure: Error, Equatable {
    /// The loss.
    var code: LossCode
    /// The reason.
    var message: String
    var remedy: String

    static func unsupported(_ message: String) -> Failure {
      Failure(code: .expression, message: message, remedy: "write a formula in CEL")
    }
  }

  /// The names.
  let scope: SurveyScope
  /// Formulas of calculated values and totals are compared without their types, so the writer notes it.
  var assumptions: [String] = []

  init(_ scope: SurveyScope) {
    self.scope = scope
  }

  // MARK: Entry points

  /// The formula of a condition: a Boolean.
  ///
  /// For SurveyJS a condition holds if its result is `true` itself. `or` and `and` give the operand that decides, as in
  /// JavaScript, so an answer to a question that is not yes or no never makes a condition hold.
  mutating func condition(_ expression: SurveyExpression) throws(Failure) -> SurveyFormula {
    switch expression {
    case .all(let operands):
      let last = try operands.last.map { operand throws(Failure) in try condition(operand) }
      return last?.constant == .bool(false) ? .bool(false) : try formula(expression)
    case .any(let operands):
      var formulas: [SurveyFormula] = []
      for operand in operands { formulas.append(try formula(operand)) }
      guard formulas.contains(where: { $0.kind != .bool }), let last = operands.last else {
        return try formula(expression)
      }
      var result = try condition(last)
      for formula in formulas.dropLast().reversed() {
        let boolean = boolean(formula).definite
        if formula.kind == .bool {
          result = SurveyFormula("\(boolean.at(.or)) || \(result.definite.at(.or))", .bool, .or)
        } else {
          assume(Self.notBoolean)
          result = SurveyFormula("!\(boolean.at(.unary)) && \(result.definite.at(.and))", .bool, .and)
        }
      }
      return result
    default: return holds(try formula(expression))
    }
  }

  private static let notBoolean = "a value that is not true or false as a condition that does not hold"

  /// A value as a whole condition.
  private mutating func holds(_ formula: SurveyFormula) -> SurveyFormula {
    switch formula.kind {
    case .bool: return formula
    case .any, .object: return SurveyFormula("\(formula.at(.sum)) == true", .bool, .comparison)
    case .number, .text, .list, .null:
      assume(Self.notBoolean)
      return .bool(false)
    }
  }

  /// The formula of a value.
  mutating func formula(_ expression: SurveyExpression) throws(Failure) -> SurveyFormula {
    switch expression {
    case .null: return SurveyFormula("null", .null, .primary)
    case .bool(let value): return .bool(value)
    case .number(let number): return .number(number)
    case .text(let text): return .text(text)
    case .list(let elements): return try list(elements)
    case .value(let name): return try value(name)
    case .call(let name, let arguments): return try call(name, arguments)
    case .not(.isEmpty(let operand)): return try isNotEmpty(operand)
    case .not(let operand):
      let operand = boolean(try formula(operand)).definite
      return SurveyFormula("!\(operand.at(.unary))", .bool, .unary)
    case .minus(let operand):
      let number = try number(try formula(operand))
      return SurveyFormula("-\(number.at(.primary))", .number, .unary, mayBeAbsent: number.mayBeAbsent)
    case .isEmpty(let operand):
      let formula = try formula(operand)
      switch formula.constant {
      case .text(let text): return .bool(text.isEmpty)
      case .number, .bool: return .bool(false)
      case nil: return try emptyTest(formula)
      }
    case .all(let operands): return try joined(operands, "&&", .and)
    case .any(let operands): return try joined(operands, "||", .or)
    case .binary(let operation, let left, let right):
      return try binary(operation, try formula(left), try formula(right))
    }
  }

  mutating func joined(
    _ operands: [SurveyExpression],
    _ operation: String,
    _ level: SurveyFormula.Level
  ) throws(Failure) -> SurveyFormula {
    var texts: [String] = []
    var mayBeAbsent = false
    for operand in operands {
      let operand = boolean(try formula(operand))
      mayBeAbsent = mayBeAbsent || operand.mayBeAbsent
      texts.append(operand.at(level))
    }
    return SurveyFormula(texts.joined(separator: " \(operation) "), .bool, level, mayBeAbsent: mayBeAbsent)
  }

  mutating func list(_ elements: [SurveyExpression]) throws(Failure) -> SurveyFormula {
    var formulas: [SurveyFormula] = []
    for element in elements { formulas.append(try formula(element)) }
    return Self.list(formulas)
  }

  static func list(_ formulas: [SurveyFormula]) -> SurveyFormula {
    let isMixed = Set(formulas.map(\.kind)).count > 1
    let texts = formulas.map { isMixed ? "dyn(\($0.text))" : $0.text }
    var result = SurveyFormula("[\(texts.joined(separator: ", "))]", .list, .primary)
    result.elements = formulas
    return result
  }

  private func value(_ name: String) throws(Failure) -> SurveyFormula {
    switch scope.find(name) {
    case .formula(let formula): return formula
    case .unknown:
      throw Failure(
        code: .unknownName,
        message: "no question and no calculated value is called \(name)",
        remedy: "correct the name; a variable that a program sets needs a field or an output of its own"
      )
    case .unsupported: throw .unsupported("formd has no value like {\(name)}")
    }
  }

  // MARK: Booleans

  /// A value as a condition: SurveyJS takes 0, an empty text and an empty list as false.
  private func boolean(_ formula: SurveyFormula) -> SurveyFormula {
    if let constant = formula.constant {
      switch constant {
      case .bool: return formula
      case .number(let number): return .bool(number != 0)
      case .text(let text): return .bool(!text.isEmpty)
      }
    }
    switch formula.kind {
    case .bool: return formula
    case .number: return SurveyFormula("\(formula.at(.primary)).orValue(0.0) != 0.0", .bool, .comparison)
    case .text: return SurveyFormula("\(formula.at(.sum)) != ''", .bool, .comparison)
    case .list: return SurveyFormula("size(\(formula.text)) > 0", .bool, .comparison)
    case .object, .any:
      let text = formula.at(.sum)
      return SurveyFormula("\(text) != null && \(text) != false && \(text) != 0 && \(text) != ''", .bool, .and)
    case .null: return .bool(false)
    }
  }

  private func negated(_ formula: SurveyFormula) -> SurveyFormula {
    if case .bool(let value) = formula.constant { return .bool(!value) }
    if let opposite = formula.opposite { return SurveyFormula(opposite, .bool, .comparison) }
    return SurveyFormula("!\(formula.definite.at(.unary))", .bool, .unary)
  }

  private mutating func isNotEmpty(_ operand: SurveyExpression) throws(Failure) -> SurveyFormula {
    let formula = try formula(operand)
    switch formula.constant {
    case .text(let text): return .bool(!text.isEmpty)
    case .number, .bool: return .bool(true)
    case nil: break
    }
    switch formula.kind {
    case .list: return SurveyFormula("size(\(formula.text)) > 0", .bool, .comparison)
    case .text: return SurveyFormula("\(formula.at(.sum)) != ''", .bool, .comparison)
    case .bool where formula.cell == nil: return .bool(true)
    case .bool, .object:
      guard let cell = formula.cell, cell.reference.contains("."), !cell.reference.hasSuffix(")") else { fallthrough }
      return SurveyFormula("has(\(cell.reference))", .bool, .primary)
    case .number, .any:
      let read = formula.cell?.reference ?? formula.at(.sum)
      return SurveyFormula("\(read) != null", .bool, .comparison)
    case .null: return .bool(false)
    }
  }

  // MARK: Operators

  private mutating func binary(
    _ operation: SurveyExpression.Operator,
    _ left: SurveyFormula,
    _ right: SurveyFormula
  ) throws(Failure) -> SurveyFormula {
    switch operation {
    case .equal: return try equal(left, right)
    case .notEqual:
      let equal = try equal(left, right)
      return negated(equal)
    case .less: return try ordered(left, "<", right)
    case .lessOrEqual: return try ordered(left, "<=", right)
    case .greater: return try ordered(left, ">", right)
    case .greaterOrEqual: return try ordered(left, ">=", right)
    case .contains: return try contains(left, right)
    case .notContains: return negated(try contains(left, right))
    case .anyOf: return try anyOf(left, right)
    case .noneOf: return negated(try anyOf(left, right))
    case .allOf: return try allOf(left, right)
    case .plus:
      if left.kind == .text || right.kind == .text, numberConstant(left) == nil || numberConstant(right) == nil {
        return SurveyFormula("\(try text(left).at(.sum)) + \(try text(right).at(.product))", .text, .sum)
      }
      return try arithmetic(left, "+", right, .sum)
    case .minus: return try arithmetic(left, "-", right, .sum)
    case .times: return try arithmetic(left, "*", right, .product)
    case .divided:
      return try quotient(left, right, .product) { left, right in "\(left.at(.product)) / \(right.at(.unary))" }
    case .modulo:
      return try quotient(left, right, .sum) { left, right in
        "\(left.at(.product)) - \(right.at(.unary)) * math.trunc(\(left.at(.product)) / \(right.at(.unary)))"
      }
    case .power:
      guard case .number(let exponent) = right.constant, exponent == exponent.rounded(), (1...8).contains(exponent)
      else { throw .unsupported("formulas have no powers other than constant powers from 1 to 8") }
      let base = try operand(left)
      let product = Array(repeating: "x", count: Int(exponent)).joined(separator: " * ")
      return SurveyFormula("cel.bind(x, \(base.text), \(product))", .number, .primary)
    }
  }

  /// A division: SurveyJS gives null if the divisor is 0 or empty.
  private mutating func quotient(
    _ left: SurveyFormula,
    _ right: SurveyFormula,
    _ level: SurveyFormula.Level,
    _ text: (SurveyFormula, SurveyFormula) -> String
  ) throws(Failure) -> SurveyFormula {
    let (left, right) = (try operand(left), try operand(right))
    if case .number(let divisor) = right.constant {
      if divisor == 0 { return SurveyFormula("null", .null, .primary) }
      return SurveyFormula(text(left, right), .number, level)
    }
    return SurveyFormula(
      "(\(right.at(.sum)) != 0.0 ? \(text(left, right)) : null)",
      .number,
      .primary,
      mayBeAbsent: true
    )
  }

  private mutating func arithmetic(
    _ left: SurveyFormula,
    _ operation: String,
    _ right: SurveyFormula,
    _ level: SurveyFormula.Level
  ) throws(Failure) -> SurveyFormula {
    let (left, right) = (try operand(left), try operand(right))
    let next: SurveyFormula.Level = level == .sum ? .product : .unary
    return SurveyFormula("\(left.at(level)) \(operation) \(right.at(next))", .number, level)
  }

  /// An operand of arithmetic: SurveyJS takes an empty answer as 0.
  private mutating func operand(_ formula: SurveyFormula) throws(Failure) -> SurveyFormula {
    let number = try number(formula)
    guard number.mayBeAbsent else { return number }
    if case .integer = formula.cell?.shape, let cell = formula.cell {
      return SurveyFormula("double(\(cell.reference).orValue(0))", .number, .primary)
    }
    return SurveyFormula("\(number.at(.primary)).orValue(0.0)", .number, .primary)
  }

  /// The number of a constant that is a number, or a text of one.
  func numberConstant(_ formula: SurveyFormula) -> Double? {
    switch formula.constant {
    case .number(let number): number
    case .text(let text): Double(text.trimmedASCII).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// A formula as a number.
  mutating func number(_ formula: SurveyFormula) throws(Failure) -> SurveyFormula {
    if let number = numberConstant(formula) {
      if formula.kind == .text { assume("the text \(CELText.quoted("\(formula.constant?.text ?? "")")) as a number") }
      return .number(number)
    }
    switch formula.kind {
    case .number: return formula
    case .any: return formula
    case .bool:
      assume("a Boolean as the number 1 or 0")
      return SurveyFormula("(\(formula.definite.at(.or)) ? 1.0 : 0.0)", .number, .primary)
    case .text where formula.constant == nil:
      guard formula.cell.map({ if case .text(_, true) = $0.shape { false } else { true } }) ?? true else {
        throw .unsupported("a date is not a number")
      }
      assume("a text answer as a number, if it is one")
      let text = formula.at(.primary)
      return SurveyFormula(
        "(\(text).matches('^-?[0-9]+([.][0-9]+)?$') ? double(\(text)) : null)",
        .number,
        .primary,
        mayBeAbsent: true
      )
    case .null: return .number(0)
    case .text, .list, .object: throw .unsupported("a \(formula.kind) is not a number")
    }
  }

  /// A formula as a text.
  mutating func text(_ formula: SurveyFormula) throws(Failure) -> SurveyFormula {
    if let constant = formula.constant { return .text(constant.text) }
    switch formula.kind {
    case .text: return formula
    case .number:
      let read = formula.cell.map { SurveyFormula($0.reference, .number, .primary) } ?? formula
      return SurveyFormula("string(\(read.text)).orValue('')", .text, .primary)
    case .bool: return SurveyFormula("string(\(formula.definite.text))", .text, .primary)
    case .any: return SurveyFormula("string(\(formula.text)).orValue('')", .text, .primary)
    case .null: return .text("")
    case .list, .object: throw .unsupported("a \(formula.kind) is not a text")
    }
  }
}
