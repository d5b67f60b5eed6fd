internal import Sessions

/// A question to a provider that has no answer yet, whoever is asked.
struct OpenQuestion {
  /// The session that asks, and for which of its effects.
  let session: LiveSession
  let effect: EffectID
  /// What is asked, and of which provider.
  var request: EffectRequest.ProviderRequest
  /// Whether another holder of the name may be asked when the one that was asked has gone. A check or a lookup only asks. What an action asks
  /// for may have been done; with its key the next one can tell.
  let mayBeRepeated: Bool
  /// Wakes up when the configuration's patience is over, which counts from the first asking; nil where the configuration bounds nothing.
  var timer: TimerQueue.Ticket?

  /// What that effect asks.
  init(_ request: EffectRequest.ProviderRequest, for effect: Effect, of session: LiveSession) {
    self.session = session
    self.effect = effect.id
    self.request = request
    mayBeRepeated = effect.onlyAsks || request.idempotencyKey != nil
  }
}
