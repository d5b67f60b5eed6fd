/// Whether a store can be written, and when a store that is away is tried again. A value.
struct Availability {
  private var state = StoreState.well
  private var nextTry = ContinuousClock.now
  private let retryInterval: Duration
  private let onStateChange: @Sendable (StoreState) -> Void

  init(retryInterval: Duration, _ onStateChange: @escaping @Sendable (StoreState) -> Void) {
    self.retryInterval = retryInterval
    self.onStateChange = onStateChange
  }

  /// The reason why the store is away; nil: it is well, as far as is known.
  var failure: StoreFailure? { if case .away(let failure) = state { failure } else { nil } }

  /// The time until a store that is away is to be tried again; nil: it is well, as far as is known.
  var timeToTry: Duration? { state == .well ? nil : max(.zero, ContinuousClock.now.duration(to: nextTry)) }

  /// The store is tried now, and not again at once.
  mutating func tries() { nextTry = .now + retryInterval }

  mutating func change(to new: StoreState) {
    tries()
    if new == state { return }
    state = new
    onStateChange(new)
  }
}
