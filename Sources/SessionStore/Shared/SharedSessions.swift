/// What a daemon asks that wants a session of a store that several daemons share.
package struct SessionQuestion: Sendable {
  /// The session.
  package var id: StoredSessionID
  /// The same whenever the same is asked again: an answer is for that number.
  package var number: Int64
  /// Whether the session is to be given in any case.
  package var takes: Bool
  /// Whether it is asked for the last time: then the request is withdrawn, unless it is granted already.
  package var isLast: Bool
  /// Seconds for which the session's expiry is passed over.
  package var grace: Int64

  /// That question.
  package init(_ id: StoredSessionID, number: Int64, takes: Bool, isLast: Bool = false, grace: Int64 = 0) {
    self.id = id
    self.number = number
    self.takes = takes
    self.isLast = isLast
    self.grace = grace
  }
}

/// What a daemon finds that asks for a session of a store that several daemons share.
package enum StoredClaim: Sendable {
  /// The session, which is this daemon's from now on.
  case session(StoredSession)
  /// It is not there, or its time is over: that takes as long.
  case nothing
  /// Another daemon has it, and is asked for it.
  ///
  /// - Parameters:
  ///   - instance: what that daemon calls itself to clients.
  ///   - isRefused: whether it does not let go of it for this question: it has said so, or the question was the last one and is withdrawn.
  case held(by: String, isRefused: Bool)
}

/// What another daemon asks for.
package struct SessionRequest: Hashable, Sendable {
  /// A session of this daemon.
  package var id: StoredSessionID
  /// Who asks, as the store knows him.
  package var asker: String
  /// The asker's number for it: another one is another request.
  package var number: Int64
  /// Whether it is to be given in any case.
  package var takes: Bool

  /// That request.
  package init(id: StoredSessionID, asker: String, number: Int64, takes: Bool) {
    self.id = id
    self.asker = asker
    self.number = number
    self.takes = takes
  }
}

/// What a daemon learns when it renews its lease.
package struct LeaseRenewal: Sendable {
  /// The sessions that are still this daemon's, where its lease had run out before, so that others may have taken some; nil: it had not.
  package var owned: Set<StoredSessionID>?
  /// What others ask for and have not been told, unless they have not asked for it within the time of a lease, or are gone.
  package var requests: [SessionRequest]

  /// That renewal.
  package init(owned: Set<StoredSessionID>? = nil, requests: [SessionRequest] = []) {
    self.owned = owned
    self.requests = requests
  }
}
