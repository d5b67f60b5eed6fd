internal import Formats
public import JSON
internal import Texts
internal import Times

extension Value {
  /// The value of a JSON value: whole numbers written without point or exponent are ints, other numbers doubles;
  /// objects are maps with string keys.
  public init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .int(value)
    case .real(let value): self = .double(value)
    case .decimal(let value): self = .double(value.doubleValue)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(ListValue(elements.map(Value.init)))
    case .object(let object):
      self = .map(MapValue(uncheckedNames: object.lazy.map { ($0.name, Value($0.value)) }))
    }
  }

  /// The value of a JSON value for a declared type: the number `1` is a double if doubles are declared, a text an
  /// instant if timestamps are. A value that does not fit is taken unchanged: a schema enforces the declaration, and
  /// this bridge does not.
  public init(_ json: JSON, as type: CELType) {
    switch (json, type) {
    case (.integer(let value), .double): self = .double(Double(value))
    case (.integer(let value), .uint): self = UInt64(exactly: value).map { .uint($0) } ?? .int(value)
    case (.real(let value), .int): self = Int64(exactly: value).map { .int($0) } ?? .double(value)
    case (.real(let value), .uint): self = UInt64(exactly: value).map { .uint($0) } ?? .double(value)
    case (.string(let text), .timestamp): self = Timestamp(rfc3339: text).map { .timestamp($0) } ?? .string(text)
    case (.string(let text), .duration): self = DurationValue(text).map { .duration($0) } ?? .string(text)
    case (.string(let text), .bytes): self = Base64.decode(text).map { .bytes($0) } ?? .string(text)
    case (.array(let elements), .list(let element)):
      self = .list(ListValue(elements.map { Value($0, as: element) }))
    case (.object(let object), .map(_, let element)):
      self = .map(MapValue(uncheckedNames: object.lazy.map { ($0.name, Value($0.value, as: element)) }))
    case (.null, .optional): self = .optional(nil)
    case (.null, _): self = .null
    case (_, .wrapper(let inner)): self = Value(json, as: inner)
    case (_, .optional(let inner)): self = .optional(Value(json, as: inner))
    default: self = Value(json)
    }
  }

  /// The JSON of a value, by protobuf's JSON mapping: bytes as base64, instants as RFC 3339, durations in seconds,
  /// types by their names; integers beyond 2^53 stay integers, an uint beyond `Int64` and NaN or infinite doubles
  /// become texts. An empty optional is null. nil for errors and unknowns, which have no JSON.
  public var json: JSON? {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .integer(value)
    case .uint(let value): return Int64(exactly: value).map { .integer($0) } ?? .string(String(value))
    case .double(let value): return value.isFinite ? .real(value) : .string(value.celText)
    case .string(let text): return .string(text)
    case .bytes(let bytes): return .string(Base64.encode(bytes))
    case .list(let list):
      var elements: [JSON] = []
      elements.reserveCapacity(list.count)
      for element in list {
        guard let json = element.json else { return nil }
        elements.append(json)
      }
      return .array(elements)
    case .map(let map):
      var members: [JSONObject.Member] = []
      members.reserveCapacity(map.count)
      for entry in map.entries {
        guard let json = entry.value.json, case .string(let name) = entry.key.convertedToString else { return nil }
        members.append(JSONObject.Member(name: name, value: json))
      }
      // `1` and `"1"` are two keys of a map but one name of an object.
      return .object(JSONObject(members.map { ($0.name, $0.value) }))
    case .timestamp(let instant): return .string(instant.rfc3339)
    case .duration(let duration): return .string(duration.secondsText)
    case .type(let type): return .string(type.name)
    case .optional(let optional):
      guard let value = optional.value else { return .null }
      return value.json
    case .abstract(let value): return .string(value.content.text)
    case .error, .unknown: return nil
    }
  }
}
