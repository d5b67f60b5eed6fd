internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// The sessions of one connection: found by their numbers, opened as far as the limits allow, ended.
struct ConnectionSessions {
  /// ``Limit/valueBytesPerConnectionMax`` and ``Limit/valueBytesMax``: numbers, since they are compared at every change.
  private let valueBytesPerConnectionMax: Int
  private let valueBytesMax: Int
  private var table = SessionTable()
  /// Open sessions with a definition of the client's, those of ``Method/formValidate`` included.
  private var definitionCount = 0
  /// Bytes of values in the open sessions.
  private var valueBytes = 0

  init(limits: ServerLimits) {
    valueBytesPerConnectionMax = limits[.valueBytesPerConnectionMax]
    valueBytesMax = limits[.valueBytesMax]
  }

  /// Those that the client knows, in the order in which they were opened.
  var all: [LiveSession] { table.all }

  // MARK: Names

  /// The session of that number; without one, the only session there is.
  func session(_ number: Int64?) throws(RPCError) -> LiveSession {
    guard let number else {
      if let only = table.only { return only }
      if table.count == 0 { throw .unknownSession(nil) }
      throw .sessionNeeded(count: table.count)
    }
    guard let session = table.session(number) else { throw .unknownSession(number) }
    return session
  }

  /// The session that a plain input means; nil when that is an error.
  @inline(__always)
  func plain(_ number: Int64?) -> LiveSession? {
    if let number { table.session(number) } else { table.only }
  }

  // MARK: Opening

  /// Opens a session, computed and with its number, but not known to the client yet: see ``append(_:)``.
  ///
  /// - Parameter isValidation: the session is known only to the request that waits for its verdict, and has no number.
  /// - Returns: the session, and what opening it caused.
  /// - Throws: 1011 or 1012 when the values have no room; nothing is left open then.
  mutating func open(
    _ form: Form,
    _ options: OpenOptions,
    on connection: ClientConnection,
    hasOwnDefinition: Bool,
    isValidation: Bool
  ) throws(RPCError) -> (session: LiveSession, turn: Turn) {
    let server = connection.server
    let (session, turn) = server.engine.open(form, options: options, at: server.now)
    let live = LiveSession(
      id: isValidation ? 0 : server.nextSessionNumber(),
      session: session,
      connection: connection,
      hasOwnDefinition: hasOwnDefinition
    )
    server.sessionCount += 1
    if !isValidation { server.statistics.sessionsOpened += 1 }
    if hasOwnDefinition {
      definitionCount += 1
      server.definitionCount += 1
    }
    do throws(RPCError) {
      try checkValueBytes(growth: session.valueBytes, server)
    } catch {
      end(live)
      throw error
    }
    account(for: live)
    return (live, turn)
  }

  /// The client knows the session from now on.
  mutating func append(_ session: LiveSession) {
    table.append(session)
  }

  /// Another session may be opened.
  ///
  /// - Throws: 1011 or 1012.
  func checkQuota(_ server: FormServer) throws(RPCError) {
    let limits = server.limits
    if table.count >= limits[.sessionsPerConnectionMax] { throw limits.quotaExceeded(.sessionsPerConnectionMax) }
    if server.sessionCount >= limits[.sessionsMax] { throw limits.overloaded(.sessionsMax) }
  }

  /// Another definition may be brought along.
  ///
  /// - Throws: 1011 or 1012.
  func checkDefinitionQuota(_ server: FormServer) throws(RPCError) {
    let limits = server.limits
    if definitionCount >= limits[.definitionsPerConnectionMax] {
      throw limits.quotaExceeded(.definitionsPerConnectionMax)
    }
    if server.definitionCount >= limits[.definitionsMax] { throw limits.overloaded(.definitionsMax) }
  }

  // MARK: Values

  /// An input may be applied: there is room for the values that the session would then hold.
  ///
  /// - Throws: 1011 or 1012.
  @inline(__always)
  func admit(_ input: Input, to session: LiveSession) throws(RPCError) {
    let server = session.connection.server
    let growth = session.session.valueBytes(after: input, at: server.now) - session.session.valueBytes
    if growth > 0 { try checkValueBytes(growth: growth, server) }
  }

  private func checkValueBytes(growth: Int, _ server: FormServer) throws(RPCError) {
    if valueBytes + growth > valueBytesPerConnectionMax {
      throw .quotaExceeded(.valueBytesPerConnectionMax, valueBytesPerConnectionMax)
    }
    if server.valueBytes + growth > valueBytesMax { throw .overloaded(.valueBytesMax, valueBytesMax) }
  }

  /// Takes over into the accounts what a session's values have come to.
  @inline(__always)
  mutating func account(for session: LiveSession) {
    let growth = session.session.valueBytes - session.accountedBytes
    guard growth != 0 else { return }
    session.accountedBytes += growth
    valueBytes += growth
    session.connection.server.valueBytes += growth
  }

  // MARK: Ending

  /// Cancels all that a session has in flight and forgets it.
  mutating func end(_ session: LiveSession) {
    guard !session.isClosed else { return }
    session.close()
    table.remove(session)
    let server = session.connection.server
    server.sessionCount -= 1
    if session.hasOwnDefinition {
      definitionCount -= 1
      server.definitionCount -= 1
    }
    valueBytes -= session.accountedBytes
    server.valueBytes -= session.accountedBytes
    session.accountedBytes = 0
  }

  /// Ends all that the client knows.
  mutating func endAll() {
    for session in table.all { end(session) }
  }
}
