internal import Sessions

/// The effects of one session that are under way.
struct RunningEffects {
  /// An effect that is under way.
  struct Run {
    fileprivate let effect: EffectID
    /// The service, database or provider that was asked; the log names it.
    let target: String
    /// Cancels it.
    let cancel: CancelEffect
  }

  private var runs: [Run] = []

  /// An effect was started.
  mutating func add(_ effect: Effect, cancel: @escaping CancelEffect) {
    runs.append(Run(effect: effect.id, target: effect.request.target, cancel: cancel))
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

extension EffectRequest {
  /// The asked service, database or provider, as the configuration names it.
  fileprivate var target: String {
    switch self {
    case .http(let request): "service \(request.service)"
    case .sql(let request): "database \(request.database)"
    case .provider(let request): "provider \(request.name)"
    }
  }
}
