extension Library {
  /// The bits of integers. Both operands are ints or both uints; the offset of a shift is an int.
  static let bitOverloads: [Overload] = {
    let operations: [(String, String, @Sendable (Int64, Int64) -> Int64, @Sendable (UInt64, UInt64) -> UInt64)] = [
      ("bitAnd", "math_bitAnd", { $0 & $1 }, { $0 & $1 }),
      ("bitOr", "math_bitOr", { $0 | $1 }, { $0 | $1 }),
      ("bitXor", "math_bitXor", { $0 ^ $1 }, { $0 ^ $1 }),
    ]
    var overloads: [Overload] = []
    for (name, id, signed, unsigned) in operations {
      let body: @Sendable (Value, Value) -> Value = { first, second in
        switch (first, second) {
        case (.int(let left), .int(let right)): .int(signed(left, right))
        case (.uint(let left), .uint(let right)): .uint(unsigned(left, right))
        default: .error(.noSuchOverload)
        }
      }
      for (suffix, type) in [("int", CELType.int), ("uint", .uint)] {
        overloads.append(
          Overload(
            id: "\(id)_\(suffix)_\(suffix)",
            name: "math.\(name)",
            parameters: [type, type],
            result: type,
            implementation: .binary(body)
          )
        )
      }
    }
    for (suffix, type) in [("int", CELType.int), ("uint", .uint)] {
      overloads.append(
        Overload(
          id: "math_bitNot_\(suffix)_\(suffix)",
          name: "math.bitNot",
          parameters: [type],
          result: type,
          implementation: .unary { argument in
            switch argument {
            case .int(let number): .int(~number)
            case .uint(let number): .uint(~number)
            default: .error(.noSuchOverload)
            }
          }
        )
      )
      for isLeft in [true, false] {
        let name = isLeft ? "bitShiftLeft" : "bitShiftRight"
        overloads.append(
          Overload(
            id: "math_\(name)_\(suffix)_int",
            name: "math.\(name)",
            parameters: [type, .int],
            result: type,
            implementation: .binary { shifted($0, by: $1, isLeft: isLeft) }
          )
        )
      }
    }
    return overloads
  }()

  /// Shifts without a sign: ones never come in from the left. An offset of 64 or more leaves nothing, a negative one
  /// is an error.
  private static func shifted(_ value: Value, by offset: Value, isLeft: Bool) -> Value {
    guard case .int(let offset) = offset else { return .error(.noSuchOverload) }
    func shift(_ bits: UInt64) -> UInt64 { isLeft ? bits << UInt64(offset) : bits >> UInt64(offset) }
    switch value {
    case .int, .uint:
      guard offset >= 0 else { return .failure(.invalidArgument, "negative offset: \(offset)") }
    default:
      return .error(.noSuchOverload)
    }
    switch value {
    case .int(let number): return .int(Int64(bitPattern: shift(UInt64(bitPattern: number))))
    case .uint(let number): return .uint(shift(number))
    default: return .error(.noSuchOverload)
    }
  }
}
