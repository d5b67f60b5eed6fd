internal import Configuration
internal import FormProtocol
internal import JSONRPC

/// How many sessions, definitions and effects all clients have.
struct OpenCounts {
  /// Open sessions, including sessions of ``Method/formValidate``.
  private(set) var sessions = 0
  /// Open sessions with a definition of their own.
  private(set) var definitions = 0
  /// Definitions that compile or wait for it, including definitions that were given up.
  var compiling = 0
  var effects = 0

  /// Checks that the daemon may have another session.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkSessions(_ limits: ServerLimits) throws(RPCError) {
    if sessions >= limits[.sessionsMax] { throw limits.overloaded(.sessionsMax) }
  }

  /// Checks that the daemon may have another definition of a client.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkDefinitions(_ limits: ServerLimits) throws(RPCError) {
    if definitions + compiling >= limits[.definitionsMax] { throw limits.overloaded(.definitionsMax) }
  }

  mutating func sessionBegan(_ session: LiveSession) {
    sessions += 1
    if session.hasOwnDefinition { definitions += 1 }
  }

  mutating func sessionEnded(_ session: LiveSession) {
    sessions -= 1
    if session.hasOwnDefinition { definitions -= 1 }
  }
}
