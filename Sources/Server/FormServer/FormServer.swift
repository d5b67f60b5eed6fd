internal import CEL
internal import FormProtocol
internal import Forms
package import JSON
internal import JSONRPC
package import Logging
internal import SessionStore
internal import Sessions
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Everything that the connections of one event loop share: forms, the engine, providers, timers, limits, and what is counted.
///
/// Sans-IO like what it is made of: transports feed its connections, the ``ServerEnvironment`` tells the time and performs effects.
/// All calls come from one thread. ``LoopServer`` joins it to an event loop, ``DaemonProcess`` to a socket.
package final class FormServer {
  /// The version of the daemon.
  package static let version = "0.1.0"

  let configuration: ServerConfiguration
  let environment: ServerEnvironment
  /// Changes with every start, so that clients notice one.
  let instanceID: String
  /// The limits that every reader of a connection enforces.
  let readerLimits: RPCLimits
  /// ``Limit/valueBytesPerConnectionMax``, ``Limit/valueBytesMax`` and ``Limit/memoryMax``: numbers, since they are compared at every
  /// change.
  let valueBytesPerConnectionMax: Int
  let valueBytesMax: Int
  let memoryMax: Int
  /// Scratch memory for turns.
  let engine: Engine
  /// The zone of sessions whose clients name none.
  let zone: Zone
  let pool = OutputPool()
  /// The forms that sessions are opened of; replaced as a whole when the forms are read anew.
  package private(set) var catalog: FormCatalog
  /// What clients are told that watch the forms.
  private(set) var loadedForms: LoadedForms
  var statistics = ServerStatistics()
  /// How long turns took.
  var turnTimes = TurnTimes()
  /// ``ServerConfiguration/slowTurn`` in nanoseconds.
  let slowTurnNanoseconds: Int64
  /// When the server began.
  let start: Instant
  /// Effects that are under way.
  var effectCount = 0
  /// Whether the inputs that come most often are recognized without the JSON reader. Only tests turn it off, to compare.
  package var recognizesPlainInputs = true
  /// No more sessions; connections end when they have all their answers.
  private(set) var isDraining = false
  /// Who answers for which provider, and what they were asked.
  var providers = ProviderTable<OpenQuestion>()
  /// The sessions that outlive their connections.
  var keptSessions = KeptSessions()
  /// Who waits for sessions that are being read from the store.
  var loadingSessions: [LoadingKey: [(Result<FoundSession, RPCError>) -> Void]] = [:]
  /// What other daemons have asked for while it was loading, by who asks: they have their answers when it is here.
  var requestsOfLoading: [StoredSessionID: [String: SessionRequest]] = [:]
  /// Jobs of the store that are not done.
  var storeJobs = 0
  /// Since when the store cannot be written, and why; nil: it can.
  var storeAway: (since: Instant, why: String)?
  /// For so many seconds it could not, all in all.
  var storeGrace: Int64 = 0
  /// Until when no other daemon takes this one's stored sessions; nil: none ever does.
  var leaseEnd: Instant?
  /// How often that time was over when it was given again.
  var leaseLosses = 0
  /// Whether the server is over: nothing that is cancelled now is the end of what was asked.
  private(set) var hasEnded = false
  /// What tests have planted there.
  var faults = FaultPoints<SharingFault>()
  var storingFaults = FaultPoints<StoringFault>()
  var ownershipFaults = FaultPoints<OwnershipFault>()
  var providerFaults = FaultPoints<ProviderFault>()
  /// Has the turns of those that nobody has.
  private(set) lazy var unattended = UnattendedSessions(server: self)
  /// Open sessions; those of ``Method/formValidate`` included.
  var sessionCount = 0
  /// Definitions that compile or wait for it, those that nobody waits for any more included.
  var compilingCount = 0
  /// Open sessions with a definition of their own.
  var definitionCount = 0
  /// What clients make the daemon keep or queue.
  package internal(set) var memory = MemoryAccounts()
  /// Connections with unread input that let others go first.
  var turnOrder = TurnOrder()
  /// Whether connections were at work for so long that the event loop has to look for input before anybody goes on.
  var isPollDue = false
  /// Nanoseconds that connections were at work since the event loop looked for input.
  var workSincePoll: Int64 = 0
  /// Whether the event loop says when it looks for input.
  var isPollAwaited = false
  /// Whether somebody is to have a turn, and whether ``TimerQueue/Owner/turn`` is set for it.
  var isTurnDue = false
  var isTurnScheduled = false
  var timers = TimerQueue()
  /// The time of the current entry.
  private(set) var now: Instant

  private var isTrimScheduled = false

  /// When nobody will have been connected for long enough; nil while somebody is, or nobody asks.
  private var idleTimer: TimerQueue.Ticket?

  /// Who is connected.
  private(set) var places: ConnectionPlaces
  private var lastSession: Int64 = 0
  /// The time for which a wake-up was asked, if it lies ahead.
  private var wakeUp: Instant?
  /// Connections with unflushed output.
  private var unflushed: [ClientConnection] = []
  /// Which of them may wait for others at the end of an entry.
  var gathering = OutputGathering()
  /// Kept sessions of which something may have to be stored.
  private var unstored: [SessionStorage] = []
  /// Connections that may have nothing left to say.
  private var unsettled: [ClientConnection] = []
  /// Sessions that have left the table of a connection while somebody was ``keepingSessions(_:)``.
  private var departed: [LiveSession] = []
  /// How many calls are ``keepingSessions(_:)``, one inside of the other.
  private var keeperCount = 0
  /// Answers of providers, in order; they are applied when the turn under way is over.
  private var providerAnswers: [(question: OpenQuestion, response: EffectResponse)] = []

  /// A server of those forms.
  ///
  /// - Parameter problems: what is wrong with their files.
  package init(
    configuration: ServerConfiguration,
    catalog: FormCatalog,
    problems: [Diagnostic] = [],
    instanceID: String,
    environment: ServerEnvironment
  ) {
    self.configuration = configuration
    self.catalog = catalog
    loadedForms = LoadedForms(catalog, problems)
    self.instanceID = instanceID
    self.environment = environment
    engine = Engine(wallClock: environment.wallClock)
    zone = configuration.zone ?? environment.zone
    now = environment.now()
    start = now
    slowTurnNanoseconds = Int64(configuration.slowTurn / .nanoseconds(1))
    readerLimits = configuration.limits.forReaders
    valueBytesPerConnectionMax = configuration.limits[.valueBytesPerConnectionMax]
    valueBytesMax = configuration.limits[.valueBytesMax]
    memoryMax = configuration.limits[.memoryMax]
    places = ConnectionPlaces(ordinaryMax: configuration.limits[.connectionsMax])
    engine.errorsPerFieldMax = configuration.limits[.errorsPerFieldMax]
    environment.store?.begin(for: self)
    beginSweeping()
  }

  var limits: ServerLimits { configuration.limits }

  /// Whether nothing more is taken of those who can wait or be refused.
  @inline(__always)
  var isMemoryFull: Bool { memory.total > memoryMax }

  /// The limit of the daemon as a whole that what is kept has passed.
  var passedLimit: Limit? {
    if memory.values > valueBytesMax { return .valueBytesMax }
    return isMemoryFull ? .memoryMax : nil
  }

  /// Where the server logs.
  package var logger: Logger { environment.logger }

  // MARK: Entries: each begins with the time and ends with a flush, or leaves that to the next (OutputGathering)

  /// Reads the clock; every call from outside begins with it, or with ``enterWithInput()``. Nobody waits with output while it is at work.
  @inline(__always)
  func enter() {
    if _slowPath(gathering.isWaiting) { tellWaiting() }
    now = environment.now()
  }

  /// The same for input: output may wait for what that comes to, unless it has waited for long.
  @inline(__always)
  func enterWithInput() {
    if _slowPath(gathering.isOverdue) { tellWaiting() }
    now = environment.now()
  }

  /// Something comes that may take long, from that connection: nobody waits for it with output.
  func othersGoOn(without atWork: ClientConnection) {
    gathering.breakStreak()
    if gathering.isWaiting { tellWaiting(but: atWork) }
  }

  /// Those who wait with output hand it over, but a connection that is at work.
  @inline(never)
  private func tellWaiting(but atWork: ClientConnection? = nil) {
    let listed = unflushed
    unflushed = listed.filter { $0 === atWork }
    for connection in listed where connection !== atWork { connection.flushListed() }
    gathering.told()
  }

  /// The input of a connection is handled, as far as it had arrived: its output goes out, now or with that of the next connections.
  ///
  /// - Returns: whether it does later. Then nothing else is left to be done.
  @inline(__always)
  func leaveLater(_ connection: ClientConnection) -> Bool {
    guard gathering.inputEnded(of: connection.number), connection.state.staysOpen, hasOnlyOutput else { return false }
    awaitPoll()
    return true
  }

  /// Whether nothing but output is left of the entry.
  private var hasOnlyOutput: Bool {
    providerAnswers.isEmpty && unstored.isEmpty && unsettled.isEmpty && departed.isEmpty && !isTurnDue
  }

  /// Writes out what the entry produced, and what waited; every call from outside ends with it, or with ``leaveLater(_:)``.
  func leave() {
    if _slowPath(!providerAnswers.isEmpty || !unstored.isEmpty) { passOn() }
    flushAll()
    if _slowPath(!unsettled.isEmpty) { closeSettled() }
    if _slowPath(!departed.isEmpty), keeperCount == 0 { departed = [] }
    if _slowPath(isTurnDue) { scheduleTurn() }
  }

  /// Sessions have the answers of their providers, and the store what was said of kept ones.
  @inline(never)
  private func passOn() {
    while !providerAnswers.isEmpty || !unstored.isEmpty {
      let answers = providerAnswers
      providerAnswers = []
      // A closed session's connection may be gone already.
      for (question, response) in answers where !question.session.isClosed {
        question.session.taker.perform(.answer(response, to: question.effect, of: question.session))
      }
      storeSaid()
    }
  }

  /// The event loop is about to look for input.
  func pollCame() {
    gathering.pollCame()
    if gathering.isWaiting { tellWaiting() }
  }

  /// Whoever was told first has it first.
  @inline(__always)
  private func flushAll() {
    if unflushed.count > 1 { unflushed.reverse() }
    while let connection = unflushed.popLast() { connection.flushListed() }
    gathering.told()
  }

  /// A session has left the table of a connection; it lives on as long as somebody is ``keepingSessions(_:)``. Without that it goes at
  /// once: one entry may open and close many.
  func keep(_ session: LiveSession) {
    if keeperCount > 0 { departed.append(session) }
  }

  /// Does something with a session of a connection's table to which no reference is counted: it lives meanwhile, whatever becomes of it.
  @inline(__always)
  func keepingSessions<Result>(_ body: () -> Result) -> Result {
    keeperCount &+= 1
    defer { keeperCount &-= 1 }
    return body()
  }

  /// The connection was told something that may have been the last that it waited for, and not by a message of its own.
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

  /// Something of a kept session may have to be stored; it is when the entry ends.
  func storeLater(_ storage: SessionStorage) {
    if storage.needsListing() { unstored.append(storage) }
  }

  /// What was said of kept sessions so far goes to the store.
  func storeSaid() {
    guard !unstored.isEmpty else { return }
    let storages = unstored
    unstored = []
    guard let store = environment.store else { return }
    for storage in storages { storage.handOver(to: store, self) }
  }

  /// A question to a provider has its answer, which is applied when the turn under way is over.
  func answer(_ question: OpenQuestion, _ response: EffectResponse) {
    if let timer = question.timer { timers.cancel(timer) }
    providerAnswers.append((question, response))
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
      case .question(let id): questionTimedOut(id)
      case .turn: nextTurn()
      case .trim:
        isTrimScheduled = false
        environment.trim()
      case .idle:
        idleTimer = nil
        environment.idle()
      case .drain: for connection in places.all { connection.drainDeadlinePassed() }
      }
    }
    askForWakeUp()
    leave()
  }

  /// Wakes somebody up.
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

  /// A connection was accepted. Where there is no room for it, another one ends: see ``ConnectionPlaces``.
  ///
  /// - Parameter peer: who is at its other end, if that is known.
  package func accept(_ transport: any ConnectionTransport, from peer: Peer? = nil) -> ClientConnection {
    enter()
    let connection = ClientConnection(server: self, transport: transport, peer: peer)
    let replaced = places.add(connection)
    if let timer = idleTimer.take() { timers.cancel(timer) }
    statistics.connectionsAccepted += 1
    if let replaced {
      turnAway(replaced)
      leave()
    }
    return connection
  }

  /// A client beyond the ordinary places has called a method.
  ///
  /// - Throws: 1011 where that is no method for operators, and there is no room for an ordinary client.
  func admit(_ connection: ClientConnection, calling method: Method) throws(RPCError) {
    if method.isForOperators {
      if method.showsOperator, let replaced = places.spoke(connection) { turnAway(replaced) }
      return
    }
    if places.promote(connection) { return }
    throw limits.overloaded(.connectionsMax)
  }

  /// Another client needs the place of that one.
  private func turnAway(_ connection: ClientConnection) {
    connectionTurnedAway(connection)
    connection.end(telling: limits.overloaded(.connectionsMax))
  }

  /// There is no room for that client.
  func connectionTurnedAway(_ connection: ClientConnection) {
    statistics.connectionsRefused += 1
    logger.warning(
      "a client was turned away: as many are connected as connectionsMax admits",
      metadata: connection.logMetadata.merging(["connectionsMax": "\(limits[.connectionsMax])"]) { $1 }
    )
  }

  /// Whether somebody is connected.
  var hasConnections: Bool { !places.isEmpty }

  /// Why another connection cannot be accepted, as the text to tell it; nil when it can.
  package func refusalOfConnection() -> [UInt8]? {
    guard isDraining else { return nil }
    statistics.connectionsRefused += 1
    let buffer = OutputBuffer()
    buffer.writeError(nil, .draining)
    buffer.append(byte: 0x0a)
    return Array(buffer.bytes)
  }

  /// A peer of another user was turned away.
  package func refusedPeer() {
    statistics.connectionsRefused += 1
  }

  func remove(_ connection: ClientConnection) {
    memoryWasFreed()
    places.remove(connection)
    guard places.isEmpty else { return }
    if isDraining { environment.drained() } else { waitForClients() }
  }

  /// Nobody is connected. From now on it counts how long that lasts, unless a session is kept for somebody who may come back, and nowhere but
  /// here.
  package func waitForClients() {
    guard let idleExit = configuration.idleExit, places.isEmpty, idleTimer == nil,
      keptSessions.count == 0 || environment.store != nil && !keptSessions.all.contains(where: \.session.isActing)
    else { return }
    // Not every caller has entered.
    idleTimer = schedule(.idle, at: environment.now() + idleExit)
  }

  /// Something may have been freed that was large. The allocator keeps what it gets, so a moment later, when all of it is given back, it is
  /// told to let go of it.
  @inline(__always)
  func memoryWasFreed() {
    if !isTrimScheduled { scheduleTrim() }
  }

  private func scheduleTrim() {
    isTrimScheduled = true
    // Not every caller has entered, and an old time would have come already.
    _ = schedule(.trim, at: environment.now() + .milliseconds(500))
  }

  /// Does work on another thread, then calls the completion, whoever still waits for it. The other thread may take so long that the allocator
  /// has been told to let go of memory before the work gave any back; so it is told again.
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

  /// Frees something large on another thread, when the entry under way has let go of it.
  func letGo(_ value: some Sendable) {
    let last = LastReference(value)
    environment.beforePoll { [weak self, environment] in
      guard let self else { return environment.detach(.parsing, last.release) {} }
      detach(.parsing, last.release)
    }
  }

  /// A session was opened.
  func sessionBegan(_ session: LiveSession) {
    memory.values += session.session.keptBytes
    memory.sessions += session.structureBytes
    sessionCount += 1
    if session.hasOwnDefinition { definitionCount += 1 }
    if let kept = session.kept { keptSessions.add(session, kept.key) }
    session.beginStoring()
  }

  /// A session has ended, and nobody has it any more.
  func sessionEnded(_ session: LiveSession) {
    memory.values -= session.session.keptBytes
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

  // MARK: Life of the daemon

  /// Takes over forms that were read anew, and tells who watches them. Live sessions keep theirs; a kept one follows when somebody attaches
  /// after nobody was (``LiveSession/migrated()``).
  ///
  /// - Parameter problems: what is wrong with their files.
  package func reload(_ catalog: FormCatalog, problems: [Diagnostic] = []) {
    enter()
    letGo(self.catalog)
    self.catalog = catalog
    loadedForms = LoadedForms(catalog, problems)
    statistics.reloads += 1
    for connection in places.all { connection.formsChanged() }
    leave()
  }

  /// The daemon is to end: says so to every client, then waits for the requests that were accepted.
  package func drain() {
    guard !isDraining else { return }
    enter()
    isDraining = true
    _ = schedule(.drain, at: now + .milliseconds(limits[.drainMs]))
    for connection in places.all { connection.drain() }
    leave()
    if places.isEmpty { environment.drained() }
  }

  /// The server is over: nobody hears of anything any more.
  func end() { hasEnded = true }

  /// The daemon is ending, and somebody does not want to wait: what was accepted is refused now.
  package func hurry() {
    enter()
    for connection in places.all { connection.drainDeadlinePassed() }
    leave()
  }
}

extension LoadedForms {
  fileprivate init(_ catalog: FormCatalog, _ problems: [Diagnostic]) {
    self.init(forms: catalog.forms.map(\.name), problems: problems.map { FormProblem($0) })
  }
}
