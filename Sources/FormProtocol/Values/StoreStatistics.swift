/// The store of kept sessions, as `server/stats` shows it.
public struct StoreStatistics: Message, Sendable {
  /// Whether the store answers and can be written, as far as is known.
  public var isUp = true
  /// How long no other daemon can take this daemon's sessions; nil if the store belongs to one daemon.
  public var leaseMs: Int?
  /// How many sessions the store has, counted in the last minute: the sessions of all daemons, in memory or not. Nil:
  /// the number is not known yet.
  public var sessions: Int?
  /// How long writes of sessions took, from the end of the turn to the commit.
  public var commitTime = TimeHistogram()

  package init() {}

  package static let schemaName: StaticString? = "StoreStatistics"
  package static let summary: StaticString = "The store of kept sessions."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("isUp", &isUp, "Whether the store answers and can be written.")
    members.optional(
      "leaseMs",
      &leaseMs,
      "How much of the lease is left; 0 after its end. Absent if only one daemon uses the store."
    )
    members.optional(
      "sessions",
      &sessions,
      "How many sessions the store has: the sessions of all daemons, in memory or not. Absent until it is known."
    )
    members.required("commitTime", &commitTime, "How long writes of sessions took until they were committed.")
  }
}
