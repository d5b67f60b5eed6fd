internal import JSON

// `multipleOf`, `maximum`, `exclusiveMaximum`, `minimum`, `exclusiveMinimum` (validation, section 6.2).

extension KeywordRule {
  /// Keywords about numbers.
  static let numbers: [KeywordRule] = [
    KeywordRule(
      .multipleOf,
      in: .validation,
      parameters: ["limit"],
      texts: """
        en|This must be a multiple of {limit}{not}.
        ko|{limit}의 배수여야 합니다.
        de|Der Wert muss ein Vielfaches von {limit} sein.
        fr|La valeur doit être un multiple de {limit}.
        es|El valor debe ser un múltiplo de {limit}.
        pt|O valor deve ser um múltiplo de {limit}.
        it|Il valore deve essere un multiplo di {limit}.
        ja|{limit}の倍数でなければなりません。
        zh|必须是{limit}的倍数。
        """
    ) { $0.compileNumber($1, $2, &$3) },
    KeywordRule(
      .maximum,
      in: .validation,
      parameters: ["limit"],
      texts: """
        en|This must be at most {limit}{not}.
        ko|{limit} 이하여야 합니다.
        de|Der Wert darf höchstens {limit} sein.
        fr|La valeur ne doit pas dépasser {limit}.
        es|El valor debe ser como máximo {limit}.
        pt|O valor deve ser no máximo {limit}.
        it|Il valore deve essere al massimo {limit}.
        ja|{limit}以下でなければなりません。
        zh|不能大于{limit}。
        """
    ) { $0.compileNumber($1, $2, &$3) },
    KeywordRule(
      .exclusiveMaximum,
      in: .validation,
      parameters: ["limit"],
      texts: """
        en|This must be less than {limit}{not}.
        ko|{limit}보다 작아야 합니다.
        de|Der Wert muss kleiner als {limit} sein.
        fr|La valeur doit être inférieure à {limit}.
        es|El valor debe ser menor que {limit}.
        pt|O valor deve ser menor que {limit}.
        it|Il valore deve essere minore di {limit}.
        ja|{limit}より小さくなければなりません。
        zh|必须小于{limit}。
        """
    ) { $0.compileNumber($1, $2, &$3) },
    KeywordRule(
      .minimum,
      in: .validation,
      parameters: ["limit"],
      texts: """
        en|This must be at least {limit}{not}.
        ko|{limit} 이상이어야 합니다.
        de|Der Wert muss mindestens {limit} sein.
        fr|La valeur doit être supérieure ou égale à {limit}.
        es|El valor debe ser como mínimo {limit}.
        pt|O valor deve ser no mínimo {limit}.
        it|Il valore deve essere almeno {limit}.
        ja|{limit}以上でなければなりません。
        zh|不能小于{limit}。
        """
    ) { $0.compileNumber($1, $2, &$3) },
    KeywordRule(
      .exclusiveMinimum,
      in: .validation,
      parameters: ["limit"],
      texts: """
        en|This must be greater than {limit}{not}.
        ko|{limit}보다 커야 합니다.
        de|Der Wert muss größer als {limit} sein.
        fr|La valeur doit être supérieure à {limit}.
        es|El valor debe ser mayor que {limit}.
        pt|O valor deve ser maior que {limit}.
        it|Il valore deve essere maggiore di {limit}.
        ja|{limit}より大きくなければなりません。
        zh|必须大于{limit}。
        """
    ) { $0.compileNumber($1, $2, &$3) },
  ]
}

extension SchemaCompiler {
  mutating func compileNumber(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    if work.dialect.draft == .draft4, keyword == .exclusiveMaximum || keyword == .exclusiveMinimum {
      compileExclusiveness(keyword, value, &work)
      return
    }
    guard let digits = DecimalDigits(value) else {
      if value.boolValue != nil, keyword == .exclusiveMaximum || keyword == .exclusiveMinimum {
        report(work, keyword.rawValue, "\(keyword.rawValue) must be a number; it was true or false in draft 4")
        return
      }
      report(work, keyword.rawValue, "\(keyword.rawValue) must be a number")
      return
    }
    let operation: Instruction.Operation
    switch keyword {
    case .multipleOf:
      guard !digits.isNegative, !digits.digits.isEmpty else {
        report(work, keyword.rawValue, "multipleOf must be greater than 0")
        return
      }
      operation = .multipleOf
    case .maximum:
      if isExclusive(.exclusiveMaximum, work) { return }
      operation = .maximum
    case .exclusiveMaximum: operation = .exclusiveMaximum
    case .minimum:
      if isExclusive(.exclusiveMinimum, work) { return }
      operation = .minimum
    case .exclusiveMinimum: operation = .exclusiveMinimum
    default: keyword.failAsMisplaced()
    }
    work.emit(operation, keyword, tables.addConstant(value))
  }

  /// Draft 4 (validation, sections 5.1.2 and 5.1.3): `true` says that the bound beside it is itself too much or too
  /// little.
  private mutating func compileExclusiveness(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    guard value.boolValue != nil else {
      report(work, keyword.rawValue, "\(keyword.rawValue) must be true or false in draft 4")
      return
    }
    let isMaximum = keyword == .exclusiveMaximum
    guard value == true, let bound = work.members[isMaximum ? "maximum" : "minimum"], bound.doubleValue != nil else {
      return
    }
    work.emit(isMaximum ? .exclusiveMaximum : .exclusiveMinimum, keyword, tables.addConstant(bound))
  }

  /// Whether the exclusive keyword of draft 4 makes a bound exclusive.
  private func isExclusive(_ keyword: Keyword, _ work: SchemaInProgress) -> Bool {
    work.dialect.draft == .draft4 && work.members[keyword.rawValue] == true
  }
}

/// Comparisons of JSON numbers that are exact between integers and reals.
enum NumberOrder {
  /// Whether the first is less than the second; false unless both are numbers.
  @inline(__always)
  static func isLess(_ left: JSON, _ right: JSON) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.integer(let a), .real(let b)): isLess(a, b)
    case (.real(let a), .integer(let b)): isGreater(b, a)
    case (.decimal, _), (_, .decimal): isLess(exactly: left, right)
    default: false
    }
  }

  private static func isLess(exactly left: JSON, _ right: JSON) -> Bool {
    guard let left = DecimalDigits(left), let right = DecimalDigits(right) else { return false }
    return left < right
  }

  /// 2^63: the first real beyond every Int64.
  private static let bound = 9_223_372_036_854_775_808.0

  private static func isLess(_ a: Int64, _ b: Double) -> Bool {
    if b >= bound { return true }
    if b <= -bound { return false }
    // In this range the whole part is an Int64, and the part that is cut off only makes b greater in magnitude.
    let whole = b.rounded(.down)
    return a < Int64(whole) || (a == Int64(whole) && whole < b)
  }

  private static func isGreater(_ a: Int64, _ b: Double) -> Bool {
    if b >= bound { return false }
    if b < -bound { return true }
    return a > Int64(b.rounded(.down))
  }
}

extension Instruction {
  /// Whether a number passes this assertion; `limit` is its constant.
  func passes(number: JSON, limit: JSON) -> Bool {
    switch operation {
    case .maximum: !NumberOrder.isLess(limit, number)
    case .exclusiveMaximum: NumberOrder.isLess(number, limit)
    case .minimum: !NumberOrder.isLess(number, limit)
    case .exclusiveMinimum: NumberOrder.isLess(limit, number)
    case .multipleOf: DecimalNumber.isMultiple(number, of: limit)
    default: operation.failAsMisplaced()
    }
  }

  /// The same with the bound as evaluation keeps it; nil if that bound does not decide.
  @inline(__always)
  func passes(number: JSON, limit: UnsafePointer<NumberLimit>) -> Bool? {
    if case .integer(let value) = number, limit.pointee.isInteger {
      return switch operation {
      case .maximum: value <= limit.pointee.integer
      case .exclusiveMaximum: value < limit.pointee.integer
      case .minimum: value >= limit.pointee.integer
      case .exclusiveMinimum: value > limit.pointee.integer
      case .multipleOf: value % limit.pointee.integer == 0
      default: operation.failAsMisplaced()
      }
    }
    if case .real(let value) = number, limit.pointee.isExactReal {
      switch operation {
      case .maximum: return value <= limit.pointee.real
      case .exclusiveMaximum: return value < limit.pointee.real
      case .minimum: return value >= limit.pointee.real
      case .exclusiveMinimum: return value > limit.pointee.real
      default: break
      }
    }
    switch number {
    case .integer, .real, .decimal: return nil
    default: return true
    }
  }
}
