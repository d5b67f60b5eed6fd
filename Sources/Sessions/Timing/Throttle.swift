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

  /// The length of a window.
  public let interval: Duration
  /// Which ends of a window let a signal through.
  public let edges: Edges
  /// When the open window ends; nil while none is open.
  public private(set) var deadline: Instant?
  /// Whether a signal waits for the end of the window. Only while one is open.
  public private(set) var isHolding = false

  /// No window is open.
  public init(interval: Duration, edges: Edges) {
    self.interval = interval
    self.edges = edges
  }

  /// A signal came. A window whose deadline is not later than `now` must have been ended before.
  public mutating func signal(at now: Instant) -> Decision {
    if deadline == nil {
      deadline = now + interval
      if edges == .trailing {
        isHolding = true
        return .hold
      }
      return .pass
    }
    if edges == .leading { return .drop }
    isHolding = true
    return .hold
  }

  /// The deadline came. Returns whether the held signal passes now; it then opens the next window.
  public mutating func deadlineReached(at now: Instant) -> Bool {
    guard deadline != nil else { return false }
    if isHolding {
      isHolding = false
      deadline = now + interval
      return true
    }
    deadline = nil
    return false
  }

  /// Lets the held signal through at once (a flush). Returns whether there was one; the window stays as it is.
  public mutating func flush() -> Bool {
    defer { isHolding = false }
    return isHolding
  }

  /// Forgets the window and what it held.
  public mutating func cancel() {
    deadline = nil
    isHolding = false
  }
}
