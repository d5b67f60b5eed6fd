internal import Forms

/// The taps of one action that have not come to their event. Taps, ends of delays, answers and pauses come in; what is to be done comes
/// out, and the engine does it. A tap is named by its token.
///
///     delayed ──► (the engine asks the form) ──► held ──► queued ──► running ⇄ retrying
///        │                                        │          │          │         │
///        └──────────► swallowed                   └──────────┴──────────┴──► ending ──► an event
///
/// Any stage can be left out, and a later tap or a reset gives up a tap in any of them.
struct ActionMachine {
  /// Where a tap stands that no throttle or debounce holds back.
  enum Stage {
    /// It waits for the checks of its action's scope; until that time, once it waits for checks that began after it.
    case held(until: Instant?)
    /// It waits for the end of the runs before it.
    case queued(Submission)
    /// An effect is under way for its run.
    case running(ActionRun, EffectID)
    /// Its run waits for the next try.
    case retrying(ActionRun)
    /// Its run has an answer, or needs none, and its outcome is being found. Only within a turn.
    case ending(ActionRun)
  }

  struct Tap {
    let token: UInt64
    var stage: Stage
  }

  /// The throttle or debounce, with the tap that it holds back; nil: every tap counts.
  private(set) var delay: Delay<UInt64>?
  /// Which runs are under way, and which wait for their turn: always the taps whose stages say so.
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
      let edges = Throttle.Edges(rawValue: throttle.edges) ?? .leading
      delay = Delay(Throttle(interval: throttle.interval, edges: edges))
    } else if let debounce = action.debounce {
      delay = Delay(Debounce(interval: debounce))
    }
    self.init(delay: delay, policy: Flight.Policy(rawValue: action.flight) ?? .drop)
  }

  // MARK: What stands where

  /// The taps that wait for checks, oldest first.
  var heldTokens: [UInt64] { taps.filter(\.stage.isHeld).map(\.token) }

  /// The oldest tap that waits for checks.
  var firstHeldToken: UInt64? { taps.first(where: \.stage.isHeld)?.token }

  /// Whether a run is under way or waits for its turn.
  var isLoading: Bool { !flight.isIdle }

  /// Whether a tap has not come to its event, one that the throttle or debounce holds back included.
  var hasOpenTaps: Bool { !taps.isEmpty || delay?.held != nil }

  // MARK: Delay

  /// What becomes of a tap that comes in.
  enum Entry {
    /// It counts now.
    case passes
    /// The throttle or debounce holds it back, and gives up one that waited.
    case delayed(swallowing: UInt64?)
    case swallowed
  }

  /// A tap came in. One that passes opens no window yet: see ``runBegins(at:)``.
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

  /// The tap that the end of a window let through came to no run: it must not have opened the next window.
  mutating func delayedTapFailed() { delay?.cancel() }

  // MARK: From the form

  /// Whether a tap that counts now is given up, whatever the form says.
  var dropsTaps: Bool { flight.policy == .drop && !taps.isEmpty }

  /// What becomes of a tap whose checks are under way.
  enum Hold {
    /// It waits, and those that waited before it are given up.
    case held(superseding: [UInt64])
    case dropped
  }

  /// The checks of a tap are under way.
  ///
  /// - Parameter deadline: when it has waited long enough; nil: it waits as long as its checks take.
  mutating func hold(_ token: UInt64, until deadline: Instant?) -> Hold {
    let earlier = heldTokens
    guard earlier.count < Engine.runsMax else { return .dropped }
    defer { taps.append(Tap(token: token, stage: .held(until: deadline))) }
    guard flight.policy == .latest else { return .held(superseding: []) }
    taps.removeAll(where: \.stage.isHeld)
    return .held(superseding: earlier)
  }

  /// Another check of the scope has begun. Held taps wait for it, too, but not beyond that time. Returns those that it is new for.
  mutating func heldAgain(until deadline: Instant) -> [UInt64] {
    var tokens: [UInt64] = []
    for position in taps.indices {
      guard case .held(nil) = taps[position].stage else { continue }
      taps[position].stage = .held(until: deadline)
      tokens.append(taps[position].token)
    }
    return tokens
  }

  /// The checks of a held tap have ended, or it has waited long enough. Returns until when it would have waited.
  mutating func release(_ token: UInt64) -> Instant? {
    defer { taps.removeAll { $0.token == token } }
    return if case .held(let deadline) = stage(of: token) { deadline } else { nil }
  }

  // MARK: Runs

  /// Whether one more run may be under way or wait.
  var hasRoomForRun: Bool { taps.count { !$0.stage.isHeld } < Engine.runsMax }

  /// What becomes of a submission.
  enum Start {
    /// Its run begins now: ``begin(_:_:number:effect:)`` follows. Those runs are given up.
    case begins(superseding: [Tap])
    /// It begins when those before it have ended.
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

  /// One run may have any size; runs beside others must fit into ``Engine/runBytesMax`` together.
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
    /// It asks nobody, so that it ends with this: ``ended(_:)`` follows.
    case ends(ActionRun, EffectResponse?)
  }

  /// A run begins: one that ``submitted(_:_:)`` or ``ended(_:)`` said so of.
  ///
  /// - Parameters:
  ///   - number: its number in the session.
  ///   - effect: the name of its effect, if it has one.
  mutating func begin(_ token: UInt64, _ submission: Submission, number: Int, effect: EffectID) -> Beginning {
    let run = ActionRun(submission: submission, number: number)
    switch submission.request {
    case .effect(let request):
      put(token, .running(run, effect))
      return .asks(request)
    case .nothing:
      put(token, .ending(run))
      return .ends(run, nil)
    case .faulted:
      put(token, .ending(run))
      return .ends(run, EffectResponse(kind: .fault, reason: "a formula of the request went wrong"))
    }
  }

  /// What follows an answer.
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

  /// The pause before the next try is over. Returns what is asked again; nil when the run does not wait for that.
  mutating func pauseEnded(_ token: UInt64, effect: EffectID) -> EffectRequest? {
    guard case .retrying(let run) = stage(of: token), case .effect(let request) = run.submission.request else {
      return nil
    }
    put(token, .running(run, effect))
    return request
  }

  /// The outcome of a run is found. Returns the tap whose run begins next: ``begin(_:_:number:effect:)`` follows.
  mutating func ended(_ token: UInt64) -> (token: UInt64, submission: Submission)? {
    taps.removeAll { $0.token == token }
    guard let next = flight.ended(token), case .queued(let submission) = stage(of: next) else { return nil }
    return (next, submission)
  }

  /// The form is reset. Returns what is given up: runs, then taps that waited for checks, then one that was delayed.
  mutating func reset() -> (runs: [Tap], waiting: [UInt64]) {
    let runs = taps.filter { !$0.stage.isHeld }
    let waiting = heldTokens + (delay?.held.map { [$0] } ?? [])
    delay?.cancel()
    _ = flight.cancelAll()
    taps = []
    return (runs, waiting)
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
  /// Whether another try could end better: the service was out of reach, or said that it is for now.
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
  /// Whether what a database says of a statement could be otherwise later: it was in the way of another one, or lacked something. What is
  /// wrong with the statement or its values stays wrong.
  private static func isOfTheMoment(_ sqlState: String) -> Bool {
    // Connection, rollback (serialization, deadlock), resources, an operator's doing; a lock that others have.
    ["08", "40", "53", "57"].contains(sqlState.prefix(2)) || sqlState == "55P03"
  }
}

extension Action.Retry {
  /// The pause before the try with that number (0: the first repetition): `delay` times `factor` to that power, at most
  /// `maxDelay`.
  func pause(beforeTry number: Int) -> Duration {
    var pause = delay
    for _ in 0..<number where pause < delayMax { pause = pause * factor }
    return min(pause, delayMax)
  }
}
