internal import Texts

/// The results of comparing two ordered values.
public enum ValueOrder: Sendable {
  /// The left one comes before, equals, or comes after the right one.
  case less, equal, greater
  /// One of the two is NaN: every comparison is false.
  case unordered

  @inline(__always)
  init<Number: Comparable>(_ left: Number, _ right: Number) {
    self = left < right ? .less : left == right ? .equal : left > right ? .greater : .unordered
  }

  init(signOf number: Int) {
    self = number < 0 ? .less : number == 0 ? .equal : .greater
  }
}

extension Value {
  /// The order of two values for `<`, `<=`, `>`, `>=` (cel-spec, "Ordering"); nil when the operators have no overload
  /// for them. Ints and uints are compared by their exact values; an integer is rounded to the nearest double to be
  /// compared with one, as the specification's tests ask: `9223372036854775807` is not less than
  /// `9223372036854775808.0`.
  public func order(_ other: Value) -> ValueOrder? {
    switch (self, other) {
    case (.int(let left), .int(let right)): ValueOrder(left, right)
    case (.double(let left), .double(let right)): ValueOrder(left, right)
    case (.uint(let left), .uint(let right)): ValueOrder(left, right)
    case (.string(let left), .string(let right)): ValueOrder(signOf: left.utf8Order(right))
    case (.int, _), (.uint, _), (.double, _): numericOrder(other)
    case (.bool(let left), .bool(let right)): ValueOrder(left ? 1 : 0, right ? 1 : 0)
    case (.bytes(let left), .bytes(let right)):
      ValueOrder(signOf: left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { left.byteOrder($0) } })
    case (.timestamp(let left), .timestamp(let right)): ValueOrder(left, right)
    case (.duration(let left), .duration(let right)): ValueOrder(left, right)
    default: nil
    }
  }

  /// The order of two numbers; nil unless both are numbers.
  func numericOrder(_ other: Value) -> ValueOrder? {
    switch (self, other) {
    case (.int(let left), .int(let right)): ValueOrder(left, right)
    case (.uint(let left), .uint(let right)): ValueOrder(left, right)
    case (.double(let left), .double(let right)): ValueOrder(left, right)
    case (.int(let left), .uint(let right)): left < 0 ? .less : ValueOrder(UInt64(left), right)
    case (.uint(let left), .int(let right)): right < 0 ? .greater : ValueOrder(left, UInt64(right))
    case (.int(let left), .double(let right)): ValueOrder(Double(left), right)
    case (.double(let left), .int(let right)): ValueOrder(left, Double(right))
    case (.uint(let left), .double(let right)): ValueOrder(Double(left), right)
    case (.double(let left), .uint(let right)): ValueOrder(left, Double(right))
    default: nil
    }
  }

  /// `self < other`.
  public func isLess(than other: Value) -> Value {
    guard let order = order(other) else { return .error(.noSuchOverload) }
    return .bool(order == .less)
  }

  /// `self <= other`.
  public func isLessOrEqual(to other: Value) -> Value {
    guard let order = order(other) else { return .error(.noSuchOverload) }
    return .bool(order == .less || order == .equal)
  }
}
