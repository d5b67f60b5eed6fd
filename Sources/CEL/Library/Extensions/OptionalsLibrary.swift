internal import Times

extension Overload {
  /// `x.orValue(y)` if absence spreads: of anything that may be absent, and not of optionals alone. The evaluator knows
  /// it.
  static let absentOrValue = Overload(
    id: "absent_orValue",
    name: "orValue",
    isMember: true,
    parameters: [.a, .a],
    result: .a,
    resultSize: .sum([0, 1]),
    implementation: .declarationOnly
  )
}

extension Library {
  /// Optional values (cel-go, `cel/library.go`, "OptionalTypes"; cel-spec proposal 246). `a.?b` and `a[?b]` are the
  /// operators `_?._` and `_[?_]`; the evaluator may call `or` and `orValue` without evaluating an argument that is
  /// not needed.
  public static let optionals = Library(
    name: "optionals",
    functions: optionalFunctions,
    operators: optionalIndexOverloads,
    types: ["optional_type": .optional(.dyn)]
  )

  private static let optionalFunctions: [Function] = [
    Function(
      "optional.of(x)",
      .optionals,
      "an optional with the value; without one if the value is absent",
      examples: ["optional.of(3).hasValue()": "true"],
      overloads: [
        Overload(
          id: "optional_of",
          name: "optional.of",
          parameters: [.a],
          result: .optionalA,
          resultSize: .argument(0),
          implementation: .unary { .optional($0) }
        )
      ]
    ),
    Function(
      "optional.ofNonZeroValue(x)",
      .optionals,
      "an optional with the value; without one if the value is empty, 0 or false",
      examples: ["optional.ofNonZeroValue('').hasValue()": "false"],
      overloads: [
        Overload(
          id: "optional_ofNonZeroValue",
          name: "optional.ofNonZeroValue",
          parameters: [.a],
          result: .optionalA,
          resultSize: .argument(0),
          implementation: .unary { .optional($0.isZeroValue ? nil : $0) }
        )
      ]
    ),
    Function(
      "optional.none()",
      .optionals,
      "an optional without a value",
      examples: ["optional.none().hasValue()": "false"],
      overloads: [
        Overload(
          id: "optional_none",
          name: "optional.none",
          parameters: [],
          result: .optionalA,
          implementation: .nullary { .optional(nil) }
        )
      ]
    ),
    Function(
      "optional.value()",
      .optionals,
      "the value of an optional; an error if it has none",
      examples: ["optional.of(3).value()": "3"],
      overloads: [
        Overload(
          id: "optional_value",
          name: "value",
          isMember: true,
          parameters: [.optionalA],
          result: .a,
          resultSize: .argument(0),
          implementation: .optional { $0.value ?? .failure(.emptyOptional, "optional.none() dereference") }
        )
      ]
    ),
    Function(
      "optional.hasValue()",
      .optionals,
      "whether an optional has a value",
      examples: ["optional.of(3).hasValue()": "true"],
      overloads: [
        Overload(
          id: "optional_hasValue",
          name: "hasValue",
          isMember: true,
          parameters: [.optionalA],
          result: .bool,
          implementation: .optional { .bool($0.value != nil) }
        )
      ]
    ),
    Function(
      "optional.or(optional)",
      .optionals,
      "the first of two optionals that has a value",
      examples: ["optional.none().or(optional.of(2)).value()": "2"],
      overloads: [
        Overload(
          id: "optional_or_optional",
          name: "or",
          isMember: true,
          parameters: [.optionalA, .optionalA],
          result: .optionalA,
          resultSize: .sum([0, 1]),
          implementation: .binary { first, second in
            guard case .optional(let optional) = first, case .optional = second else { return .error(.noSuchOverload) }
            return optional.value == nil ? second : first
          }
        )
      ]
    ),
    Function(
      "x.orValue(other)",
      .optionals,
      "the value, or the argument if the value is absent",
      examples: ["null.orValue(3)": "3"],
      overloads: [
        Overload(
          id: "optional_orValue_value",
          name: "orValue",
          isMember: true,
          parameters: [.optionalA, .a],
          result: .a,
          resultSize: .sum([0, 1]),
          implementation: .binary { first, second in
            guard case .optional(let optional) = first else { return .error(.noSuchOverload) }
            return optional.value ?? second
          }
        )
      ]
    ),
    Function(
      "optional.unwrap(list)",
      .optionals,
      "the values of the optionals in a list that have one",
      examples: ["optional.unwrap([optional.of(1), optional.none()])": "[1]"],
      overloads: [
        Overload(
          id: "optional_unwrap",
          name: "optional.unwrap",
          parameters: [.list(.optionalA)],
          result: .listOfA,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .list { $0.unwrapped }
        )
      ]
    ),
    Function(
      "list.unwrapOpt()",
      .optionals,
      "the values of the optionals in a list that have one",
      examples: ["[optional.of(1), optional.none()].unwrapOpt()": "[1]"],
      overloads: [
        Overload(
          id: "optional_unwrapOpt",
          name: "unwrapOpt",
          isMember: true,
          parameters: [.list(.optionalA)],
          result: .listOfA,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .list { $0.unwrapped }
        )
      ]
    ),
  ]

  private static let optionalIndexOverloads: [Overload] = {
    let optionalIndex: Overload.Implementation = .binary { $0.optionalElement(at: $1) }
    let index: Overload.Implementation = .binary { $0.element(at: $1) }
    func declare(_ id: String, _ name: String, _ parameters: [CELType], _ body: Overload.Implementation) -> Overload {
      let result: CELType = parameters[1] == .int ? .optionalA : .optional(.b)
      return Overload(
        id: id,
        name: name,
        parameters: parameters,
        result: result,
        resultSize: .argument(0),
        implementation: body
      )
    }
    return [
      declare("list_optindex_optional_int", "_[?_]", [.listOfA, .int], optionalIndex),
      declare("optional_list_optindex_optional_int", "_[?_]", [.optional(.listOfA), .int], optionalIndex),
      declare("map_optindex_optional_value", "_[?_]", [.mapOfAB, .a], optionalIndex),
      declare("optional_map_optindex_optional_value", "_[?_]", [.optional(.mapOfAB), .a], optionalIndex),
      declare("optional_list_index_int", "_[_]", [.optional(.listOfA), .int], index),
      declare("optional_map_index_value", "_[_]", [.optional(.mapOfAB), .a], index),
    ]
  }()
}

extension ListValue {
  /// The values of the optionals that have one.
  fileprivate var unwrapped: Value {
    var values: [Value] = []
    for element in elements {
      guard case .optional(let optional) = element else { return .error(.noSuchOverload) }
      if let value = optional.value { values.append(value) }
    }
    return .list(ListValue(values))
  }
}

extension Value {
  /// Whether the value is the one its type begins with: null, false, 0, empty, the epoch, none.
  var isZeroValue: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .int(let value): value == 0
    case .uint(let value): value == 0
    case .double(let value): value == 0
    case .string(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .list(let list): list.isEmpty
    case .map(let map): map.isEmpty
    case .timestamp(let instant): instant.seconds == 0 && instant.nanoseconds == 0
    case .duration(let duration): duration.nanoseconds == 0
    case .optional(let optional): optional.value == nil
    case .type, .abstract, .error, .unknown: false
    }
  }
}
