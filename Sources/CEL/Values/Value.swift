public import Times

/// A value of the Common Expression Language at run time (cel-spec, `doc/langdef.md`, "Values").
///
/// Failures are values too: a faulting operation yields `.error`, and the operators around it absorb it or pass it on.
/// Copying a scalar or a text of up to 15 bytes of UTF-8 allocates nothing; everything larger is shared, not copied.
///
/// `==` compares exactly, by type (`.int(1) != .uint(1)`, NaN equals NaN): it asks whether a result is still the same.
/// The language's equality is ``equals(_:)``.
public enum Value: Sendable {
  /// `null`
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number with sign.
  case int(Int64)
  /// A whole number without sign.
  case uint(UInt64)
  /// A number of IEEE 754, NaN and infinities included.
  case double(Double)
  /// A sequence of code points; sizes, indices and comparisons never look at Swift's characters.
  case string(String)
  /// A sequence of bytes.
  case bytes([UInt8])
  /// A list.
  case list(ListValue)
  /// A map.
  case map(MapValue)
  /// An instant, with nanoseconds.
  case timestamp(Timestamp)
  /// A span of time, with nanoseconds.
  case duration(DurationValue)
  /// The result of `type(x)`.
  case type(TypeValue)
  /// A value or none.
  case optional(OptionalValue)
  /// A value of a type that the language does not define, such as an IP address.
  case abstract(AbstractValue)
  /// A failed evaluation.
  case error(EvaluationError)
  /// The result depends on attributes that are not known yet.
  case unknown(UnknownSet)
}

extension Value {
  /// A failed evaluation of that kind.
  public static func failure(_ kind: EvaluationError.Kind, _ message: String) -> Value {
    .error(EvaluationError(kind, message))
  }

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether the value is the empty text.
  var isEmptyText: Bool {
    if case .string(let text) = self { text.isEmpty } else { false }
  }

  /// Whether the value is a failure.
  public var isError: Bool {
    if case .error = self { true } else { false }
  }

  /// Whether the value is a failure or unknown, which strict functions pass on instead of being called.
  public var isErrorOrUnknown: Bool {
    switch self {
    case .error, .unknown: true
    default: false
    }
  }

  /// A list of those elements.
  public static func list(_ elements: [Value]) -> Value { .list(ListValue(elements)) }

  /// The optional that holds that value, or none.
  public static func optional(_ value: Value?) -> Value { .optional(OptionalValue(value)) }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .list(ListValue(elements)) }
}
