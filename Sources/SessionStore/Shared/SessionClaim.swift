/// The claim of a daemon for a session of a store that several daemons share.
package struct SessionClaim: Sendable {
  /// The session.
  package var id: StoredSessionID
  /// Equal for all repetitions of a claim: an answer is for that number.
  package var number: Int64
  /// Whether the owner is to give the session even if it is in use.
  package var takes: Bool
  /// Whether this is the last claim: then the request is withdrawn, unless it is granted already.
  package var isLast: Bool
  /// Seconds that are added to the session's expiry.
  package var grace: Int64

  /// That claim.
  package init(_ id: StoredSessionID, number: Int64, takes: Bool, isLast: Bool = false, grace: Int64 = 0) {
    self.id = id
    self.number = number
    self.takes = takes
    self.isLast = isLast
    self.grace = grace
  }
}

/// The answer to a claim for a session of a store that several daemons share.
package enum ClaimAnswer: Sendable {
  /// The session, which belongs to this daemon from now on.
  case session(StoredSession)
  /// It is not there, or has expired: both take equally long.
  case nothing
  /// Another daemon has it, and is asked for it.
  ///
  /// - Parameters:
  ///   - by: the instance ID of that daemon, which clients see.
  ///   - isRefused: whether it does not release the session for this claim: it has refused, or the claim was the last
  ///     one and is withdrawn.
  case held(by: String, isRefused: Bool)
}

/// The request of another daemon.
package struct SessionRequest: Hashable, Sendable {
  /// A session of this daemon.
  package var id: StoredSessionID
  /// The identity of the asking daemon in the store.
  package var asker: String
  /// The asking daemon's number for it: another number is another request.
  package var number: Int64
  /// Whether to give the session even if it is in use.
  package var takes: Bool

  /// That request.
  package init(id: StoredSessionID, asker: String, number: Int64, takes: Bool) {
    self.id = id
    self.asker = asker
    self.number = number
    self.takes = takes
  }
}

/// The result of a renewal of a lease.
package struct LeaseRenewal: Sendable {
  /// The sessions that still belong to this daemon, if its lease had run out before, so that others may have taken
  /// some; nil: it had not.
  package var owned: Set<StoredSessionID>?
  /// Unanswered requests of other daemons. Requests that were not repeated within the time of a lease, and requests of
  /// dead daemons, are not included.
  package var requests: [SessionRequest]

  /// That renewal.
  package init(owned: Set<StoredSessionID>? = nil, requests: [SessionRequest] = []) {
    self.owned = owned
    self.requests = requests
  }
}
