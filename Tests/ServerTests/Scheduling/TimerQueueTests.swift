import Sessions
import Testing
internal import Times

@testable import Server

struct TimerQueueTests {
  private func isDrain(_ owner: TimerQueue.Owner?) -> Bool {
    if case .drain = owner { true } else { false }
  }

  @Test
  func `what is due comes in the order of its deadlines, equal ones by age`() {
    let daemon = TestDaemon()
    let clients = (0..<3).map { _ in daemon.connect() }
    var queue = TimerQueue()
    _ = queue.add(.stall(clients[0].connection), at: .milliseconds(20))
    _ = queue.add(.stall(clients[1].connection), at: .milliseconds(10))
    _ = queue.add(.stall(clients[2].connection), at: .milliseconds(10))
    #expect(queue.popDue(at: .milliseconds(9)) == nil)
    var order: [Int] = []
    while case .stall(let connection) = queue.popDue(at: .milliseconds(20)) {
      order.append(clients.firstIndex { $0.connection === connection } ?? -1)
    }
    #expect(order == [1, 2, 0])
    #expect(queue.nextWakeUp() == nil)
  }

  @Test
  func `a wake-up is requested once, and again only for an earlier deadline`() {
    var queue = TimerQueue()
    #expect(queue.nextWakeUp() == nil)
    _ = queue.add(.drain, at: .milliseconds(20))
    #expect(queue.nextWakeUp() == .milliseconds(20) && queue.nextWakeUp() == nil)
    _ = queue.add(.drain, at: .milliseconds(30))
    #expect(queue.nextWakeUp() == nil)
    _ = queue.add(.drain, at: .milliseconds(10))
    #expect(queue.nextWakeUp() == .milliseconds(10))
    queue.wakeUpCame()
    _ = queue.popDue(at: .milliseconds(10))
    #expect(queue.nextWakeUp() == .milliseconds(20))
  }

  @Test
  func `a cancelled entry never comes, and keeps nobody in memory`() {
    var queue = TimerQueue()
    weak var gone: ClientConnection?
    do {
      let daemon = TestDaemon()
      let client = daemon.connect()
      gone = client.connection
      let ticket = queue.add(.stall(client.connection), at: .milliseconds(10))
      queue.cancel(ticket)
      client.connection.closed()
    }
    #expect(gone == nil)
    #expect(queue.count == 0)
    #expect(queue.popDue(at: .milliseconds(10)) == nil)
  }

  @Test
  func `cancelling many among many costs a clean-up now and then, not one each`() {
    var queue = TimerQueue()
    var tickets: [TimerQueue.Ticket] = []
    for deadline in 0..<10_000 { tickets.append(queue.add(.drain, at: .milliseconds(Int64(deadline)))) }
    var sweeps = 0
    var stored = queue.storedCount
    for ticket in tickets.reversed().dropLast(10) {
      queue.cancel(ticket)
      if queue.storedCount < stored { sweeps += 1 }
      stored = queue.storedCount
    }
    #expect(queue.count == 10)
    #expect(queue.storedCount < 64)
    // Each sweep halves the stored timers: from 10,000 to below 64.
    #expect(sweeps <= 8)
    #expect((0..<10).allSatisfy { _ in isDrain(queue.popDue(at: .milliseconds(10_000))) })
    #expect(queue.popDue(at: .milliseconds(10_000)) == nil)
  }

  @Test
  func `a ticket that was used or cancelled cancels nothing`() {
    var queue = TimerQueue()
    let first = queue.add(.drain, at: .milliseconds(1))
    _ = queue.popDue(at: .milliseconds(1))
    _ = queue.add(.drain, at: .milliseconds(2))
    queue.cancel(first)
    #expect(queue.count == 1)
    #expect(isDrain(queue.popDue(at: .milliseconds(2))))
  }
}
