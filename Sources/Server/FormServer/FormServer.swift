internal import Actions
internal import CEL
package import Configuration
package import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
package import Logging
internal import SessionStore
internal import Sessions
package import SourceTexts
internal import Texts
internal import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// Everything that the connections of one event loop share: forms, the engine, providers, timers, limits, and counters.
///
/// Like its parts it does no I/O: transports feed its connections; the ``ServerEnvironment`` gives the time and
/// performs effects. All calls come from one thread. ``LoopServer`` joins it to an event loop, ``DaemonProcess`` to a
/// socket.
package final class FormServer {
  /// The version of the daemon.
  package static let version = "0.1.0"

  /// Replaced as a whole by a reload.
  private var inForce: ConfigurationInForce
  let environment: ServerEnvironment
  /// Changes with every start, so that clients notice a restart.
  let instanceID: String
  /// Scratch memory for turns.
  let engine: Engine
  let pool = OutputPool()
  /// The forms of new sessions; replaced as a whole when the forms are reloaded.
  package private(set) var catalog: FormCatalog
  /// The notification for clients that watch the forms.
  private(set) var loadedForms: LoadedForms
  var statistics = ServerStatistics()
  /// How long pieces of work took.
  var workTimes = WorkTimes()
  /// How the message that is being handled has ended, if messages are logged.
  var messageOutcome = MessageOutcome.done
  /// Which failures of effects the log gets.
  var effectFailures = EffectFailures()
  /// The counts that metrics show by name.
  var namedCounts = NamedCounts()
  /// When the server began.
  let start: Instant
  /// Effects that are under way.
  var effectCount = 0
  /// Whether the inputs that come most often are recognized without the JSON reader. Only tests switch it off, to
  /// compare.
  package var recognizesPlainInputs = true
  /// No more sessions; connections end when they have all their answers.
  private(set) var isDraining = false
  /// The daemon ends, and has waited long enough.
  private(set) var isDrainOver = false
  /// For how long the daemon waits when it begins to end now: ``Limit/drainMs``, or until each action under way has
  /// ended by its timeout, but not longer than ``drainMax`` for that.
  package var drainLimit: Duration {
    var limit = Duration.milliseconds(limits[.drainMs])
    func wait(for session: LiveSession) { limit = max(limit, session.session.longestActionTimeout ?? .zero) }
    for connection in seats.all { for session in connection.sessions.all { wait(for: session) } }
    for session in keptSessions.all { wait(for: session) }
    return min(limit, max(.milliseconds(limits[.drainMs]), Self.drainMax))
  }
  /// However long the timeouts of actions are, their end is not awaited for longer. Service managers kill a process
  /// that ends too slowly: systemd after 90 s.
  private static let drainMax = Duration.seconds(60)
  /// The holders of each provider's name, and the calls to them.
  var providers = ProviderTable<OpenProviderCall>()
  /// By holder of a provider's name: whether it answers in time. A holder that always did is not here.
  var providerBreakers: [ProviderTable<OpenProviderCall>.Holder: CircuitBreaker] = [:]
  /// The sessions that outlive their connections.
  var keptSessions = KeptSessions()
  /// When a search for sessions that could give way ended all of them, and this was not enough; nil: the last search
  /// found enough.
  var lastVainSearch: Instant?
  /// The callers that wait for sessions from the store.
  var loadingSessions: [LoadingKey: [(Result<FoundSession, RPCError>) -> Void]] = [:]
  /// Requests of other daemons for a session that is loading, by the asking daemon. They are answered when the session
  /// is here.
  var requestsOfLoading: [StoredSessionID: SessionRequest] = [:]
  /// Jobs of the store that are not done.
  var storeJobs = 0
  /// Since when the store cannot be written, and why; nil: it can.
  var storeAway: (since: Instant, why: String)?
  /// The store was away for so many seconds in total.
  var storeGrace: Int64 = 0
  /// Until then no other daemon takes this one's stored sessions; nil: none ever does.
  var leaseEnd: Instant?
  /// How many renewals came after the lease had expired.
  var leaseLosses = 0
  /// The callers that wait for a copy of the store, by number.
  var openBackups: [Int: (Result<Int, RPCError>) -> Void] = [:]
  /// The number of the last copy.
  var lastBackup = 0
  /// Why the lease cannot be renewed now; nil: it was renewed, or there is none.
  var leaseTrouble: String?
  /// The storages with jobs of the store that are not done.
  var storagesAtWork: [ObjectIdentifier: SessionStorage] = [:]
  /// How many sessions the store has: counted from time to time, and changed by this daemon's own first writes and
  /// removals since then; nil: that is not known yet.
  var storedSessions: Int?
  /// How long writes of sessions took.
  var commitTimes = AnswerTimes.ofStore
  /// The reasons that were reported last (``ServerEnvironment/readinessChanged``).
  private var reportedNotReady: [ReadinessProblem] = []
  /// Whether the server has ended: an effect that is cancelled now gets no answer.
  private(set) var hasEnded = false
  /// Has the slices of sessions without clients.
  private(set) lazy var unattended = UnattendedSessions(server: self)
  /// Open sessions, including sessions of ``Method/formValidate``.
  var sessionCount = 0
  /// Definitions that compile or wait for it, including definitions that were given up.
  var compilingCount = 0
  /// Open sessions with a definition of their own.
  var definitionCount = 0
  /// The memory that clients make the daemon use.
  package internal(set) var memory = MemoryAccounts()
  /// Connections with unread input that let other connections go first.
  var sliceOrder = SliceOrder()
  /// Whether connections were at work for so long that the event loop must look for input before any connection goes
  /// on.
  var isPollDue = false
  /// Nanoseconds that connections were at work since the event loop looked for input.
  var workSincePoll: Int64 = 0
  /// Whether the event loop is to call when it looks for input.
  var isPollAwaited = false
  /// Whether a connection is to have a slice, and whether ``TimerQueue/Owner/slice`` is set for it.
  var isSliceDue = false
  var isSliceScheduled = false
  var timers = TimerQueue()
  /// The time of the current entry.
  private(set) var now: Instant

  private var isTrimScheduled = false

  /// Fires when the daemon has had no connection for long enough; nil while a client is connected, or if the daemon
  /// stays.
  private var idleTimer: TimerQueue.Ticket?

  /// The connected clients.
  private(set) var seats: ConnectionSeats
  private var lastSession: Int64 = 0
  /// The time of the requested wake-up, if it lies ahead.
  private var wakeUp: Instant?
  /// Connections with unflushed output.
  private var unflushed: [ClientConnection] = []
  /// Decides which connections with output may wait at the end of an entry.
  var gathering = OutputGathering()
  /// Storages of kept sessions that may have to be written.
  private var unstored: [SessionStorage] = []
  /// Connections that may have nothing left to send.
  private var unsettled: [ClientConnection] = []
  /// Answers of providers, in order; they are applied when the turn under way is over.
  private var providerAnswers: [(call: OpenProviderCall, response: EffectResponse)] = []

  /// A server of those forms.
  ///
  /// - Parameter problems: the problems of their files.
  package init(
    configuration: ServerConfiguration,
    catalog: FormCatalog,
    problems: [Diagnostic] = [],
    instanceID: String,
    environment: ServerEnvironment
  ) {
    inForce = ConfigurationInForce(configuration)
    self.catalog = catalog
    loadedForms = LoadedForms(catalog, problems)
    self.instanceID = instanceID
    self.environment = environment
    engine = Engine(wallClock: environment.wallClock, cpuTime: environment.cpuTime)
    now = environment.now()
    start = now
    seats = ConnectionSeats(ordinaryMax: configuration.limits[.connectionsMax])
    engine.errorsPerFieldMax = configuration.limits[.errorsPerFieldMax]
    engine.undoMax = configuration.limits[.undoMax]
    engine.undoBytesMax = configuration.limits[.undoBytesMax]
    environment.store?.begin(for: self)
    beginSweeping()
    reportReadiness()
  }

  // MARK: The configuration in force

  package var configuration: ServerConfiguration { inForce.configuration }
  package var limits: ServerLimits { inForce.configuration.limits }
  /// The zone of sessions whose clients name none.
  var zone: Zone { inForce.configuration.zone ?? environment.zone }
  /// The limits that the reader of a new connection enforces.
  var readerLimits: RPCLimits { inForce.readerLimits }
  var slowWorkNanoseconds: Int64 { inForce.slowWorkNanoseconds }
  var loggedWorkNanoseconds: Int64 { inForce.loggedWorkNanoseconds }
  var logsMessages: Bool { inForce.logsMessages }
  var logsTurns: Bool { inForce.logsTurns }
  var valueBytesPerConnectionMax: Int { inForce.valueBytesPerConnectionMax }
  var valueBytesMax: Int { inForce.valueBytesMax }
  var memoryMax: Int { inForce.memoryMax }

  /// Whether memory is full: clients that can wait or be refused get no more.
  @inline(__always)
  var isMemoryFull: Bool { memory.total > memoryMax }

  /// Checks that memory is not full. Idle sessions give way first.
  ///
  /// - Throws: 1011.
  @inline(__always)
  func checkMemory() throws(RPCError) {
    if _slowPath(isMemoryFull) { makeRoom() }
    if isMemoryFull { throw limits.overloaded(.memoryMax) }
  }

  /// The exceeded limit of the daemon as a whole.
  var passedLimit: Limit? {
    if memory.values > valueBytesMax { return .valueBytesMax }
    return isMemoryFull ? .memoryMax : nil
  }

  /// The server's logger.
  package var logger: Logger { environment.logger }

  // MARK: Entries: each begins with the time and ends with a flush, or leaves that to the next (OutputGathering)

  /// Reads the clock. Every call from outside begins with it, or with ``enterWithInput()``. Output that waits is handed
  /// over first.
  @inline(__always)
  func enter() {
    if _slowPath(gathering.isWaiting) { flushWaiting() }
    now = environment.now()
  }

  /// Enters with input: output may wait for the results of the input, unless it has waited for long.
  @inline(__always)
  func enterWithInput() {
    if _slowPath(gathering.isOverdue) { flushWaiting() }
    now = environment.now()
  }

  /// Work that may take long begins for that connection: no output of other connections waits for it.
  func othersGoOn(without atWork: ClientConnection) {
    gathering.breakStreak()
    if gathering.isWaiting { flushWaiting(but: atWork) }
  }

  /// All connections with waiting output hand it over, except a connection that is at work.
  @inline(never)
  private func flushWaiting(but atWork: ClientConnection? = nil) {
    let listed = unflushed
    unflushed = listed.filter { $0 === atWork }
    for connection in listed where connection !== atWork { connection.flushListed() }
    gathering.flushed()
  }

  /// The input of a connection is handled, as far as it had arrived. Its output goes out now, or together with the
  /// output of the next connections.
  ///
  /// - Returns: whether it goes out later. Then the entry has nothing else to do.
  @inline(__always)
  func leaveLater(_ connection: ClientConnection) -> Bool {
    guard gathering.inputEnded(of: connection.number), connection.state.staysOpen, hasOnlyOutput else { return false }
    awaitPoll()
    return true
  }

  /// Whether nothing but output is left of the entry.
  private var hasOnlyOutput: Bool {
    providerAnswers.isEmpty && unstored.isEmpty && unsettled.isEmpty && !isSliceDue
  }

  /// Writes out the output of the entry, and the output that waited. Every call from outside ends with it, or with
  /// ``leaveLater(_:)``.
  func leave() {
    if _slowPath(!providerAnswers.isEmpty || !unstored.isEmpty) { passOn() }
    flushAll()
    if _slowPath(!unsettled.isEmpty) { closeSettled() }
    if _slowPath(isSliceDue) { scheduleSlice() }
  }

  /// Sessions get the answers of their providers, and the store gets the changes of kept sessions.
  @inline(never)
  private func passOn() {
    while !providerAnswers.isEmpty || !unstored.isEmpty {
      let answers = providerAnswers
      providerAnswers = []
      // A closed session's connection may be gone already.
      for (call, response) in answers where !call.session.isClosed {
        call.session.taker.perform(.answer(response, to: call.effect, of: call.session))
      }
      handOverToStore()
    }
  }

  /// The event loop is about to look for input.
  func pollCame() {
    gathering.pollCame()
    if gathering.isWaiting { flushWaiting() }
  }

  /// Output is flushed in the order in which it was written first.
  @inline(__always)
  private func flushAll() {
    if unflushed.count > 1 { unflushed.reverse() }
    while let connection = unflushed.popLast() { connection.flushListed() }
    gathering.flushed()
  }

  /// The connection got something that may have been the last that it waited for, and not by a message of its own.
  func settleLater(_ connection: ClientConnection) {
    unsettled.append(connection)
  }

  @inline(never)
  private func closeSettled() {
    let connections = unsettled
    unsettled = []
    for connection in connections { connection.closeIfSettled() }
  }

  /// The connection has output; it is flushed when the entry ends, or soon after (``OutputGathering``).
  @inline(__always)
  func flushLater(_ connection: ClientConnection) {
    unflushed.append(connection)
  }

  /// A kept session may have to be stored; this is done when the entry ends.
  func storeLater(_ storage: SessionStorage) {
    if storage.needsListing() { unstored.append(storage) }
  }

  /// Hands the changes of kept sessions so far over to the store.
  func handOverToStore() {
    guard !unstored.isEmpty else { return }
    let storages = unstored
    unstored = []
    guard let store = environment.store else { return }
    for storage in storages { storage.handOver(to: store, self) }
  }

  /// A call to a provider has its answer, which is applied when the turn under way is over.
  func answer(_ call: OpenProviderCall, _ response: EffectResponse) {
    if let timer = call.timer { timers.cancel(timer) }
    providerAnswers.append((call, response))
  }

  // MARK: Timers

  /// The wake-up came.
  package func timersDue() {
    enter()
    wakeUp = nil
    while let owner = timers.popDue(at: now) {
      switch owner {
      case .session(let session): session.taker.perform(.timer(of: session))
      case .expiry(let session): session.taker.perform(.expiry(of: session))
      case .sweep: sweep()
      case .store: environment.store?.timeHasCome()
      case .stall(let connection): connection.stallTimerFired()
      case .providerCall(let id): providerCallTimedOut(id)
      case .slice: nextSlice()
      case .trim:
        isTrimScheduled = false
        environment.trim()
      case .idle:
        idleTimer = nil
        environment.idle()
      case .drain: drainDeadlinePassed()
      }
    }
    askForWakeUp()
    leave()
  }

  /// Adds a wake-up for an owner.
  func schedule(_ owner: TimerQueue.Owner, at deadline: Instant) -> TimerQueue.Ticket {
    let ticket = timers.add(owner, at: deadline)
    askForWakeUp()
    return ticket
  }

  private func askForWakeUp() {
    guard let next = timers.next else { return }
    if let wakeUp, wakeUp <= next { return }
    wakeUp = next
    environment.wake(next)
  }

  // MARK: Connections

  /// A connection was accepted. If there is no room for it, another connection ends: see ``ConnectionSeats``.
  ///
  /// - Parameter peer: the process at its other end, if it is known.
  package func accept(_ transport: any ConnectionTransport, from peer: Peer? = nil) -> ClientConnection {
    enter()
    let connection = ClientConnection(server: self, transport: transport, peer: peer)
    let replaced = seats.add(connection)
    if let timer = idleTimer.take() { timers.cancel(timer) }
    statistics.connectionsAccepted += 1
    if let replaced {
      dismiss(replaced)
      leave()
    }
    return connection
  }

  /// A client beyond the ordinary seats has called a method.
  ///
  /// - Throws: 1011 if the method is not for operators, and there is no room for an ordinary client.
  func admit(_ connection: ClientConnection, calling method: Method) throws(RPCError) {
    if method.isForOperators {
      if method.showsOperator, let replaced = seats.spoke(connection) { dismiss(replaced) }
      return
    }
    if seats.promote(connection) { return }
    throw limits.overloaded(.connectionsMax)
  }

  /// Another client needs the seat of that one.
  private func dismiss(_ connection: ClientConnection) {
    connectionRefused(connection)
    connection.end(telling: limits.overloaded(.connectionsMax))
  }

  /// That client cannot be served, because there is no room for it.
  func connectionRefused(_ connection: ClientConnection) {
    statistics.connectionsRefused += 1
    logger.warning(
      "a client was refused: connectionsMax clients are connected",
      metadata: connection.logMetadata.merging(["connectionsMax": "\(limits[.connectionsMax])"]) { $1 }
    )
  }

  /// Whether a client is connected.
  package var hasConnections: Bool { !seats.isEmpty }

  /// The reason why another connection cannot be accepted, as the text to send; nil when it can.
  package func refusalOfConnection() -> [UInt8]? {
    guard isDraining else { return nil }
    statistics.connectionsRefused += 1
    let buffer = OutputBuffer()
    buffer.writeError(nil, .draining)
    buffer.append(byte: 0x0a)
    return Array(buffer.bytes)
  }

  /// The roles of the user of a process; all roles if the process is not known.
  package func roles(of peer: Peer?) -> Set<Role> {
    guard let peer else { return Role.all }
    return configuration.roles(of: peer.userID, groupIDs: peer.groupIDs)
  }

  /// A peer whose user has no role was refused.
  package func refused(_ peer: Peer) {
    statistics.connectionsRefused += 1
    logger.warning(
      "a client of another user was refused",
      metadata: ["uid": "\(peer.userID)", "pid": "\(peer.processID)"]
    )
  }

  /// The configuration has changed. Users who have more roles now have them at once. A connection whose user has lost a
  /// role ends, because it may have sessions, providers or answers of that role. Its client may connect again.
  private func followRoles() {
    var ended: [(connection: ClientConnection, role: Role)] = []
    for connection in seats.all {
      let roles = roles(of: connection.peer)
      if let lost = Role.allCases.first(where: { connection.roles.contains($0) && !roles.contains($0) }) {
        ended.append((connection, lost))
      }
      connection.roles = roles
    }
    guard !ended.isEmpty else { return }
    logger.notice(
      "users have lost roles: their connections end",
      metadata: ["connections": "\(ended.map(\.connection.number).sorted())"]
    )
    for (connection, role) in ended { connection.end(telling: .roleNeeded(role)) }
  }

  func remove(_ connection: ClientConnection) {
    memoryWasFreed()
    seats.remove(connection)
    guard seats.isEmpty else { return }
    if isDraining { endIfDrained() } else { waitForClients() }
  }

  /// The daemon ends: no client is connected, and no action of a kept session is under way.
  private func endIfDrained() {
    guard seats.isEmpty, isDrainOver || !keptSessions.all.contains(where: \.session.isActing) else { return }
    environment.drained()
  }

  /// The daemon is ending, and an action of that session has perhaps ended.
  func turnEndedWhileDraining(_ session: LiveSession) {
    if session.session.isActing { return }
    for connection in session.connections { settleLater(connection) }
    if session.kept != nil, session.connection == nil { endIfDrained() }
  }

  /// The last client has gone. The daemon counts the idle time from now on. It does not if a client may come back to a
  /// kept session that exists only in memory.
  package func waitForClients() {
    guard let idleExit = configuration.idleExit, seats.isEmpty, idleTimer == nil,
      keptSessions.count == 0 || environment.store != nil && !keptSessions.all.contains(where: \.session.isActing)
    else { return }
    // Some callers have not entered.
    idleTimer = schedule(.idle, at: environment.now() + idleExit)
  }

  /// Some large memory may have been freed. The allocator keeps freed memory. So a moment later, when all of it is
  /// freed, it is asked to give it back to the system.
  @inline(__always)
  func memoryWasFreed() {
    if !isTrimScheduled { scheduleTrim() }
  }

  private func scheduleTrim() {
    isTrimScheduled = true
    // Some callers have not entered, and an old time would be due already.
    _ = schedule(.trim, at: environment.now() + .milliseconds(500))
  }

  /// Does work on another thread, then calls the completion, even if the work was given up. The work may take so long
  /// that the allocator was asked to give memory back before the work freed any. So it is asked again.
  func detach(
    _ kind: DetachedKind,
    _ work: @escaping @Sendable () -> Void,
    _ completion: @escaping () -> Void = {}
  ) {
    environment.detach(kind, work) { [weak self] in
      completion()
      self?.memoryWasFreed()
    }
  }

  /// Frees a large value on another thread, when the entry under way has let go of it.
  func letGo(_ value: some Sendable) {
    let last = LastReference(value)
    environment.beforePoll { [weak self, environment] in
      guard let self else { return environment.detach(.parsing, last.release) {} }
      detach(.parsing, last.release)
    }
  }

  /// A session was opened.
  func sessionBegan(_ session: LiveSession) {
    memory.values += session.keptBytes
    memory.sessions += session.structureBytes
    sessionCount += 1
    if session.hasOwnDefinition { definitionCount += 1 }
    if let kept = session.kept { keptSessions.add(session, kept.key) }
    session.beginStoring()
  }

  /// A session has ended, and no connection has it any more.
  func sessionEnded(_ session: LiveSession) {
    memory.values -= session.keptBytes
    memory.sessions -= session.structureBytes
    sessionCount -= 1
    if session.hasOwnDefinition {
      definitionCount -= 1
      letGo(session.session.form)
    }
    memoryWasFreed()
    if session.kept != nil { waitForClients() }
  }

  /// The number of another session.
  func nextSessionNumber() -> Int64 {
    lastSession += 1
    return lastSession
  }

  // MARK: Readiness

  /// Why the daemon is not ready for clients; empty if it is ready.
  package var notReady: [ReadinessProblem] {
    var problems: [ReadinessProblem] = []
    if isDraining { problems.append(.ending) }
    if let storeProblem { problems.append(.store(storeProblem)) }
    if !catalog.brokenFiles.isEmpty { problems.append(.forms(catalog.brokenFiles)) }
    return problems
  }

  /// Reports the readiness, if it has changed.
  func reportReadiness() {
    let notReady = notReady
    if notReady == reportedNotReady { return }
    reportedNotReady = notReady
    environment.readinessChanged(notReady)
  }

  // MARK: Life of the daemon

  /// Takes over a configuration and reloaded forms, and notifies the clients that watch the forms. Live sessions keep
  /// their forms. A kept session switches to the new form at the first attach after all clients have left
  /// (``LiveSession/migrated()``). A connection keeps the limits of its reader.
  ///
  /// - Parameters:
  ///   - problems: the problems of the forms' files.
  ///   - configuration: the new configuration; nil if it has not changed.
  package func reload(
    _ catalog: FormCatalog,
    problems: [Diagnostic] = [],
    configuration: ServerConfiguration? = nil
  ) {
    enter()
    if let configuration { follow(configuration) }
    letGo(self.catalog)
    self.catalog = catalog
    loadedForms = LoadedForms(catalog, problems)
    statistics.reloads += 1
    for connection in seats.all { connection.formsChanged() }
    reportReadiness()
    leave()
  }

  private func follow(_ configuration: ServerConfiguration) {
    let old = self.configuration
    inForce = ConfigurationInForce(configuration)
    seats.ordinaryMax = configuration.limits[.connectionsMax]
    engine.errorsPerFieldMax = configuration.limits[.errorsPerFieldMax]
    engine.undoMax = configuration.limits[.undoMax]
    engine.undoBytesMax = configuration.limits[.undoBytesMax]
    followRoles()
    // A client that has registered with another token, or without one, must not receive what the new token protects.
    for (name, provider) in configuration.providers where provider.token != nil {
      if provider.token != old.providers[name]?.token { endHolders(of: name) }
    }
  }

  /// The daemon is to end: notifies every client, then waits for the requests that were accepted.
  package func drain() {
    guard !isDraining else { return }
    enter()
    let limit = drainLimit
    isDraining = true
    _ = schedule(.drain, at: now + limit)
    reportReadiness()
    for connection in seats.all { connection.drain(within: limit) }
    leave()
    endIfDrained()
  }

  /// The server has ended: it notifies no client any more.
  package func end() { hasEnded = true }

  /// The daemon is ending, and the operator does not want to wait: accepted requests are refused now.
  package func hurry() {
    enter()
    drainDeadlinePassed()
    leave()
  }

  /// The daemon does not wait any longer: every request gets an answer now.
  private func drainDeadlinePassed() {
    isDrainOver = true
    giveUpStore(storeProblem ?? "the store did not answer before the daemon ended")
    if seats.isEmpty { return endIfDrained() }
    for connection in seats.all { connection.drainDeadlinePassed() }
  }
}

extension LoadedForms {
  fileprivate init(_ catalog: FormCatalog, _ problems: [Diagnostic]) {
    self.init(forms: catalog.forms.map(\.name), problems: problems.map { FormProblem($0) })
  }
}
