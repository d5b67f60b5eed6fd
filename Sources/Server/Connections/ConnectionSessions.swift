internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// The sessions of one connection: found by their numbers, opened as far as the limits allow, ended.
struct ConnectionSessions {
  private var table = SessionTable()
  /// The bytes that each connection has of its own: a daemon that others have filled still serves clients that need
  /// little.
  static let reservedBytes = 64 << 10
  /// Open sessions with a definition of the client, including sessions of ``Method/formValidate``.
  private var definitionCount = 0
  /// Bytes that the open sessions keep, with their events (``LiveSession/contentAndEventBytes``).
  private var contentBytes = 0
  /// Bytes of the open sessions themselves, and of the definitions that the client brought along for them.
  private var structureBytes = 0

  /// The sessions that the client knows, in the order in which they were opened.
  var all: [LiveSession] { table.all }

  var count: Int { table.count }

  /// Bytes of all sessions: the values that they keep, and the sessions themselves.
  var bytes: Int { contentBytes + structureBytes }

  // MARK: Names

  /// The session of that number; without one, the only session there is.
  func session(_ number: Int64?) throws(RPCError) -> LiveSession {
    if let session = find(number) { return session }
    if number != nil || table.count == 0 { throw .unknownSession(number) }
    throw .sessionNeeded(count: table.count)
  }

  /// The same; nil if there is none.
  @inline(__always)
  func find(_ number: Int64?) -> LiveSession? {
    if let number { table.session(number) } else { table.only }
  }

  // MARK: Opening

  /// Opens a session that the client knows.
  ///
  /// - Returns: the session, and what opening it caused.
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded`` when the values have no room; nothing is
  ///   left open then.
  mutating func open(
    _ form: Form,
    _ options: OpenOptions,
    on connection: ClientConnection,
    hasOwnDefinition: Bool,
    kept: (() -> KeptSession)?
  ) throws(RPCError) -> (session: LiveSession, turn: Turn) {
    let number = connection.server.nextSessionNumber()
    let opened = try open(form, options, number, on: connection, hasOwnDefinition: hasOwnDefinition, kept: kept)
    table.insert(opened.session)
    connection.server.statistics.sessionsOpened += 1
    return opened
  }

  /// Opens a session for a verdict: it is known only to the request that waits for the verdict, and has no number.
  ///
  /// - Parameter text: the text that holds the values, if a text is judged.
  /// - Returns: the session, and what opening it caused.
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded`` when the values have no room; nothing is
  ///   left open then.
  mutating func openValidation(
    _ form: Form,
    _ options: OpenOptions,
    of text: ReadText? = nil,
    on connection: ClientConnection,
    hasOwnDefinition: Bool
  ) throws(RPCError) -> (session: LiveSession, turn: Turn) {
    let opened = try open(form, options, 0, of: text, on: connection, hasOwnDefinition: hasOwnDefinition)
    opened.session.engineSession.isAttended = false
    return opened
  }

  private mutating func open(
    _ form: Form,
    _ options: OpenOptions,
    _ number: Int64,
    of text: ReadText? = nil,
    on connection: ClientConnection,
    hasOwnDefinition: Bool,
    kept: (() -> KeptSession)? = nil
  ) throws(RPCError) -> (session: LiveSession, turn: Turn) {
    let server = connection.server
    if form.rowCount(in: options.values) > server.limits[.rowsMax] { throw server.limits.quotaExceeded(.rowsMax) }
    let (session, turn) = server.engine.open(form, options: options, at: server.now)
    try checkRoom(for: session.contentBytes, server)
    try checkMemory(
      for: LiveSession.structureBytes(session, text: text, hasOwnDefinition: hasOwnDefinition, isKept: kept != nil),
      server
    )
    let live = LiveSession(
      number: number,
      session: session,
      text: text,
      connection: connection,
      kept: kept?(),
      hasOwnDefinition: hasOwnDefinition
    )
    server.sessionBegan(live)
    beginCounting(live)
    return (live, turn)
  }

  /// Checks that another session may be opened.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded``.
  func checkQuota(_ server: FormServer) throws(RPCError) {
    let limits = server.limits
    if table.count >= limits[.sessionsPerConnectionMax] { throw limits.quotaExceeded(.sessionsPerConnectionMax) }
    try server.counts.checkSessions(server.limits)
    try checkMemory(for: 0, server)
  }

  /// Checks that sessions and definitions may take so much more memory by themselves.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkMemory(for growth: Int, _ server: FormServer) throws(RPCError) {
    do throws(RPCError) {
      try server.checkMemory(for: growth)
    } catch {
      if structureBytes + growth > Self.reservedBytes { throw error }
    }
  }

  /// Checks that the client may bring along another definition.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded``.
  func checkDefinitionQuota(_ server: FormServer) throws(RPCError) {
    let limits = server.limits
    if definitionCount >= limits[.definitionsPerConnectionMax] {
      throw limits.quotaExceeded(.definitionsPerConnectionMax)
    }
    try server.counts.checkDefinitions(server.limits)
  }

  // MARK: Values

  /// Checks that there is room for the values of an input, by what the session would then hold. For most inputs a bound
  /// is enough (``ClientConnection/checkRoom(for:in:_:)``).
  ///
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded``.
  func checkRoomClosely(for input: Input, in session: LiveSession, _ server: FormServer) throws(RPCError) {
    // An input that brings no value is always applied.
    if session.engineSession.growthBound(of: input) == 0 { return }
    let growth = session.engineSession.growth(of: input, at: server.now)
    if growth.rows > 0, session.engineSession.rowCount + growth.rows > server.limits[.rowsMax] {
      throw server.limits.quotaExceeded(.rowsMax)
    }
    // An input that only takes room away is always applied. The values that an input computes are known only
    // afterwards. So a client that is over a limit may change nothing else.
    if growth.bytes >= 0 { try checkRoom(for: growth.bytes, server) }
  }

  /// Whether the sessions may keep so many bytes more.
  @inline(__always)
  func hasRoom(for growth: Int, _ server: FormServer) -> Bool {
    let bytes = contentBytes &+ growth
    return bytes <= server.valueBytesPerConnectionMax
      && (bytes <= Self.reservedBytes
        || server.memory.values &+ growth <= server.valueBytesMax && server.memory.total &+ growth <= server.memoryMax)
  }

  private func checkRoom(for growth: Int, _ server: FormServer) throws(RPCError) {
    if hasRoom(for: growth, server) { return }
    if contentBytes + growth > server.valueBytesPerConnectionMax {
      throw server.limits.quotaExceeded(.valueBytesPerConnectionMax)
    }
    server.makeRoom(forValues: growth)
    if hasRoom(for: growth, server) { return }
    throw server.limits.overloaded(
      server.memory.values + growth > server.valueBytesMax ? .valueBytesMax : .memoryMax
    )
  }

  /// The exceeded limit, with the bytes for which there is still room; nil if no limit is exceeded.
  func exceededLimit(_ server: FormServer) -> (limit: Limit, roomBytes: Int)? {
    if contentBytes > server.valueBytesPerConnectionMax { return (.valueBytesPerConnectionMax, 0) }
    return server.exceededLimit.map { ($0, Self.reservedBytes - contentBytes) }
  }

  /// A session keeps so many bytes more, or fewer.
  @inline(__always)
  mutating func contentBytesGrew(by growth: Int, _ server: FormServer) {
    contentBytes &+= growth
    server.memory.values &+= growth
  }

  // MARK: Kept sessions

  /// Checks that this connection may have a kept session, too.
  ///
  /// - Parameter counts: whether it would count for this connection.
  /// - Throws: ``FormErrorCode/quotaExceeded``. The daemon as a whole has room for it already.
  func checkRoom(for session: LiveSession, counts: Bool) throws(RPCError) {
    let limits = session.server.limits
    if table.count >= limits[.sessionsPerConnectionMax] { throw limits.quotaExceeded(.sessionsPerConnectionMax) }
    guard counts else { return }
    if contentBytes + session.contentAndEventBytes > session.server.valueBytesPerConnectionMax {
      throw limits.quotaExceeded(.valueBytesPerConnectionMax)
    }
    if session.hasOwnDefinition, definitionCount >= limits[.definitionsPerConnectionMax] {
      throw limits.quotaExceeded(.definitionsPerConnectionMax)
    }
  }

  /// A kept session is known by its number here.
  mutating func attached(_ session: LiveSession) {
    table.insert(session)
  }

  /// A session is not known here any more.
  mutating func detached(_ session: LiveSession) {
    table.remove(session)
  }

  // MARK: Accounts

  /// A session counts for this connection from now on.
  mutating func beginCounting(_ session: LiveSession) {
    contentBytes += session.contentAndEventBytes
    structureBytes += session.structureBytes
    if session.hasOwnDefinition { definitionCount += 1 }
  }

  /// A session does not count for this connection any more.
  mutating func endCounting(_ session: LiveSession) {
    contentBytes -= session.contentAndEventBytes
    structureBytes -= session.structureBytes
    if session.hasOwnDefinition { definitionCount -= 1 }
  }
}
