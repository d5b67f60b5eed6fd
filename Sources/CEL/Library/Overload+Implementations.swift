/// Implementations over Swift's own types. A call with other types is a call without an overload: it can only come
/// from an expression that was not checked, and it yields an error.
extension Overload.Implementation {
  /// Over one text.
  static func text(_ body: @escaping @Sendable (String) -> Value) -> Self {
    .unary { argument in
      guard case .string(let text) = argument else { return .error(.noSuchOverload) }
      return body(text)
    }
  }

  /// Over two texts.
  static func texts(_ body: @escaping @Sendable (String, String) -> Value) -> Self {
    .binary { first, second in
      guard case .string(let text) = first, case .string(let other) = second else { return .error(.noSuchOverload) }
      return body(text, other)
    }
  }

  /// Over a text and an integer.
  static func textInt(_ body: @escaping @Sendable (String, Int64) -> Value) -> Self {
    .binary { first, second in
      guard case .string(let text) = first, case .int(let number) = second else { return .error(.noSuchOverload) }
      return body(text, number)
    }
  }

  /// Over a text and two integers.
  static func textInts(_ body: @escaping @Sendable (String, Int64, Int64) -> Value) -> Self {
    .ternary { first, second, third in
      guard case .string(let text) = first, case .int(let start) = second, case .int(let end) = third else {
        return .error(.noSuchOverload)
      }
      return body(text, start, end)
    }
  }

  /// Over two texts and an integer.
  static func textsInt(_ body: @escaping @Sendable (String, String, Int64) -> Value) -> Self {
    .ternary { first, second, third in
      guard case .string(let text) = first, case .string(let other) = second, case .int(let number) = third else {
        return .error(.noSuchOverload)
      }
      return body(text, other, number)
    }
  }

  /// Over three texts.
  static func threeTexts(_ body: @escaping @Sendable (String, String, String) -> Value) -> Self {
    .ternary { first, second, third in
      guard case .string(let text) = first, case .string(let other) = second, case .string(let last) = third else {
        return .error(.noSuchOverload)
      }
      return body(text, other, last)
    }
  }

  /// Over one byte sequence.
  static func bytes(_ body: @escaping @Sendable ([UInt8]) -> Value) -> Self {
    .unary { argument in
      guard case .bytes(let bytes) = argument else { return .error(.noSuchOverload) }
      return body(bytes)
    }
  }

  /// Over one double.
  static func double(_ body: @escaping @Sendable (Double) -> Value) -> Self {
    .unary { argument in
      guard case .double(let number) = argument else { return .error(.noSuchOverload) }
      return body(number)
    }
  }

  /// Over one list.
  static func list(_ body: @escaping @Sendable (ListValue) -> Value) -> Self {
    .unary { argument in
      guard case .list(let list) = argument else { return .error(.noSuchOverload) }
      return body(list)
    }
  }

  /// Over two lists.
  static func lists(_ body: @escaping @Sendable (ListValue, ListValue) -> Value) -> Self {
    .binary { first, second in
      guard case .list(let list) = first, case .list(let other) = second else { return .error(.noSuchOverload) }
      return body(list, other)
    }
  }

  /// Over an optional.
  static func optional(_ body: @escaping @Sendable (OptionalValue) -> Value) -> Self {
    .unary { argument in
      guard case .optional(let optional) = argument else { return .error(.noSuchOverload) }
      return body(optional)
    }
  }
}

/// The type parameters that signatures name.
extension CELType {
  static let a = CELType.parameter("A")
  static let b = CELType.parameter("B")
  static let listOfA = CELType.list(.a)
  static let mapOfAB = CELType.map(.a, .b)
  static let optionalA = CELType.optional(.a)
}
