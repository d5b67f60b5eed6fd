internal import Testing

@testable internal import Actions

@Suite struct `What clients share` {
  /// Adds work and returns the outcome: `begins`, `waits` or `refused`.
  private static func add(_ work: String, of client: Int, to queue: inout FairQueue<String>) -> String {
    switch queue.add(work, of: client) {
    case .begin: "begins"
    case .wait: "waits"
    case .refuse: "refused"
    }
  }

  @Test func `is given to one client by half at most, and to all by as much as there is`() {
    var queue = FairQueue<String>(runningMax: 8, waitingPerClientMax: 100)
    let first = (0..<10).map { Self.add("a\($0)", of: 1, to: &queue) }
    #expect(first.filter { $0 == "begins" }.count == 4)
    let second = (0..<10).map { Self.add("b\($0)", of: 2, to: &queue) }
    #expect(second.filter { $0 == "begins" }.count == 4)
    #expect(Self.add("c", of: 3, to: &queue) == "waits")
    #expect(queue.runningCount == 8)
    #expect(queue.waitingCount == 13)
  }

  @Test func `goes round: a client whose work has begun is behind the others`() {
    var queue = FairQueue<String>(runningMax: 2, waitingPerClientMax: 100)
    _ = Self.add("a0", of: 1, to: &queue)
    _ = Self.add("b0", of: 2, to: &queue)
    for work in ["a1", "a2", "a3"] { #expect(Self.add(work, of: 1, to: &queue) == "waits") }
    for work in ["b1", "b2"] { #expect(Self.add(work, of: 2, to: &queue) == "waits") }
    #expect(Self.add("c1", of: 3, to: &queue) == "waits")
    var order: [String] = []
    var running = [1, 2]
    while let client = running.first {
      running.removeFirst()
      guard let next = queue.ended(of: client) else { continue }
      order.append(next)
      running.append(["a": 1, "b": 2, "c": 3][next.prefix(1), default: 0])
    }
    #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
    #expect(queue.runningCount == 0 && queue.waitingCount == 0)
  }

  @Test func `is not kept from one client by another that has its share already`() {
    var queue = FairQueue<String>(runningMax: 4, waitingPerClientMax: 100)
    for number in 0..<5 { _ = Self.add("a\(number)", of: 1, to: &queue) }
    #expect(queue.runningCount == 2)
    #expect(Self.add("b", of: 2, to: &queue) == "begins")
    // The end of the other client's work starts nothing of the first client, which has its share.
    #expect(queue.ended(of: 2) == nil)
    #expect(queue.ended(of: 1) == "a2")
  }

  @Test func `has an end: so much waits of one client, and no more`() {
    var queue = FairQueue<String>(runningMax: 1, waitingPerClientMax: 3)
    let fates = (0..<6).map { Self.add("a\($0)", of: 1, to: &queue) }
    #expect(fates == ["begins", "waits", "waits", "waits", "refused", "refused"])
    #expect(Self.add("b", of: 2, to: &queue) == "waits")
  }

  @Test func `is not given to what was withdrawn`() {
    var queue = FairQueue<String>(runningMax: 1, waitingPerClientMax: 3)
    _ = Self.add("a", of: 1, to: &queue)
    guard case .wait(let ticket) = queue.add("b", of: 2) else {
      Issue.record("does not wait")
      return
    }
    _ = Self.add("c", of: 3, to: &queue)
    queue.withdraw(ticket)
    queue.withdraw(ticket)
    #expect(queue.waitingCount == 1)
    #expect(queue.ended(of: 1) == "c")
    #expect(queue.ended(of: 3) == nil)
    #expect(queue.runningCount == 0)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `is never idle while somebody waits who may have it, nor given out twice`(seed: UInt64) {
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let queueMax = 1 + random(6)
    var queue = FairQueue<Int>(runningMax: queueMax, waitingPerClientMax: 4)
    var running: [Int: Int] = [:]
    var waiting: [Int: Int] = [:]
    for _ in 0..<2000 {
      let client = random(5)
      if random(2) == 0 {
        switch queue.add(client, of: client) {
        case .begin: running[client, default: 0] += 1
        case .wait: waiting[client, default: 0] += 1
        case .refuse: #expect(waiting[client] == 4)
        }
      } else if running[client, default: 0] > 0 {
        running[client, default: 0] -= 1
        if let next = queue.ended(of: client) {
          running[next, default: 0] += 1
          waiting[next, default: 0] -= 1
        }
      }
      let all = running.values.reduce(0, +)
      #expect(all == queue.runningCount && all <= queueMax)
      #expect(running.values.allSatisfy { $0 <= queue.runningPerClientMax })
      #expect(queue.waitingCount == waiting.values.reduce(0, +))
      let couldBegin = waiting.contains { $1 > 0 && running[$0, default: 0] < queue.runningPerClientMax }
      #expect(all == queueMax || !couldBegin)
    }
  }
}
