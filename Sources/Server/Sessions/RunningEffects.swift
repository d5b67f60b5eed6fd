internal import Sessions

/// The effects of one session that are under way, with what cancels them.
struct RunningEffects {
  private var runs: [(effect: EffectID, cancel: () -> Void)] = []

  /// An effect was started.
  mutating func add(_ effect: EffectID, cancel: @escaping () -> Void) {
    runs.append((effect, cancel))
  }

  /// The effect has ended.
  mutating func remove(_ effect: EffectID) {
    _ = take(effect)
  }

  /// Nobody waits for the effect any more.
  mutating func cancel(_ effect: EffectID) {
    take(effect)?()
  }

  mutating func cancelAll() {
    let all = runs
    runs = []
    for run in all { run.cancel() }
  }

  private mutating func take(_ effect: EffectID) -> (() -> Void)? {
    guard let position = runs.firstIndex(where: { $0.effect == effect }) else { return nil }
    let cancel = runs.remove(at: position).cancel
    // An array keeps its memory; a quiet session holds none.
    if runs.isEmpty { runs = [] }
    return cancel
  }
}
