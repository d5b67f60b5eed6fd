internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
package import Logging
internal import Sessions
internal import Texts

/// Everything that the connections of one event loop share: forms, the engine, sessions, providers, timers, limits.
///
/// Sans-IO like what it is made of: a transport feeds its connections, the environment tells the time and performs effects. All
/// calls come from one thread.
package final class Daemon {
  let configuration: ServerConfiguration
  let environment: DaemonEnvironment
  /// Changes with every start, so that clients notice one.
  let instanceID: String
  /// Scratch memory for turns.
  let engine = Engine()
  let pool = OutputPool()
  package private(set) var catalog: FormCatalog
  var statistics = Statistics()
  /// Whether the inputs that come most often are recognised without the JSON reader. Only tests turn it off, to compare.
  package var recognisesPlainInputs = true
  /// No more sessions; connections end when they have all their answers.
  private(set) var isDraining = false
  /// By identity.
  private(set) var connections: [ObjectIdentifier: ClientConnection] = [:]
  /// The provider's name to the connection that answers for it.
  var providers: [UTF8Key: ClientConnection] = [:]
  /// Open sessions; those of `form/validate` included.
  var sessionCount = 0
  /// Sessions with a definition of their own.
  var definitionCount = 0
  /// Bytes that sessions hold, as far as they are counted.
  var valueBytes = 0
  /// The time of the current entry.
  private(set) var now: Instant

  private var lastSession: Int64 = 0
  private var timers = TimerQueue()
  /// The time for which a wake-up was asked, if it lies ahead.
  private var wakeUp: Instant?
  /// Connections with unflushed output.
  private var unflushed: [ClientConnection] = []
  /// Answers to effects that were known at once; they are applied when the turn that asked is over.
  private var immediateResponses: [(slot: SessionSlot, effect: EffectID, response: EffectResponse)] = []

  /// A daemon with those forms.
  package init(
    configuration: ServerConfiguration,
    catalog: FormCatalog,
    instanceID: String,
    environment: DaemonEnvironment
  ) {
    self.configuration = configuration
    self.catalog = catalog
    self.instanceID = instanceID
    self.environment = environment
    now = environment.now()
  }

  var limits: ServerLimits { configuration.limits }

  package var logger: Logger { environment.logger }

  // MARK: Entries: each begins with the time and ends with a flush

  /// Reads the clock; every call from outside begins with it.
  @inline(__always)
  func enter() {
    now = environment.now()
  }

  /// Writes out what the entry produced; every call from outside ends with it.
  func leave() {
    while let next = immediateResponses.popLast() {
      // A closed session's connection may be gone already.
      guard !next.slot.isClosed else { continue }
      next.slot.connection.effectEnded(next.slot, next.effect, next.response)
    }
    while let connection = unflushed.popLast() { connection.flush() }
  }

  /// The wake-up came.
  package func timersDue() {
    enter()
    wakeUp = nil
    while let entry = timers.popDue(at: now) {
      switch entry.owner {
      case .session(let slot):
        guard !slot.isClosed, slot.timerDeadline == entry.deadline else { continue }
        slot.timerDeadline = nil
        slot.connection.timerFired(slot)
      case .stall(let connection):
        connection.stallTimerFired()
      case .evaluation(let connection, let number):
        connection.evaluationTimedOut(number)
      case .drain:
        for connection in connections.values { connection.drainDeadlinePassed() }
      }
    }
    askForWakeUp()
    leave()
  }

  /// A session is closed: nothing of it may wait for its time.
  func unschedule(_ slot: SessionSlot) {
    timers.remove(slot)
  }

  func schedule(_ owner: TimerQueue.Owner, at deadline: Instant) {
    timers.add(owner, at: deadline)
    askForWakeUp()
  }

  private func askForWakeUp() {
    guard let next = timers.next else { return }
    if let wakeUp, wakeUp <= next { return }
    wakeUp = next
    environment.wake(next)
  }

  func answerLater(_ slot: SessionSlot, _ effect: EffectID, _ response: EffectResponse) {
    immediateResponses.insert((slot, effect, response), at: 0)
  }

  func outputBegan(_ connection: ClientConnection) {
    unflushed.append(connection)
  }

  // MARK: Connections

  /// A connection was accepted.
  package func accept(_ transport: any ConnectionTransport) -> ClientConnection {
    let connection = ClientConnection(daemon: self, transport: transport)
    connections[ObjectIdentifier(connection)] = connection
    statistics.connectionsAccepted += 1
    return connection
  }

  /// Why another connection cannot be accepted, or nil.
  package func refusalOfConnection() -> [UInt8]? {
    var error: RPCError?
    if isDraining {
      error = .draining
    } else if connections.count >= limits.connectionsMax {
      error = .overloaded("connectionsMax", limits.connectionsMax, retryAfterMs: 1000)
    }
    guard let error else { return nil }
    statistics.connectionsRefused += 1
    let buffer = OutputBuffer()
    buffer.writeError(nil, error)
    buffer.append(byte: 0x0a)
    return Array(buffer.bytes)
  }

  /// A peer of another user was turned away.
  package func refusedPeer() {
    statistics.connectionsRefused += 1
  }

  func remove(_ connection: ClientConnection) {
    connections[ObjectIdentifier(connection)] = nil
    if isDraining && connections.isEmpty { environment.drained() }
  }

  func nextSession() -> Int64 {
    lastSession += 1
    return lastSession
  }

  // MARK: Life of the daemon

  /// Takes over forms that were read anew. Live sessions keep theirs.
  package func reload(_ catalog: FormCatalog) {
    self.catalog = catalog
    statistics.reloads += 1
  }

  /// The daemon is to end: says so to every client, then waits for the requests that were accepted.
  package func drain() {
    guard !isDraining else { return }
    enter()
    isDraining = true
    schedule(.drain, at: now + .milliseconds(limits.drainMs))
    for connection in connections.values { connection.drain() }
    leave()
    if connections.isEmpty { environment.drained() }
  }
}
