import Sessions
import Testing
internal import Times

/// Timing machines drawn as time lines: each character is 10 ms, a letter is a signal, `-` is nothing, `|` the end.
@Suite struct `Marble diagrams` {
  /// Runs a machine over the line and draws the letters that pass, at the times when they pass.
  private func draw(
    _ line: String,
    signal: (Instant) -> Throttle.Decision,
    deadline: () -> Instant?,
    reached: (Instant) -> Bool
  ) -> String {
    var drawn: [Character] = []
    var held: Character?
    for (tick, mark) in line.enumerated() {
      let now = Instant.milliseconds(Int64(tick) * 10)
      var passed: Character = "-"
      if let deadline = deadline(), deadline <= now, reached(now), let letter = held {
        passed = letter
        held = nil
      }
      if mark != "-" && mark != "|" {
        switch signal(now) {
        case .pass: passed = mark
        case .hold: held = mark
        case .drop: break
        }
      }
      drawn.append(mark == "|" ? "|" : passed)
    }
    return String(drawn)
  }

  private func throttle(_ line: String, _ edges: Throttle.Edges, ticks: Int64) -> String {
    var machine = Throttle(interval: .milliseconds(ticks * 10), edges: edges)
    return draw(
      line,
      signal: { machine.signal(at: $0) },
      deadline: { machine.deadline },
      reached: { machine.deadlineReached(at: $0) }
    )
  }

  private func debounce(_ line: String, ticks: Int64) -> String {
    var machine = Debounce(interval: .milliseconds(ticks * 10))
    return draw(
      line,
      signal: {
        machine.signal(at: $0)
        return .hold
      },
      deadline: { machine.deadline },
      reached: { machine.deadlineReached(at: $0) }
    )
  }

  @Test(arguments: [
    ("a----------|", "a----------|"),
    ("ab--c---d--|", "a---c---d--|"),
    ("abcdefghijk|", "a---e---i--|"),
    ("a---b---c--|", "a---b---c--|"),
    ("-----------|", "-----------|"),
  ])
  func `throttle at the leading edge`(_ line: String, _ expected: String) {
    #expect(throttle(line, .leading, ticks: 4) == expected)
  }

  @Test(arguments: [
    ("a----------|", "----a------|"),
    ("ab--c---d--|", "----b---c--|"),
    ("ab---------|", "----b------|"),
    ("a---------b|", "----a------|"),
  ])
  func `throttle at the trailing edge`(_ line: String, _ expected: String) {
    #expect(throttle(line, .trailing, ticks: 4) == expected)
  }

  @Test(arguments: [
    ("a----------|", "a----------|"),
    ("ab---------|", "a---b------|"),
    ("abc--------|", "a---c------|"),
    ("abc--de----|", "a---c---e--|"),
    ("ab------c--|", "a---b---c--|"),
  ])
  func `throttle at both edges loses no last signal`(_ line: String, _ expected: String) {
    #expect(throttle(line, .both, ticks: 4) == expected)
  }

  @Test(arguments: [
    ("a----------|", "---a-------|"),
    ("ab--c------|", "----b--c---|"),
    ("a--b--c----|", "---a--b--c-|"),
    ("abcdef-----|", "--------f--|"),
  ])
  func `debounce lets only the last of a burst pass`(_ line: String, _ expected: String) {
    #expect(debounce(line, ticks: 3) == expected)
  }

  @Test func `a flush lets through at once what waits, and only that`() {
    var throttle = Throttle(interval: .milliseconds(40), edges: .both)
    let first = throttle.signal(at: .milliseconds(0))
    let early = throttle.flush()
    let second = throttle.signal(at: .milliseconds(10))
    let flushed = throttle.flush()
    #expect(first == .pass && !early && second == .hold && flushed)
    #expect(!throttle.isHolding && throttle.deadline == .milliseconds(40))
    let late = throttle.deadlineReached(at: .milliseconds(40))
    #expect(!late && throttle.deadline == nil)
    var debounce = Debounce(interval: .milliseconds(40))
    let nothing = debounce.flush()
    debounce.signal(at: .milliseconds(0))
    let something = debounce.flush()
    #expect(!nothing && something && debounce.deadline == nil)
  }

  @Test func `what is cancelled never passes`() {
    var throttle = Throttle(interval: .milliseconds(40), edges: .trailing)
    _ = throttle.signal(at: .milliseconds(0))
    throttle.cancel()
    let throttled = throttle.deadlineReached(at: .milliseconds(40))
    var debounce = Debounce(interval: .milliseconds(40))
    debounce.signal(at: .milliseconds(0))
    debounce.cancel()
    let debounced = debounce.deadlineReached(at: .milliseconds(40))
    #expect(!throttled && throttle.deadline == nil && !debounced)
  }

  @Test func `an early deadline lets nothing through`() {
    var debounce = Debounce(interval: .milliseconds(40))
    debounce.signal(at: .milliseconds(0))
    let early = debounce.deadlineReached(at: .milliseconds(39))
    let due = debounce.deadlineReached(at: .milliseconds(40))
    #expect(!early && due)
  }

  // MARK: Flight

  /// Each letter starts a run of three characters. Its end is drawn as the letter. A run that is given up is drawn as
  /// `x` at the time when it is given up.
  private func fly(_ line: String, _ policy: Flight<Character>.Policy) -> String {
    var flight = Flight<Character>(policy: policy)
    var ends: [(tick: Int, run: Character)] = []
    var drawn: [Character] = []
    for (tick, mark) in line.enumerated() {
      var shown: Character = "-"
      for (_, run) in ends.filter({ $0.tick == tick }) {
        ends.removeAll { $0.run == run }
        shown = run
        if let next = flight.ended(run) { ends.append((tick + 3, next)) }
      }
      if mark != "-" && mark != "|" {
        switch flight.start(mark) {
        case .start: ends.append((tick + 3, mark))
        case .replace(let runs):
          ends.removeAll { runs.contains($0.run) }
          ends.append((tick + 3, mark))
          shown = "x"
        case .wait: break
        case .drop: shown = "x"
        }
      }
      drawn.append(mark == "|" ? "|" : shown)
    }
    return String(drawn)
  }

  @Test(arguments: [
    (Flight<Character>.Policy.drop, "ab---c--------|", "-x-a----c-----|"),
    (.latest, "ab---c--------|", "-x--b---c-----|"),
    (.merge, "ab---c--------|", "---ab---c-----|"),
    (.queue, "ab---c--------|", "---a--b--c----|"),
    (.queue, "abc-----------|", "---a--b--c----|"),
    (.latest, "abc-----------|", "-xx--c--------|"),
  ])
  func `flight`(_ policy: Flight<Character>.Policy, _ line: String, _ expected: String) {
    #expect(fly(line, policy) == expected)
  }

  @Test func `giving everything up empties a flight, oldest first`() {
    var flight = Flight<Int>(policy: .queue)
    for run in 1...3 { _ = flight.start(run) }
    #expect(!flight.isIdle)
    let given = flight.cancelAll()
    let next = flight.ended(1)
    #expect(given == [1, 2, 3] && flight.isIdle && next == nil)
  }
}
