/// How two ordered values stand to each other.
public enum ValueOrder: Sendable {
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
  /// The order of two values for `<`, `<=`, `>`, `>=` (cel-spec, "Ordering"); nil when the operators have no overload for them.
  /// Numbers of different types are compared by their exact mathematical values, never by rounding one to the other's type.
  public func order(_ other: Value) -> ValueOrder? {
    switch (self, other) {
    case (.int(let left), .int(let right)): ValueOrder(left, right)
    case (.double(let left), .double(let right)): ValueOrder(left, right)
    case (.uint(let left), .uint(let right)): ValueOrder(left, right)
    case (.string(let left), .string(let right)): ValueOrder(signOf: left.codePointOrder(right))
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
    // The standard library compares a whole number with a floating-point one exactly.
    case (.int(let left), .double(let right)): Self.order(left, right)
    case (.double(let left), .int(let right)): Self.order(right, left).reversed
    case (.uint(let left), .double(let right)): Self.order(left, right)
    case (.double(let left), .uint(let right)): Self.order(right, left).reversed
    default: nil
    }
  }

  private static func order<Whole: FixedWidthInteger>(_ whole: Whole, _ number: Double) -> ValueOrder {
    if number.isNaN { return .unordered }
    // 2^63 and 2^64 are exact doubles; what lies below them can be cut to a whole number.
    if number >= (Whole.isSigned ? 0x1p63 : 0x1p64) { return .less }
    if number < (Whole.isSigned ? -0x1p63 : 0) { return .greater }
    let cut = number.rounded(.towardZero)
    let floor = Whole(cut)
    if whole != floor { return whole < floor ? .less : .greater }
    return number > cut ? .less : number < cut ? .greater : .equal
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

extension ValueOrder {
  /// The order with both sides exchanged.
  var reversed: ValueOrder {
    switch self {
    case .less: .greater
    case .greater: .less
    case .equal: .equal
    case .unordered: .unordered
    }
  }
}
