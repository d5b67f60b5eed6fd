public import Times

/// Lets a signal through once no other signal has come for the interval: only the last of a burst passes. (RxJS
/// `debounceTime`.)
public struct Debounce: Sendable, Hashable {
  /// The time without signals after which a signal passes.
  public let interval: Duration
  /// When the waiting signal passes, or nil while none waits.
  public private(set) var deadline: Instant?

  /// Nothing waits.
  public init(interval: Duration) {
    self.interval = interval
  }

  /// A signal came. It waits from now on, and an earlier waiting signal is given up.
  public mutating func signal(at now: Instant) {
    deadline = now + interval
  }

  /// The deadline came. Returns whether a signal passes now.
  public mutating func deadlineReached(at now: Instant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    return true
  }

  /// Lets the waiting signal through at once. Returns whether there was one.
  public mutating func flush() -> Bool {
    defer { deadline = nil }
    return deadline != nil
  }

  /// Gives up the waiting signal.
  public mutating func cancel() {
    deadline = nil
  }
}
