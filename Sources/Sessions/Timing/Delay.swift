internal import Times

/// A throttle or debounce together with its delayed signal: a tap, or changes of a field's value.
struct Delay<Held> {
  /// The effect of a signal that does not pass at once.
  enum Outcome {
    /// It waits, and the signal that waited before it is given up.
    case held(insteadOf: Held?)
    /// It is given up itself.
    case dropped
  }

  private enum Rule {
    case throttle(Throttle)
    case debounce(Debounce)
  }

  private var rule: Rule
  /// The signal that waits. It exists as long as the rule holds a signal.
  private(set) var held: Held?

  init(_ throttle: Throttle) { rule = .throttle(throttle) }

  init(_ debounce: Debounce) { rule = .debounce(debounce) }

  /// Changes the signal that waits, but not how long it waits.
  mutating func changeHeld(_ change: (inout Held) -> Void) {
    if var held {
      change(&held)
      self.held = held
    }
  }

  /// When something happens by itself next: a window ends, or a waiting signal passes.
  var deadline: Instant? {
    switch rule {
    case .throttle(let throttle): throttle.deadline
    case .debounce(let debounce): debounce.deadline
    }
  }

  /// Whether a signal that came now would pass.
  var isOpen: Bool {
    switch rule {
    case .throttle(let throttle): throttle.deadline == nil && throttle.edges != .trailing
    case .debounce: false
    }
  }

  /// A signal has passed. It opens a window, unless one is open or signals pass only at its end. Returns whether it
  /// did.
  @discardableResult
  mutating func passed(at now: Instant) -> Bool {
    guard isOpen, case .throttle(var throttle) = rule else { return false }
    _ = throttle.signal(at: now)
    rule = .throttle(throttle)
    return true
  }

  /// A signal came that does not pass now.
  @discardableResult
  mutating func hold(_ signal: Held, at now: Instant) -> Outcome {
    // Without a window there is nothing to wait for.
    passed(at: now)
    switch rule {
    case .throttle(var throttle):
      let decision = throttle.signal(at: now)
      rule = .throttle(throttle)
      if decision == .drop { return .dropped }
    case .debounce(var debounce):
      debounce.signal(at: now)
      rule = .debounce(debounce)
    }
    defer { held = signal }
    return .held(insteadOf: held)
  }

  /// The deadline came. Returns the signal that passes now.
  mutating func deadlineReached(at now: Instant) -> Held? {
    let passes: Bool
    switch rule {
    case .throttle(var throttle):
      passes = throttle.deadlineReached(at: now)
      rule = .throttle(throttle)
    case .debounce(var debounce):
      passes = debounce.deadlineReached(at: now)
      rule = .debounce(debounce)
    }
    return passes ? held.take() : nil
  }

  /// Lets the waiting signal through at once, and returns it. An open window does not change.
  mutating func flush() -> Held? {
    switch rule {
    case .throttle(var throttle):
      _ = throttle.flush()
      rule = .throttle(throttle)
    case .debounce(var debounce):
      _ = debounce.flush()
      rule = .debounce(debounce)
    }
    return held.take()
  }

  /// Closes the window, and gives up the waiting signal.
  mutating func cancel() {
    switch rule {
    case .throttle(var throttle):
      throttle.cancel()
      rule = .throttle(throttle)
    case .debounce(var debounce):
      debounce.cancel()
      rule = .debounce(debounce)
    }
    held = nil
  }
}
