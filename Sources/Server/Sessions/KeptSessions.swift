internal import FormProtocol
internal import JSONRPC
internal import SessionStore

/// The sessions that outlive their connections, by their keys: by the first eight bytes of a key's hash, which no two have in common.
struct KeptSessions {
  private var sessions: [UInt64: LiveSession] = [:]

  var count: Int { sessions.count }

  /// All of them, in no order.
  var all: Dictionary<UInt64, LiveSession>.Values { sessions.values }

  /// Another session may be kept.
  ///
  /// - Throws: 1011.
  func checkQuota(_ limits: ServerLimits) throws(RPCError) {
    if count >= limits[.keptSessionsMax] { throw limits.overloaded(.keptSessionsMax) }
  }

  /// The session that a key opens, by the key's hash; nil where there is none in memory.
  func session(_ key: StoredSessionID) -> LiveSession? {
    guard let session = sessions[key.prefix], session.kept?.key == key else { return nil }
    return session
  }

  /// Whether a session of that key has a place here. One of 18 trillion million keys has none.
  func isFree(_ key: StoredSessionID) -> Bool { sessions[key.prefix] == nil }

  /// A key for another session.
  func freshKey() -> SessionKey {
    while true {
      let key = SessionKey.random()
      if isFree(key.hash) { return key }
    }
  }

  /// A session is kept from now on, or has taken the place of the one with that key.
  mutating func add(_ session: LiveSession, _ key: StoredSessionID) {
    sessions[key.prefix] = session
  }

  /// A key opens nothing any more.
  mutating func remove(_ key: StoredSessionID) {
    sessions[key.prefix] = nil
    // A table keeps its memory.
    if sessions.isEmpty { sessions = [:] }
  }
}
