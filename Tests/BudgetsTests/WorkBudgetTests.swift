internal import Budgets
import Formats
import Testing

@Suite struct `A budget of work` {
  @Test func `is spent to the last unit, and then for good`() {
    var budget = WorkBudget(units: 5_000)
    let within = [4_999, 1, 0].map { budget.spend($0) }
    #expect(within == [true, true, true])
    #expect(budget.unitsLeft == 0 && !budget.isSpent)
    let beyond = [1, 0].map { budget.spend($0) }
    #expect(beyond == [false, false])
    #expect(budget.unitsLeft == 0 && budget.isSpent)
  }

  @Test(arguments: [1, 1_025, 1_000_000, Int.max])
  func `is spent by what costs more than is left`(units: Int) {
    var budget = WorkBudget(units: 0)
    let isEnough = budget.spend(units)
    #expect(!isEnough && budget.isSpent)
  }

  @Test func `begins anew when it is refilled`() {
    var budget = WorkBudget(units: 10)
    var isEnough = budget.spend(11)
    #expect(!isEnough)
    budget.refill(units: 3_000)
    #expect(budget.unitsLeft == 3_000)
    isEnough = budget.spend(3_000)
    #expect(isEnough)
  }

  @Test func `ends when its CPU time is up, however many units are left`() {
    var now = Duration.seconds(7)
    var budget = WorkBudget(units: 1_000_000, net: .init(cpuTimeMax: .milliseconds(50), cpuTime: { now }))
    // Time counts from the first look on.
    var isEnough = budget.spend(WorkBudget.lookInterval + 1)
    #expect(isEnough)
    now += .milliseconds(49)
    isEnough = budget.spend(WorkBudget.lookInterval)
    #expect(isEnough)
    now += .milliseconds(1)
    isEnough = budget.spend(WorkBudget.lookInterval)
    #expect(!isEnough && budget.isSpent && budget.unitsLeft == 0)
    // The next piece of work has its own time.
    budget.refill(units: 1_000_000)
    isEnough = budget.spend(500_000)
    #expect(isEnough)
    isEnough = budget.spend(400_000)
    #expect(isEnough)
  }

  @Test func `looks at the clock once in many units, and never for little work`() {
    var looks = 0
    let clock = {
      looks += 1
      return Duration.zero
    }
    var budget = WorkBudget(units: 2_000_000, net: .init(cpuTimeMax: .milliseconds(50), cpuTime: clock))
    for _ in 0..<WorkBudget.lookInterval { _ = budget.spend(1) }
    #expect(looks == 0)
    for _ in 0..<WorkBudget.lookInterval * 10 { _ = budget.spend(1) }
    #expect((9...10).contains(looks))
  }

  @Test func `is timed by the CPU time of the thread`() {
    let before = WorkBudget.threadCPUTime()
    #expect(before >= .zero && WorkBudget.threadCPUTime() >= before)
  }
}
