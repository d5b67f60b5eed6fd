internal import Texts

/// A type as a value: the result of `type(x)`. Parameters are not part of it: `type([1]) == type(['a'])`.
public struct TypeValue: Sendable {
  /// The name as the language writes it, such as `int`, `list` or `google.protobuf.Timestamp`.
  public let name: String

  public init(_ name: String) { self.name = name }

  /// The type of `null`.
  public static let null = TypeValue("null_type")
  /// The type of `true`.
  public static let bool = TypeValue("bool")
  /// The type of `1`.
  public static let int = TypeValue("int")
  /// The type of `1u`.
  public static let uint = TypeValue("uint")
  /// The type of `1.0`.
  public static let double = TypeValue("double")
  /// The type of `'a'`.
  public static let string = TypeValue("string")
  /// The type of `b'a'`.
  public static let bytes = TypeValue("bytes")
  /// The type of `[]`, for elements of any type.
  public static let list = TypeValue("list")
  /// The type of `{}`, for keys and values of any type.
  public static let map = TypeValue("map")
  /// The type of `timestamp('2026-01-01T00:00:00Z')`.
  public static let timestamp = TypeValue("google.protobuf.Timestamp")
  /// The type of `duration('1s')`.
  public static let duration = TypeValue("google.protobuf.Duration")
  /// The type of `int`: the type of types.
  public static let type = TypeValue("type")
  /// The type of `optional.none()`.
  public static let optional = TypeValue("optional_type")
}

extension TypeValue: Hashable {
  public static func == (left: TypeValue, right: TypeValue) -> Bool { left.name.hasSameUTF8(as: right.name) }
  public func hash(into hasher: inout Hasher) { name.hashUTF8(into: &hasher) }
}

extension Value {
  /// The result of `type()`; nil for an error or unknown, which have no type.
  public var runtimeType: TypeValue? {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .timestamp: .timestamp
    case .duration: .duration
    case .type: .type
    case .optional: .optional
    case .abstract(let value): value.type
    case .error, .unknown: nil
    }
  }
}

extension CELType {
  /// The type value of an identifier of this type; nil for types that only the checker has.
  public var runtimeType: TypeValue? {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .timestamp: .timestamp
    case .duration: .duration
    case .type: .type
    case .optional: .optional
    case .abstract(let name, _), .object(let name): TypeValue(name)
    case .wrapper(let inner): inner.runtimeType
    case .dyn, .any, .error, .parameter, .function: nil
    }
  }

  /// Whether a run-time value may be passed for a parameter of this type. Element types are not looked at: a list is a
  /// list, as in the language's own dispatch at run time.
  public func admits(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .error), (_, .unknown): false
    case (.dyn, _), (.any, _), (.parameter, _), (.error, _): true
    case (.null, .null), (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double), (.string, .string),
      (.bytes, .bytes), (.timestamp, .timestamp), (.duration, .duration), (.list, .list), (.map, .map), (.type, .type),
      (.optional, .optional):
      true
    case (.object, .map): true
    case (.wrapper, .null): true
    case (.wrapper(let inner), let value): inner.admits(value)
    case (.abstract, let value): runtimeType == value.runtimeType
    default: false
    }
  }
}
