import CEL
internal import Configuration
import Forms
import Logging
import Server
import SessionStore
import Sessions
internal import Times

/// A daemon with a virtual clock and effects that the test answers; connections are joined to it by ``connect()``.
final class TestDaemon {
  private(set) var time = Instant(nanoseconds: 0)
  /// The time of day at the beginning. It advances with the clock.
  var wallStart = Timestamp.epoch
  /// How long the daemon's machine has slept.
  private var sleepLag = Duration.zero
  /// How far the clock advances whenever the daemon reads it.
  var timePerLook: Duration = .zero
  private(set) var server: FormServer!
  /// Effects without an answer, oldest first.
  private(set) var effects: [(effect: Effect, answer: (EffectResponse) -> Void)] = []
  /// Work for other threads, oldest first. It is done after the input is handled, unless the test holds it.
  private var offloadedWork: [(work: @Sendable () -> Void, completion: () -> Void)] = []
  var holdsOffloadedWork = false
  var offloadedWorkCount: Int { offloadedWork.count }
  /// Callbacks before the daemon looks for input. It does so when a client has sent something and when time passes.
  private var polls: [() -> Void] = []
  /// How many effects were cancelled.
  private(set) var cancelled = 0
  private(set) var drained = 0
  /// How often no client was connected for the configured time.
  private(set) var idled = 0
  /// How often the daemon was woken.
  private(set) var wakes = 0
  /// How often the allocator was asked to release memory.
  private(set) var trims = 0
  private var wakeUp: Instant?
  /// The lines that were logged, oldest first.
  private let log = TestLog()
  var logged: [TestLog.Line] { log.lines }

  /// The store for kept sessions; nil for none.
  private let store: (any TestServerStore)?

  init(
    catalog: FormCatalog = TestForms.all,
    instanceID: String = "0123456789abcdef",
    store: (any TestServerStore)? = nil,
    sharing: (any ServerStore)? = nil,
    _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) {
    var configuration = ServerConfiguration()
    change(&configuration)
    self.store = store
    let log = log
    var logger = Logger(label: "test") { _ in log.handler }
    logger.logLevel = configuration.logLevel
    server = FormServer(
      configuration: configuration,
      catalog: catalog,
      instanceID: instanceID,
      environment: ServerEnvironment(
        now: { [unowned self] in
          time = time + timePerLook
          return time
        },
        nowThroughSleep: { [unowned self] in time + sleepLag },
        wallClock: { [unowned self] in wallNow },
        cpuTime: { .zero },
        zone: .utc,
        wake: { [unowned self] in wakeUp = $0 },
        perform: { [unowned self] effect, _, completion in
          effects.append((effect, completion))
          let id = effect.id
          return { [unowned self] _ in
            cancelled += 1
            effects.removeAll { $0.effect.id == id }
          }
        },
        offload: { [unowned self] _, work, completion in offloadedWork.append((work, completion)) },
        beforePoll: { [unowned self] in polls.append($0) },
        trim: { [unowned self] in trims += 1 },
        store: sharing ?? store,
        drained: { [unowned self] in drained += 1 },
        idle: { [unowned self] in idled += 1 },
        logger: logger
      )
    )
    store?.daemon = self
  }

  /// A client that is the process of another user, or whose process is not known.
  func connect(headers: Bool = false, from peer: Peer? = nil) -> TestClient {
    let client = TestClient(headers: headers)
    client.owner = self
    client.connection = server.accept(client, from: peer)
    return client
  }

  /// The sessions that its store has committed.
  var storedSessions: [StoredSessionID: StoredSession]? { (store as? TestStore)?.sessions }

  /// Answers the oldest effect.
  func answerEffect(_ response: EffectResponse) {
    let next = effects.removeFirst()
    next.answer(response)
    store?.work()
  }

  /// Does the waiting work of other threads, and the work that follows.
  func doOffloadedWork() {
    store?.work()
    while !offloadedWork.isEmpty {
      let (work, completion) = offloadedWork.removeFirst()
      work()
      completion()
      store?.work()
    }
  }

  /// The time of day.
  var wallNow: Timestamp { wallStart.advanced(by: DurationValue(nanoseconds: time.nanoseconds)) ?? wallStart }

  /// The daemon looks for input.
  func poll() {
    let polls = polls
    self.polls = []
    for poll in polls { poll() }
  }

  /// Wakes the daemon once, at the time for which it asked.
  func wake() {
    guard let next = wakeUp else { return }
    wakeUp = nil
    wakes += 1
    time = max(time, next)
    poll()
    server.timersDue()
    store?.work()
    poll()
  }

  /// Lets time pass while the daemon is stopped and is not woken.
  ///
  /// - Parameter isMachine: whether its machine sleeps, too. Most clocks do not advance then.
  func sleep(milliseconds: Int64, isMachine: Bool = false) {
    if isMachine { sleepLag += .milliseconds(milliseconds) } else { time = time + .milliseconds(milliseconds) }
  }

  /// Lets time pass, and wakes the daemon whenever it asked for that.
  func advance(milliseconds: Int64) {
    let end = time + .milliseconds(milliseconds)
    poll()
    while let next = wakeUp, next <= end { wake() }
    time = end
  }
}
