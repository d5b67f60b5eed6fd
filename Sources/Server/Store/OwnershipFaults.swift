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
  /// A session that clients have is given away although nobody wants it any more.
  case giveUnwanted
  /// Of the clients that have a session which is given away, only the first is told.
  case tellFirstOnly
  /// No session is given away.
  case giveNothing
  /// A session that somebody waits for comes back beside itself, where it has come for somebody else.
  case comeTwice
  /// A session that was given away goes on.
  case keepGiven
}
