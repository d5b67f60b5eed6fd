/// Lets a signal through once no other has come for the interval: only the last of a burst passes. (RxJS `debounceTime`.)
public struct Debounce: Sendable, Hashable {
  /// How long it must be quiet.
  public let interval: Duration
  /// When the waiting signal passes; nil while none waits.
  public private(set) var deadline: Instant?

  /// Nothing waits.
  public init(interval: Duration) {
    self.interval = interval
  }

  /// A signal came; it waits from now on, and one that waited is given up.
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
