package import SessionStore

/// The database that several daemons share, as one of them asks it, on the server's own thread. What is asked for of sessions is done in
/// order, and completions are called in that order, never before the call has returned; a renewal waits for none of it.
///
/// All times are the database's. It takes a write of a session only from the daemon that owns it, and gives a session to another one only
/// when that one has let go of it, or when its lease has run out.
package protocol SharedDatabase: AnyObject {
  /// From now on the server is told, and `heard` is called when another daemon asks for something or has answered, if that is heard at all.
  func begin(for server: FormServer, heard: @escaping () -> Void)

  /// Writes a session; fails as ``StoreFailure/Reason/lost`` where it is not this daemon's any more.
  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void)

  /// Takes a session, or asks the daemon for it that has it.
  func claim(_ question: SessionQuestion, _ completion: @escaping (Result<StoredClaim, StoreFailure>) -> Void)

  /// Removes a session, if it is there and no other daemon has it.
  func remove(_ id: StoredSessionID, grace: Int64, _ completion: @escaping (StoreFailure?) -> Void)

  /// Gives up a session.
  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void)

  /// Tells who has asked for a session that he gets it. Completes with whether he still wants it: then he waits until he has it.
  func grant(_ request: SessionRequest, _ completion: @escaping (Bool) -> Void)

  /// Tells who has asked for a session that he does not get it.
  func refuse(_ request: SessionRequest)

  /// Finds sessions whose time is over and that no other daemon has.
  func expired(grace: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void)

  /// Renews this daemon's lease: it lasts so long from the moment at which the database does it.
  func renew(for lease: Duration, _ completion: @escaping (Result<LeaseRenewal, StoreFailure>) -> Void)
}
