internal import Texts

extension Value {
  /// Equality as the language defines it (cel-spec, "Equality"). Numbers of all types are compared by their value: an
  /// integer beside a double is rounded to the nearest double, as in ``order(_:)``. NaN equals nothing. Lists and maps
  /// are compared by their elements, and values of different types are unequal. Errors and unknowns equal nothing; the
  /// evaluator passes them on before it compares.
  public func equals(_ other: Value) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameUTF8(as: right)
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.null, .null): true
    case (.int, _), (.uint, _), (.double, _): numericOrder(other) == .equal
    case (.bytes(let left), .bytes(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left.elements, right.elements).allSatisfy { $0.equals($1) }
    case (.map(let left), .map(let right)):
      left.count == right.count
        && left.entries.allSatisfy { entry in right[entry.key].map { entry.value.equals($0) } ?? false }
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.type(let left), .type(let right)): left == right
    case (.optional(let left), .optional(let right)):
      switch (left.value, right.value) {
      case (nil, nil): true
      case (let left?, let right?): left.equals(right)
      default: false
      }
    case (.abstract(let left), .abstract(let right)): left.equals(right)
    default: false
    }
  }

  /// Whether an element of the list equals this value.
  public func isElement(of list: ListValue) -> Bool {
    list.elements.contains { equals($0) }
  }

  /// Feeds the values that ``equals(_:)`` compares: equal values hash equally, even with different numeric types.
  func hashForEquality(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    // Numbers of different types that are equal round to the same double.
    case .int(let value): hasher.combine(Double(value))
    case .uint(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .string(let text): text.hashUTF8(into: &hasher)
    case .bytes(let bytes): hasher.combine(bytes)
    case .list(let list):
      hasher.combine(list.count)
      for element in list { element.hashForEquality(into: &hasher) }
    case .map(let map):
      // Independent of the order: the sum of the entries' own hashes.
      var sum = 0
      for entry in map.entries {
        var inner = Hasher()
        entry.key.hashForEquality(into: &inner)
        entry.value.hashForEquality(into: &inner)
        sum &+= inner.finalize()
      }
      hasher.combine(sum)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .type(let value): hasher.combine(value)
    case .optional(let value):
      hasher.combine(1 as UInt8)
      value.value?.hashForEquality(into: &hasher)
    case .abstract(let value): hasher.combine(value.content)
    case .error(let error): hasher.combine(error.kind)
    case .unknown: hasher.combine(2 as UInt8)
    }
  }
}

extension Value: Equatable {
  /// Whether both values are identical and have one type; NaN equals NaN and zero differs from negative zero, so that a
  /// result that did not change is recognized. Maps are compared without regard to their order.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    case (.int, .uint), (.int, .double), (.uint, .int), (.uint, .double), (.double, .int), (.double, .uint): false
    case (.list(let a), .list(let b)): a.elements == b.elements
    case (.map(let a), .map(let b)):
      a.count == b.count
        && a.entries.allSatisfy { entry in
          b.entry(for: entry.key).map { $0.key == entry.key && $0.value == entry.value } ?? false
        }
    case (.optional(let a), .optional(let b)): a.value == b.value
    case (.error(let a), .error(let b)): a == b
    case (.unknown(let a), .unknown(let b)): a == b
    default: left.equals(right)
    }
  }
}

/// A value as the member of a hashed set in which the language's equality decides.
struct EqualityKey: Hashable {
  let value: Value
  static func == (left: EqualityKey, right: EqualityKey) -> Bool { left.value.equals(right.value) }
  func hash(into hasher: inout Hasher) { value.hashForEquality(into: &hasher) }
}
