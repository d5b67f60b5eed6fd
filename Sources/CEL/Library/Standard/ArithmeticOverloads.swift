extension Library {
  /// `+`, `-`, `*`, `/`, `%` and the sign.
  static let arithmeticOverloads: [Overload] = {
    var overloads: [Overload] = []
    func declare(
      _ name: String,
      _ body: @escaping @Sendable (Value, Value) -> Value,
      _ signatures: [(String, CELType, CELType, CELType)]
    ) {
      for (id, left, right, result) in signatures {
        let isSized = [.string, .bytes, .listOfA].contains(result)
        overloads.append(
          Overload(
            id: id,
            name: name,
            parameters: [left, right],
            result: result,
            cost: isSized ? .linear([0, 1]) : .constant(1),
            resultSize: isSized ? .sum([0, 1]) : .atMost(1),
            implementation: .binary(body)
          )
        )
      }
    }
    declare(
      "_+_",
      { $0.adding($1) },
      [
        ("add_int64", .int, .int, .int), ("add_uint64", .uint, .uint, .uint), ("add_double", .double, .double, .double),
        ("add_string", .string, .string, .string), ("add_bytes", .bytes, .bytes, .bytes),
        ("add_list", .listOfA, .listOfA, .listOfA), ("add_timestamp_duration", .timestamp, .duration, .timestamp),
        ("add_duration_timestamp", .duration, .timestamp, .timestamp),
        ("add_duration_duration", .duration, .duration, .duration),
      ]
    )
    declare(
      "_-_",
      { $0.subtracting($1) },
      [
        ("subtract_int64", .int, .int, .int), ("subtract_uint64", .uint, .uint, .uint),
        ("subtract_double", .double, .double, .double),
        ("subtract_timestamp_timestamp", .timestamp, .timestamp, .duration),
        ("subtract_timestamp_duration", .timestamp, .duration, .timestamp),
        ("subtract_duration_duration", .duration, .duration, .duration),
      ]
    )
    declare(
      "_*_",
      { $0.multiplied(by: $1) },
      [
        ("multiply_int64", .int, .int, .int), ("multiply_uint64", .uint, .uint, .uint),
        ("multiply_double", .double, .double, .double),
      ]
    )
    declare(
      "_/_",
      { $0.divided(by: $1) },
      [
        ("divide_int64", .int, .int, .int), ("divide_uint64", .uint, .uint, .uint),
        ("divide_double", .double, .double, .double),
      ]
    )
    declare(
      "_%_",
      { $0.remainder(dividingBy: $1) },
      [("modulo_int64", .int, .int, .int), ("modulo_uint64", .uint, .uint, .uint)]
    )
    for (id, type) in [("negate_int64", CELType.int), ("negate_double", .double)] {
      overloads.append(
        Overload(id: id, name: "-_", parameters: [type], result: type, implementation: .unary { $0.negated })
      )
    }
    return overloads
  }()
}
