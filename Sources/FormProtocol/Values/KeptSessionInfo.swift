/// A session that is kept, as an operator sees it: never its key.
public struct KeptSessionInfo: Message, Sendable {
  /// The session's number.
  public var session: Int64 = 0
  /// The name of the session's form.
  public var form = ""
  /// How long ago it was opened.
  public var ageMs = 0
  /// How many connections have it.
  public var connections = 0
  /// The time until it ends; nil while a client has it, or an action runs.
  public var endsInMs: Int?
  /// Bytes of memory that it takes.
  public var bytes = 0

  package init() {}

  package static let schemaName: StaticString? = "KeptSessionInfo"
  package static let summary: StaticString = "A kept session, as an operator sees it."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "Its number.")
    members.required("form", &form, "The form's name.")
    members.required("ageMs", &ageMs, "How long ago it was opened.")
    members.required("connections", &connections, "How many connections have it.")
    members.optional(
      "endsInMs",
      &endsInMs,
      "When it ends if no client attaches. Absent while a client has it or an action runs."
    )
    members.required("bytes", &bytes, "Bytes of memory that it takes.")
  }
}
