internal import Sessions

/// The effects of one session that are under way, with what cancels them.
struct RunningEffects {
  private var runs: [(effect: EffectID, cancel: () -> Void)] = []

  /// An effect was started.
  mutating func add(_ effect: EffectID, cancel: @escaping () -> Void) {
    runs.append((effect, cancel))
  }

  /// Takes all out.
  ///
  /// - Returns: what cancels them; to be called afterwards, since it may lead back here.
  mutating func takeAll() -> [() -> Void] {
    defer { runs = [] }
    return runs.map(\.cancel)
  }

  /// Takes out an effect that has ended, or that nobody waits for any more.
  ///
  /// - Returns: what cancels it; nil when it is not under way.
  mutating func take(_ effect: EffectID) -> (() -> Void)? {
    guard let position = runs.firstIndex(where: { $0.effect == effect }) else { return nil }
    let cancel = runs.remove(at: position).cancel
    // An array keeps its memory; a quiet session holds none.
    if runs.isEmpty { runs = [] }
    return cancel
  }
}
