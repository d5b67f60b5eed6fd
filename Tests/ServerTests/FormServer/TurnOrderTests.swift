import Testing

@testable import Server

/// Connections take turns by time.
struct TurnOrderTests {
  private let daemon = TestDaemon()
  private func connection() -> ClientConnection { daemon.connect().connection }

  @Test
  func `whoever has used the least time goes first, and of equals who came first`() {
    var order = TurnOrder()
    let connections = (0..<4).map { _ in connection() }
    for (connection, used) in zip(connections, [30, 10, 20, 10] as [Int64]) { order.add(connection, usedTime: used) }
    #expect(order.goesFirst(usedTime: 9))
    #expect(!order.goesFirst(usedTime: 10))
    let turns = (0..<4).map { _ in order.next() }
    #expect(zip(turns, [1, 3, 2, 0]).allSatisfy { $0 === connections[$1] })
    #expect(order.isEmpty)
    #expect(order.next() == nil)
    #expect(order.goesFirst(usedTime: .max))
  }

  @Test
  func `a quiet connection saves up no time`() {
    var order = TurnOrder()
    #expect(order.charged(usedTime: 0, for: 5) == 5)
    let busy = 100 * TurnOrder.slice
    order.add(connection(), usedTime: busy)
    _ = order.next()
    #expect(order.charged(usedTime: 0, for: 5) == busy - TurnOrder.slice + 5)
    #expect(order.charged(usedTime: busy, for: 5) == busy + 5)
  }
}
