/// A type of the Common Expression Language as the checker knows it.
///
/// The cases follow the language definition (cel-spec, `doc/langdef.md`, "Values" and "Type Checking"). Values at run
/// time carry a coarser `TypeValue`; this type says more, because the elements of a list or map are known here.
public indirect enum CELType: Hashable, Sendable {
  /// The type that is compatible with every other; checks are left to the evaluation.
  case dyn
  /// The type of `null`.
  case null
  /// True or false.
  case bool
  /// A whole number of 64 bits with sign.
  case int
  /// A whole number of 64 bits without sign.
  case uint
  /// A number of IEEE 754, 64 bits.
  case double
  /// A sequence of code points.
  case string
  /// A sequence of bytes.
  case bytes
  /// `google.protobuf.Timestamp`.
  case timestamp
  /// `google.protobuf.Duration`.
  case duration
  /// `google.protobuf.Any`; treated as `dyn` by the checker.
  case any
  /// The type of an expression that did not check. It is compatible with everything, so that one mistake is reported
  /// once.
  case error
  /// A list of elements of that type.
  case list(CELType)
  /// A map with keys of the first type and values of the second.
  case map(CELType, CELType)
  /// The type of types: `type(int)` is the type of the expression `int`.
  case type(CELType)
  /// A type parameter of an overload, or a variable of the inference.
  case parameter(String)
  /// A primitive type or `null` (the protobuf wrapper messages).
  case wrapper(CELType)
  /// `optional_type(T)`.
  case optional(CELType)
  /// A type known by name and parameters only, such as `net.IP` or a host's own type.
  case abstract(String, [CELType])
  /// A record with named, typed fields that the environment declares.
  case object(String)
  /// The type of a function: the result first, then the parameters.
  case function([CELType])
}

extension CELType {
  /// The reading of an absent value of the type if absence spreads; nil for a type whose values are never empty.
  var emptyValue: Value? {
    switch self {
    case .bool: .bool(false)
    case .string: .string("")
    case .bytes: .bytes([])
    case .list: .list([])
    case .map, .object: .map(MapValue())
    default: nil
    }
  }
}
