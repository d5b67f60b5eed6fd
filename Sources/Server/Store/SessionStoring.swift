package import SessionStore

/// What keeps sessions beyond the process, as the server's own thread sees it. Everything is done in the order in which it is asked for, and
/// each completion is called in that order, on that thread, never before the call has returned.
package protocol SessionStoring: AnyObject {
  /// Writes a session. Completes with nil once that is committed, else with why it is not.
  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void)

  /// Reads a session, as the writes before have left it; nil when it is not there, or its time is over.
  ///
  /// - Parameter now: in seconds since 1970.
  func read(
    _ id: StoredSessionID,
    at now: Int64,
    _ completion: @escaping (Result<StoredSession?, StoreFailure>) -> Void
  )

  /// Removes a session, if it is there. Completes as ``write(_:_:)`` does.
  func remove(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void)

  /// Finds sessions whose time is over, the oldest first, at most so many; none where that cannot be said.
  ///
  /// - Parameter now: in seconds since 1970.
  func expired(by now: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void)
}
