extension Library {
  /// Texts: positions, parts, case, splitting and joining, `format` (cel-spec, `doc/extensions/strings.md`). All
  /// positions count code points from 0.
  public static let strings = Library(
    name: "strings",
    functions: positionFunctions + rewritingFunctions + joiningFunctions
  )

  private static let positionFunctions: [Function] = [
    Function(
      "text.charAt(position)",
      .texts,
      "the code point at a position; '' after the last one",
      examples: ["'abc'.charAt(1)": #""b""#],
      overloads: [
        Overload(
          id: "string_char_at_int",
          name: "charAt",
          isMember: true,
          parameters: [.string, .int],
          result: .string,
          cost: .linear([0]),
          implementation: .textInt { $0.character(at: $1) }
        )
      ]
    ),
    Function(
      "text.indexOf(part)",
      .texts,
      "the first position of a text in another text; -1 if there is none",
      examples: ["'banana'.indexOf('an', 2)": "3"],
      overloads: [
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
      ]
    ),
    Function(
      "text.lastIndexOf(part)",
      .texts,
      "the last position of a text in another text; -1 if there is none",
      examples: ["'banana'.lastIndexOf('an')": "3"],
      overloads: [
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
      ]
    ),
    Function(
      "text.substring(from, to)",
      .texts,
      "the code points from a start position up to an end position (not included), or to the end",
      examples: ["'2026-11-22'.substring(0, 4)": #""2026""#],
      overloads: [
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
    ),
  ]

  private static let rewritingFunctions: [Function] = [
    Function(
      "text.lowerAscii()",
      .texts,
      "the text with A to Z in lower case",
      examples: ["'Kim'.lowerAscii()": #""kim""#],
      overloads: [
        Overload(
          id: "string_lower_ascii",
          name: "lowerAscii",
          isMember: true,
          parameters: [.string],
          result: .string,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .text { text in text.mappingCodeUnits { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }
        )
      ]
    ),
    Function(
      "text.upperAscii()",
      .texts,
      "the text with a to z in upper case",
      examples: ["'Kim'.upperAscii()": #""KIM""#],
      overloads: [
        Overload(
          id: "string_upper_ascii",
          name: "upperAscii",
          isMember: true,
          parameters: [.string],
          result: .string,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .text { text in text.mappingCodeUnits { (0x61...0x7a).contains($0) ? $0 & 0xdf : $0 } }
        )
      ]
    ),
    Function(
      "text.trim()",
      .texts,
      "the text without white space at both ends",
      examples: ["' Kim '.trim()": #""Kim""#],
      overloads: [
        Overload(
          id: "string_trim",
          name: "trim",
          isMember: true,
          parameters: [.string],
          result: .string,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .text { .string($0.trimmed) }
        )
      ]
    ),
    Function(
      "text.reverse()",
      .texts,
      "the text in reverse order",
      examples: ["'abc'.reverse()": #""cba""#],
      overloads: [
        Overload(
          id: "string_reverse",
          name: "reverse",
          isMember: true,
          parameters: [.string],
          result: .string,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .text { .string(String(String.UnicodeScalarView($0.unicodeScalars.reversed()))) }
        )
      ]
    ),
    Function(
      "text.replace(part, with)",
      .texts,
      "the text with all occurrences of a text replaced by another, or only the given number of them",
      examples: ["'a b c'.replace(' ', '-')": #""a-b-c""#],
      overloads: [
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
      ]
    ),
    Function(
      "strings.quote(text)",
      .texts,
      "the text in quotes, with special characters escaped",
      examples: [#"strings.quote('a"b')"#: #""\"a\\\"b\"""#],
      overloads: [
        Overload(
          id: "strings_quote",
          name: "strings.quote",
          parameters: [.string],
          result: .string,
          cost: .linear([0]),
          resultSize: .sum([0, 0]),
          implementation: .text { text in
            // Every character may become two, and there are two quotation marks.
            text.utf8.count * 2 + 2 <= ResultLimits.bytesMax
              ? .string(text.quotedForDisplay) : ResultLimits.textTooLarge
          }
        )
      ]
    ),
  ]

  private static let joiningFunctions: [Function] = [
    Function(
      "text.split(part)",
      .texts,
      "the parts of a text between separators, all of them or at most the given number",
      examples: ["'a,b,c'.split(',')": #"["a", "b", "c"]"#],
      overloads: [
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
      ]
    ),
    Function(
      "list.join(separator)",
      .texts,
      "the texts of a list joined into one, with a separator between them",
      examples: ["['a', 'b'].join(', ')": #""a, b""#],
      overloads: [
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
            guard case .list(let list) = first, case .string(let separator) = second else {
              return .error(.noSuchOverload)
            }
            return list.joined(by: separator)
          }
        ),
      ]
    ),
    Function(
      "text.format(list)",
      .texts,
      "the text, with %s, %d, %f, %e, %b, %o, %x and %X replaced by the elements of a list",
      examples: ["'%s: %.2f'.format(['Net', 9.5])": #""Net: 9.50""#],
      overloads: [
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
        )
      ]
    ),
  ]
}
