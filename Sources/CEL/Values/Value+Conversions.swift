internal import Texts
internal import Times

/// The conversion functions `int()`, `uint()`, `double()`, `string()`, `bytes()`, `bool()`, `timestamp()`,
/// `duration()`, `type()` (cel-spec, "Standard Definitions"). A value that the new type cannot hold is an error,
/// never rounded into its range.
extension Value {
  /// `int(self)`: doubles are cut towards zero; an instant becomes seconds since 1970, a duration nanoseconds.
  public var convertedToInt: Value {
    switch self {
    case .int: return self
    case .uint(let value):
      guard let signed = Int64(exactly: value) else { return Self.outOfRange("int") }
      return .int(signed)
    case .double(let value):
      // Both bounds are excluded, as the specification's own tests have it: at 2^63 a double no longer distinguishes
      // -2^63 from its neighbors.
      guard value > -0x1p63, value < 0x1p63 else { return Self.outOfRange("int") }
      return .int(Int64(value))
    case .string(let text):
      guard Self.isDecimal(text, signed: true), let value = Int64(text) else { return Self.notSpelled(text, "int") }
      return .int(value)
    case .timestamp(let instant): return .int(instant.seconds)
    case .duration(let duration): return .int(duration.nanoseconds)
    default: return .error(.noSuchOverload)
    }
  }

  /// `uint(self)`: doubles are cut towards zero, negative ones refused.
  public var convertedToUint: Value {
    switch self {
    case .uint: return self
    case .int(let value):
      guard let unsigned = UInt64(exactly: value) else { return Self.outOfRange("uint") }
      return .uint(unsigned)
    case .double(let value):
      guard value >= 0, value < 0x1p64 else { return Self.outOfRange("uint") }
      return .uint(UInt64(value))
    case .string(let text):
      guard Self.isDecimal(text, signed: false), let value = UInt64(text) else { return Self.notSpelled(text, "uint") }
      return .uint(value)
    default: return .error(.noSuchOverload)
    }
  }

  /// `double(self)`: integers are rounded to the nearest double.
  public var convertedToDouble: Value {
    switch self {
    case .double: return self
    case .int(let value): return .double(Double(value))
    case .uint(let value): return .double(Double(value))
    case .string(let text):
      guard let value = Self.double(spelled: text) else { return Self.notSpelled(text, "double") }
      return .double(value)
    default: return .error(.noSuchOverload)
    }
  }

  /// `string(self)`: bytes must be valid UTF-8; instants are written as RFC 3339, durations in seconds.
  public var convertedToString: Value {
    switch self {
    case .string: return self
    case .bool(let value): return .string(value ? "true" : "false")
    case .int(let value): return .string(String(value))
    case .uint(let value): return .string(String(value))
    case .double(let value): return .string(value.celText)
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .failure(.conversion, "type conversion error: invalid UTF-8 in bytes")
      }
      return .string(text)
    case .timestamp(let instant): return .string(instant.rfc3339)
    case .duration(let duration): return .string(duration.secondsText)
    default: return .error(.noSuchOverload)
    }
  }

  /// `bytes(self)`: a text's UTF-8.
  public var convertedToBytes: Value {
    switch self {
    case .bytes: self
    case .string(let text): .bytes(Array(text.utf8))
    default: .error(.noSuchOverload)
    }
  }

  /// `bool(self)`: the spellings that the specification lists and no other.
  public var convertedToBool: Value {
    switch self {
    case .bool: self
    case .string("1"), .string("t"), .string("true"), .string("TRUE"), .string("True"): true
    case .string("0"), .string("f"), .string("false"), .string("FALSE"), .string("False"): false
    case .string(let text): Self.notSpelled(text, "bool")
    default: .error(.noSuchOverload)
    }
  }

  /// `timestamp(self)`: an RFC 3339 text or seconds since 1970.
  public var convertedToTimestamp: Value {
    switch self {
    case .timestamp: return self
    case .int(let seconds):
      guard let instant = Timestamp(seconds: seconds) else { return Self.timestampOutOfRange }
      return .timestamp(instant)
    case .string(let text):
      guard let instant = Timestamp(rfc3339: text) else {
        return .failure(
          .conversion,
          "not an RFC 3339 timestamp in the years 0001 to 9999, out of range or misspelled: \(text.excerpt)"
        )
      }
      return .timestamp(instant)
    default: return .error(.noSuchOverload)
    }
  }

  /// `duration(self)`: a text such as `1h30m` or nanoseconds.
  public var convertedToDuration: Value {
    switch self {
    case .duration: return self
    case .int(let nanoseconds): return .duration(DurationValue(nanoseconds: nanoseconds))
    case .string(let text):
      guard let duration = DurationValue(text) else {
        return .failure(
          .conversion,
          "not a duration such as 1h30m or 1.5s, out of range or misspelled: \(text.excerpt)"
        )
      }
      return .duration(duration)
    default: return .error(.noSuchOverload)
    }
  }

  /// `type(self)`.
  public var typeOf: Value {
    runtimeType.map { .type($0) } ?? self
  }

  private static func outOfRange(_ type: String) -> Value {
    .failure(.range, "range error: the value does not fit in \(type)")
  }

  private static func notSpelled(_ text: String, _ type: String) -> Value {
    .failure(.conversion, "type conversion error: \(text.excerpt) is not a value of type \(type)")
  }

  /// Whether the text is decimal digits, after a sign if one is allowed. The standard library's parser accepts a sign
  /// for unsigned numbers too.
  private static func isDecimal(_ text: String, signed: Bool) -> Bool {
    text.withCodeUnits { bytes in
      let start = signed && (bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")) ? 1 : 0
      return bytes.count > start && bytes[start...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
  }

  /// The double that a decimal number, `inf`, `infinity` or `nan` (in any case) spells; nil for another text or a
  /// number too large for a double.
  private static func double(spelled text: String) -> Double? {
    let spelling = text.withCodeUnits { bytes in
      bytes.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
    }
    var rest = spelling[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let sign: Double = spelling.first == UInt8(ascii: "-") ? -1 : 1
    if rest.elementsEqual("inf".utf8) || rest.elementsEqual("infinity".utf8) { return sign * .infinity }
    if rest.elementsEqual("nan".utf8) { return .nan }
    func skipDigits() -> Int {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
      rest.removeFirst(digits)
      return digits
    }
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard skipDigits() > 0 else { return nil }
    }
    guard rest.isEmpty, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

extension String {
  /// The text quoted for a message, cut to a length that a message can bear.
  var excerpt: String {
    let limit = 64
    let scalars = unicodeScalars.prefix(limit + 1)
    return scalars.count > limit
      ? (String(String.UnicodeScalarView(scalars.prefix(limit))) + "...").quotedLiteral : quotedLiteral
  }
}
