/// One client, as an operator sees it.
public struct ConnectionInfo: Message, Sendable {
  /// The connection's number, for `server/disconnect`.
  public var connection: Int64 = 0
  /// The user whose process it is; nil if that is unknown.
  public var userID: Int?
  /// The process; nil if that is unknown.
  public var processID: Int?
  /// The time since it connected.
  public var ageMs = 0
  /// How many sessions it has.
  public var sessions = 0
  /// Bytes of memory that it makes the daemon keep or queue.
  public var bytes = 0
  /// Bytes of output that it has not taken.
  public var unsentBytes = 0
  /// The pieces of work for it: its messages, timers of its sessions and answers to their effects.
  public var turns = 0
  /// The time that this work took.
  public var microseconds = 0

  package init() {}

  package static let schemaName: StaticString? = "ConnectionInfo"
  package static let summary: StaticString = "A client, as an operator sees it."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("connection", &connection, "Its number.")
    members.optional("uid", &userID, "The user whose process it is.")
    members.optional("pid", &processID, "The process that has connected.")
    members.required("ageMs", &ageMs, "How long it has been connected.")
    members.required("sessions", &sessions, "Its sessions.")
    members.required("bytes", &bytes, "Bytes of memory that it makes the daemon keep or queue.")
    members.required("unsentBytes", &unsentBytes, "Bytes of output that the client has not read.")
    members.required(
      "turns",
      &turns,
      "How many turns it had: its messages, the timers of its sessions and the answers to their effects."
    )
    members.required("microseconds", &microseconds, "How long these turns took.")
  }
}
