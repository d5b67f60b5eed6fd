internal import Times

/// The arithmetic operators (cel-spec, "Numeric Values", "Overflow" and "Timestamps and durations"). Integers that
/// overflow are errors; doubles follow IEEE 754.
extension Value {
  /// `self + other`: numbers, concatenation of texts, bytes and lists, instants and durations.
  public func adding(_ other: Value) -> Value {
    switch (self, other) {
    case (.int(let left), .int(let right)):
      return Self.checked(left.addingReportingOverflow(right))
    case (.double(let left), .double(let right)):
      return .double(left + right)
    case (.uint(let left), .uint(let right)):
      return Self.checked(left.addingReportingOverflow(right))
    case (.string(let left), .string(let right)):
      guard left.utf8.count + right.utf8.count <= ResultLimits.bytesMax else { return ResultLimits.textTooLarge }
      return .string(left + right)
    case (.bytes(let left), .bytes(let right)):
      guard left.count + right.count <= ResultLimits.bytesMax else { return ResultLimits.textTooLarge }
      return .bytes(left + right)
    case (.list(let left), .list(let right)):
      guard left.count + right.count <= ResultLimits.elementsMax else { return ResultLimits.listTooLarge }
      return .list(ListValue(left.elements + right.elements))
    case (.timestamp(let instant), .duration(let duration)), (.duration(let duration), .timestamp(let instant)):
      return Self.ranged(instant.advanced(by: duration))
    case (.duration(let left), .duration(let right)):
      return Self.checkedDuration(left.nanoseconds.addingReportingOverflow(right.nanoseconds))
    default:
      return .error(.noSuchOverload)
    }
  }

  /// `self - other`.
  public func subtracting(_ other: Value) -> Value {
    switch (self, other) {
    case (.int(let left), .int(let right)):
      return Self.checked(left.subtractingReportingOverflow(right))
    case (.double(let left), .double(let right)):
      return .double(left - right)
    case (.uint(let left), .uint(let right)):
      return Self.checked(left.subtractingReportingOverflow(right))
    case (.timestamp(let left), .timestamp(let right)):
      guard let duration = left.since(right) else { return Self.durationOutOfRange }
      return .duration(duration)
    case (.timestamp(let instant), .duration(let duration)):
      // The least duration has no negative; it is subtracted in two halves.
      if duration.nanoseconds == Int64.min {
        let half = DurationValue(nanoseconds: -(Int64.min / 2))
        return Self.ranged(instant.advanced(by: half)?.advanced(by: half))
      }
      return Self.ranged(instant.advanced(by: DurationValue(nanoseconds: -duration.nanoseconds)))
    case (.duration(let left), .duration(let right)):
      return Self.checkedDuration(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds))
    default:
      return .error(.noSuchOverload)
    }
  }

  /// `self * other`.
  public func multiplied(by other: Value) -> Value {
    switch (self, other) {
    case (.int(let left), .int(let right)): Self.checked(left.multipliedReportingOverflow(by: right))
    case (.double(let left), .double(let right)): .double(left * right)
    case (.uint(let left), .uint(let right)): Self.checked(left.multipliedReportingOverflow(by: right))
    default: .error(.noSuchOverload)
    }
  }

  /// `self / other`; integers are rounded towards zero.
  public func divided(by other: Value) -> Value {
    switch (self, other) {
    case (.int, .int(0)), (.uint, .uint(0)): .error(Self.divisionByZero)
    case (.int(let left), .int(let right)): Self.checked(left.dividedReportingOverflow(by: right))
    case (.double(let left), .double(let right)): .double(left / right)
    case (.uint(let left), .uint(let right)): .uint(left / right)
    default: .error(.noSuchOverload)
    }
  }

  /// `self % other`; the result has the sign of the dividend. Doubles have no modulus.
  public func remainder(dividingBy other: Value) -> Value {
    switch (self, other) {
    case (.int, .int(0)), (.uint, .uint(0)): .error(Self.modulusByZero)
    case (.int(let left), .int(let right)): Self.checked(left.remainderReportingOverflow(dividingBy: right))
    case (.uint(let left), .uint(let right)): .uint(left % right)
    default: .error(.noSuchOverload)
    }
  }

  /// `-self`.
  public var negated: Value {
    switch self {
    case .int(let value): Self.checked((0 as Int64).subtractingReportingOverflow(value))
    case .double(let value): .double(-value)
    default: .error(.noSuchOverload)
    }
  }

  static let overflow = EvaluationError(.overflow, "integer overflow")
  private static let divisionByZero = EvaluationError(.divisionByZero, "division by zero")
  private static let modulusByZero = EvaluationError(.modulusByZero, "modulus by zero")
  static let durationOutOfRange = Value.failure(
    .range,
    "range error: the duration does not fit in 64 bits of nanoseconds"
  )
  static let timestampOutOfRange = Value.failure(.range, "range error: the timestamp is outside the years 0001 to 9999")

  @inline(__always)
  private static func checked(_ result: (Int64, Bool)) -> Value {
    result.1 ? .error(overflow) : .int(result.0)
  }

  @inline(__always)
  private static func checked(_ result: (UInt64, Bool)) -> Value {
    result.1 ? .error(overflow) : .uint(result.0)
  }

  private static func checkedDuration(_ result: (Int64, Bool)) -> Value {
    result.1 ? durationOutOfRange : .duration(DurationValue(nanoseconds: result.0))
  }

  private static func ranged(_ instant: Timestamp?) -> Value {
    instant.map { .timestamp($0) } ?? timestampOutOfRange
  }
}
