public import Formats

extension Library {
  /// The standard library's functions for texts.
  static let textOverloads: [Overload] = [
    Overload(
      id: "contains_string",
      name: "contains",
      isMember: true,
      parameters: [.string, .string],
      result: .bool,
      cost: .linear([0, 1]),
      implementation: .texts { .bool($0.containsCodePoints(of: $1)) }
    ),
    Overload(
      id: "starts_with_string",
      name: "startsWith",
      isMember: true,
      parameters: [.string, .string],
      result: .bool,
      cost: .linear([1]),
      implementation: .texts { .bool($0.startsWithCodePoints(of: $1)) }
    ),
    Overload(
      id: "ends_with_string",
      name: "endsWith",
      isMember: true,
      parameters: [.string, .string],
      result: .bool,
      cost: .linear([1]),
      implementation: .texts { .bool($0.endsWithCodePoints(of: $1)) }
    ),
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
