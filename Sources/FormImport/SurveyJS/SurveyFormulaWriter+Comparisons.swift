internal import JSON

/// Comparisons of answers, which SurveyJS makes without regard to types.
extension SurveyFormulaWriter {
  mutating func assume(_ what: String) {
    if !assumptions.contains(what) { assumptions.append(what) }
  }

  mutating func equal(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
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
      guard let constant = right.constant else { throw .unsupported("a Boolean and a \(right.kind) are not compared") }
      assume("the constant \(constant.text) as a Boolean")
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
      assume("a list and one value as equal only if both are empty")
      guard right.constant == nil else { return .bool(false) }
      return SurveyFormula("\(try emptyTest(left).at(.and)) && \(try emptyTest(right).at(.and))", .bool, .and)
    case (.text, .list), (.number, .list), (.any, .list), (.bool, .list): return try equal(right, left)
    case (.object, _), (_, .object), (.null, _), (_, .null):
      throw .unsupported("whole groups of answers are not compared")
    }
  }

  mutating func emptyTest(_ formula: SurveyFormula) throws(Failure) -> SurveyFormula {
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

  mutating func ordered(
    _ left: SurveyFormula,
    _ operation: String,
    _ right: SurveyFormula
  ) throws(Failure) -> SurveyFormula {
    guard left.kind != .null, right.kind != .null else { return .bool(false) }
    let isOfTexts = [left, right].allSatisfy { $0.kind == .text && numberConstant($0) == nil }
    let (first, second) = isOfTexts ? (left, right) : (try number(left), try number(right))
    var ordered = comparison(first, operation, second)
    ordered.mayBeAbsent = !isOfTexts
    let cells = [left, right].filter { $0.cell != nil && $0.text != "self" }
    if isOfTexts, !cells.isEmpty {
      // An empty answer is not less than anything.
      let guards = cells.map { "\($0.at(.sum)) != ''" }
      ordered = SurveyFormula((guards + [ordered.text]).joined(separator: " && "), .bool, .and)
    }
    guard operation == ">=" || operation == "<=", cells.count == 2 else { return ordered }
    // Two questions without an answer are equal.
    return SurveyFormula(
      "\(comparison(first, "==", second).text) || \(ordered.text)",
      .bool,
      .or,
      mayBeAbsent: ordered.mayBeAbsent
    )
  }

  mutating func contains(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
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

  mutating func anyOf(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
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

  mutating func allOf(_ left: SurveyFormula, _ right: SurveyFormula) throws(Failure) -> SurveyFormula {
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
