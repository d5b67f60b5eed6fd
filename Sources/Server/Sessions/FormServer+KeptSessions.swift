internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import SessionStore

/// A session that was found by its key.
struct FoundSession {
  let session: LiveSession
  /// Whether it had another form when it was stored.
  let isMigrated: Bool
}

/// Kept sessions, in memory or in the store.
extension FormServer {
  /// Finds the session that a key opens: here, or in the store.
  ///
  /// - Parameters:
  ///   - takes: whether to take it from another daemon that has clients for it.
  ///   - found: called at once, or later in an entry of its own.
  func findSession(
    _ key: SessionKey,
    takes: Bool,
    _ found: @escaping (Result<FoundSession, RPCError>) -> Void
  ) {
    if let session = keptSessions.session(key.hash) {
      do throws(RPCError) {
        try session.checkLease()
      } catch {
        return found(.failure(error))
      }
      return found(.success(FoundSession(session: session, isMigrated: false)))
    }
    guard let storedSessions else { return found(.failure(.unknownKey)) }
    storedSessions.find(key.hash, takes: takes, found)
  }

  /// Checks that another session may be kept: in memory, and in the store.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkRoomForKept() throws(RPCError) {
    try keptSessions.checkQuota(limits)
    try storedSessions?.checkQuota()
    try storedSessions?.checkWritable()
  }
}
