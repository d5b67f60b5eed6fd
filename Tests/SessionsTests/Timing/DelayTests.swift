import JSON
import Testing
internal import Times

@testable import Sessions

@Suite struct `What a throttle or debounce holds back` {
  enum Rule: CaseIterable {
    case leading, trailing, both, debounce

    var delay: Delay<String> {
      switch self {
      case .leading: Delay(Throttle(interval: .milliseconds(40), edges: .leading))
      case .trailing: Delay(Throttle(interval: .milliseconds(40), edges: .trailing))
      case .both: Delay(Throttle(interval: .milliseconds(40), edges: .both))
      case .debounce: Delay(Debounce(interval: .milliseconds(40)))
      }
    }
  }

  /// `a`, `b` and `c` come at 0, 10 and 20 ms. A value that passes is written with its time, and a value that is given
  /// up in brackets.
  private func story(_ rule: Rule) -> String {
    var delay = rule.delay
    var story: [String] = []
    for (tick, name) in ["a", "b", "c"].enumerated() {
      let now = Instant.milliseconds(Int64(tick) * 10)
      if delay.passed(at: now) {
        story.append("\(name)@\(tick * 10)")
        continue
      }
      switch delay.hold(name, at: now) {
      case .held(let earlier): if let earlier { story.append("(\(earlier))") }
      case .dropped: story.append("(\(name))")
      }
    }
    while let deadline = delay.deadline {
      if let passing = delay.deadlineReached(at: deadline) {
        story.append("\(passing)@\(deadline.nanoseconds / 1_000_000)")
      }
    }
    return story.joined(separator: " ")
  }

  @Test(arguments: [
    (Rule.leading, "a@0 (b) (c)"), (.trailing, "(a) (b) c@40"), (.both, "a@0 (b) c@40"), (.debounce, "(a) (b) c@60"),
  ])
  func `of three signals in a row`(_ rule: Rule, _ expected: String) {
    #expect(story(rule) == expected)
  }

  @Test(arguments: Rule.allCases)
  func `a signal is held exactly as long as something will let it through`(_ rule: Rule) {
    var delay = rule.delay
    if !delay.passed(at: .milliseconds(0)) { delay.hold("a", at: .milliseconds(0)) }
    delay.hold("b", at: .milliseconds(1))
    #expect((delay.held == "b") == (rule != .leading) && delay.deadline != nil)
    let flushed = delay.flush()
    #expect((flushed == "b") == (rule != .leading) && delay.held == nil)
    let late = delay.deadline.flatMap { delay.deadlineReached(at: $0) }
    #expect(late == nil)
  }

  @Test(arguments: Rule.allCases)
  func `what is cancelled never passes, and closes nothing`(_ rule: Rule) {
    var delay = rule.delay
    delay.hold("a", at: .milliseconds(0))
    delay.cancel()
    #expect(delay.held == nil && delay.deadline == nil && delay.isOpen == (rule == .leading || rule == .both))
  }

  @Test func `a window is opened once, and by nothing but a signal that passes`() {
    var delay = Rule.leading.delay
    let first = delay.passed(at: .milliseconds(0))
    let second = delay.passed(at: .milliseconds(10))
    var debounce = Rule.debounce.delay
    let never = debounce.passed(at: .milliseconds(0))
    #expect(first && !second && delay.deadline == .milliseconds(40) && !never)
  }

  // MARK: Changes of a field

  private func change(_ path: [String], _ origin: Origin) -> HeldChanges.Change {
    (FieldChange(field: 0, path: path, value: 1), origin, false, .nobody)
  }

  @Test func `a whole value of the user replaces what was held before, and parts come behind it`() {
    var held = HeldChanges()
    var isOverfull = false
    for (path, origin) in [(["a"], Origin.user), ([], .program), ([], .user), (["b"], .user)] {
      isOverfull = held.append(change(path, origin), bytes: 10) || isOverfull
    }
    #expect(held.all.map(\.change.path) == [[], ["b"]] && held.bytes == 20 && !isOverfull)
  }

  @Test func `a part too many takes all to their effect, a whole value too many replaces them`() {
    var held = HeldChanges()
    for _ in 0..<64 { _ = held.append(change(["-"], .user), bytes: 1) }
    var whole = held
    let isOverfull = held.append(change(["-"], .user), bytes: 1)
    let isWholeOverfull = whole.append(change([], .program), bytes: 1)
    #expect(isOverfull && held.all.count == 65 && held.bytes == 65)
    #expect(!isWholeOverfull && whole.all.count == 1 && whole.bytes == 1)
  }
}
