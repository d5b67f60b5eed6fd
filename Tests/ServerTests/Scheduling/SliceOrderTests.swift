import Testing

@testable import Server

/// Connections have slices by the time that they have used.
struct SliceOrderTests {
  private let daemon = TestDaemon()
  private func connection() -> ClientConnection { daemon.connect().connection }

  @Test
  func `whoever has used the least time goes first, and of equals who came first`() {
    var order = SliceOrder()
    let connections = (0..<4).map { _ in connection() }
    for (connection, used) in zip(connections, [30, 10, 20, 10] as [Int64]) {
      order.add(connection, virtualNanoseconds: used, expectedNanoseconds: 0)
    }
    #expect(order.goesFirst(virtualNanoseconds: 9, expectedNanoseconds: 0))
    #expect(!order.goesFirst(virtualNanoseconds: 10, expectedNanoseconds: 0))
    let slices = (0..<4).map { _ in order.next() }
    #expect(zip(slices, [1, 3, 2, 0]).allSatisfy { $0 === connections[$1] })
    #expect(order.isEmpty)
    #expect(order.next() == nil)
    #expect(order.goesFirst(virtualNanoseconds: .max, expectedNanoseconds: 0))
  }

  @Test
  func `of connections that have used equal time, the one with the shortest turns goes first`() {
    var order = SliceOrder()
    let connections = (0..<3).map { _ in connection() }
    for (connection, expected) in zip(connections, [15, 1, 15] as [Int64]) {
      order.add(connection, virtualNanoseconds: 0, expectedNanoseconds: expected)
    }
    #expect(order.goesFirst(virtualNanoseconds: 0, expectedNanoseconds: 0))
    #expect(!order.goesFirst(virtualNanoseconds: 0, expectedNanoseconds: 1))
    let slices = (0..<3).map { _ in order.next() }
    #expect(zip(slices, [1, 0, 2]).allSatisfy { $0 === connections[$1] })
  }

  @Test
  func `a quiet connection saves up no time`() {
    var order = SliceOrder()
    #expect(order.charge(5, virtualNanoseconds: 0) == 5)
    let busy = 100 * SliceOrder.sliceNanoseconds
    #expect(order.charge(5, virtualNanoseconds: busy) == busy + 5)
    #expect(order.charge(5, virtualNanoseconds: 0) == busy - SliceOrder.sliceNanoseconds + 5)
  }

  @Test
  func `a fresh connection does not go before one that has worked for long while nobody waited`() {
    var order = SliceOrder()
    let (old, fresh) = (connection(), connection())
    // An hour of quiet work in which no connection ever waited.
    var usedByOld: Int64 = 0
    for _ in 0..<1_000 { usedByOld = order.charge(7_000_000, virtualNanoseconds: usedByOld) }
    var usedByFresh = order.charge(9_000_000, virtualNanoseconds: 0)
    order.add(fresh, virtualNanoseconds: usedByFresh, expectedNanoseconds: 0)
    order.add(old, virtualNanoseconds: usedByOld, expectedNanoseconds: 0)
    var slicesBeforeOld = 0
    while let next = order.next(), next !== old, slicesBeforeOld < 100 {
      slicesBeforeOld += 1
      usedByFresh = order.charge(9_000_000, virtualNanoseconds: usedByFresh)
      order.add(fresh, virtualNanoseconds: usedByFresh, expectedNanoseconds: 0)
    }
    #expect(slicesBeforeOld <= 1)
  }

  @Test
  func `connections that come anew all the time do not go before one that waits`() {
    var order = SliceOrder()
    let old = connection()
    let usedByOld = order.charge(1_000, virtualNanoseconds: 500 * SliceOrder.sliceNanoseconds)
    order.add(connection(), virtualNanoseconds: 0, expectedNanoseconds: 0)
    order.add(old, virtualNanoseconds: usedByOld, expectedNanoseconds: 0)
    var slicesBeforeOld = 0
    while let next = order.next(), next !== old, slicesBeforeOld < 100 {
      slicesBeforeOld += 1
      _ = order.charge(
        9_000_000,
        virtualNanoseconds: 500 * SliceOrder.sliceNanoseconds + 9_000_000 * Int64(slicesBeforeOld)
      )
      order.add(connection(), virtualNanoseconds: 0, expectedNanoseconds: 0)
    }
    #expect(slicesBeforeOld <= 2)
  }
}
