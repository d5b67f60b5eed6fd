internal import FormProtocol
internal import JSONRPC
internal import SessionStore

/// The sessions that outlive their connections, by their keys.
struct KeptSessions {
  private var sessions: [StoredSessionID: LiveSession] = [:]

  var count: Int { sessions.count }

  /// All of them, in no order.
  var all: Dictionary<StoredSessionID, LiveSession>.Values { sessions.values }

  /// Another session may be kept.
  ///
  /// - Throws: 1011.
  func checkQuota(_ limits: ServerLimits) throws(RPCError) {
    if count >= limits[.keptSessionsMax] { throw limits.overloaded(.keptSessionsMax) }
  }

  /// The session that a key opens, by the key's hash; nil where there is none in memory.
  func session(_ key: StoredSessionID) -> LiveSession? { sessions[key] }

  /// A session is kept from now on.
  mutating func add(_ session: LiveSession, _ key: StoredSessionID) {
    sessions[key] = session
  }

  /// A key opens nothing any more.
  mutating func remove(_ key: StoredSessionID) {
    sessions[key] = nil
    // A table keeps its memory.
    if sessions.isEmpty { sessions = [:] }
  }
}
