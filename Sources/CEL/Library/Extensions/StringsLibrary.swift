extension Library {
  /// Texts: positions, parts, case, splitting and joining, `format` (cel-spec, `doc/extensions/strings.md`). All
  /// positions count code points from 0.
  public static let strings = Library(
    name: "strings",
    overloads: positionOverloads + rewritingOverloads + joiningOverloads
  )

  private static let positionOverloads: [Overload] = [
    Overload(
      id: "string_char_at_int",
      name: "charAt",
      isMember: true,
      parameters: [.string, .int],
      result: .string,
      cost: .linear([0]),
      implementation: .textInt { $0.character(at: $1) }
    ),
    Overload(
      id: "string_index_of_string",
      name: "indexOf",
      isMember: true,
      parameters: [.string, .string],
      result: .int,
      cost: .linear([0, 1]),
      implementation: .texts { $0.firstIndex(of: $1, from: 0) }
    ),
    Overload(
      id: "string_index_of_string_int",
      name: "indexOf",
      isMember: true,
      parameters: [.string, .string, .int],
      result: .int,
      cost: .linear([0, 1]),
      implementation: .textsInt { $0.firstIndex(of: $1, from: $2) }
    ),
    Overload(
      id: "string_last_index_of_string",
      name: "lastIndexOf",
      isMember: true,
      parameters: [.string, .string],
      result: .int,
      cost: .linear([0, 1]),
      implementation: .texts { $0.lastIndex(of: $1, upTo: nil) }
    ),
    Overload(
      id: "string_last_index_of_string_int",
      name: "lastIndexOf",
      isMember: true,
      parameters: [.string, .string, .int],
      result: .int,
      cost: .linear([0, 1]),
      implementation: .textsInt { $0.lastIndex(of: $1, upTo: $2) }
    ),
    Overload(
      id: "string_substring_int",
      name: "substring",
      isMember: true,
      parameters: [.string, .int],
      result: .string,
      cost: .linear([0]),
      resultSize: .argument(0),
      implementation: .textInt { $0.part(from: $1, to: nil) }
    ),
    Overload(
      id: "string_substring_int_int",
      name: "substring",
      isMember: true,
      parameters: [.string, .int, .int],
      result: .string,
      cost: .linear([0]),
      resultSize: .argument(0),
      implementation: .textInts { $0.part(from: $1, to: $2) }
    ),
  ]

  private static let rewritingOverloads: [Overload] = [
    Overload(
      id: "string_lower_ascii",
      name: "lowerAscii",
      isMember: true,
      parameters: [.string],
      result: .string,
      cost: .linear([0]),
      resultSize: .argument(0),
      implementation: .text { text in text.mappingCodeUnits { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }
    ),
    Overload(
      id: "string_upper_ascii",
      name: "upperAscii",
      isMember: true,
      parameters: [.string],
      result: .string,
      cost: .linear([0]),
      resultSize: .argument(0),
      implementation: .text { text in text.mappingCodeUnits { (0x61...0x7a).contains($0) ? $0 & 0xdf : $0 } }
    ),
    Overload(
      id: "string_trim",
      name: "trim",
      isMember: true,
      parameters: [.string],
      result: .string,
      cost: .linear([0]),
      resultSize: .argument(0),
      implementation: .text { .string($0.trimmed) }
    ),
    Overload(
      id: "string_reverse",
      name: "reverse",
      isMember: true,
      parameters: [.string],
      result: .string,
      cost: .linear([0]),
      resultSize: .argument(0),
      implementation: .text { .string(String(String.UnicodeScalarView($0.unicodeScalars.reversed()))) }
    ),
    Overload(
      id: "string_replace_string_string",
      name: "replace",
      isMember: true,
      parameters: [.string, .string, .string],
      result: .string,
      cost: .linear([0, 1, 2]),
      resultSize: .product(0, 2),
      implementation: .threeTexts { $0.replacing($1, with: $2, countMax: -1) }
    ),
    Overload(
      id: "string_replace_string_string_int",
      name: "replace",
      isMember: true,
      parameters: [.string, .string, .string, .int],
      result: .string,
      cost: .linear([0, 1, 2]),
      resultSize: .product(0, 2),
      implementation: .variadic { arguments in
        guard arguments.count == 4, case .string(let text) = arguments[0], case .string(let old) = arguments[1],
          case .string(let new) = arguments[2], case .int(let countMax) = arguments[3]
        else { return .error(.noSuchOverload) }
        return text.replacing(old, with: new, countMax: countMax)
      }
    ),
    Overload(
      id: "strings_quote",
      name: "strings.quote",
      parameters: [.string],
      result: .string,
      cost: .linear([0]),
      resultSize: .sum([0, 0]),
      implementation: .text { text in
        // Every character may become two, and there are two quotation marks.
        text.utf8.count * 2 + 2 <= ResultLimits.bytesMax ? .string(text.quotedForDisplay) : ResultLimits.textTooLarge
      }
    ),
  ]

  private static let joiningOverloads: [Overload] = [
    Overload(
      id: "string_split_string",
      name: "split",
      isMember: true,
      parameters: [.string, .string],
      result: .list(.string),
      cost: .linear([0, 1]),
      resultSize: .parts(of: 0),
      implementation: .texts { $0.split(by: $1, countMax: -1) }
    ),
    Overload(
      id: "string_split_string_int",
      name: "split",
      isMember: true,
      parameters: [.string, .string, .int],
      result: .list(.string),
      cost: .linear([0, 1]),
      resultSize: .parts(of: 0),
      implementation: .textsInt { $0.split(by: $1, countMax: $2) }
    ),
    Overload(
      id: "list_join",
      name: "join",
      isMember: true,
      parameters: [.list(.string)],
      result: .string,
      cost: .content([0]),
      resultSize: .joined(list: 0, separator: nil),
      implementation: .list { $0.joined(by: "") }
    ),
    Overload(
      id: "list_join_string",
      name: "join",
      isMember: true,
      parameters: [.list(.string), .string],
      result: .string,
      cost: .content([0, 1]),
      resultSize: .joined(list: 0, separator: 1),
      implementation: .binary { first, second in
        guard case .list(let list) = first, case .string(let separator) = second else { return .error(.noSuchOverload) }
        return list.joined(by: separator)
      }
    ),
    Overload(
      id: "string_format",
      name: "format",
      isMember: true,
      parameters: [.string, .list(.dyn)],
      result: .string,
      cost: .content([0, 1]),
      resultSize: .formatted(format: 0, values: 1),
      implementation: .binary { first, second in
        guard case .string(let format) = first, case .list(let arguments) = second else {
          return .error(.noSuchOverload)
        }
        return TextFormatter.format(format, with: arguments)
      }
    ),
  ]
}
