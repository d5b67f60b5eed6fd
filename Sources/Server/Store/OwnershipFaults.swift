/// Faults that tests plant in the sharing of sessions between daemons, to show that they would notice.
package enum OwnershipFault: CaseIterable, Sendable {
  /// A lease counts from the database's answer.
  case leaseFromAnswer
  /// The daemon answers for sessions although the lease is over, with no write before it.
  case speakPastLease
  /// Sessions that other daemons have taken go on.
  case keepLost
  /// A session with clients is given away, although the request does not take it.
  case giveUsed
  /// A session with clients is given away although no daemon wants it any more.
  case giveUnwanted
  /// When a session is given away, only the first of its clients is notified.
  case tellFirstOnly
  /// No session is given away.
  case giveNothing
  /// A session that several callers wait for comes back twice.
  case comeTwice
  /// A session that was given away goes on.
  case keepGiven
}
