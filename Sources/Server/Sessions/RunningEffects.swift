internal import Sessions
internal import Times

/// The effects of one session that are under way.
struct RunningEffects {
  /// An effect that is under way.
  struct Run {
    fileprivate let effect: EffectID
    /// The service, database or provider that was asked.
    let target: EffectTarget
    /// When it was asked.
    let start: Instant
    /// Cancels it.
    let cancel: CancelEffect
  }

  private var runs: [Run] = []

  /// An effect was started.
  mutating func add(_ effect: Effect, at now: Instant, cancel: @escaping CancelEffect) {
    runs.append(Run(effect: effect.id, target: effect.request.target, start: now, cancel: cancel))
  }

  /// Takes all out. The caller must cancel them afterwards, because a cancellation may lead back here.
  mutating func takeAll() -> [Run] {
    defer { runs = [] }
    return runs
  }

  /// Takes out an effect that has ended, or that was given up; nil when it is not under way.
  mutating func take(_ effect: EffectID) -> Run? {
    guard let position = runs.firstIndex(where: { $0.effect == effect }) else { return nil }
    let run = runs.remove(at: position)
    // An array keeps its memory, but a quiet session must hold none.
    if runs.isEmpty { runs = [] }
    return run
  }
}

/// The asked service, database or provider, as the log names it.
struct EffectTarget: Hashable {
  /// `service`, `database` or `provider`.
  var part: String
  /// Its name in the form and in the configuration.
  var name: String
}

extension EffectRequest {
  fileprivate var target: EffectTarget {
    switch self {
    case .http(let request): EffectTarget(part: "service", name: request.service)
    case .sql(let request): EffectTarget(part: "database", name: request.database)
    case .provider(let request): EffectTarget(part: "provider", name: request.name)
    }
  }
}
