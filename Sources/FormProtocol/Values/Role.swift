internal import JSON

/// What a user of the machine may do with the daemon (`peers` of the configuration). Each method needs at most one role
/// (``Method/role``).
public enum Role: CaseIterable, Hashable, Sendable {
  /// Opens forms and sessions.
  case client
  /// Answers for providers.
  case provider
  /// Watches the daemon and all its clients, and ends them.
  case `operator`

  /// All roles: of the daemon's own user, and of root.
  package static let all = Set(Role.allCases)
}

extension Role: WireName {
  package var wireName: StaticString {
    switch self {
    case .client: "client"
    case .provider: "provider"
    case .operator: "operator"
    }
  }
}
