internal import Actions
internal import NIOCore
internal import Server
internal import Sessions

/// The performer of effects that is in force. A reload replaces it, and the old performer ends with the last of its
/// effects. Used on one event loop only.
final class CurrentPerformer {
  /// A performer, and its effects that are under way.
  private final class InUse {
    let running: RunningPerformer
    var effects = 0
    /// Whether another performer has replaced it.
    var isReplaced = false

    init(_ running: RunningPerformer) {
      self.running = running
    }
  }

  private var current: InUse
  /// Replaced performers with effects under way.
  private var replaced: [InUse] = []

  init(_ performer: RunningPerformer) {
    current = InUse(performer)
  }

  /// Performs an effect, as ``EffectPerformer`` says.
  ///
  /// - Returns: cancels the effect.
  func perform(
    _ effect: Effect,
    for client: Int,
    on loop: any EventLoop,
    completion: @escaping (EffectResponse) -> Void
  ) -> CancelEffect {
    let performer = current
    performer.effects += 1
    let started = performer.running.performer.perform(effect, for: client, on: loop) { [self] response in
      effectEnded(performer)
      completion(response)
    }
    return { [self] isLate in
      guard started.isUnderWay else { return }
      started.cancel(isLate: isLate)
      effectEnded(performer)
    }
  }

  /// Effects that start from now on have another performer.
  func replace(with performer: RunningPerformer) {
    let old = current
    current = InUse(performer)
    old.isReplaced = true
    replaced.append(old)
    endIfUnused(old)
  }

  /// Takes all performers that have not ended. The caller ends them, and starts no more effects.
  func takeAll() -> [RunningPerformer] {
    defer { replaced = [] }
    return ([current] + replaced).map(\.running)
  }

  /// The number of services that are not asked now because they have failed too often.
  var openBreakers: Int { current.running.performer.openBreakers }

  private func effectEnded(_ performer: InUse) {
    performer.effects -= 1
    if performer.isReplaced { endIfUnused(performer) }
  }

  private func endIfUnused(_ performer: InUse) {
    guard performer.effects == 0, let index = replaced.firstIndex(where: { $0 === performer }) else { return }
    replaced.remove(at: index)
    let running = performer.running
    Task { await running.shutdown() }
  }
}
