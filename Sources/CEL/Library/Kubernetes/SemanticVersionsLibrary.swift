extension Library {
  /// `semver('1.2.3')` and what can be done with one.
  static let semanticVersions = Library(
    name: "kubernetes.semver",
    overloads: versionMakers + versionNumbers
      + comparisons("semver", .semanticVersion) { (left: SemanticVersion, right) in
        left < right ? -1 : left == right ? 0 : 1
      },
    types: [SemanticVersion.type.name: .semanticVersion]
  )

  private static let versionMakers: [Overload] = {
    @Sendable func version(_ text: String, isTolerant: Bool) -> SemanticVersion? {
      isTolerant ? SemanticVersion(tolerant: text) : SemanticVersion(text)
    }
    @Sendable func make(_ text: String, _ isTolerant: Bool) -> Value {
      version(text, isTolerant: isTolerant).map { .abstract($0) }
        ?? .failure(.conversion, "the version \(text.excerpt) is none; write one such as 1.2.3 or 1.2.3-beta.1")
    }
    func withFlag(_ body: @escaping @Sendable (String, Bool) -> Value) -> Overload.Implementation {
      .binary { first, second in
        guard case .string(let text) = first, case .bool(let flag) = second else { return .error(.noSuchOverload) }
        return body(text, flag)
      }
    }
    func declare(
      _ id: String,
      _ name: String,
      _ parameters: [CELType],
      _ result: CELType,
      _ implementation: Overload.Implementation
    ) -> Overload {
      Overload(
        id: id,
        name: name,
        parameters: parameters,
        result: result,
        cost: .linear([0]),
        implementation: implementation
      )
    }
    return [
      declare("string_to_semver", "semver", [.string], .semanticVersion, .text { make($0, false) }),
      declare("string_bool_to_semver", "semver", [.string, .bool], .semanticVersion, withFlag { make($0, $1) }),
      declare("is_semver_string", "isSemver", [.string], .bool, .text { .bool(version($0, isTolerant: false) != nil) }),
      declare(
        "is_semver_string_bool",
        "isSemver",
        [.string, .bool],
        .bool,
        withFlag { .bool(version($0, isTolerant: $1) != nil) }
      ),
    ]
  }()

  private static let versionNumbers: [Overload] = {
    func number(_ name: String, _ body: @escaping @Sendable (SemanticVersion) -> UInt64) -> Overload {
      Overload(
        id: "semver_\(name)",
        name: name,
        isMember: true,
        parameters: [.semanticVersion],
        result: .int,
        implementation: .of(SemanticVersion.self) { .int(Int64(clamping: body($0))) }
      )
    }
    return [number("major") { $0.major }, number("minor") { $0.minor }, number("patch") { $0.patch }]
  }()
}
