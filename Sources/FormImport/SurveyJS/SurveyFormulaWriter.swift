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
    /// The remedy.
    var remedy: String

    static func unsupported(_ message: String) -> Failure {
      Failure(code: .expression, message: message, remedy: "write a formula in CEL")
    }
  }

  /// The names.
  let scope: SurveyScope
  /// Formulas of calculated values and totals are compared without their types, so the writer notes it.
  private(set) var assumptions: [String] = []

  init(_ scope: SurveyScope) {
    self.scope = scope
  }

  // MARK: Entry points

  /// The formula of a condition: a truth.
  mutating func condition(_ expression: SurveyExpression) throws(Failure) -> SurveyFormula {
    truth(try formula(expression))
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
      let operand = truth(try formula(operand)).definite
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

  private mutating func joined(
    _ operands: [SurveyExpression],
    _ operation: String,
    _ level: SurveyFormula.Level
  ) throws(Failure) -> SurveyFormula {
    var texts: [String] = []
    var mayBeAbsent = false
    for operand in operands {
      let operand = truth(try formula(operand))
      mayBeAbsent = mayBeAbsent || operand.mayBeAbsent
      texts.append(operand.at(level))
    }
    return SurveyFormula(texts.joined(separator: " \(operation) "), .bool, level, mayBeAbsent: mayBeAbsent)
  }

  private mutating func list(_ elements: [SurveyExpression]) throws(Failure) -> SurveyFormula {
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

  // MARK: Truths

  /// A value as a condition: SurveyJS takes 0, an empty text and an empty list as false.
  private func truth(_ formula: SurveyFormula) -> SurveyFormula {
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
  private func numberConstant(_ formula: SurveyFormula) -> Double? {
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
      assume("a truth as the number 1 or 0")
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

  // MARK: Comparisons

  private mutating func assume(_ what: String) {
    if !assumptions.contains(what) { assumptions.append(what) }
  }

  private mutating func equal(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
    if left.constant != nil, right.constant == nil { return try equal(right, left) }
    if right.kind == .null || right.constant == .text("") { return try emptyTest(left) }
    if left.kind == .null { return try emptyTest(right) }
    if let constant = right.constant, let choices = left.choices, left.kind != .list {
      return comparison(left, "==", choice(constant, among: choices))
    }
    switch (left.kind, right.kind) {
    case (.number, .number), (.any, .any), (.any, .number), (.number, .any), (.any, .text), (.text, .any),
      (.any, .bool),
      (.bool, .any):
      return comparison(left, "==", right)
    case (.bool, .bool):
      if right.constant == .bool(true) { return left }
      guard right.constant == .bool(false), left.cell != nil else { return comparison(left, "==", right) }
      return SurveyFormula("has(\(left.text)) && !\(left.text)", .bool, .and)
    case (.bool, .text), (.bool, .number):
      guard let constant = right.constant else { throw .unsupported("a truth and a \(right.kind) are not compared") }
      assume("the constant \(constant.text) as a truth")
      switch constant.text.lowercased() {
      case "true", "1": return try equal(left, .bool(true))
      case "false", "0": return try equal(left, .bool(false))
      default: return .bool(false)
      }
    case (.text, .bool): return try equal(left, try text(right))
    case (.text, .text): return textsEqual(left, right)
    case (.number, .text):
      guard let number = numberConstant(right) else {
        if right.constant != nil {
          assume("a number and a text as never equal")
          return .bool(false)
        }
        assume("a number and a text as equal if the text is that number")
        return comparison(try text(left), "==", right)
      }
      assume("the text \(CELText.quoted(right.constant?.text ?? "")) as a number")
      return comparison(left, "==", .number(number))
    case (.text, .number):
      assume(
        right.constant == nil
          ? "a number and a text as equal if the text is that number"
          : "the number \(right.constant?.text ?? "") as a text"
      )
      return comparison(left, "==", try text(right))
    case (.number, .bool): return .bool(false)
    case (.list, .list):
      let right = fitted(right, to: left)
      let size = "size(\(left.text)) == size(\(right.text))"
      return SurveyFormula("\(size) && \(sets("equivalent", left, right).text)", .bool, .and)
    case (.list, .text), (.list, .number), (.list, .any), (.list, .bool):
      assume("a list and one value as equal if the list has only that value")
      let element = try elementOf(left, right)
      return SurveyFormula("size(\(left.text)) == 1 && \(element.at(.sum)) in \(left.at(.sum))", .bool, .and)
    case (.text, .list), (.number, .list), (.any, .list), (.bool, .list): return try equal(right, left)
    case (.object, _), (_, .object), (.null, _), (_, .null):
      throw .unsupported("whole groups of answers are not compared")
    }
  }

  private mutating func emptyTest(_ formula: SurveyFormula) throws(Failure) -> SurveyFormula {
    switch formula.kind {
    case .list: Self.equality("size(\(formula.text))", "0")
    case .text: Self.equality(formula.at(.sum), "''")
    case .bool where formula.cell == nil: .bool(false)
    case .bool: SurveyFormula("!has(\(formula.text))", .bool, .unary)
    case .null: .bool(true)
    case .number, .any, .object:
      Self.equality(formula.cell?.reference ?? formula.at(.sum), "null")
    }
  }

  private static func equality(_ left: String, _ right: String) -> SurveyFormula {
    var formula = SurveyFormula("\(left) == \(right)", .bool, .comparison)
    formula.opposite = "\(left) != \(right)"
    return formula
  }

  private func comparison(_ left: SurveyFormula, _ operation: String, _ right: SurveyFormula) -> SurveyFormula {
    var formula = SurveyFormula("\(left.at(.sum)) \(operation) \(right.at(.sum))", .bool, .comparison)
    if operation == "==" { formula.opposite = "\(left.at(.sum)) != \(right.at(.sum))" }
    return formula
  }

  /// Texts are equal for SurveyJS if they differ only in case, or in spaces at their ends. Choices are exact.
  private func textsEqual(_ left: SurveyFormula, _ right: SurveyFormula) -> SurveyFormula {
    func folded(_ formula: SurveyFormula) -> SurveyFormula {
      if case .text(let text) = formula.constant { return .text(text.trimmedASCII.lowercasedASCII) }
      if formula.isExact { return formula }
      return SurveyFormula("\(formula.at(.primary)).trim().lowerAscii()", .text, .primary)
    }
    let hasLetters = { (formula: SurveyFormula) in
      formula.constant.map { $0.text.lowercasedASCII != $0.text.uppercased() } ?? true
    }
    if left.isExact && right.isExact || left.isExact && right.constant != nil || !hasLetters(right) {
      return comparison(left, "==", right)
    }
    if left.isExact || right.isExact, right.constant == nil {
      return SurveyFormula(
        "\(left.at(.primary)).trim().lowerAscii() == \(right.at(.primary)).trim().lowerAscii()",
        .bool,
        .comparison
      )
    }
    return comparison(folded(left), "==", folded(right))
  }

  /// The choice that a constant means: SurveyJS compares without regard to case and type.
  private mutating func choice(_ constant: SurveyChoice, among choices: [SurveyChoice]) -> SurveyFormula {
    if !choices.contains(constant) {
      let folded = constant.text.trimmedASCII.lowercasedASCII
      if let meant = choices.first(where: { $0.text.trimmedASCII.lowercasedASCII == folded }) {
        if case .text = meant, case .text = constant { return .text(meant.text) }
        assume("the constant \(constant.text) as the choice of that text")
        return Self.formula(of: meant)
      }
      // The form's texts are compared with texts only.
      if choices.allSatisfy({ if case .text = $0 { true } else { false } }) { return .text(constant.text) }
    }
    return Self.formula(of: constant)
  }

  static func formula(of choice: SurveyChoice) -> SurveyFormula {
    switch choice {
    case .text(let text): .text(text)
    case .number(let number): .number(number)
    case .bool(let value): .bool(value)
    }
  }

  /// A constant as an element of a list of the form, in which whole numbers are integers.
  private func element(_ formula: SurveyFormula, of list: SurveyFormula) -> SurveyFormula {
    guard case .number(let number) = formula.constant, list.hasIntegers, let whole = Int64(exactly: number) else {
      return formula
    }
    var formula = SurveyFormula(String(whole), .number, number < 0 ? .unary : .primary)
    formula.constant = .number(number)
    return formula
  }

  private mutating func ordered(
    _ left: SurveyFormula,
    _ operation: String,
    _ right: SurveyFormula
  ) throws(Failure) -> SurveyFormula {
    let isText = { (formula: SurveyFormula) in formula.kind == .text }
    if isText(left), isText(right), numberConstant(left) == nil, numberConstant(right) == nil {
      // An empty answer is not less than anything.
      var guards: [String] = []
      for side in [left, right] where side.constant == nil && side.cell != nil && side.text != "self" {
        guards.append("\(side.at(.sum)) != ''")
      }
      let comparison = comparison(left, operation, right)
      guard !guards.isEmpty else { return comparison }
      return SurveyFormula((guards + [comparison.text]).joined(separator: " && "), .bool, .and)
    }
    guard left.kind != .null, right.kind != .null else { return .bool(false) }
    let (left, right) = (try number(left), try number(right))
    return SurveyFormula("\(left.at(.sum)) \(operation) \(right.at(.sum))", .bool, .comparison, mayBeAbsent: true)
  }

  private mutating func contains(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
    switch left.kind {
    case .list:
      if right.kind == .list {
        return sets("contains", left, fitted(right, to: left))
      }
      return SurveyFormula("\(try elementOf(left, right).at(.sum)) in \(left.at(.sum))", .bool, .comparison)
    case .text, .number:
      if right.kind == .list { return try anyOf(left, right) }
      guard right.kind != .null, right.constant != .text("") else { return .bool(false) }
      let (left, right) = (try text(left), try text(right))
      let found = SurveyFormula("\(left.at(.primary)).contains(\(right.text))", .bool, .primary)
      guard right.constant == nil else { return found }
      return SurveyFormula("\(right.at(.sum)) != '' && \(found.text)", .bool, .and)
    case .any, .bool, .object, .null: throw .unsupported("a \(left.kind) has no parts")
    }
  }

  private mutating func anyOf(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
    switch (left.kind, right.kind) {
    case (.list, .list):
      return sets("intersects", left, fitted(right, to: left))
    case (.list, _): return try contains(left, right)
    case (.object, _), (.null, _), (_, .object), (_, .null): throw .unsupported("a \(left.kind) has no parts")
    case (_, .list):
      let list = fitted(right, to: left)
      let element = list.elementType == left.valueType ? left.at(.sum) : "dyn(\(left.text))"
      return SurveyFormula("\(element) in \(list.at(.sum))", .bool, .comparison)
    default: return try equal(left, right)
    }
  }

  private mutating func allOf(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
    switch (left.kind, right.kind) {
    case (.list, .list):
      return sets("contains", left, fitted(right, to: left))
    case (.list, _): return try contains(left, right)
    case (.object, _), (.null, _), (_, .object), (_, .null): throw .unsupported("a \(left.kind) has no parts")
    case (_, .list):
      let list = fitted(right, to: left)
      return SurveyFormula("\(list.at(.primary)).all(entry, dyn(entry) == dyn(\(left.text)))", .bool, .primary)
    default: return try equal(left, right)
    }
  }

  /// A comparison of two lists as sets. Lists of elements of different types are compared element by element.
  private func sets(_ function: String, _ left: SurveyFormula, _ right: SurveyFormula) -> SurveyFormula {
    if left.elementType == right.elementType {
      return SurveyFormula("sets.\(function)(\(left.text), \(right.text))", .bool, .primary)
    }
    let (outer, inner) = (right.at(.primary), left.at(.sum))
    if function == "intersects" {
      return SurveyFormula("\(outer).exists(entry, dyn(entry) in \(inner))", .bool, .primary)
    }
    return SurveyFormula("\(outer).all(entry, dyn(entry) in \(inner))", .bool, .primary)
  }

  /// One value as an element of a list: a constant takes the type of the list's elements.
  private mutating func elementOf(_ list: SurveyFormula, _ value: SurveyFormula) throws(Failure) -> SurveyFormula {
    if case .object = list.elementShape { throw .unsupported("whole rows are not compared") }
    var value = value
    if let constant = value.constant {
      if let choices = list.choices {
        value = element(choice(constant, among: choices), of: list)
      } else {
        switch list.elementShape {
        case .text: value = .text(constant.text)
        case .number, .integer: value = element(try number(value), of: list)
        default: break
        }
      }
    }
    if value.valueType == list.elementType { return value }
    return SurveyFormula("dyn(\(value.text))", value.kind, .primary)
  }

  /// A list that is written out, with elements of the types that the other side has.
  private mutating func fitted(_ list: SurveyFormula, to other: SurveyFormula) -> SurveyFormula {
    guard let elements = list.elements else { return list }
    let shape = other.kind == .list ? other.elementShape : other.cell?.shape
    var formulas: [SurveyFormula] = []
    for element in elements {
      guard let constant = element.constant else {
        formulas.append(element)
        continue
      }
      if let choices = other.choices {
        let fitting = choice(constant, among: choices)
        formulas.append(other.kind == .list ? self.element(fitting, of: other) : fitting)
        continue
      }
      switch (shape, constant) {
      case (.text, _): formulas.append(.text(constant.text))
      case (.number, .text), (.integer, .text):
        if let number = numberConstant(element) {
          assume("the text \(element.text) as a number")
          formulas.append(.number(number))
        }
      default: formulas.append(element)
      }
    }
    return Self.list(formulas)
  }
}

extension SurveyFormula {
  /// The type of the elements of a list in formulas.
  fileprivate var elementType: String {
    if let elements {
      let types = Set(elements.map(\.valueType))
      return types.count == 1 ? types.first ?? "any" : "any"
    }
    switch elementShape {
    case .text: return "text"
    case .number: return "number"
    case .integer: return "integer"
    case .any(let choices) where choices.areIntegers: return "integer"
    default: return "any"
    }
  }

  /// The type of the value in formulas.
  fileprivate var valueType: String {
    switch kind {
    case .number: constant != nil && !text.contains(".") && !text.contains("e") ? "integer" : "number"
    case .text: "text"
    case .bool: "bool"
    case .list, .object, .any, .null: "other"
    }
  }

  /// Whether the form's list has whole numbers.
  fileprivate var hasIntegers: Bool {
    switch elementShape {
    case .integer: true
    case .any(let choices): choices.areIntegers
    default: false
    }
  }

  /// Whether the text is a choice, a date or another text whose case is fixed.
  fileprivate var isExact: Bool {
    guard constant == nil else { return false }
    switch cell?.shape {
    case .text(let choices, let isDate): return choices != nil || isDate
    case nil: return text == "today" || text.hasPrefix("string(") || text.hasPrefix("form.")
    default: return false
    }
  }
}

extension String {
  /// Without white space of ASCII at both ends.
  var trimmedASCII: String {
    var bytes = Substring(self)
    while let first = bytes.unicodeScalars.first, first.value <= 0x20 { bytes.unicodeScalars.removeFirst() }
    while let last = bytes.unicodeScalars.last, last.value <= 0x20 { bytes.unicodeScalars.removeLast() }
    return String(bytes)
  }

  /// As `lowerAscii()` of formulas.
  var lowercasedASCII: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { (65...90).contains($0.value) ? Unicode.Scalar(UInt8($0.value + 32)) : $0 }
      )
    )
  }
}
