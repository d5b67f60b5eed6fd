internal import Sessions

/// A call to a provider that has no answer yet. Its holder may change.
struct OpenProviderCall {
  /// The session that asks, and the effect for which it asks.
  let session: LiveSession
  let effect: EffectID
  var request: EffectRequest.ProviderRequest
  /// Whether another holder of the name may be asked when the first has gone. A check or a lookup only asks. The work
  /// of an action may be done already; with its key the next holder can tell.
  let mayBeRepeated: Bool
  /// Wakes up when the configuration's time is over, which counts from the first asking; nil if the configuration sets
  /// none.
  var timer: TimerQueue.Ticket?

  init(_ request: EffectRequest.ProviderRequest, for effect: Effect, of session: LiveSession) {
    self.session = session
    self.effect = effect.id
    self.request = request
    mayBeRepeated = effect.onlyAsks || request.idempotencyKey != nil
  }
}
