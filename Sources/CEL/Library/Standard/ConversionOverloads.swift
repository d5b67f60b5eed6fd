extension Library {
  /// The conversion functions, `type` and `dyn`.
  static let conversionOverloads: [Overload] = {
    var overloads: [Overload] = []
    // A code point is up to four bytes of UTF-8; the other direction never grows.
    func converted(to result: CELType) -> Overload.ResultSize {
      switch result {
      case .bytes: .sum([0, 0, 0, 0])
      case .string: .argument(0)
      default: .atMost(1)
      }
    }
    func declare(
      _ name: String,
      _ result: CELType,
      _ body: @escaping @Sendable (Value) -> Value,
      _ sources: [(String, CELType)]
    ) {
      for (id, type) in sources {
        let isSized = type == .string || type == .bytes
        overloads.append(
          Overload(
            id: id,
            name: name,
            parameters: [type],
            result: result,
            cost: isSized ? .linear([0]) : .constant(1),
            // The longest text of a scalar is the text of a double below 1e6 with 17 digits, or an instant: under 40.
            resultSize: isSized ? converted(to: result) : .atMost(40),
            implementation: .unary(body)
          )
        )
      }
    }
    declare("bool", .bool, { $0.convertedToBool }, [("bool_to_bool", .bool), ("string_to_bool", .string)])
    declare(
      "int",
      .int,
      { $0.convertedToInt },
      [
        ("int64_to_int64", .int), ("uint64_to_int64", .uint), ("double_to_int64", .double),
        ("string_to_int64", .string),
        ("timestamp_to_int64", .timestamp), ("duration_to_int64", .duration),
      ]
    )
    declare(
      "uint",
      .uint,
      { $0.convertedToUint },
      [
        ("uint64_to_uint64", .uint), ("int64_to_uint64", .int), ("double_to_uint64", .double),
        ("string_to_uint64", .string),
      ]
    )
    declare(
      "double",
      .double,
      { $0.convertedToDouble },
      [
        ("double_to_double", .double), ("int64_to_double", .int), ("uint64_to_double", .uint),
        ("string_to_double", .string),
      ]
    )
    declare(
      "string",
      .string,
      { $0.convertedToString },
      [
        ("string_to_string", .string), ("bool_to_string", .bool), ("int64_to_string", .int),
        ("uint64_to_string", .uint),
        ("double_to_string", .double), ("bytes_to_string", .bytes), ("timestamp_to_string", .timestamp),
        ("duration_to_string", .duration),
      ]
    )
    declare("bytes", .bytes, { $0.convertedToBytes }, [("bytes_to_bytes", .bytes), ("string_to_bytes", .string)])
    declare(
      "timestamp",
      .timestamp,
      { $0.convertedToTimestamp },
      [("timestamp_to_timestamp", .timestamp), ("string_to_timestamp", .string), ("int64_to_timestamp", .int)]
    )
    declare(
      "duration",
      .duration,
      { $0.convertedToDuration },
      [("duration_to_duration", .duration), ("string_to_duration", .string), ("int64_to_duration", .int)]
    )
    overloads.append(
      Overload(id: "type", name: "type", parameters: [.a], result: .type(.a), implementation: .unary { $0.typeOf })
    )
    overloads.append(
      Overload(
        id: "to_dyn",
        name: "dyn",
        parameters: [.a],
        result: .dyn,
        resultSize: .argument(0),
        implementation: .unary { $0 }
      )
    )
    return overloads
  }()
}
