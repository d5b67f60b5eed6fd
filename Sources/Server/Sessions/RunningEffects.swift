internal import Sessions

/// The effects of one session that are under way.
struct RunningEffects {
  /// One of them.
  struct Run {
    fileprivate let effect: EffectID
    /// Who was asked, for the log.
    let target: String
    /// Cancels it.
    let cancel: () -> Void
  }

  private var runs: [Run] = []

  /// An effect was started.
  mutating func add(_ effect: Effect, cancel: @escaping () -> Void) {
    runs.append(Run(effect: effect.id, target: effect.request.target, cancel: cancel))
  }

  /// Takes all out. What cancels them is to be called afterwards, since it may lead back here.
  mutating func takeAll() -> [Run] {
    defer { runs = [] }
    return runs
  }

  /// Takes out an effect that has ended, or that nobody waits for any more; nil when it is not under way.
  mutating func take(_ effect: EffectID) -> Run? {
    guard let position = runs.firstIndex(where: { $0.effect == effect }) else { return nil }
    let run = runs.remove(at: position)
    // An array keeps its memory; a quiet session holds none.
    if runs.isEmpty { runs = [] }
    return run
  }
}

extension EffectRequest {
  /// Who is asked, as the configuration calls them.
  fileprivate var target: String {
    switch self {
    case .http(let request): "service \(request.service)"
    case .sql(let request): "database \(request.database)"
    case .provider(let request): "provider \(request.name)"
    }
  }
}
