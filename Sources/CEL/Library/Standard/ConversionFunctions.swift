extension Library {
  /// The conversion functions, `type` and `dyn`.
  static let conversionFunctions: [Function] = {
    var functions: [Function] = []
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
      _ topic: Function.Topic,
      _ summary: String,
      examples: KeyValuePairs<String, String>,
      _ result: CELType,
      _ body: @escaping @Sendable (Value) -> Value,
      _ sources: [(String, CELType)]
    ) {
      functions.append(
        Function(
          "\(name)(x)",
          topic,
          summary,
          examples: examples,
          overloads: sources.map { id, type in
            let isSized = type == .string || type == .bytes
            return Overload(
              id: id,
              name: name,
              parameters: [type],
              result: result,
              cost: isSized ? .linear([0]) : .constant(1),
              // The longest text of a scalar is the text of a double below 1e6 with 17 digits, or an instant: under 40.
              resultSize: isSized ? converted(to: result) : .atMost(40),
              implementation: .unary(body)
            )
          }
        )
      )
    }
    declare(
      "bool",
      .texts,
      "a text such as 'true', 'f' or '1' as a bool",
      examples: ["bool('true')": "true"],
      .bool,
      { $0.convertedToBool },
      [("bool_to_bool", .bool), ("string_to_bool", .string)]
    )
    declare(
      "int",
      .numbers,
      "a number without its fraction, the integer in a text, or the seconds of a timestamp since 1970",
      examples: ["int(-2.9)": "-2", "int('42')": "42"],
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
      .numbers,
      "a number without its fraction, or the integer in a text, as an unsigned integer",
      examples: ["uint(7)": "7u"],
      .uint,
      { $0.convertedToUint },
      [
        ("uint64_to_uint64", .uint), ("int64_to_uint64", .int), ("double_to_uint64", .double),
        ("string_to_uint64", .string),
      ]
    )
    declare(
      "double",
      .numbers,
      "a number, or the number in a text, as a double",
      examples: ["double(7) / 2.0": "3.5", "double('1e3')": "1000.0"],
      .double,
      { $0.convertedToDouble },
      [
        ("double_to_double", .double), ("int64_to_double", .int), ("uint64_to_double", .uint),
        ("string_to_double", .string),
      ]
    )
    declare(
      "string",
      .texts,
      "a value as a text",
      examples: ["string(2.50)": #""2.5""#, "string(true) + '!'": #""true!""#],
      .string,
      { $0.convertedToString },
      [
        ("string_to_string", .string), ("bool_to_string", .bool), ("int64_to_string", .int),
        ("uint64_to_string", .uint),
        ("double_to_string", .double), ("bytes_to_string", .bytes), ("timestamp_to_string", .timestamp),
        ("duration_to_string", .duration),
      ]
    )
    declare(
      "bytes",
      .texts,
      "the UTF-8 bytes of a text",
      examples: ["size(bytes('é'))": "2"],
      .bytes,
      { $0.convertedToBytes },
      [("bytes_to_bytes", .bytes), ("string_to_bytes", .string)]
    )
    declare(
      "timestamp",
      .datesAndTimes,
      "a timestamp from a text such as '2026-11-22T17:00:00Z', or from seconds since 1970",
      examples: ["timestamp('2026-11-22T17:00:00+01:00')": #"timestamp("2026-11-22T16:00:00Z")"#],
      .timestamp,
      { $0.convertedToTimestamp },
      [("timestamp_to_timestamp", .timestamp), ("string_to_timestamp", .string), ("int64_to_timestamp", .int)]
    )
    declare(
      "duration",
      .datesAndTimes,
      "a duration from a text such as '1h30m', or from a number of nanoseconds",
      examples: ["timestamp('2026-11-22T17:00:00Z') + duration('1h30m')": #"timestamp("2026-11-22T18:30:00Z")"#],
      .duration,
      { $0.convertedToDuration },
      [("duration_to_duration", .duration), ("string_to_duration", .string), ("int64_to_duration", .int)]
    )
    functions += [
      Function(
        "type(x)",
        .others,
        "the type of a value, for comparisons such as type(x) == map",
        examples: ["type([1]) == list": "true"],
        overloads: [
          Overload(id: "type", name: "type", parameters: [.a], result: .type(.a), implementation: .unary { $0.typeOf })
        ]
      ),
      Function(
        "dyn(x)",
        .others,
        "the value as the type dyn: its type is checked at run time",
        examples: ["dyn(1) == 1.0": "true"],
        overloads: [
          Overload(
            id: "to_dyn",
            name: "dyn",
            parameters: [.a],
            result: .dyn,
            resultSize: .argument(0),
            implementation: .unary { $0 }
          )
        ]
      ),
    ]
    return functions
  }()
}
