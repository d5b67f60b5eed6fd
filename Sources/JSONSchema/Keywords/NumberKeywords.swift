internal import JSON

// `multipleOf`, `maximum`, `exclusiveMaximum`, `minimum`, `exclusiveMinimum` (validation, section 6.2).

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
    default: operation = .exclusiveMinimum
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
    default: DecimalNumber.isMultiple(number, of: limit)
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
      default: value % limit.pointee.integer == 0
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
