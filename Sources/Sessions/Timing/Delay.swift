/// A throttle or debounce together with what it holds back: a tap, or changes of a field's value.
struct Delay<Held> {
  /// What becomes of a signal that does not pass at once.
  enum Outcome {
    /// It waits, and the one that waited before it is given up.
    case held(insteadOf: Held?)
    /// It is given up itself.
    case dropped
  }

  private enum Rule {
    case throttle(Throttle)
    case debounce(Debounce)
  }

  private var rule: Rule
  /// The signal that waits; there is one as long as the rule holds one.
  private(set) var held: Held?

  init(_ throttle: Throttle) { rule = .throttle(throttle) }

  init(_ debounce: Debounce) { rule = .debounce(debounce) }

  /// Changes the signal that waits, and not for how long.
  mutating func changeHeld(_ change: (inout Held) -> Void) {
    if var held {
      change(&held)
      self.held = held
    }
  }

  /// When something happens by itself next: a window ends, or what waits passes.
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

  /// A signal has passed. It opens a window, unless one is open or signals pass at its end only. Returns whether it did.
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

  /// The deadline came. Returns what passes now.
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

  /// Lets through at once what waits, and returns it. A window stays as it is.
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

  /// Forgets the window, and gives up what waits.
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
