internal import Texts

/// A JSON value (RFC 8259).
///
/// Integers and reals stay distinct, as the text has them: `1` is `.integer(1)` and `1.0` is `.real(1.0)`. They compare
/// equal, since JSON has one kind of number (and JSON Schema 2020-12, section 4.2.2, says so). Texts and member names
/// are sequences of code points: two texts are equal when their UTF-8 is equal. Unicode's canonical equivalence, which
/// `==` of `String` uses, does not apply.
public enum JSON: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without fraction and exponent that 64 bits with sign hold.
  case integer(Int64)
  /// Never NaN or infinite when it was read from a text; the writer writes `null` for such values.
  case real(Double)
  /// A number that neither of these holds exactly. Only ``JSONNumbers/exact`` reading makes one: no message of a daemon
  /// has any.
  case decimal(JSONDecimal)
  /// A text.
  case string(String)
  /// A list of values.
  case array([JSON])
  /// Members with names, in order.
  case object(JSONObject)
}

extension JSON {
  /// The approximate memory of the value, in bytes, as if no part of it were shared.
  public var approximateBytes: Int {
    switch self {
    case .null, .bool, .integer, .real: 32
    case .string(let text): 32 + text.utf8.count
    case .decimal(let number): 32 + number.text.utf8.count
    case .array(let elements): elements.reduce(32) { $0 + $1.approximateBytes }
    case .object(let members): members.reduce(64) { $0 + 32 + $1.name.utf8.count + $1.value.approximateBytes }
    }
  }

  /// The name of the value's type as JSON Schema calls it; an integral real is still a `number` here.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .real: "number"
    case .decimal(let number): number.isWrittenAsInteger ? "integer" : "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// Whether the value is `null`.
  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The text, if the value is one.
  @inlinable public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The Boolean, if the value is one.
  @inlinable public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The whole number, if the value is one that `Int64` holds; `1.0` is one.
  @inlinable public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    case .decimal(let value): value.integerValue
    default: nil
    }
  }

  /// The number, rounded to the nearest `Double` if it is an integer beyond 2^53 or a decimal.
  @inlinable public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .decimal(let value): value.doubleValue
    default: nil
    }
  }

  /// The elements, if the value is an array.
  @inlinable public var arrayValue: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, if the value is an object.
  @inlinable public var objectValue: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member of that name, if the value is an object that has one.
  public subscript(name: String) -> JSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}

extension JSON: Equatable {
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Int64(exactly: b) == a
    case (.decimal(let a), .decimal(let b)): a == b
    case (.decimal(let a), .integer), (.decimal(let a), .real): DecimalDigits(right) == a.digits
    case (.integer, .decimal(let b)), (.real, .decimal(let b)): DecimalDigits(left) == b.digits
    case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension JSON: Hashable {
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .real(let value):
      // Equal numbers hash equally, however they were written.
      if let whole = Int64(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
    case .decimal(let value): value.hash(into: &hasher)
    case .string(let text): text.hashUTF8(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let members): members.hash(into: &hasher)
    }
  }
}

// `.null` has no `nil` literal: if the context expects a `JSON?`, `condition ? nil : value` would mean `.null`.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// A name that is written twice keeps its last value.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    var members = JSONObject()
    for (name, value) in elements { members[name] = value }
    self = .object(members)
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String {
    let writer = OutputBuffer()
    writer.write(self)
    return writer.text
  }
}
