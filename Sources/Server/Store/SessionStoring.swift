package import SessionStore

/// What keeps sessions beyond the process, as the server's own thread sees it. What is asked for of sessions is done in the order in which it
/// is asked for, and each completion is called on that thread, never before the call has returned.
package protocol SessionStoring: AnyObject {
  /// The server is there, and asks from now on.
  func begin(for server: FormServer)

  /// A time has come for which the store has asked (``TimerQueue/Owner/store``).
  func timeHasCome()

  /// Writes a session. Completes with nil once that is committed, else with why it is not.
  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void)

  /// Asks for a session, as the writes before have left it; it is this daemon's from then on.
  ///
  /// - Parameters:
  ///   - takes: whether it is to come from another daemon where clients have it, too.
  ///   - now: in seconds since 1970.
  func claim(
    _ id: StoredSessionID,
    takes: Bool,
    at now: Int64,
    _ completion: @escaping (Result<StoreFinding, StoreFailure>) -> Void
  )

  /// Removes a session, if it is there and no other daemon has it. Completes as ``write(_:_:)`` does.
  ///
  /// - Parameter now: in seconds since 1970.
  func remove(_ id: StoredSessionID, at now: Int64, _ completion: @escaping (StoreFailure?) -> Void)

  /// Lets others have a session. Completes as ``write(_:_:)`` does.
  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void)

  /// Tells another daemon that it gets a session. Completes with whether it still wants it, and waits until it has it.
  func grant(_ request: SessionRequest, _ completion: @escaping (Bool) -> Void)

  /// Tells another daemon that it does not get a session.
  func refuse(_ request: SessionRequest)

  /// Finds sessions whose time is over and that no other daemon has, the oldest first, at most so many; none where that cannot be said.
  ///
  /// - Parameter now: in seconds since 1970.
  func expired(by now: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void)
}

/// What a store has found that was asked for a session.
package enum StoreFinding: Sendable {
  /// The session.
  case session(StoredSession)
  /// It is not there, or its time is over.
  case nothing
  /// Another daemon has it, and does not let go of it: what that one calls itself.
  case elsewhere(String)
}
