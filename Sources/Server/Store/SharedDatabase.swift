package import SessionStore

/// The database that several daemons share, as one of them uses it, on the server's own thread. It does the requested
/// work on sessions in order, and calls completions in that order, never before the call has returned. A renewal waits
/// for none of it.
///
/// All times are the database's. It accepts a write of a session only from the daemon that owns it. It gives a session
/// to another daemon only when the owner has let go of it, or when the owner's lease has run out.
package protocol SharedDatabase: AnyObject {
  /// From now on the server gets the answers.
  ///
  /// - Parameter heard: called with a session that was asked for and that its owner has given away, refused or removed;
  ///   nil: another daemon asks for a session of this one's, or notifications were lost.
  func begin(for server: FormServer, heard: @escaping (StoredSessionID?) -> Void)

  /// Writes a session; fails as ``StoreFailure/Reason/lost`` if it does not belong to this daemon any more.
  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void)

  /// Takes a session, or asks the daemon that has it.
  func claim(_ claim: SessionClaim, _ completion: @escaping (Result<ClaimAnswer, StoreFailure>) -> Void)

  /// Removes a session, if it is there and no other daemon has it.
  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void)

  /// Gives up a session.
  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void)

  /// Gives a session to the asking daemon, or refuses it, if that daemon still wants it. Completes with nil if the
  /// session stays here, and with ``StoreFailure/Reason/moved`` if it belongs to the other daemon now. With another
  /// failure it is not known who has it.
  func answer(_ request: SessionRequest, gives: Bool, _ completion: @escaping (StoreFailure?) -> Void)

  /// Finds expired sessions that no other daemon has.
  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void)

  /// Counts the sessions of all daemons, including expired ones; nil if the database cannot tell.
  func count(_ completion: @escaping (Int?) -> Void)

  /// Renews this daemon's lease: it lasts so long from the moment at which the database renews it.
  func renew(for lease: Duration, _ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void)
}
