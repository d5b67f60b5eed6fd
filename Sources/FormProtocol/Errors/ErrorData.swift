internal import JSON

/// The `data` of the daemon's errors. Each error has some of these members; protocol/wire.md, "Error codes", says
/// which.
public struct ErrorData: Message, Equatable, Sendable {
  /// Of wrong params: every problem.
  public var errors: [InvalidParams.Problem]?
  /// The method's name as the client sent it, if the daemon does not have the method.
  public var method: String?
  /// The form's name as the client sent it, if the daemon does not have the form.
  public var form: String?
  /// The address as the client sent it, if it leads to no field.
  public var field: String?
  /// The action's name as the client sent it, if the form does not have the action.
  public var action: String?
  /// The unknown or hidden step.
  public var step: String?
  /// The provider's name.
  public var name: String?
  /// The number of the session that is not known.
  public var session: Int64?
  /// The number of the connection that is not known.
  public var connection: Int64?
  /// The daemon that has the session, by the instance name in its `server/info`.
  public var instance: String?
  /// The role that the client's user does not have; also nil for a role that only a later daemon knows.
  public var role: Role?
  /// The known name that is nearest.
  public var closest: String?
  /// The limit that was reached; also nil for a limit that only a later daemon knows.
  public var limit: Limit?
  /// The value of ``limit`` on this daemon.
  public var value: Int?
  /// When to try again.
  public var retryAfterMs: Int?
  /// The reason for refusing the text, the envelope or the request. Of a step: that it is hidden. Of a row: that it is
  /// removed, or is now in another list.
  public var reason: ErrorReason?
  /// The position of the problem in the text, in bytes.
  public var offset: Int?
  /// The location at which the text is too deep or too large, as a JSON Pointer.
  public var path: String?

  package init() {}

  package static let schemaName: StaticString? = "ErrorData"
  package static let summary: StaticString = "The data of errors. Each error has some of these members."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("errors", &errors, "All problems of invalid params.")
    members.optional("method", &method, "The unknown method.")
    members.optional("form", &form, "The unknown form.")
    members.optional("field", &field, "The unknown field.")
    members.optional("action", &action, "The unknown action.")
    members.optional("step", &step, "The unknown or hidden step.")
    members.optional("session", &session, "The unknown session.")
    members.optional("connection", &connection, "The unknown connection.")
    members.optional("limit", &limit, "The limit that was reached.")
    members.optional("value", &value, "The value of that limit.")
    members.optional("name", &name, "The provider's name.")
    members.optional("instance", &instance, "The daemon that has the session.")
    members.optional("role", &role, "The role that the client's user does not have.")
    members.optional("closest", &closest, "The closest known name.")
    members.optional("retryAfterMs", &retryAfterMs, "How many milliseconds to wait before another attempt.")
    members.optional("reason", &reason, "Why the text, the envelope or the request was refused.")
    members.optional("offset", &offset, "The position of the problem in the text, in bytes.")
    members.optional("path", &path, "The location at which the text is too deep or too large, as a JSON Pointer.")
  }
}
