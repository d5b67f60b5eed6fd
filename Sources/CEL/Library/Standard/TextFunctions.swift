public import Formats

extension Library {
  /// The standard library's functions for texts.
  static let textFunctions: [Function] = [
    Function(
      "text.contains(part)",
      .texts,
      "whether a text contains another text",
      examples: ["'kim@example.com'.contains('@')": "true"],
      overloads: [
        Overload(
          id: "contains_string",
          name: "contains",
          isMember: true,
          parameters: [.string, .string],
          result: .bool,
          cost: .linear([0, 1]),
          implementation: .texts { .bool($0.containsCodePoints(of: $1)) }
        )
      ]
    ),
    Function(
      "text.startsWith(part)",
      .texts,
      "whether a text begins with another text",
      examples: ["'+82 2'.startsWith('+')": "true"],
      overloads: [
        Overload(
          id: "starts_with_string",
          name: "startsWith",
          isMember: true,
          parameters: [.string, .string],
          result: .bool,
          cost: .linear([1]),
          implementation: .texts { .bool($0.startsWithCodePoints(of: $1)) }
        )
      ]
    ),
    Function(
      "text.endsWith(part)",
      .texts,
      "whether a text ends with another text",
      examples: ["'a.png'.endsWith('.png')": "true"],
      overloads: [
        Overload(
          id: "ends_with_string",
          name: "endsWith",
          isMember: true,
          parameters: [.string, .string],
          result: .bool,
          cost: .linear([1]),
          implementation: .texts { .bool($0.endsWithCodePoints(of: $1)) }
        )
      ]
    ),
    Function(
      "text.matches(pattern)",
      .texts,
      "whether a regular expression (RE2) matches somewhere in the text",
      examples: ["'A-12'.matches('^[A-Z]-[0-9]+$')": "true"],
      overloads: [
        Overload(
          id: "matches",
          name: "matches",
          parameters: [.string, .string],
          result: .bool,
          cost: .product(0, 1),
          implementation: .texts { $0.matches(patternSource: $1) }
        ),
        Overload(
          id: "matches_string",
          name: "matches",
          isMember: true,
          parameters: [.string, .string],
          result: .bool,
          cost: .product(0, 1),
          implementation: .texts { $0.matches(patternSource: $1) }
        ),
      ]
    ),
  ]
}

extension String {
  fileprivate func matches(patternSource: String) -> Value {
    switch PatternCache.pattern(patternSource) {
    case .success(let pattern): Value.matches(self, pattern)
    case .failure(let error): .error(error)
    }
  }
}

extension Value {
  /// `text.matches(pattern)` with a pattern that was compiled before.
  public static func matches(_ text: String, _ pattern: Pattern) -> Value {
    switch pattern.matches(text) {
    case .match: true
    case .noMatch: false
    case .tooCostly: PatternCache.tooCostly
    }
  }
}
