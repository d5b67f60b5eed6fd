public import Times

/// Lets at most one signal through per interval.
///
/// With the leading edge, the first signal passes and opens a window. With the trailing edge, the last signal within a
/// window passes at its end and opens the next window. With both edges, the last signal is never lost. (RxJS
/// `throttleTime` with `leading`/`trailing`; RxSwift's `throttle(latest: true)` is both edges.)
public struct Throttle: Sendable, Hashable {
  /// Which ends of a window let a signal through.
  public enum Edges: String, Sendable, CaseIterable {
    /// The first input of an interval counts, the last one, or both.
    case leading, trailing, both
  }

  /// The effect of a signal.
  public enum Decision: Sendable, Hashable {
    /// It passes now.
    case pass
    /// It waits for the end of the window. An earlier waiting signal is given up.
    case hold
    /// It is given up.
    case drop
  }

  private enum State: Sendable, Hashable {
    /// No window is open. A signal leads to `open`, or without a leading edge to `holding`.
    case idle
    /// A window is open. Its end leads to `idle`. A signal leads to `holding` if there is a trailing edge.
    case open(until: Instant)
    /// A signal waits for the end of the window, which opens the next window. A flush leads back to `open`.
    case holding(until: Instant)
  }

  /// The length of a window.
  public let interval: Duration
  /// Which ends of a window let a signal through.
  public let edges: Edges
  private var state = State.idle

  /// No window is open.
  public init(interval: Duration, edges: Edges) {
    self.interval = interval
    self.edges = edges
  }

  /// When the open window ends, or nil while none is open.
  public var deadline: Instant? {
    switch state {
    case .idle: nil
    case .open(let end), .holding(let end): end
    }
  }

  /// Whether a signal waits for the end of the window.
  public var isHolding: Bool {
    if case .holding = state { true } else { false }
  }

  /// A signal came. A window whose deadline is not later than `now` must have been ended before.
  public mutating func signal(at now: Instant) -> Decision {
    switch (state, edges) {
    case (.idle, .trailing):
      state = .holding(until: now + interval)
      return .hold
    case (.idle, .leading), (.idle, .both):
      state = .open(until: now + interval)
      return .pass
    case (.open, .leading), (.holding, .leading):
      return .drop
    case (.open(let end), .trailing), (.open(let end), .both):
      state = .holding(until: end)
      return .hold
    case (.holding, .trailing), (.holding, .both):
      return .hold
    }
  }

  /// The deadline came. Returns whether the held signal passes now. If so, it opens the next window.
  public mutating func deadlineReached(at now: Instant) -> Bool {
    switch state {
    case .idle: return false
    case .open:
      state = .idle
      return false
    case .holding:
      state = .open(until: now + interval)
      return true
    }
  }

  /// Lets the held signal through at once (a flush). Returns whether there was one. The window does not change.
  public mutating func flush() -> Bool {
    guard case .holding(let end) = state else { return false }
    state = .open(until: end)
    return true
  }

  /// Closes the window, and gives up its held signal.
  public mutating func cancel() {
    state = .idle
  }
}
