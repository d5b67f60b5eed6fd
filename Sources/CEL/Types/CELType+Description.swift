extension CELType: CustomStringConvertible {
  /// The type as the documents of the language write it: `list(int)`, `map(string, dyn)`, `optional_type(int)`. A
  /// record whose name begins with a slash is an `object`.
  public var description: String {
    switch self {
    case .dyn: "dyn"
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .any: "any"
    case .error: "error"
    case .list(let element): "list(\(element))"
    case .map(let key, let value): "map(\(key), \(value))"
    case .type(let type): "type(\(type))"
    case .parameter(let name): name
    case .wrapper(let type): "wrapper(\(type))"
    case .optional(let type): "optional_type(\(type))"
    case .abstract(let name, let parameters):
      parameters.isEmpty ? name : "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
    // No expression can write a name that begins with a slash: a host made it up.
    case .object(let name): name.utf8.first == UInt8(ascii: "/") ? "object" : name
    case .function(let signature):
      "(\(signature.dropFirst().map(\.description).joined(separator: ", "))) -> \(signature.first ?? .error)"
    }
  }
}

extension CELType {
  /// Whether the checker leaves values of this type to the evaluation.
  var isDynamic: Bool {
    switch self {
    case .dyn, .any, .error: true
    default: false
    }
  }

  /// The type of a present value, if the value may be null.
  var withoutNull: CELType {
    if case .wrapper(let type) = self { type } else { self }
  }

  /// The type of the value inside an optional; of any other type, the type itself.
  var withoutOptional: CELType {
    if case .optional(let type) = self { type } else { self }
  }

  /// Whether a value of the type has entries, which a loop goes through by their keys.
  var hasEntries: Bool {
    switch withoutNull {
    case .map, .object: true
    default: false
    }
  }

  /// Whether `null` is accepted as a value of this type, which the type checker of the language has always allowed.
  var isNullable: Bool {
    switch self {
    case .null, .wrapper, .optional, .abstract, .object, .timestamp, .duration, .any, .dyn, .error: true
    default: false
    }
  }
}
