package import SessionStore

/// A store that keeps sessions beyond the process, for the server's own thread. It does the requested work on sessions
/// in the order of the requests. It calls each completion on that thread, and never before the call has returned.
package protocol ServerStore: AnyObject {
  /// The server is there, and sends requests from now on.
  func begin(for server: FormServer)

  /// A time has come for which the store has asked (``TimerQueue/Owner/store``).
  func timeHasCome()

  /// Writes a session. Completes with nil once that is committed, else with the failure.
  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void)

  /// Claims a session, with all earlier writes; it belongs to this daemon from then on.
  ///
  /// - Parameters:
  ///   - takes: whether to take it even from another daemon that has clients for it.
  ///   - now: in seconds since 1970.
  func claim(
    _ id: StoredSessionID,
    takes: Bool,
    at now: Int64,
    _ completion: @escaping (Result<ClaimOutcome, StoreFailure>) -> Void
  )

  /// Removes a session, if it is there and no other daemon has it. Completes as ``write(_:_:)`` does.
  ///
  /// - Parameter now: in seconds since 1970.
  func remove(_ id: StoredSessionID, at now: Int64, _ completion: @escaping (StoreFailure?) -> Void)

  /// Releases a session for other daemons. Completes as ``write(_:_:)`` does.
  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void)

  /// Gives a session to the daemon that asks for it, or refuses it, if that daemon still wants it. Completes with nil
  /// if the session stays here, and with ``StoreFailure/Reason/moved`` if it belongs to the other daemon now.
  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void)

  /// Finds expired sessions that no other daemon has, the oldest first, at most so many; none if the store cannot tell.
  ///
  /// - Parameter now: in seconds since 1970.
  func expired(by now: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void)

  /// Copies all sessions into a new file. Completes with its size in bytes.
  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void)

  /// Counts the sessions of all daemons, including expired sessions. Nil if the store cannot tell.
  func count(_ completion: @escaping (Int?) -> Void)
}

/// The answer of a store to a claim.
package enum ClaimOutcome: Sendable {
  /// The session.
  case session(StoredSession)
  /// It is not there, or it has expired.
  case nothing
  /// Another daemon has it, and does not let go of it; with the instance ID of that daemon.
  case elsewhere(String)
}
