internal import Forms
internal import Times

/// The taps of one action that have no event yet. It hears of taps, ends of delays, answers and pauses, and returns
/// steps for the engine to carry out. A tap is named by its token.
///
///     delayed ──► (the engine asks the form) ──► held ──► queued ──► running ⇄ retrying
///        │                                        │          │          │         │
///        └──────────► swallowed                   └──────────┴──────────┴──► ending ──► an event
///
/// Any stage can be left out, and a later tap or a reset gives up a tap in any of them.
struct ActionMachine {
  /// The stage of a tap that no throttle or debounce holds back.
  enum Stage {
    /// It waits for the checks of its action's scope. `until` is set once it waits for checks that began after it, and
    /// ends that wait.
    case held(until: Instant?)
    /// It waits for the end of the runs before it.
    case queued(Submission)
    /// An effect is under way for its run.
    case running(ActionRun, EffectID)
    /// Its run waits for the next try.
    case retrying(ActionRun)
    /// Its run has an answer, or needs none, and its outcome is being found. This stage exists only within a turn.
    case ending(ActionRun)
  }

  struct Tap {
    let token: UInt64
    var stage: Stage
  }

  /// The throttle or debounce, with the tap that it holds back. If nil, every tap counts.
  private(set) var delay: Delay<UInt64>?
  /// Which runs are under way, and which wait for the runs before them. It always agrees with the stages of the taps.
  private(set) var flight: Flight<UInt64>
  /// In the order in which they passed the delay.
  private(set) var taps: [Tap] = []

  /// No tap has come.
  init(delay: Delay<UInt64>?, policy: Flight<UInt64>.Policy) {
    self.delay = delay
    flight = Flight(policy: policy)
  }

  /// The machine that an action's definition asks for.
  init(_ action: Action) {
    var delay: Delay<UInt64>?
    if let throttle = action.throttle {
      delay = Delay(Throttle(interval: throttle.interval, edges: Throttle.Edges(throttle.edges)))
    } else if let debounce = action.debounce {
      delay = Delay(Debounce(interval: debounce))
    }
    self.init(delay: delay, policy: Flight.Policy(action.flight))
  }

  // MARK: What stands where

  /// The taps that wait for checks, oldest first.
  var heldTokens: [UInt64] { taps.filter(\.stage.isHeld).map(\.token) }

  /// The oldest tap that waits for checks.
  var firstHeldToken: UInt64? { taps.first(where: \.stage.isHeld)?.token }

  /// Whether a run is under way or waits for the runs before it.
  var isLoading: Bool { !flight.isIdle }

  /// Whether a tap has no event yet. This includes a tap that the throttle or debounce holds back.
  var hasOpenTaps: Bool { !taps.isEmpty || delay?.held != nil }

  // MARK: Delay

  /// The effect of a tap that comes in.
  enum Entry {
    /// It counts now.
    case passes
    /// The throttle or debounce holds it back, and gives up a tap that waited.
    case delayed(swallowing: UInt64?)
    case swallowed
  }

  /// A tap came in. A tap that passes does not open a window yet: see ``runBegins(at:)``.
  mutating func tapped(_ token: UInt64, at now: Instant) -> Entry {
    guard var delay, !delay.isOpen else { return .passes }
    defer { self.delay = delay }
    switch delay.hold(token, at: now) {
    case .held(let earlier): return .delayed(swallowing: earlier)
    case .dropped: return .swallowed
    }
  }

  /// The deadline of the delay came. Returns the tap that counts now.
  mutating func delayEnded(at now: Instant) -> UInt64? { delay?.deadlineReached(at: now) }

  /// A tap will have its run. Only such a tap opens the throttle's window. Returns whether it did.
  mutating func runBegins(at now: Instant) -> Bool { delay?.passed(at: now) ?? false }

  /// The run of a tap failed to begin after the end of a window let the tap through. The next window must not open for
  /// it.
  mutating func delayedTapFailed() { delay?.cancel() }

  // MARK: From the form

  /// Whether a tap that counts now is dropped, whatever the form's formulas give.
  var dropsTaps: Bool { flight.policy == .drop && !taps.isEmpty }

  /// The effect of a tap whose checks are under way.
  enum Hold {
    /// It waits, and the taps that waited before it are given up.
    case held(superseding: [UInt64])
    case dropped
  }

  /// The checks of a tap are under way.
  ///
  /// - Parameter deadline: the end of its wait. If nil, it waits as long as its checks take.
  mutating func hold(_ token: UInt64, until deadline: Instant?) -> Hold {
    let earlier = heldTokens
    guard earlier.count < Engine.runsMax else { return .dropped }
    defer { taps.append(Tap(token: token, stage: .held(until: deadline))) }
    guard flight.policy == .latest else { return .held(superseding: []) }
    taps.removeAll(where: \.stage.isHeld)
    return .held(superseding: earlier)
  }

  /// Another check of the scope has begun. Held taps wait for it, too, but not beyond that time. Returns the taps for
  /// which this wait is new.
  mutating func heldAgain(until deadline: Instant) -> [UInt64] {
    var tokens: [UInt64] = []
    for position in taps.indices {
      guard case .held(nil) = taps[position].stage else { continue }
      taps[position].stage = .held(until: deadline)
      tokens.append(taps[position].token)
    }
    return tokens
  }

  /// The checks of a held tap have ended, or it has waited long enough. Returns the end that its wait would have had.
  mutating func release(_ token: UInt64) -> Instant? {
    defer { taps.removeAll { $0.token == token } }
    return if case .held(let deadline) = stage(of: token) { deadline } else { nil }
  }

  // MARK: Runs

  /// Whether one more run may be under way or wait.
  var hasRoomForRun: Bool { taps.count { !$0.stage.isHeld } < Engine.runsMax }

  /// The effect of a submission.
  enum Start {
    /// Its run begins now: ``begin(_:_:number:keyNumber:effect:)`` follows. The runs in `superseding` are given up.
    case begins(superseding: [Tap])
    /// It begins when the runs before it have ended.
    case queued
    case dropped
  }

  /// The form lets a tap through.
  mutating func submitted(_ token: UInt64, _ submission: Submission) -> Start {
    guard hasRoom(for: submission) else { return .dropped }
    switch flight.start(token) {
    case .start:
      return .begins(superseding: [])
    case .replace(let earlier):
      let superseded = taps.filter { earlier.contains($0.token) }
      taps.removeAll { earlier.contains($0.token) }
      return .begins(superseding: superseded)
    case .wait:
      taps.append(Tap(token: token, stage: .queued(submission)))
      return .queued
    case .drop:
      return .dropped
    }
  }

  /// One run may have any size. Runs in parallel to others must fit into ``Engine/runBytesMax`` together.
  private func hasRoom(for submission: Submission) -> Bool {
    switch flight.policy {
    case .drop, .latest: true
    case .merge, .queue:
      flight.isIdle
        || taps.reduce(submission.bytes) { $0 + ($1.stage.submission?.bytes ?? 0) } <= Engine.runBytesMax
    }
  }

  /// How a run begins.
  enum Beginning {
    case asks(EffectRequest)
    /// It sends no request, so the run ends with this response: ``ended(_:)`` follows.
    case ends(ActionRun, EffectResponse?)
  }

  /// Begins a run that ``submitted(_:_:)`` or ``ended(_:)`` has asked to begin.
  ///
  /// - Parameters:
  ///   - number: its number in the session.
  ///   - keyNumber: the number in its request's idempotency key.
  ///   - effect: the name of its effect, if it has one.
  mutating func begin(
    _ token: UInt64,
    _ submission: Submission,
    number: Int,
    keyNumber: Int,
    effect: EffectID
  ) -> Beginning {
    let run = ActionRun(submission: submission, number: number, keyNumber: keyNumber)
    switch submission.request {
    case .effect(let request):
      put(token, .running(run, effect))
      return .asks(request)
    case .nothing:
      put(token, .ending(run))
      return .ends(run, nil)
    case .faulted:
      put(token, .ending(run))
      return .ends(run, EffectResponse(kind: .fault, reason: "a formula of the request failed"))
    }
  }

  enum Answer {
    /// Another try, after a pause: ``pauseEnded(_:effect:)`` follows.
    case retries(after: Duration)
    /// The run ends with the answer: ``ended(_:)`` follows.
    case ends(ActionRun)
  }

  /// The effect of a run has its answer. Nil when the run does not wait for that effect.
  mutating func answered(_ token: UInt64, by effect: EffectID, _ response: EffectResponse, _ retry: Action.Retry?)
    -> Answer?
  {
    guard case .running(var run, effect) = stage(of: token) else { return nil }
    guard let retry, run.retries < retry.times, response.isWorthRetrying else {
      put(token, .ending(run))
      return .ends(run)
    }
    let pause = retry.pause(beforeTry: run.retries)
    run.retries += 1
    put(token, .retrying(run))
    return .retries(after: pause)
  }

  /// The pause before the next try is over. Returns the request to repeat, or nil when the run does not wait for that
  /// effect.
  mutating func pauseEnded(_ token: UInt64, effect: EffectID) -> EffectRequest? {
    guard case .retrying(let run) = stage(of: token), case .effect(let request) = run.submission.request else {
      return nil
    }
    put(token, .running(run, effect))
    return request
  }

  /// The outcome of a run is found. Returns the tap whose run begins next:
  /// ``begin(_:_:number:keyNumber:effect:)`` follows.
  mutating func ended(_ token: UInt64) -> (token: UInt64, submission: Submission)? {
    taps.removeAll { $0.token == token }
    guard let next = flight.ended(token), case .queued(let submission) = stage(of: next) else { return nil }
    return (next, submission)
  }

  /// The form is reset. Returns the taps that are given up: runs, then taps that waited for checks, then a delayed tap.
  mutating func reset() -> (runs: [Tap], waiting: [UInt64]) {
    let runs = taps.filter { !$0.stage.isHeld }
    let waiting = heldTokens + (delay?.held.map { [$0] } ?? [])
    delay?.cancel()
    _ = flight.cancelAll()
    taps = []
    return (runs, waiting)
  }

  /// The user gives up. Returns the taps that are given up, oldest first, and the tap that was delayed. An open window
  /// of a throttle stays open.
  mutating func cancel() -> (taps: [Tap], delayed: UInt64?) {
    defer { taps = [] }
    _ = flight.cancelAll()
    return (taps.sorted { $0.token < $1.token }, delay?.flush())
  }

  func stage(of token: UInt64) -> Stage? { taps.first { $0.token == token }?.stage }

  private mutating func put(_ token: UInt64, _ stage: Stage) {
    if let position = taps.firstIndex(where: { $0.token == token }) {
      taps[position].stage = stage
    } else {
      taps.append(Tap(token: token, stage: stage))
    }
  }
}

extension Throttle.Edges {
  fileprivate init(_ edges: Action.Edges) {
    self =
      switch edges {
      case .leading: .leading
      case .trailing: .trailing
      case .both: .both
      }
  }
}

extension Flight.Policy {
  fileprivate init(_ flight: Action.Flight) {
    self =
      switch flight {
      case .drop: .drop
      case .latest: .latest
      case .merge: .merge
      case .queue: .queue
      }
  }
}

extension ActionMachine.Stage {
  var isHeld: Bool {
    if case .held = self { true } else { false }
  }

  /// The run, once it has begun.
  var run: ActionRun? {
    switch self {
    case .held, .queued: nil
    case .running(let run, _), .retrying(let run), .ending(let run): run
    }
  }

  fileprivate var submission: Submission? {
    if case .queued(let submission) = self { submission } else { run?.submission }
  }
}

extension EffectResponse {
  /// Whether another try could succeed: the service was out of reach, or reported a failure that may pass.
  var isWorthRetrying: Bool {
    switch kind {
    case .refused, .timeout, .gone, .noProvider: true
    case .error: sqlState.map(Self.isOfTheMoment) ?? true
    case .ok: status == 429 || status == 502 || status == 503 || status == 504
    case .tls, .tooLarge, .badBody, .fault, .interrupted: false
    }
  }
}

extension EffectResponse {
  /// Whether a database's error can pass: the statement conflicted with another one, or a resource was missing. Errors
  /// in the statement or its values do not pass.
  private static func isOfTheMoment(_ sqlState: String) -> Bool {
    // Connection, rollback (serialization, deadlock), resources, an operator's action, and a lock that another
    // transaction holds.
    ["08", "40", "53", "57"].contains(sqlState.prefix(2)) || sqlState == "55P03"
  }
}

extension Action.Retry {
  /// The pause before the try with that number (0 is the first repetition): `delay` times `factor` to that power, at
  /// most `maxDelay`.
  func pause(beforeTry number: Int) -> Duration {
    var pause = delay
    for _ in 0..<number where pause < delayMax { pause = pause * factor }
    return min(pause, delayMax)
  }
}
