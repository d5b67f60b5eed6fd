extension Library {
  /// The bits of integers. Both operands are ints or both uints; the offset of a shift is an int.
  static let bitFunctions: [Function] = [
    Function(
      "math.bitAnd(a, b)",
      .numbers,
      "the bitwise AND of two numbers",
      examples: ["math.bitAnd(6, 3)": "2"],
      overloads: onTwo("bitAnd", { $0 & $1 }, { $0 & $1 })
    ),
    Function(
      "math.bitOr(a, b)",
      .numbers,
      "the bitwise OR of two numbers",
      examples: ["math.bitOr(6, 3)": "7"],
      overloads: onTwo("bitOr", { $0 | $1 }, { $0 | $1 })
    ),
    Function(
      "math.bitXor(a, b)",
      .numbers,
      "the bitwise XOR of two numbers",
      examples: ["math.bitXor(6, 3)": "5"],
      overloads: onTwo("bitXor", { $0 ^ $1 }, { $0 ^ $1 })
    ),
    Function(
      "math.bitNot(a)",
      .numbers,
      "the bitwise NOT of a number",
      examples: ["math.bitNot(0)": "-1"],
      overloads: integers.map { suffix, type in
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
      }
    ),
    Function(
      "math.bitShiftLeft(a, places)",
      .numbers,
      "the bits of a number, shifted to the left by a number of places",
      examples: ["math.bitShiftLeft(1, 4)": "16"],
      overloads: shifts("bitShiftLeft", isLeft: true)
    ),
    Function(
      "math.bitShiftRight(a, places)",
      .numbers,
      "the bits of a number, shifted to the right by a number of places",
      examples: ["math.bitShiftRight(16, 2)": "4"],
      overloads: shifts("bitShiftRight", isLeft: false)
    ),
  ]

  private static let integers: [(String, CELType)] = [("int", .int), ("uint", .uint)]

  private static func onTwo(
    _ name: String,
    _ signed: @escaping @Sendable (Int64, Int64) -> Int64,
    _ unsigned: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> [Overload] {
    integers.map { suffix, type in
      Overload(
        id: "math_\(name)_\(suffix)_\(suffix)",
        name: "math.\(name)",
        parameters: [type, type],
        result: type,
        implementation: .binary { first, second in
          switch (first, second) {
          case (.int(let left), .int(let right)): .int(signed(left, right))
          case (.uint(let left), .uint(let right)): .uint(unsigned(left, right))
          default: .error(.noSuchOverload)
          }
        }
      )
    }
  }

  private static func shifts(_ name: String, isLeft: Bool) -> [Overload] {
    integers.map { suffix, type in
      Overload(
        id: "math_\(name)_\(suffix)_int",
        name: "math.\(name)",
        parameters: [type, .int],
        result: type,
        implementation: .binary { shifted($0, by: $1, isLeft: isLeft) }
      )
    }
  }

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
