public import JSON

package struct ActionTapParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The action's name.
  package var action = ""
  /// Whether the answer waits for the outcome.
  package var awaits = false
  /// Whether the answer has the document.
  package var wantsDocument = false

  package init() {}

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("action", &action, "The action's name.", missing: "an action's name")
    members.flag("await", &awaits, "Whether the answer waits for the tap's outcome.")
    members.flag("document", &wantsDocument, "Whether the answer has the document as it is then.")
  }

  package static let method = Method.actionTap
  package static let name: StaticString = "action/tap"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user asked for an action"
  package static let details =
    "Without `await`, the answer comes at once with `outcome`: `started`, `held`, `rejected` or `dropped`. With `await`, it comes at the outcome with the tap's `event`. A tap that a throttle or debounce drops has no event: with `await`, too, the answer has the `outcome` `dropped`. A rejected tap is not an error. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownAction]
  package static var example: (params: Self, answer: TapAnswer) {
    var params = Self()
    params.session = 1
    params.action = "login"
    return (params, TapAnswer(revision: 4, outcome: .started, run: 1))
  }
}

/// The outcome of a tap: the answer to `action/tap`.
public struct TapAnswer: Message, Sendable {
  /// The session's revision after the input.
  public var revision = 0
  /// The outcome of the tap. With `await` it is nil, or `dropped` if a throttle or debounce dropped the tap. It is also
  /// nil for an outcome that only a later daemon knows.
  public var outcome: TapOutcome?
  /// The run that was started.
  public var run: Int?
  /// Why the tap was rejected; empty if it was not.
  public var blockers: [Blocker] = []
  /// The result of the tap, with `await`.
  public var event: ActionEvent?
  /// The document at the answer; nil unless it was requested.
  public var document: JSON?

  package init() {}

  /// The answer at acceptance.
  package init(revision: Int, outcome: TapOutcome?, run: Int? = nil, blockers: [Blocker] = []) {
    self.revision = revision
    self.outcome = outcome
    self.run = run
    self.blockers = blockers
  }

  /// The answer at the outcome.
  package init(revision: Int, event: ActionEvent) {
    self.revision = revision
    self.event = event
  }

  package static let schemaName: StaticString? = "TapAnswer"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("revision", &revision, "The session's revision after the input.")
    members.optional(
      "outcome",
      &outcome,
      "What happened to the tap. With `await` it is present only if a throttle or debounce dropped the tap."
    )
    members.optional("run", &run, "The run that was started.")
    members.optional("blockers", &blockers, "Why the tap was rejected.")
    members.optional("event", &event, "")
    members.optional(
      "document",
      &document,
      as: OutputDocument.self,
      "With `document`: the output document, with the effects of the tap that are known then."
    )
  }
}

/// The outcome of a tap at its arrival.
public enum TapOutcome: WireName, Sendable {
  /// A run of the action began.
  case started
  /// The tap waits: for a check, for an earlier run, or for a throttle or debounce.
  case held
  /// The form does not allow it; the blockers give the reasons.
  case rejected
  /// The form ignores such a tap, for example while a run is under way.
  case dropped

  package static let schemaName: StaticString? = "TapOutcome"

  package var wireName: StaticString {
    switch self {
    case .started: "started"
    case .held: "held"
    case .rejected: "rejected"
    case .dropped: "dropped"
    }
  }
}
