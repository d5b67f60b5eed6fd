internal import Sessions
internal import Times

/// The effects of one session that are under way.
struct RunningEffects {
  private var effects: [RunningEffect] = []

  mutating func add(_ effect: Effect, at now: Instant, cancel: @escaping CancelEffect) {
    effects.append(RunningEffect(effect: effect.id, target: effect.request.target, start: now, cancel: cancel))
  }

  /// Takes all out. The caller must cancel them afterwards, because a cancellation may lead back here.
  mutating func takeAll() -> [RunningEffect] {
    defer { effects = [] }
    return effects
  }

  /// Takes out an effect that has ended, or that was given up; nil when it is not under way.
  mutating func take(_ effect: EffectID) -> RunningEffect? {
    guard let position = effects.firstIndex(where: { $0.effect == effect }) else { return nil }
    let running = effects.remove(at: position)
    // An array keeps its memory, but a quiet session must hold none.
    if effects.isEmpty { effects = [] }
    return running
  }
}

/// An effect that is under way.
struct RunningEffect {
  fileprivate let effect: EffectID
  /// The service, database or provider that was asked.
  let target: EffectTarget
  /// When it was asked.
  let start: Instant
  let cancel: CancelEffect
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
