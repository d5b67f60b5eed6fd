internal import JSON

/// The inquiry of a check or a lookup: a request that can be compared with another.
struct Inquiry {
  let request: EffectRequest
  /// The request, comparable.
  let key: JSON

  init(_ request: EffectRequest) {
    self.request = request
    key = request.comparable
  }
}
