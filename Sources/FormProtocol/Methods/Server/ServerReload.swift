internal import JSON
internal import SourceTexts

package struct ServerReloadParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.serverReload
  package static let name: StaticString = "server/reload"
  package static let role: Role? = .operator
  package static let title = "Reads the configuration and the forms again"
  package static let details =
    "As at SIGHUP. The answer comes when the reload has ended. A broken configuration changes nothing. Requests during a reload cause one more reload."
  package static var example: (params: Self, answer: ReloadOutcome) {
    var outcome = ReloadOutcome()
    outcome.reloaded = true
    outcome.changed = ["services.shop", "limits.sessionsMax"]
    outcome.changedForms = ["login"]
    outcome.needRestart = ["store"]
    outcome.formCount = 5
    return (Self(), outcome)
  }
}

/// How a reload has ended: the answer to `server/reload`.
public struct ReloadOutcome: Message, Sendable {
  /// Whether the daemon has taken over the configuration and the forms. If not, nothing has changed.
  public var reloaded = false
  /// The names of the settings that have changed.
  public var changed: [String] = []
  /// The names of the forms that are new, have changed or are gone.
  public var changedForms: [String] = []
  /// The names of changed settings that need a restart, and stay as they were.
  public var needRestart: [String] = []
  /// How many forms the daemon has.
  public var formCount = 0
  /// The problems of the configuration, or of the forms' files.
  public var problems: [FormProblem] = []

  package init() {}

  package static let schemaName: StaticString? = "ReloadOutcome"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required(
      "reloaded",
      &reloaded,
      "Whether the daemon has taken over the configuration and the forms. If not, nothing has changed."
    )
    members.required("changed", &changed, "The names of the settings that have changed.")
    members.required("changedForms", &changedForms, "The names of the forms that are new, have changed or are gone.")
    members.required(
      "needRestart",
      &needRestart,
      "The names of changed settings that need a restart. They stay as they were."
    )
    members.required("forms", &formCount, "How many forms the daemon has now.")
    members.required(
      "problems",
      &problems,
      "What is wrong with the configuration, if it was refused. Otherwise what is wrong with the forms' files."
    )
  }

  /// Whether the configuration was taken over, and no form is broken.
  package var isGood: Bool { reloaded && !problems.contains { $0.severity != .warning } }
}
