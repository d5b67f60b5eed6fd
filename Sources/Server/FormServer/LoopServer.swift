internal import Actions
internal import CEL
internal import Logging
internal import NIOCore
internal import SessionStore
internal import Sessions

/// A ``FormServer`` joined to an event loop: to its clock, its timer, and what performs effects on it. Used on that loop only.
final class LoopServer {
  let server: FormServer
  private let timer: LoopTimer
  private let drained: Signal
  private let idle: Signal
  private let answers: LoopStore.Answers?

  init(
    configuration: ServerConfiguration,
    forms: FormCatalog.Reading,
    performer: any EffectPerformer,
    loop: any EventLoop,
    workers: DetachedWorkers,
    store: (store: SQLiteSessionStore, answers: LoopStore.Answers)?,
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
      instanceID: Self.newInstanceID(),
      environment: ServerEnvironment(
        now: LoopTimer.now,
        wallClock: { .ofSystem },
        zone: .ofSystem,
        wake: { timer.wake(at: $0) },
        perform: { effect, client, completion in
          let run = performer.perform(effect, for: client, on: loop, completion: completion)
          return { run.cancel() }
        },
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
        store: store.map { LoopStore($0.store, $0.answers, loop) },
        drained: { drained.action() },
        idle: { idle.action() },
        logger: logger
      )
    )
    timer.server = server
    answers = store?.answers
    answers?.begin(for: server)
  }

  /// Clients can come from now on; `whenIdle` is called when none was there for as long as the configuration says.
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
    answers?.end()
    server.end()
  }

  /// 64 random bits in hexadecimal.
  private static func newInstanceID() -> String {
    var random = SystemRandomNumberGenerator()
    let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What is done when the server says something of itself.
  private final class Signal {
    var action: () -> Void = {}
  }
}
