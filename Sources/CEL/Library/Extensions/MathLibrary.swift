extension Library {
  /// Numbers: extremes, rounding, signs, classification, bits (cel-go, `ext/README.md`, "Math").
  ///
  /// `math.greatest` and `math.least` take any number of arguments and are macros of the parser; they expand to the
  /// functions `math.@max` and `math.@min`, which take one number, two numbers, or a list.
  public static let math = Library(
    name: "math",
    functions: roundingFunctions + signFunctions + bitFunctions,
    operators: extremeOverloads(name: "math.@max") { $0 == .greater }
      + extremeOverloads(name: "math.@min") { $0 == .less }
  )

  private static let numbers: [(String, CELType)] = [("int", .int), ("uint", .uint), ("double", .double)]

  /// The extreme among the arguments: a candidate wins if it compares with the best so far as `wins` says; of equal
  /// ones the first stays.
  private static func extremeOverloads(
    name: String,
    wins: @escaping @Sendable (ValueOrder) -> Bool
  ) -> [Overload] {
    let prefix = name.split(separator: ".").joined(separator: "_")
    let choose: @Sendable (Value, Value) -> Value = { best, candidate in
      guard let order = candidate.numericOrder(best) else { return .error(.noSuchOverload) }
      return wins(order) ? candidate : best
    }
    let ofList: @Sendable (Value) -> Value = { argument in
      guard case .list(let list) = argument else {
        return argument.numericOrder(argument) == nil ? .error(.noSuchOverload) : argument
      }
      guard let first = list.first else {
        return .failure(.invalidArgument, "\(name) needs a list that is not empty")
      }
      guard first.numericOrder(first) != nil else { return .error(.noSuchOverload) }
      var best = first
      for candidate in list.dropFirst() {
        best = choose(best, candidate)
        if best.isError { return best }
      }
      return best
    }
    var overloads: [Overload] = []
    for (suffix, type) in numbers {
      overloads.append(
        Overload(
          id: "\(prefix)_\(suffix)",
          name: name,
          parameters: [type],
          result: type,
          implementation: .unary(ofList)
        )
      )
      overloads.append(
        Overload(
          id: "\(prefix)_list_\(suffix)",
          name: name,
          parameters: [.list(type)],
          result: type,
          cost: .linear([0]),
          implementation: .unary(ofList)
        )
      )
      for (otherSuffix, other) in numbers {
        overloads.append(
          Overload(
            id: "\(prefix)_\(suffix)_\(otherSuffix)",
            name: name,
            parameters: [type, other],
            result: type == other ? type : .dyn,
            implementation: .binary(choose)
          )
        )
      }
    }
    return overloads
  }

  private static let roundingFunctions: [Function] = [
    ofDouble("ceil", "the number rounded up to an integer, as a double", examples: ["math.ceil(1.2)": "2.0"]) {
      .double($0.rounded(.up))
    },
    ofDouble("floor", "the number rounded down to an integer, as a double", examples: ["math.floor(-1.2)": "-2.0"]) {
      .double($0.rounded(.down))
    },
    ofDouble(
      "round",
      "the number rounded to an integer, halves away from zero, as a double",
      examples: ["math.round(2.5)": "3.0"]
    ) { .double($0.rounded(.toNearestOrAwayFromZero)) },
    ofDouble("trunc", "the number without its fraction, as a double", examples: ["math.trunc(-1.7)": "-1.0"]) {
      .double($0.rounded(.towardZero))
    },
    ofDouble("isInf", "whether a number is infinite", gives: .bool, examples: ["math.isInf(1.0 / 0.0)": "true"]) {
      .bool($0.isInfinite)
    },
    ofDouble(
      "isNaN",
      "whether a number is NaN (not a number)",
      gives: .bool,
      examples: ["math.isNaN(0.0 / 0.0)": "true"]
    ) { .bool($0.isNaN) },
    ofDouble(
      "isFinite",
      "whether a number is neither infinite nor NaN",
      gives: .bool,
      examples: ["math.isFinite(1.5)": "true"]
    ) { .bool($0.isFinite) },
    Function(
      "math.sqrt(number)",
      .numbers,
      "the square root",
      examples: ["math.sqrt(2.25)": "1.5"],
      overloads: numbers.map { suffix, type in
        Overload(
          id: "math_sqrt_\(suffix)",
          name: "math.sqrt",
          parameters: [type],
          result: .double,
          implementation: .unary { argument in
            switch argument {
            case .double(let number): .double(number.squareRoot())
            case .int(let number): .double(Double(number).squareRoot())
            case .uint(let number): .double(Double(number).squareRoot())
            default: .error(.noSuchOverload)
            }
          }
        )
      }
    ),
  ]

  private static func ofDouble(
    _ name: String,
    _ summary: String,
    gives result: CELType = .double,
    examples: KeyValuePairs<String, String>,
    _ body: @escaping @Sendable (Double) -> Value
  ) -> Function {
    Function(
      "math.\(name)(number)",
      .numbers,
      summary,
      examples: examples,
      overloads: [
        Overload(
          id: "math_\(name)_double",
          name: "math.\(name)",
          parameters: [.double],
          result: result,
          implementation: .double(body)
        )
      ]
    )
  }

  private static let signFunctions: [Function] = [
    Function(
      "math.abs(number)",
      .numbers,
      "the absolute value",
      examples: ["math.abs(-3)": "3"],
      overloads: numbers.map { suffix, type in
        Overload(
          id: "math_abs_\(suffix)",
          name: "math.abs",
          parameters: [type],
          result: type,
          implementation: .unary { argument in
            switch argument {
            case .double(let number): .double(number.magnitude)
            case .int(let number): Int64(exactly: number.magnitude).map { .int($0) } ?? .error(Value.overflow)
            case .uint: argument
            default: .error(.noSuchOverload)
            }
          }
        )
      }
    ),
    Function(
      "math.sign(number)",
      .numbers,
      "-1, 0 or 1",
      examples: ["math.sign(-2.5)": "-1.0"],
      overloads: numbers.map { suffix, type in
        Overload(
          id: "math_sign_\(suffix)",
          name: "math.sign",
          parameters: [type],
          result: type,
          implementation: .unary { argument in
            switch argument {
            // NaN and both zeros are their own signs.
            case .double(let number): .double(number > 0 ? 1 : number < 0 ? -1 : number)
            case .int(let number): .int(number.signum())
            case .uint(let number): .uint(number.signum())
            default: .error(.noSuchOverload)
            }
          }
        )
      }
    ),
  ]
}
