internal import TextFormats
internal import Texts

extension Library {
  /// What Kubernetes' library of regular expressions has: `find` and `findAll`, with RE2's syntax.
  static let patternSearches = Library(
    name: "kubernetes.regex",
    overloads: [
      Overload(
        id: "string_find_string",
        name: "find",
        isMember: true,
        parameters: [.string, .string],
        result: .string,
        cost: .product(0, 1),
        resultSize: .argument(0),
        implementation: .texts { text, pattern in
          text.withMatches(of: pattern, countMax: 1) { matches in .string(matches.first ?? "") }
        }
      ),
      Overload(
        id: "string_find_all_string",
        name: "findAll",
        isMember: true,
        parameters: [.string, .string],
        result: .list(.string),
        cost: .product(0, 1),
        resultSize: .parts(of: 0),
        implementation: .texts { $0.allMatches(of: $1, countMax: -1) }
      ),
      Overload(
        id: "string_find_all_string_int",
        name: "findAll",
        isMember: true,
        parameters: [.string, .string, .int],
        result: .list(.string),
        cost: .product(0, 1),
        resultSize: .parts(of: 0),
        implementation: .textsInt { $0.allMatches(of: $1, countMax: $2) }
      ),
    ]
  )
}

extension String {
  /// The texts that a pattern matches, up to so many; all of them if that is negative.
  fileprivate func allMatches(of pattern: String, countMax: Int64) -> Value {
    withMatches(of: pattern, countMax: countMax < 0 ? ResultLimits.elementsMax + 1 : Int(clamping: countMax)) {
      matches in
      matches.count > ResultLimits.elementsMax ? ResultLimits.listTooLarge : .list(matches.map { .string($0) })
    }
  }

  fileprivate func withMatches(of source: String, countMax: Int, _ body: ([String]) -> Value) -> Value {
    switch PatternCache.pattern(source) {
    case .failure(let error): return .error(error)
    case .success(let pattern):
      if countMax == 0 { return body([]) }
      guard let matches = pattern.allMatches(in: self, countMax: countMax) else { return PatternCache.tooCostly }
      return body(withCodeUnits { bytes in matches.map { String(codeUnits: bytes[$0.range]) } })
    }
  }
}
