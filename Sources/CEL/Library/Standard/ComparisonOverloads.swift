extension Library {
  /// `<`, `<=`, `>`, `>=` for every pair of types that has an order; numbers of different types may be compared.
  static let comparisonOverloads: [Overload] = {
    let pairs: [(String, CELType, CELType)] = [
      ("bool", .bool, .bool), ("int64", .int, .int), ("int64_uint64", .int, .uint), ("int64_double", .int, .double),
      ("uint64", .uint, .uint), ("uint64_int64", .uint, .int), ("uint64_double", .uint, .double),
      ("double", .double, .double), ("double_int64", .double, .int), ("double_uint64", .double, .uint),
      ("string", .string, .string), ("bytes", .bytes, .bytes), ("timestamp", .timestamp, .timestamp),
      ("duration", .duration, .duration),
    ]
    let operators: [(String, String, @Sendable (Value, Value) -> Value)] = [
      ("less", "_<_", { $0.isLess(than: $1) }),
      ("less_equals", "_<=_", { $0.isLessOrEqual(to: $1) }),
      ("greater", "_>_", { $1.isLess(than: $0) }),
      ("greater_equals", "_>=_", { $1.isLessOrEqual(to: $0) }),
    ]
    return operators.flatMap { prefix, name, body in
      pairs.map { suffix, left, right in
        let isSized = left == .string || left == .bytes
        return Overload(
          id: "\(prefix)_\(suffix)",
          name: name,
          parameters: [left, right],
          result: .bool,
          cost: isSized ? .linear([0, 1]) : .constant(1),
          implementation: .binary(body)
        )
      }
    }
  }()
}
