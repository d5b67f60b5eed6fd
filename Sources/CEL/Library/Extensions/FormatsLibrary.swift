internal import Formats
internal import Texts

extension Library {
  /// The predicates that protovalidate adds to the language, by its names and with its meaning
  /// (protovalidate.com/reference/cel_extensions).
  public static let formats = Library(
    name: "formats",
    functions: textPredicates + networkPredicates + numberPredicates + bytesPredicates
  )

  private static let textPredicates: [Function] = [
    predicate(
      "isEmail",
      "whether a text is an email address by the rules of HTML's email inputs",
      examples: ["'kim@example.com'.isEmail()": "true"]
    ) { TextPredicates.isEmail($0) },
    predicate("isHostname", "whether a text is a host name", examples: ["'example.com'.isHostname()": "true"]) {
      TextPredicates.isHostname($0)
    },
    predicate("isUri", "whether a text is a URI", examples: ["'https://example.com/a'.isUri()": "true"]) {
      TextPredicates.isURI($0)
    },
    predicate("isUriRef", "whether a text is a URI or a relative reference", examples: ["'/a?b=c'.isUriRef()": "true"])
    { TextPredicates.isURIReference($0) },
  ]

  private static func predicate(
    _ name: String,
    _ summary: String,
    examples: KeyValuePairs<String, String>,
    _ test: @escaping @Sendable (String) -> Bool
  ) -> Function {
    Function(
      "text.\(name)()",
      .texts,
      summary,
      examples: examples,
      overloads: [ofText(name, test)]
    )
  }

  private static func ofText(_ name: String, _ test: @escaping @Sendable (String) -> Bool) -> Overload {
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

  private static let networkPredicates: [Function] = [
    Function(
      "text.isIp(version)",
      .texts,
      "whether a text is an IP address, of version 4 or 6 if that is given",
      examples: ["'10.0.0.1'.isIp(4)": "true"],
      overloads: [
        ofText("isIp") { TextPredicates.isIP($0) },
        Overload(
          id: "string_int_isIp",
          name: "isIp",
          isMember: true,
          parameters: [.string, .int],
          result: .bool,
          cost: .linear([0]),
          implementation: .textInt { .bool(TextPredicates.isIP($0, version: Int(clamping: $1))) }
        ),
      ]
    ),
    Function(
      "text.isIpPrefix()",
      .texts,
      "whether a text is an IP prefix; a bool argument sets whether the host bits must be zero",
      examples: ["'10.0.0.0/8'.isIpPrefix()": "true"],
      overloads: [
        ofText("isIpPrefix") { TextPredicates.isIPPrefix($0) },
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
            guard case .string(let text) = text, case .bool(let isStrict) = isStrict else {
              return .error(.noSuchOverload)
            }
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
      ]
    ),
    Function(
      "text.isHostAndPort(portRequired)",
      .texts,
      "whether a text is a host and a port; the argument sets whether the port is required",
      examples: ["'example.com:443'.isHostAndPort(true)": "true"],
      overloads: [
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
        )
      ]
    ),
  ]

  private static let numberPredicates: [Function] = [
    Function(
      "number.isNan()",
      .numbers,
      "whether a number is NaN (not a number)",
      examples: ["(0.0 / 0.0).isNan()": "true"],
      overloads: [
        Overload(
          id: "double_isNan",
          name: "isNan",
          isMember: true,
          parameters: [.double],
          result: .bool,
          implementation: .double { .bool($0.isNaN) }
        )
      ]
    ),
    Function(
      "number.isInf(sign)",
      .numbers,
      "whether a number is infinite; if a sign is given, with that sign",
      examples: ["(1.0 / 0.0).isInf(-1)": "false"],
      overloads: [
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
      ]
    ),
    Function(
      "list.unique()",
      .listsAndMaps,
      "whether no two elements are equal",
      examples: ["[1, 2, 1].unique()": "false"],
      overloads: [
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
        )
      ]
    ),
  ]

  private static let bytesPredicates: [Function] = [
    bytesPredicate("contains", "whether bytes contain other bytes", examples: ["b'abc'.contains(b'b')": "true"]) {
      bytes,
      part in bytes.offset(of: part, from: 0) != nil
    },
    bytesPredicate("startsWith", "whether bytes begin with other bytes", examples: ["b'abc'.startsWith(b'b')": "false"])
    { bytes, part in
      bytes.count >= part.count && UnsafeBufferPointer(rebasing: bytes.prefix(part.count)).hasSameBytes(as: part)
    },
    bytesPredicate("endsWith", "whether bytes end with other bytes", examples: ["b'abc'.endsWith(b'bc')": "true"]) {
      bytes,
      part in
      bytes.count >= part.count && UnsafeBufferPointer(rebasing: bytes.suffix(part.count)).hasSameBytes(as: part)
    },
  ]

  private static func bytesPredicate(
    _ name: String,
    _ summary: String,
    examples: KeyValuePairs<String, String>,
    _ test: @escaping @Sendable (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Function {
    Function(
      "bytes.\(name)(part)",
      .texts,
      summary,
      examples: examples,
      overloads: [
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
      ]
    )
  }
}
