internal import Actions
internal import CEL
package import Configuration
internal import FormProtocol
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
  package static let version = "0.1.0"

  let environment: ServerEnvironment
  /// The configuration; replaced as a whole by a reload.
  var inForce: ConfigurationInForce
  /// The forms of new sessions; replaced as a whole when the forms are reloaded.
  package internal(set) var catalog: FormCatalog
  /// The notification for clients that watch the forms.
  var loadedForms: LoadedForms
  /// Computes all sessions.
  let engine: Engine
  let pool = OutputPool()
  /// The text before the params of every update. Each turn reads it, and a static property is checked at each reading.
  let updateHead = NotificationHead(SessionUpdate.push.wireName)
  /// Whether the inputs that come most often are recognized without the JSON reader. Only tests switch it off, to
  /// compare.
  package var recognizesPlainInputs = true

  // MARK: Its life

  /// What the server still does. Each stage follows the one before.
  enum Stage: Comparable {
    /// It serves clients.
    case serving
    /// No more sessions; connections end when they have all their answers.
    case draining
    /// It has waited long enough: connections end.
    case drainOver
    /// Nothing more is done: no client is notified, and answers to effects are ignored.
    case ended
  }

  var stage = Stage.serving
  var isDraining: Bool { stage != .serving }
  /// Changes with every start, so that clients notice a restart.
  let instanceID: String
  let start: Instant
  /// The reasons that were reported last (``ServerEnvironment/readinessChanged``).
  var reportedNotReady: [ReadinessProblem] = []

  // MARK: Clients and their sessions

  /// The connected clients.
  var seats: ConnectionSeats
  /// The sessions that outlive their connections.
  var keptSessions = KeptSessions()
  /// The sessions in the store; nil: there is no store.
  package private(set) var storedSessions: StoredSessions?
  /// Has the slices of sessions without clients.
  private(set) lazy var unattended = UnattendedSessions(server: self)
  /// The number that was given last, from 1 on.
  var lastSession: Int64 = 0
  /// How much clients have open.
  var counts = OpenCounts()
  /// The memory that clients make the daemon use.
  package internal(set) var memory = MemoryAccounts()
  /// When a search for sessions that could give way ended all of them, and this was not enough; nil: the last search
  /// found enough.
  var lastVainSearch: Instant?
  /// The holders of each provider's name, and the calls to them.
  var providers = ProviderTable<OpenProviderCall>()
  /// By holder of a provider's name: whether it answers in time. A holder that always did is not here.
  var providerBreakers: [ProviderTable<OpenProviderCall>.Holder: CircuitBreaker] = [:]

  // MARK: Time

  /// The time of the current entry.
  var now: Instant
  var timers = TimerQueue()
  /// Fires when the daemon has had no connection for long enough; nil while a client is connected, or if the daemon
  /// stays.
  var idleTimer: TimerQueue.Ticket?
  /// Whether ``TimerQueue/Owner/trim`` is set.
  var isTrimScheduled = false
  /// Connections with unread input or due work that let other connections go first, and ``unattended``.
  var sliceOrder = SliceOrder()
  var sliceSchedule = SliceSchedule()

  // MARK: For the end of the entry

  /// Connections with output that is not flushed, in the order in which it was written first.
  var unflushed: [ClientConnection] = []
  /// Decides which connections with output may wait at the end of an entry.
  var gathering = OutputGathering()
  /// Storages of kept sessions that may have to be written.
  var unstored: [PendingStorage] = []
  /// Connections that may have nothing left to send.
  var perhapsDone: [ClientConnection] = []
  /// Answers of providers, in order; they are applied when the turn under way is over.
  var providerAnswers: [(call: OpenProviderCall, response: EffectResponse)] = []

  // MARK: For operators

  var statistics = ServerStatistics()
  /// How long pieces of work took.
  var workTimes = WorkTimes()
  /// The counts that metrics show by name.
  var namedCounts = NamedCounts()
  /// Which failures of effects the log gets.
  var effectFailures = EffectFailures()
  /// How the message that is being handled has ended, if messages are logged.
  var messageOutcome = MessageOutcome.done

  // MARK: The start

  /// A server without connections. If it is not ready, it tells the environment before this returns.
  ///
  /// - Parameters:
  ///   - catalog: the forms, until a reload replaces them.
  ///   - problems: the problems of their files.
  ///   - instanceID: the name of this process that clients see. Each start of a daemon has another one.
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
    setEngineLimits()
    storedSessions = environment.store.map { StoredSessions($0, of: self) }
    storedSessions?.begin()
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

  /// The engine keeps to the limits in force.
  func setEngineLimits() {
    engine.errorsPerFieldMax = limits[.errorsPerFieldMax]
    engine.undoMax = limits[.undoMax]
    engine.undoBytesMax = limits[.undoBytesMax]
  }

  /// Whether memory is full: clients that can wait or be refused get no more.
  @inline(__always)
  var isMemoryFull: Bool { memory.total > memoryMax }

  /// Checks that memory has room for so many bytes more. Idle sessions give way first.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  @inline(__always)
  func checkMemory(for growth: Int = 0) throws(RPCError) {
    if _slowPath(memory.total + growth > memoryMax) { makeRoom(furtherBytes: growth) }
    if memory.total + growth > memoryMax { throw limits.overloaded(.memoryMax) }
  }

  /// Whether kept sessions can be stored now, as far as is known; asked for every input of one.
  @inline(__always)
  var isStoreWritable: Bool {
    guard let stored = storedSessions.map(Unmanaged.passUnretained) else { return true }
    return stored._withUnsafeGuaranteedRef { $0.isWritable }
  }

  /// The exceeded limit of the daemon as a whole.
  var exceededLimit: Limit? {
    if memory.values > valueBytesMax { return .valueBytesMax }
    return isMemoryFull ? .memoryMax : nil
  }

  package var logger: Logger { environment.logger }
}

extension LoadedForms {
  init(_ catalog: FormCatalog, _ problems: [Diagnostic]) {
    self.init(forms: catalog.forms.map(\.name), problems: problems.map { FormProblem($0) })
  }
}
