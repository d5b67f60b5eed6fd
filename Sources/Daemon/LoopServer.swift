internal import Actions
internal import Budgets
internal import CEL
internal import Configuration
internal import FormProtocol
internal import Logging
internal import NIOCore
internal import Processes
internal import Server
internal import SessionStore
internal import Sessions
internal import Times

/// A ``FormServer`` joined to an event loop: to its clock, its timer, and the performer of effects. Used on that loop
/// only.
final class LoopServer {
  let server: FormServer
  private let timer: LoopTimer
  private let drained: Signal
  private let idle: Signal
  private let results: StoreResults
  private let performer: CurrentPerformer
  private let reloads: Reloads

  init(
    configuration: ServerConfiguration,
    forms: FormCatalog.Reading,
    instanceID: String,
    performer: RunningPerformer,
    loop: any EventLoop,
    workers: OffloadedWorkers,
    store: (any ServerStore)?,
    results: StoreResults,
    readinessChanged: @escaping ([ReadinessProblem]) -> Void,
    logger: Logger,
    audit: Logger?
  ) {
    let timer = LoopTimer(loop: loop)
    let (drained, idle) = (Signal(), Signal())
    let (performer, reloads) = (CurrentPerformer(performer), Reloads())
    (self.performer, self.reloads) = (performer, reloads)
    self.timer = timer
    self.drained = drained
    self.idle = idle
    server = FormServer(
      configuration: configuration,
      catalog: forms.catalog,
      problems: forms.diagnostics,
      instanceID: instanceID,
      environment: ServerEnvironment(
        now: SystemClock.now,
        nowThroughSleep: SystemClock.nowThroughSleep,
        wallClock: { .ofSystem },
        cpuTime: WorkBudget.threadCPUTime,
        zone: .ofSystem,
        wake: { timer.wake(at: $0) },
        perform: { effect, client, completion in
          performer.perform(effect, for: client, on: loop, completion: completion)
        },
        openBreakers: { performer.openBreakers },
        offload: { kind, work, completion in
          // The completion is called on the loop that it comes from.
          let completion = NIOLoopBound(completion, eventLoop: loop)
          workers.perform(kind) {
            work()
            loop.execute { completion.value() }
          }
        },
        beforePoll: { loop.assumeIsolated().execute($0) },
        trim: { workers.perform(.parsing) { FreeMemory.giveBack() } },
        store: store,
        processUsage: { .ofSystem },
        readinessChanged: readinessChanged,
        drained: { drained.action() },
        idle: { idle.action() },
        reload: { reloads.add($0) },
        logger: logger,
        audit: audit
      )
    )
    timer.server = server
    self.results = results
  }

  /// Clients can come from now on. `whenIdle` is called when no client was there for as long as the configuration says.
  func waitForClients(whenIdle: @escaping () -> Void) {
    idle.action = whenIdle
    server.waitForClients()
  }

  // MARK: Reloads

  /// Calls `request` when a client asks for a reload.
  func waitForReloads(request: @escaping () -> Void) { reloads.request = request }

  /// A reload begins, for all requests so far.
  ///
  /// - Returns: the configuration and the forms in force.
  func reloadBegins() -> (configuration: ServerConfiguration, forms: FormCatalog) {
    reloads.begin()
    return (server.configuration, server.catalog)
  }

  /// Takes over what a reload has read: from now on all of it is in force.
  ///
  /// - Parameter performer: the performer of another configuration's services and databases; nil if it stays.
  func follow(_ configuration: ServerConfiguration, _ forms: FormCatalog.Reading, _ performer: RunningPerformer?) {
    if let performer { self.performer.replace(with: performer) }
    server.reload(forms.catalog, problems: forms.diagnostics, configuration: configuration)
  }

  /// The reload has ended: its outcome goes to the callers that wait for it.
  func reloadEnded(_ outcome: ReloadOutcome) {
    if !outcome.reloaded { server.reloadWasRefused() }
    reloads.end(outcome)
  }

  /// Takes the performers of effects, which the caller ends.
  func takePerformers() -> [RunningPerformer] { performer.takeAll() }

  /// The server is to end; `whenDrained` is called when its last connection is gone.
  func drain(whenDrained: @escaping () -> Void) {
    drained.action = whenDrained
    server.drain()
    reloads.giveUp()
  }

  /// The server is over.
  func end() {
    timer.cancel()
    results.end()
    server.end()
  }

  /// The requests for reloads that have no outcome yet.
  private final class Reloads {
    typealias Completion = (ReloadOutcome?) -> Void

    var request: () -> Void = {}
    /// The requests for the next reload, and for the reload under way.
    private var waiting: [Completion] = []
    private var begun: [Completion] = []

    func add(_ completion: @escaping Completion) {
      waiting.append(completion)
      request()
    }

    func begin() {
      begun += waiting
      waiting = []
    }

    func end(_ outcome: ReloadOutcome) {
      let completions = begun
      begun = []
      for completion in completions { completion(outcome) }
    }

    /// The daemon ends, and waits for no reload.
    func giveUp() {
      let completions = begun + waiting
      (begun, waiting) = ([], [])
      for completion in completions { completion(nil) }
    }
  }

  /// A callback for an event of the server itself.
  private final class Signal {
    var action: () -> Void = {}
  }
}
