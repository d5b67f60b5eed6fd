internal import Texts

/// Elements of lists, entries of maps: `x[i]`, `x[?i]`, `x.name` on maps, `in`, and `size`.
extension Value {
  /// `self[key]`: an element of a list by a whole number of any numeric type, or a map's value. Through an optional
  /// the result is an optional. Errors: no such overload, index out of bounds, no such key.
  public func element(at key: Value) -> Value {
    switch self {
    case .list(let list):
      switch Self.listIndex(key) {
      case .success(let index):
        guard index >= 0, index < list.count else {
          return .failure(.indexOutOfBounds, "index out of bounds: \(index)")
        }
        return list[Int(index)]
      case .failure(let error):
        return .error(error)
      }
    case .map(let map):
      return map[key] ?? Self.noSuchKey(key)
    case .optional:
      return optionalElement(at: key)
    default:
      return .error(.noSuchOverload)
    }
  }

  /// `self[?key]`: an optional of the element; none if the list or map has no such element, and for none.
  public func optionalElement(at key: Value) -> Value {
    switch self {
    case .optional(let optional):
      guard let value = optional.value else { return .optional(nil) }
      return value.optionalElement(at: key)
    case .list(let list):
      switch Self.listIndex(key) {
      case .success(let index):
        return .optional(index >= 0 && index < list.count ? list[Int(index)] : nil)
      case .failure(let error):
        return .error(error)
      }
    case .map(let map):
      return .optional(map[key])
    default:
      return .error(.noSuchOverload)
    }
  }

  /// `key in self` for lists and maps; a key of a type that cannot be one is in no map.
  public func contains(_ element: Value) -> Value {
    switch self {
    case .list(let list): .bool(element.isElement(of: list))
    case .map(let map): .bool(map[element] != nil)
    default: .error(.noSuchOverload)
    }
  }

  /// `size(self)`: code points, bytes, elements or entries.
  public var size: Value {
    switch self {
    case .string(let text): .int(Int64(text.codePointCount))
    case .bytes(let bytes): .int(Int64(bytes.count))
    case .list(let list): .int(Int64(list.count))
    case .map(let map): .int(Int64(map.count))
    default: .error(.noSuchOverload)
    }
  }

  /// The error of a lookup that finds nothing.
  public static func noSuchKey(_ key: Value) -> Value {
    .failure(.noSuchKey, "no such key: \(key)")
  }

  private static func listIndex(_ key: Value) -> Result<Int64, EvaluationError> {
    switch key {
    case .int(let index): return .success(index)
    case .uint(let index): return .success(Int64(clamping: index))
    case .double(let index):
      guard let whole = Int64(exactly: index) else {
        return .failure(EvaluationError(.invalidArgument, "a list's index must be a whole number"))
      }
      return .success(whole)
    default: return .failure(.noSuchOverload)
    }
  }
}
