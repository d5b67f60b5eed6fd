internal import Actions
internal import Budgets
internal import CEL
internal import Configuration
internal import Logging
internal import NIOCore
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
  private let answers: StoreAnswers

  init(
    configuration: ServerConfiguration,
    forms: FormCatalog.Reading,
    instanceID: String,
    performer: any EffectPerformer,
    loop: any EventLoop,
    workers: DetachedWorkers,
    store: (any ServerStore)?,
    answers: StoreAnswers,
    logger: Logger
  ) {
    let timer = LoopTimer(loop: loop)
    let (drained, idle) = (Signal(), Signal())
    self.timer = timer
    self.drained = drained
    self.idle = idle
    server = FormServer(
      configuration: configuration,
      catalog: forms.catalog,
      problems: forms.diagnostics,
      instanceID: instanceID,
      environment: ServerEnvironment(
        now: LoopTimer.now,
        nowThroughSleep: LoopTimer.nowThroughSleep,
        wallClock: { .ofSystem },
        cpuTime: WorkBudget.threadCPUTime,
        zone: .ofSystem,
        wake: { timer.wake(at: $0) },
        perform: { effect, client, completion in
          let run = performer.perform(effect, for: client, on: loop, completion: completion)
          return { run.cancel(isLate: $0) }
        },
        openBreakers: { performer.openBreakers },
        detach: { kind, work, completion in
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
        drained: { drained.action() },
        idle: { idle.action() },
        logger: logger
      )
    )
    timer.server = server
    self.answers = answers
  }

  /// Clients can come from now on. `whenIdle` is called when no client was there for as long as the configuration says.
  func waitForClients(whenIdle: @escaping () -> Void) {
    idle.action = whenIdle
    server.waitForClients()
  }

  /// The server is to end; `whenDrained` is called when its last connection is gone.
  func drain(whenDrained: @escaping () -> Void) {
    drained.action = whenDrained
    server.drain()
  }

  /// The server is over.
  func end() {
    timer.cancel()
    answers.end()
    server.end()
  }

  /// A callback for an event of the server itself.
  private final class Signal {
    var action: () -> Void = {}
  }
}
