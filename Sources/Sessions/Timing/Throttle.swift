/// Lets at most one signal through per interval.
///
/// With the leading edge the first signal passes and opens a window; with the trailing edge the last signal that came within a
/// window passes at its end and opens the next one. Both together lose no last signal. (RxJS `throttleTime` with
/// `leading`/`trailing`; RxSwift's `throttle(latest: true)` is both edges.)
public struct Throttle: Sendable, Hashable {
  /// Which ends of a window let a signal through.
  public enum Edges: String, Sendable, CaseIterable {
    /// The first input of an interval counts, the last one, or both.
    case leading, trailing, both
  }

  /// What becomes of a signal.
  public enum Decision: Sendable, Hashable {
    /// It passes now.
    case pass
    /// It waits for the end of the window; an earlier one that waited is given up.
    case hold
    /// It is given up.
    case drop
  }

  private enum State: Sendable, Hashable {
    /// No window is open. A signal leads to `open`, without a leading edge to `holding`.
    case idle
    /// A window is open. Its end leads to `idle`, a signal to `holding` where there is a trailing edge.
    case open(until: Instant)
    /// A signal waits for the end of the window, which opens the next one; a flush leads back to `open`.
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

  /// When the open window ends; nil while none is open.
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

  /// The deadline came. Returns whether the held signal passes now; it then opens the next window.
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

  /// Lets the held signal through at once (a flush). Returns whether there was one; the window stays as it is.
  public mutating func flush() -> Bool {
    guard case .holding(let end) = state else { return false }
    state = .open(until: end)
    return true
  }

  /// Forgets the window and what it held.
  public mutating func cancel() {
    state = .idle
  }
}
