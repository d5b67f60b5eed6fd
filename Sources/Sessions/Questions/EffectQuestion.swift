internal import JSON

/// What a check or a lookup asks: a request that can be compared with another.
struct EffectQuestion {
  let request: EffectRequest
  /// The request, comparable.
  let key: JSON

  init(_ request: EffectRequest) {
    self.request = request
    key = request.comparable
  }
}
