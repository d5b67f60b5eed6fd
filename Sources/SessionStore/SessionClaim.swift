/// The claim of a daemon for a session of a store that several daemons share.
package struct SessionClaim: Sendable {
  /// The session that the daemon wants.
  package var id: StoredSessionID
  /// Equal for all repetitions of a claim, and greater than the numbers of this daemon's earlier claims: an answer is
  /// for that number.
  package var number: Int64
  /// Whether the owner is to give the session even if it is in use.
  package var takes: Bool
  /// Whether the answer to an earlier claim of this number was ``ClaimResult/Request/placed``.
  package var isAsked: Bool
  /// Whether this is the last claim: then the request is withdrawn.
  package var isLast: Bool
  /// Seconds that are added to the session's expiry.
  package var grace: Int64

  package init(
    _ id: StoredSessionID,
    number: Int64,
    takes: Bool,
    isAsked: Bool = false,
    isLast: Bool = false,
    grace: Int64 = 0
  ) {
    self.id = id
    self.number = number
    self.takes = takes
    self.isAsked = isAsked
    self.isLast = isLast
    self.grace = grace
  }
}

extension SessionClaim {
  /// The request as the column `wanted_takes` has it.
  package var wantedTakes: Int64 { SessionRequest.wantedTakes(number, takes: takes) }
}

/// The answer to a claim for a session of a store that several daemons share.
package enum ClaimResult: Sendable {
  /// The session, which belongs to this daemon from now on.
  case session(StoredSession)
  /// It is not there, or has expired: both take equally long.
  case nothing
  /// Another daemon has it.
  ///
  /// - Parameter by: the instance ID of that daemon, which clients see.
  case held(by: String, Request)

  /// The state of the request for a session that another daemon has.
  package enum Request: Sendable {
    /// The owner is asked.
    case placed
    /// Another daemon has asked first, and has no answer yet: a later claim places the request.
    case isNext
    /// The owner has refused, or the claim was the last one. The request is gone.
    case isOver
  }
}

/// The request of another daemon.
package struct SessionRequest: Hashable, Sendable {
  /// A session of this daemon.
  package var id: StoredSessionID
  /// The identity of the asking daemon in the store.
  package var asker: String
  /// The asking daemon's number of the claim: another number is another request.
  package var number: Int64
  /// Whether to give the session even if it is in use.
  package var takes: Bool

  package init(id: StoredSessionID, asker: String, number: Int64, takes: Bool) {
    self.id = id
    self.asker = asker
    self.number = number
    self.takes = takes
  }
}

extension SessionRequest {
  /// The request as the column `wanted_takes` has it.
  package var wantedTakes: Int64 { Self.wantedTakes(number, takes: takes) }

  /// The number of a request; it is negative if the request does not take a session in use.
  fileprivate static func wantedTakes(_ number: Int64, takes: Bool) -> Int64 { takes ? number : -number }
}

/// The result of a renewal of a lease.
package struct LeaseRenewal: Sendable {
  /// The sessions that still belong to this daemon, if its lease had run out before, so that others may have taken
  /// some; nil: it had not.
  package var owned: Set<StoredSessionID>?
  /// Unanswered requests of other daemons, except dead daemons' requests and those that have expired.
  package var requests: [SessionRequest]

  package init(owned: Set<StoredSessionID>? = nil, requests: [SessionRequest] = []) {
    self.owned = owned
    self.requests = requests
  }
}
