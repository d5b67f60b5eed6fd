import Forms
import Testing
internal import Times

@testable import Sessions

@Suite struct `Lists of deadlines, errors and stale nodes` {
  @Test func `the earliest deadline comes first, of equal ones the one that was set first`() {
    var timers = TimerList()
    timers.set(.field(row: 0, field: 1), to: .milliseconds(20))
    timers.set(.field(row: 0, field: 2), to: .milliseconds(10))
    timers.set(.debounce(row: 0, of: .check(0)), to: .milliseconds(10))
    #expect(timers.deadline == .milliseconds(10))
    var due: [TimerList.Kind] = []
    while let kind = timers.popDue(at: .milliseconds(15)) { due.append(kind) }
    #expect(due == [.field(row: 0, field: 2), .debounce(row: 0, of: .check(0))])
    #expect(timers.kinds == [.field(row: 0, field: 1)] && timers.deadline == .milliseconds(20))
  }

  @Test func `a deadline is set once per kind, moved and taken away`() {
    var timers = TimerList()
    timers.set(.actionDelay(0), to: .milliseconds(10))
    timers.set(.actionDelay(0), to: .milliseconds(30))
    let early = timers.popDue(at: .milliseconds(20))
    #expect(early == nil && timers.kinds.count == 1)
    timers.set(.actionDelay(0), to: nil)
    #expect(timers.deadline == nil)
    timers.set(.effect(EffectID(rawValue: 1)), to: .milliseconds(1))
    timers.removeAll(but: EffectsUnderWay())
    #expect(timers.deadline == nil && timers.kinds.isEmpty)
  }

  @Test(arguments: [10, 64, 65, 4_096, 4_097, 10_000])
  func `stale nodes come out in ascending order, each once`(_ count: Int) {
    var dirty = StaleNodes()
    dirty.reserve(count)
    var wanted: Set<Int> = []
    for step in 0..<min(count, 500) {
      let node = (step * 7_919) % count
      dirty.insert(Int32(node))
      dirty.insert(Int32(node))
      wanted.insert(node)
    }
    var found: [Int] = []
    while let node = dirty.popLowest() { found.append(node) }
    #expect(found == wanted.sorted())
    let more = dirty.popLowest()
    #expect(more == nil)
  }

  @Test func `a node that is marked while others are taken comes out at its place, even before them`() {
    var dirty = StaleNodes()
    dirty.reserve(9_000)
    for node: Int32 in [8_000, 500] { dirty.insert(node) }
    var found: [Int] = []
    if let node = dirty.popLowest() { found.append(node) }
    for node: Int32 in [600, 3] { dirty.insert(node) }
    while let node = dirty.popLowest() { found.append(node) }
    #expect(found == [500, 3, 600, 8_000])
  }

  @Test func `nodes are marked as many as there are in a word, too`() {
    var dirty = StaleNodes()
    dirty.reserve(200)
    dirty.insert(0b101, inWord: 3)
    dirty.insert(1 << 63, inWord: 0)
    dirty.insert(193)
    var found: [Int] = []
    while let node = dirty.popLowest() { found.append(node) }
    #expect(found == [63, 192, 193, 194])
  }

  private func error(_ code: String) -> FieldError {
    .detailed(ErrorDetail(code: code, path: "/a", severity: .error, source: .rule, message: code))
  }

  @Test func `errors keep their order, and none and one are lists like any other`() {
    var list = ErrorList.none
    #expect(list.isEmpty && list.count == 0 && list.all.isEmpty)
    for (index, code) in ["a", "b", "c"].enumerated() {
      list.append(error(code))
      #expect(list.count == index + 1 && !list.isEmpty)
    }
    var other = ErrorList.none
    other.append(error("d"))
    #expect(list.all == [error("a"), error("b"), error("c")])
    #expect(list.contains { $0 == error("b") } && !list.contains { $0 == error("d") })
    #expect(list != other && ErrorList.none != list)
  }
}
