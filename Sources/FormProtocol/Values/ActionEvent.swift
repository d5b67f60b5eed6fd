public import JSON

/// The result of a tap: sent once, in `session/update` or in the answer to a tap that waits.
public struct ActionEvent: Message, Sendable {
  /// The event's number in its session, from 1.
  public var sequence = 0
  /// The action's name.
  public var action = ""
  /// The run, if one was started.
  public var run: Int?
  /// The kind of the result; nil for a kind that only a later daemon knows.
  public var kind: EventKind?
  /// The action's result; nil unless it has succeeded.
  public var result: JSON?
  /// What the service or the outcome says of the error; nil unless the action has failed.
  public var error: JSON?
  /// The outcome's text; of a rejection the reason why the action is not enabled.
  public var message: String?
  /// Of a rejection; empty elsewhere.
  public var blockers: [Blocker] = []

  package init() {}

  package static let schemaName: StaticString? = "Event"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("seq", &sequence, "The event's number in its session.")
    members.required("action", &action, "The action.")
    members.optional("run", &run, "The run, if one was started.")
    members.required("kind", &kind, "The kind of result.")
    members.optional("result", &result, "The value of a success.")
    members.optional("error", &error, "The value of a failure.")
    members.optional(
      "message",
      &message,
      "The outcome's text; of a rejection the reason why the action is not enabled."
    )
    members.optional("blockers", &blockers, "The reasons of a rejection.")
  }

  package static let summary: StaticString = "The result of a tap, sent once."
}

/// The kind of a tap's result.
public enum EventKind: WireName, Sendable {
  /// The action was done.
  case succeeded
  /// The action's run failed.
  case failed
  /// The form did not allow it.
  case rejected
  /// The tap was ignored.
  case dropped
  /// A later tap or a reset replaced the run.
  case superseded
  /// The user gave it up.
  case cancelled

  package static let schemaName: StaticString? = "EventKind"

  package var wireName: StaticString {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .rejected: "rejected"
    case .dropped: "dropped"
    case .superseded: "superseded"
    case .cancelled: "cancelled"
    }
  }
}

/// One reason why an action may not run.
public struct Blocker: Message, Hashable, Sendable {
  /// The field's address; nil for the form as a whole.
  public var field: String?
  /// The error's code, `pending` or `disabled`.
  public var code = ""

  package init() {}

  package init(field: String?, code: String) {
    self.field = field
    self.code = code
  }

  package static let schemaName: StaticString? = "Blocker"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("field", &field, "The field's address; absent for the form as a whole.")
    members.required("code", &code, "The error's code, `pending` or `disabled`.")
  }

  package static let summary: StaticString = "Why an action may not run."
}
