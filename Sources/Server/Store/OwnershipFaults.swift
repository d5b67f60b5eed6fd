/// Faults that tests plant where several daemons share sessions, to show that they would notice.
package enum OwnershipFault: CaseIterable, Sendable {
  /// A lease counts from when the database has answered.
  case leaseFromAnswer
  /// What sessions are is told although the lease is over, with no write before it.
  case speakPastLease
  /// Sessions that others have taken meanwhile go on.
  case keepLost
  /// A session is given away that clients have, and that is not to be taken.
  case giveUsed
  /// No session is given away.
  case giveNothing
  /// A session that was given away goes on.
  case keepGiven
}
