internal import Forms
internal import JSON

/// The part of a session that most sessions of simple forms do not need before their first tap: timers, runs, checks, and values
/// of their own.
final class SessionExtras {
  /// All pending deadlines.
  var timers = TimerList()
  /// Effects whose answers are wanted, oldest first.
  var inFlight: [(id: EffectID, owner: EffectOwner)] = []
  /// The number of the last effect.
  var lastEffect: UInt64 = 0
  /// The number of the last tap.
  var lastToken: UInt64 = 0
  /// By check address.
  var checks: [CheckState]
  /// By action address.
  var actions: [ActionRuntime]
  /// By field address: throttle or debounce and what they hold back.
  var timings: [Int: FieldTiming] = [:]
  /// Initial values that are not the form's; of a field with fields below it as ``FieldState/value`` has them.
  var initialValues: [Int: JSON?] = [:]
  /// The top-level members that are no fields, as they are now and as they were initially; each nil without any.
  var others: (now: JSONObject?, initial: JSONObject?) = (nil, nil)
  /// By field address: errors of outcomes, each with its action; until the value changes or the action runs again.
  var serverErrors: [Int: [(action: Int, error: FieldError)]] = [:]
  /// By rule address: messages that formulas made.
  var ruleMessages: [Int: String] = [:]
  /// By part address: the errors of an object-level keyword, each with its field (-1: the form).
  var partErrors: [Int: [(field: Int, error: FieldError)]] = [:]
  /// The cells that the client watches; nil means all.
  var watched: [Bool]?

  init(form: Form) {
    checks = form.checks.map { _ in CheckState() }
    actions = form.actions.map(ActionRuntime.init)
  }
}

/// Who waits for an effect.
enum EffectOwner: Equatable {
  case check(Int)
  /// A run of an action, named by its tap.
  case run(action: Int, token: UInt64)
}

/// The throttle or debounce of a field, with the changes that it holds back.
struct FieldTiming {
  var throttle: Throttle?
  var debounce: Debounce?
  /// The changes that are held back, in order. They take effect together.
  private(set) var held: [HeldChange] = []
  /// Their bytes together, by ``Session/heldBytes(of:)``.
  private(set) var heldBytes = 0

  typealias HeldChange = (change: FieldChange, origin: Origin, isComposing: Bool)

  init(_ timing: Field.Timing) {
    switch timing {
    case .throttle(let interval): throttle = Throttle(interval: interval, edges: .both)
    case .debounce(let interval): debounce = Debounce(interval: interval)
    }
  }

  var deadline: Instant? { throttle?.deadline ?? debounce?.deadline }

  /// Holds a change back, behind those that are held already.
  mutating func hold(_ change: HeldChange, bytes: Int) {
    held.append(change)
    heldBytes += bytes
  }

  /// Forgets the changes that are held back. Returns their bytes.
  mutating func forgetHeld() -> Int {
    guard !held.isEmpty else { return 0 }
    defer { heldBytes = 0 }
    held = []
    return heldBytes
  }

  /// A change has come in. Returns whether it takes effect now.
  mutating func signal(at now: Instant) -> Bool {
    if throttle != nil { return throttle!.signal(at: now) == .pass }
    debounce!.signal(at: now)
    return false
  }
}

/// Where an asynchronous check stands.
struct CheckState {
  /// What a finished check says.
  enum Verdict {
    case valid
    case invalid(FieldError)
    /// The service failed; the error that `onFailure` leaves, if any. The next tap tries again.
    case failed(FieldError?)
  }

  /// An answer that is used again when the request comes again.
  struct CachedAnswer {
    let key: JSON
    let verdict: Verdict

    /// What it counts for in ``Session/computedBytes``.
    var bytes: Int {
      guard case .invalid(.detailed(let detail)) = verdict else { return key.approximateBytes }
      return key.approximateBytes + detail.message.utf8.count + JSON.object(detail.parameters).approximateBytes
    }
  }

  enum Phase {
    /// It does not apply, or has not run.
    case idle
    /// It waits for the end of its debounce.
    case waiting
    case running(EffectID)
    case settled(Verdict)
  }

  var phase = Phase.idle
  /// The resolved request that the phase is about; nil while idle.
  var request: EffectRequest?
  /// `request`, comparable.
  var key: JSON?
  /// The verdict from a snapshot; the first computation uses it up.
  var restored: (key: JSON, verdict: Verdict)?
  /// A tap has asked for it: it runs though nobody has touched its field. Until reset.
  var isWanted = false
  /// Answers that are kept, oldest first. Never failures.
  var cache: [CachedAnswer] = []

  /// What the answers count for in ``Session/computedBytes``.
  var cachedBytes: Int { cache.reduce(0) { $0 + $1.bytes } }

  /// The error that the failure of its service has left. A check whose arguments have a run-time error could ask nobody.
  var failure: FieldError? {
    if request != nil, case .settled(.failed(let error)) = phase { error } else { nil }
  }

  var isPending: Bool {
    switch phase {
    case .waiting, .running: true
    case .idle, .settled: false
    }
  }
}

/// An action's throttle or debounce, its runs, and its taps that wait.
struct ActionRuntime {
  var throttle: Throttle?
  var debounce: Debounce?
  /// Runs are named by the tap that asked for them.
  var flight: Flight<UInt64>
  var runs: [UInt64: RunState] = [:]
  /// The tap that the throttle or debounce holds back.
  var delayedTap: UInt64?
  /// Taps that wait for checks, oldest first.
  var heldTaps: [UInt64] = []

  init(_ action: Action) {
    throttle = action.throttle.map {
      Throttle(interval: $0.interval, edges: Throttle.Edges(rawValue: $0.edges) ?? .leading)
    }
    debounce = action.debounce.map(Debounce.init(interval:))
    flight = Flight(policy: Flight.Policy(rawValue: action.flight) ?? .drop)
  }
}

/// One run of an action.
struct RunState {
  /// Its number; nil while it waits for its turn.
  var number: Int?
  /// Resolved at the tap.
  var request: EffectRequest?
  /// Tries that have ended.
  var attempt = 0
  var effect: EffectID?
  /// The values at the tap of the fields that an outcome may give errors to.
  var submitted: [Int: JSON?] = [:]
  /// About the bytes of `request` and `submitted`.
  var bytes = 0
}
