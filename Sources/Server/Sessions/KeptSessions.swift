internal import FormProtocol
internal import JSONRPC

/// The sessions that outlive their connections, by their keys.
struct KeptSessions {
  private var sessions: [SessionKey.Hash: LiveSession] = [:]

  var count: Int { sessions.count }

  /// All of them, in no order.
  var all: Dictionary<SessionKey.Hash, LiveSession>.Values { sessions.values }

  /// Another session may be kept.
  ///
  /// - Throws: 1011.
  func checkQuota(_ limits: ServerLimits) throws(RPCError) {
    if count >= limits[.keptSessionsMax] { throw limits.overloaded(.keptSessionsMax) }
  }

  /// The session that a key opens.
  ///
  /// - Throws: 1001, the same for whatever is not the key of a session that is there.
  func session(_ key: SessionKey) throws(RPCError) -> LiveSession {
    guard let session = sessions[key.hash] else { throw .unknownKey }
    return session
  }

  /// A session is kept from now on.
  mutating func add(_ session: LiveSession, _ key: SessionKey.Hash) {
    sessions[key] = session
  }

  /// A key opens nothing any more.
  mutating func remove(_ key: SessionKey.Hash) {
    sessions[key] = nil
    // A table keeps its memory.
    if sessions.isEmpty { sessions = [:] }
  }
}
