/// A formula in CEL that gives what an expression of SurveyJS gives.
struct SurveyFormula {
  /// The type of the result. Every number is a double, because SurveyJS has one type of numbers.
  enum Kind {
    case bool, number, text, list, object, any, null
  }

  /// How strongly the outermost operator binds, the weakest first.
  enum Level: Int, Comparable {
    case conditional, or, and, comparison, sum, product, unary, primary

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The formula.
  var text: String
  /// The type of the result.
  var kind: Kind
  /// Decides about parentheses.
  var level: Level
  /// Whether the result may be absent: a comparison with a number that has no value.
  var mayBeAbsent = false
  /// The value, if the formula is a constant.
  var constant: SurveyChoice?
  /// The cell, if the formula only reads one.
  var cell: SurveyCell?
  /// The formula with the opposite result, if that is simpler than a negation.
  var opposite: String?
  /// The elements, if the formula is a list that is written out.
  var elements: [SurveyFormula]?

  init(_ text: String, _ kind: Kind, _ level: Level, mayBeAbsent: Bool = false) {
    self.text = text
    self.kind = kind
    self.level = level
    self.mayBeAbsent = mayBeAbsent
  }

  /// A formula that reads a cell.
  init(_ cell: SurveyCell) {
    switch cell.shape {
    case .bool: self.init(cell.reference, .bool, .primary)
    case .number: self.init(cell.reference, .number, .primary, mayBeAbsent: true)
    case .integer: self.init("double(\(cell.reference))", .number, .primary, mayBeAbsent: true)
    case .text: self.init(cell.reference, .text, .primary)
    case .any(let choices) where choices.areNumbers:
      // The form's choices are whole numbers, and every number of a formula is a double.
      let text = choices.areIntegers ? "double(\(cell.reference))" : cell.reference
      self.init(text, .number, .primary, mayBeAbsent: true)
    case .any: self.init(cell.reference, .any, .primary, mayBeAbsent: true)
    case .list: self.init(cell.reference, .list, .primary)
    case .object: self.init(cell.reference, .object, .primary)
    }
    self.cell = cell
  }

  static func text(_ text: String) -> SurveyFormula {
    var formula = SurveyFormula(CELText.quoted(text), .text, .primary)
    formula.constant = .text(text)
    return formula
  }

  static func number(_ number: Double) -> SurveyFormula {
    var formula = SurveyFormula(CELText.number(number), .number, number < 0 ? .unary : .primary)
    formula.constant = .number(number)
    return formula
  }

  static func bool(_ value: Bool) -> SurveyFormula {
    var formula = SurveyFormula(value ? "true" : "false", .bool, .primary)
    formula.constant = .bool(value)
    return formula
  }

  /// The formula as an operand of an operator of that level.
  func at(_ level: Level) -> String { self.level < level ? "(\(text))" : text }

  /// A Boolean that is never absent: SurveyJS takes an absent Boolean as false.
  var definite: SurveyFormula {
    guard kind == .bool, mayBeAbsent else { return self }
    return SurveyFormula("\(at(.primary)).orValue(false)", .bool, .primary)
  }

  /// The choices of the cell, if only these are allowed.
  var choices: [SurveyChoice]? {
    switch cell?.shape {
    case .text(let choices?, _): choices.map { .text($0) }
    case .any(let choices) where !choices.isEmpty: choices
    case .list(.text(let choices?, _)): choices.map { .text($0) }
    case .list(.any(let choices)) where !choices.isEmpty: choices
    default: nil
    }
  }

  /// The type of the list's elements.
  var elementShape: SurveyShape? {
    if case .list(let element) = cell?.shape { element } else { nil }
  }
}

extension [SurveyChoice] {
  /// Whether all of the choices are numbers, and there is one.
  var areNumbers: Bool {
    !isEmpty && allSatisfy { if case .number = $0 { true } else { false } }
  }

  /// Whether there are choices, and each is a whole number.
  var areIntegers: Bool {
    !isEmpty && allSatisfy { if case .number(let number) = $0 { Int64(exactly: number) != nil } else { false } }
  }
}

extension SurveyFormula {
  /// The type of the elements of a list in formulas.
  var elementType: String {
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
  var valueType: String {
    switch kind {
    case .number: constant != nil && !text.contains(".") && !text.contains("e") ? "integer" : "number"
    case .text: "text"
    case .bool: "bool"
    case .list, .object, .any, .null: "other"
    }
  }

  /// Whether the form's list has whole numbers.
  var hasIntegers: Bool {
    switch elementShape {
    case .integer: true
    case .any(let choices): choices.areIntegers
    default: false
    }
  }

  /// Whether the text is a choice, a date or another text whose case is fixed.
  var isExact: Bool {
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
