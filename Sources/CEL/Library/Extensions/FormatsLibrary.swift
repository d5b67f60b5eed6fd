internal import Formats
internal import Texts

extension Library {
  /// The predicates that protovalidate adds to the language, by its names and with its meaning
  /// (protovalidate.com/reference/cel_extensions).
  public static let formats = Library(
    name: "formats",
    overloads: textPredicates + networkPredicates + numberPredicates + bytesPredicates
  )

  private static let textPredicates: [Overload] = [
    predicate("isEmail") { TextPredicates.isEmail($0) },
    predicate("isHostname") { TextPredicates.isHostname($0) },
    predicate("isUri") { TextPredicates.isURI($0) },
    predicate("isUriRef") { TextPredicates.isURIReference($0) },
    predicate("isIp") { TextPredicates.isIP($0) },
    predicate("isIpPrefix") { TextPredicates.isIPPrefix($0) },
  ]

  private static func predicate(_ name: String, _ test: @escaping @Sendable (String) -> Bool) -> Overload {
    Overload(
      id: "string_\(name)",
      name: name,
      isMember: true,
      parameters: [.string],
      result: .bool,
      cost: .linear([0]),
      implementation: .text { .bool(test($0)) }
    )
  }

  private static let networkPredicates: [Overload] = [
    Overload(
      id: "string_int_isIp",
      name: "isIp",
      isMember: true,
      parameters: [.string, .int],
      result: .bool,
      cost: .linear([0]),
      implementation: .textInt { .bool(TextPredicates.isIP($0, version: Int(clamping: $1))) }
    ),
    Overload(
      id: "string_int_isIpPrefix",
      name: "isIpPrefix",
      isMember: true,
      parameters: [.string, .int],
      result: .bool,
      cost: .linear([0]),
      implementation: .textInt { .bool(TextPredicates.isIPPrefix($0, version: Int(clamping: $1))) }
    ),
    Overload(
      id: "string_bool_isIpPrefix",
      name: "isIpPrefix",
      isMember: true,
      parameters: [.string, .bool],
      result: .bool,
      cost: .linear([0]),
      implementation: .binary { text, isStrict in
        guard case .string(let text) = text, case .bool(let isStrict) = isStrict else { return .error(.noSuchOverload) }
        return .bool(TextPredicates.isIPPrefix(text, isStrict: isStrict))
      }
    ),
    Overload(
      id: "string_int_bool_isIpPrefix",
      name: "isIpPrefix",
      isMember: true,
      parameters: [.string, .int, .bool],
      result: .bool,
      cost: .linear([0]),
      implementation: .ternary { text, version, isStrict in
        guard case .string(let text) = text, case .int(let version) = version, case .bool(let isStrict) = isStrict
        else {
          return .error(.noSuchOverload)
        }
        return .bool(TextPredicates.isIPPrefix(text, version: Int(clamping: version), isStrict: isStrict))
      }
    ),
    Overload(
      id: "string_bool_isHostAndPort",
      name: "isHostAndPort",
      isMember: true,
      parameters: [.string, .bool],
      result: .bool,
      cost: .linear([0]),
      implementation: .binary { text, isPortRequired in
        guard case .string(let text) = text, case .bool(let isPortRequired) = isPortRequired else {
          return .error(.noSuchOverload)
        }
        return .bool(TextPredicates.isHostAndPort(text, isPortRequired: isPortRequired))
      }
    ),
  ]

  private static let numberPredicates: [Overload] = [
    Overload(
      id: "double_isNan",
      name: "isNan",
      isMember: true,
      parameters: [.double],
      result: .bool,
      implementation: .double { .bool($0.isNaN) }
    ),
    Overload(
      id: "double_isInf",
      name: "isInf",
      isMember: true,
      parameters: [.double],
      result: .bool,
      implementation: .double { .bool($0.isInfinite) }
    ),
    // A positive sign asks for positive infinity, a negative one for negative infinity, zero for either.
    Overload(
      id: "double_int_isInf",
      name: "isInf",
      isMember: true,
      parameters: [.double, .int],
      result: .bool,
      implementation: .binary { number, sign in
        guard case .double(let number) = number, case .int(let sign) = sign else { return .error(.noSuchOverload) }
        return .bool(number.isInfinite && (sign == 0 || (sign > 0) == (number > 0)))
      }
    ),
    Overload(
      id: "list_unique",
      name: "unique",
      isMember: true,
      parameters: [.listOfA],
      result: .bool,
      cost: .linear([0]),
      implementation: .list { list in
        var seen = Set<EqualityKey>(minimumCapacity: list.count)
        return .bool(list.allSatisfy { seen.insert(EqualityKey(value: $0)).inserted })
      }
    ),
  ]

  private static let bytesPredicates: [Overload] = [
    bytesPredicate("contains") { bytes, part in bytes.offset(of: part, from: 0) != nil },
    bytesPredicate("startsWith") { bytes, part in
      bytes.count >= part.count && UnsafeBufferPointer(rebasing: bytes.prefix(part.count)).hasSameBytes(as: part)
    },
    bytesPredicate("endsWith") { bytes, part in
      bytes.count >= part.count && UnsafeBufferPointer(rebasing: bytes.suffix(part.count)).hasSameBytes(as: part)
    },
  ]

  private static func bytesPredicate(
    _ name: String,
    _ test: @escaping @Sendable (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Overload {
    Overload(
      id: "bytes_\(name)_bytes",
      name: name,
      isMember: true,
      parameters: [.bytes, .bytes],
      result: .bool,
      cost: .linear([0, 1]),
      implementation: .binary { bytes, part in
        guard case .bytes(let bytes) = bytes, case .bytes(let part) = part else { return .error(.noSuchOverload) }
        return .bool(
          bytes.withUnsafeBufferPointer { bytes in part.withUnsafeBufferPointer { part in test(bytes, part) } }
        )
      }
    )
  }
}
