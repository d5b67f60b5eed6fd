internal import Texts

/// A type as a value: what `type(x)` yields. Parameters are not part of it: `type([1]) == type(['a'])`.
public struct TypeValue: Sendable {
  /// The name as the language writes it, such as `int`, `list` or `google.protobuf.Timestamp`.
  public let name: String

  /// The type of that name.
  public init(_ name: String) { self.name = name }

  public static let null = TypeValue("null_type")
  public static let bool = TypeValue("bool")
  public static let int = TypeValue("int")
  public static let uint = TypeValue("uint")
  public static let double = TypeValue("double")
  public static let string = TypeValue("string")
  public static let bytes = TypeValue("bytes")
  public static let list = TypeValue("list")
  public static let map = TypeValue("map")
  public static let timestamp = TypeValue("google.protobuf.Timestamp")
  public static let duration = TypeValue("google.protobuf.Duration")
  public static let type = TypeValue("type")
  public static let optional = TypeValue("optional_type")
  public static let ip = TypeValue("net.IP")
  public static let cidr = TypeValue("net.CIDR")
}

extension TypeValue: Hashable {
  public static func == (left: TypeValue, right: TypeValue) -> Bool { left.name.hasSameUTF8(as: right.name) }
  public func hash(into hasher: inout Hasher) { name.hashUTF8(into: &hasher) }
}

extension Value {
  /// What `type()` yields; nil for an error or unknown, which have no type.
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
    case .ip: .ip
    case .cidr: .cidr
    case .error, .unknown: nil
    }
  }
}

extension CELType {
  /// The type value that an identifier of this type stands for; nil for types that are only the checker's.
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

  /// Whether a run-time value may be passed where this type is asked for. Element types are not looked at: a list is
  /// a list, as in the language's own dispatch at run time.
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
