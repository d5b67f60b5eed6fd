package import SessionStore

/// A store that keeps sessions beyond the process: a file, or a database that several daemons share. The server calls
/// it on its own thread. The store does the work on sessions in the order of the requests. It calls the completions in
/// the same order on the server's thread, and never before the call has returned. A renewal waits for no other work.
///
/// A shared database accepts a write of a session only from the daemon that owns the session. The session gets another
/// owner when its owner releases it. It can also get one when the owner's lease has run out.
package protocol ServerStore: AnyObject {
  /// For how long the other daemons wait for a daemon that gives no sign of life; nil: no other daemon has the store.
  var lease: Duration? { get }

  /// From now on the server sends requests, and gets their results.
  ///
  /// - Parameter heard: called with a session that was asked for and that its owner has given away, refused or removed;
  ///   nil: another daemon asks for a session of this one's, or notifications of the database were lost.
  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void)

  /// Writes a session. Completes with nil once that is committed, else with the failure: it is
  /// ``StoreFailure/Reason/notOwned`` if the session does not belong to this daemon any more.
  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void)

  /// Takes a session, with all earlier writes, or asks the daemon that has it.
  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimResult, StoreFailure>) -> Void)

  /// Removes a session, if it is there and no other daemon has it. Completes as ``write(_:_:)`` does.
  ///
  /// - Parameter grace: seconds that are added to the session's expiry.
  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void)

  /// Releases a session for other daemons. Completes as ``write(_:_:)`` does.
  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void)

  /// Gives a session to the daemon that asks for it, or refuses it, if that daemon still wants it. Completes with nil
  /// if the session stays here, and with ``StoreFailure/Reason/moved`` if it does not belong to this daemon any more,
  /// also because it was given. With another failure it is not known who has it.
  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void)

  /// Finds expired sessions that no other daemon has, the oldest first, at most so many; none if the store cannot tell.
  ///
  /// - Parameter grace: seconds that are added to their expiry.
  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void)

  /// Copies all sessions into a new file. Completes with its size in bytes.
  func backUp(to path: String, _ completion: @escaping (Result<Int, StoreFailure>) -> Void)

  /// Counts the sessions of all daemons, including expired sessions. Nil if the store cannot tell.
  func count(_ completion: @escaping (Int?) -> Void)

  /// Renews this daemon's lease: it lasts for ``lease`` from the moment at which the database renews it.
  func renew(_ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void)
}
