internal import Formats
internal import Texts

extension Library {
  /// Regular expressions with RE2's syntax and meaning (cel-go, `ext/README.md`, "Regex").
  public static let regex = Library(
    name: "regex",
    functions: [
      Function(
        "regex.replace(text, pattern, with)",
        .texts,
        "the text with all matches of a pattern replaced, or the given number; \\1 is the text of the first group",
        examples: [
          "regex.replace('a1b22', '[0-9]+', '#')": #""a#b#""#,
          #"regex.replace('kim@example.com', '(.*)@(.*)', '\\2: \\1')"#: #""example.com: kim""#,
        ],
        overloads: [
          Overload(
            id: "regex_replace_string_string_string",
            name: "regex.replace",
            parameters: [.string, .string, .string],
            result: .string,
            cost: .product(0, 1),
            resultSize: .product(0, 2),
            implementation: .threeTexts { $0.replacingMatches(of: $1, with: $2, countMax: -1) }
          ),
          Overload(
            id: "regex_replace_string_string_string_int",
            name: "regex.replace",
            parameters: [.string, .string, .string, .int],
            result: .string,
            cost: .product(0, 1),
            resultSize: .product(0, 2),
            implementation: .variadic { arguments in
              guard arguments.count == 4, case .string(let text) = arguments[0],
                case .string(let pattern) = arguments[1],
                case .string(let replacement) = arguments[2], case .int(let countMax) = arguments[3]
              else { return .error(.noSuchOverload) }
              return text.replacingMatches(of: pattern, with: replacement, countMax: countMax)
            }
          ),
        ]
      ),
      Function(
        "regex.extract(text, pattern)",
        .texts,
        "the first match of a pattern, or of its group, as an optional",
        examples: ["regex.extract('call 555-01', '[0-9]+').orValue('')": #""555""#],
        overloads: [
          Overload(
            id: "regex_extract_string_string",
            name: "regex.extract",
            parameters: [.string, .string],
            result: .optional(.string),
            cost: .product(0, 1),
            resultSize: .argument(0),
            implementation: .texts { $0.extract(pattern: $1) }
          )
        ]
      ),
      Function(
        "regex.extractAll(text, pattern)",
        .texts,
        "all matches of a pattern, or of its group",
        examples: ["regex.extractAll('a1b22', '[0-9]+')": #"["1", "22"]"#],
        overloads: [
          Overload(
            id: "regex_extractAll_string_string",
            name: "regex.extractAll",
            parameters: [.string, .string],
            result: .list(.string),
            cost: .product(0, 1),
            resultSize: .parts(of: 0),
            implementation: .texts { $0.extractAll(pattern: $1) }
          )
        ]
      ),
    ]
  )
}

extension String {
  /// The text with up to `countMax` matches replaced from the left, all if negative. In the replacement, `\1` to `\9`
  /// mean the groups, `\0` the whole match, and `\\` a backslash.
  fileprivate func replacingMatches(of source: String, with replacement: String, countMax: Int64) -> Value {
    if countMax == 0 { return .string(self) }
    let pattern: Pattern
    switch PatternCache.pattern(source) {
    case .success(let compiled): pattern = compiled
    case .failure(let error): return .error(error)
    }
    let pieces: [ReplacementPiece]
    switch ReplacementPiece.parse(replacement, captureCount: pattern.captureCount) {
    case .success(let parsed): pieces = parsed
    case .failure(let error): return .error(error)
    }
    guard let matches = pattern.allMatches(in: self, countMax: countMax < 0 ? .max : Int(clamping: countMax)) else {
      return PatternCache.tooCostly
    }
    return withCodeUnits { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var position = 0
      for match in matches {
        result.append(contentsOf: bytes[position..<match.range.lowerBound])
        for piece in pieces {
          switch piece {
          case .literal(let text): result.append(contentsOf: text)
          // A group that took no part adds nothing.
          case .group(let number): if let range = match.ranges[number] { result.append(contentsOf: bytes[range]) }
          }
        }
        position = match.range.upperBound
        guard result.count + bytes.count - position <= ResultLimits.bytesMax else { return ResultLimits.textTooLarge }
      }
      result.append(contentsOf: bytes[position...])
      return .string(String(decoding: result, as: UTF8.self))
    }
  }

  /// The first match, or its group if the pattern has one; none without a match, or if the group took no part or is
  /// empty, as in cel-go.
  fileprivate func extract(pattern source: String) -> Value {
    withExtractionPattern(source) { pattern in
      switch pattern.firstMatch(in: self) {
      case .tooCostly: PatternCache.tooCostly
      case .notFound: .optional(nil)
      case .found(let match):
        .optional(
          match.extracted(by: pattern).map { range in .string(withCodeUnits { String(codeUnits: $0[range]) }) }
        )
      }
    }
  }

  /// All matches. If the pattern has a group, all its groups instead, except groups that took no part or are empty.
  fileprivate func extractAll(pattern source: String) -> Value {
    withExtractionPattern(source) { pattern in
      guard let matches = pattern.allMatches(in: self, countMax: ResultLimits.elementsMax + 1) else {
        return PatternCache.tooCostly
      }
      guard matches.count <= ResultLimits.elementsMax else { return ResultLimits.listTooLarge }
      return withCodeUnits { bytes in
        .list(
          ListValue(
            matches.compactMap { match in
              match.extracted(by: pattern).map { .string(String(codeUnits: bytes[$0])) }
            }
          )
        )
      }
    }
  }

  private func withExtractionPattern(_ source: String, _ body: (Pattern) -> Value) -> Value {
    switch PatternCache.pattern(source) {
    case .failure(let error): return .error(error)
    case .success(let pattern):
      guard pattern.captureCount <= 1 else {
        return .failure(.invalidArgument, "the regular expression has more than one capturing group: \(source.excerpt)")
      }
      return body(pattern)
    }
  }
}

extension PatternMatch {
  /// The part of the match that `regex.extract` takes: the match itself, or the pattern's only group. An empty match
  /// counts, an empty group does not.
  fileprivate func extracted(by pattern: Pattern) -> Range<Int>? {
    guard pattern.captureCount > 0 else { return range }
    return ranges[1].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// A part of the replacement of `regex.replace`.
private enum ReplacementPiece {
  case literal([UInt8])
  case group(Int)

  static func parse(_ text: String, captureCount: Int) -> Result<[ReplacementPiece], EvaluationError> {
    var pieces: [ReplacementPiece] = []
    var literal: [UInt8] = []
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        literal.append(byte)
        continue
      }
      switch bytes.popFirst() {
      case UInt8(ascii: "\\"): literal.append(UInt8(ascii: "\\"))
      case let digit? where digit >= 0x30 && digit <= 0x39:
        let number = Int(digit - 0x30)
        guard number <= captureCount else {
          return .failure(
            EvaluationError(.invalidArgument, "the replacement uses group \(number) of only \(captureCount)")
          )
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = []
        pieces.append(.group(number))
      default:
        return .failure(
          EvaluationError(.invalidArgument, "a backslash in the replacement must be followed by a digit or a backslash")
        )
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return .success(pieces)
  }
}
