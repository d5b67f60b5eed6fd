import Testing

@testable import Server

/// The life of a connection, event by event.
struct ConnectionStateTests {
  /// A connection after these events. The content of the events does not matter.
  private func state(after events: (inout ConnectionState) -> Void) -> ConnectionState {
    var state = ConnectionState()
    events(&state)
    return state
  }

  @Test
  func `a fresh connection handles messages and has nothing to do`() {
    var state = ConnectionState()
    #expect(state.handlesMessages)
    #expect(state.updateTreatment == .written)
    #expect(state.done(unanswered: 0) == .none)
    #expect(state.wrote(isWritable: true) == .none)
    #expect(state.becameWritable() == .none)
    #expect(state.phase == .flowing(.open))
  }

  @Test
  func `a client that reads slowly stops being read from, once, until there is room`() {
    var state = ConnectionState()
    #expect(state.wrote(isWritable: false) == .pauseReading)
    #expect(state.wrote(isWritable: false) == .none)
    #expect(state.updateTreatment == .heldBack)
    #expect(!state.handlesMessages)
    #expect(state.becameWritable() == .releaseUpdates)
    #expect(state.phase == .flowing(.open))
    #expect(state.becameWritable() == .none)
  }

  @Test
  func `a connection that lets others go first handles nothing until its slice comes`() {
    var state = ConnectionState()
    #expect(state.sliceCame() == .none)
    #expect(state.othersGoFirst() == .waitForSlice)
    #expect(state.othersGoFirst() == .none)
    #expect(state.isWaiting)
    #expect(!state.handlesMessages)
    #expect(state.updateTreatment == .written)
    #expect(state.stallTimerFired(hasDrained: false) == .none)
    #expect(state.sliceCame() == .goOn)
    #expect(state.phase == .flowing(.open))
  }

  @Test
  func `the end of the input closes a connection that waits only after its slice`() {
    var state = ConnectionState()
    _ = state.othersGoFirst()
    state.readingEnded()
    #expect(state.phase == .waiting(.finishing))
    #expect(state.done(unanswered: 0) == .none)
    #expect(state.sliceCame() == .goOn)
    #expect(state.done(unanswered: 0) == .close(endsSessions: false))
  }

  @Test
  func `a slow reader that waited for its slice goes on when there is room`() {
    var state = ConnectionState()
    _ = state.othersGoFirst()
    #expect(state.wrote(isWritable: false) == .pauseReading)
    #expect(state.phase == .blocked(.open))
    #expect(state.othersGoFirst() == .none)
    #expect(state.sliceCame() == .none)
    #expect(state.becameWritable() == .releaseUpdates)
    #expect(state.handlesMessages)
  }

  @Test
  func `the daemon's patience ends for a connection that waits, too`() {
    var state = ConnectionState()
    _ = state.othersGoFirst()
    state.drainBegan()
    #expect(state.done(unanswered: 0) == .none)
    state.drainDeadlinePassed()
    #expect(state.done(unanswered: 0) == .close(endsSessions: true))
  }

  @Test
  func `nothing is handled while a definition compiles, whatever else happens`() {
    var state = ConnectionState()
    state.workOffloaded()
    #expect(!state.handlesMessages)
    #expect(state.updateTreatment == .written)
    _ = state.wrote(isWritable: false)
    #expect(state.becameWritable() == .releaseUpdates)
    #expect(!state.handlesMessages)
    #expect(state.offloadedWorkEnded() == .goOn)
    state.workOffloaded()
    _ = state.wrote(isWritable: false)
    #expect(state.offloadedWorkEnded() == .none)
    #expect(state.becameWritable() == .releaseUpdates)
    #expect(state.handlesMessages)
  }

  @Test
  func `what is served narrows down and never widens`() {
    var state = ConnectionState()
    #expect(state.service == .all)
    state.drainBegan()
    #expect(state.service == .whileDraining)
    state.shutDown()
    #expect(state.service == .exit)
    state.drainBegan()
    #expect(state.service == .exit)
    #expect(ConnectionState(isDraining: true).service == .whileDraining)
  }

  @Test
  func `the end of the input closes when all is answered`() {
    var state = ConnectionState()
    state.readingEnded()
    #expect(state.phase == .flowing(.finishing))
    #expect(state.done(unanswered: 2) == .none)
    #expect(state.done(unanswered: 0) == .close(endsSessions: false))
    #expect(state.phase == .closing)
    #expect(state.done(unanswered: 0) == .none)
  }

  @Test
  func `the end of the input while blocked closes only when there is room again`() {
    var state = ConnectionState()
    _ = state.wrote(isWritable: false)
    state.readingEnded()
    #expect(state.phase == .blocked(.finishing))
    #expect(state.done(unanswered: 0) == .none)
    #expect(state.becameWritable() == .releaseUpdates)
    #expect(state.phase == .flowing(.finishing))
    #expect(state.done(unanswered: 0) == .close(endsSessions: false))
  }

  @Test
  func `a finishing connection whose answers are not read is blocked, and goes on finishing`() {
    var state = state { $0.readingEnded() }
    #expect(state.wrote(isWritable: false) == .pauseReading)
    #expect(state.phase == .blocked(.finishing))
    _ = state.becameWritable()
    #expect(state.phase == .flowing(.finishing))
  }

  @Test
  func `a connection that is made while the daemon ends is draining from the start`() {
    var state = ConnectionState(isDraining: true)
    #expect(state.done(unanswered: 0) == .close(endsSessions: true))
  }

  @Test
  func `nobody is told of updates once all is said`() {
    var state = state { $0.readingEnded() }
    #expect(state.updateTreatment == .written)
    _ = state.done(unanswered: 0)
    #expect(state.updateTreatment == .dropped)
  }

  @Test
  func `draining closes as soon as all is answered, and tells the sessions`() {
    var state = ConnectionState()
    state.drainBegan()
    #expect(state.handlesMessages)
    #expect(state.done(unanswered: 1) == .none)
    #expect(state.done(unanswered: 0) == .close(endsSessions: true))
  }

  @Test
  func `draining waits for a slow reader until the deadline and no longer`() {
    var state = state {
      _ = $0.wrote(isWritable: false)
      $0.drainBegan()
    }
    #expect(state.done(unanswered: 0) == .none)
    #expect(state.phase == .blocked(.open))
    state.drainDeadlinePassed()
    #expect(state.phase == .flowing(.finishing))
    #expect(state.done(unanswered: 0) == .close(endsSessions: true))
  }

  @Test
  func `room again while draining releases what was held back, then closes`() {
    var state = state {
      _ = $0.wrote(isWritable: false)
      $0.drainBegan()
    }
    #expect(state.becameWritable() == .releaseUpdates)
    #expect(state.done(unanswered: 0) == .close(endsSessions: true))
  }

  @Test
  func `a stalled client is watched as long as it drains anything, then ended`() {
    var blocked = state { _ = $0.wrote(isWritable: false) }
    #expect(blocked.stallTimerFired(hasDrained: true) == .watchOn)
    #expect(blocked.stallTimerFired(hasDrained: false) == .abort)
    var closing = state {
      $0.readingEnded()
      _ = $0.done(unanswered: 0)
    }
    #expect(closing.stallTimerFired(hasDrained: true) == .watchOn)
    #expect(closing.stallTimerFired(hasDrained: false) == .abort)
    var open = ConnectionState()
    #expect(open.stallTimerFired(hasDrained: false) == .none)
  }

  @Test
  func `nothing brings a closing connection back`() {
    var state = state {
      $0.readingEnded()
      _ = $0.done(unanswered: 0)
    }
    #expect(state.wrote(isWritable: false) == .none)
    #expect(state.becameWritable() == .none)
    state.readingEnded()
    state.drainBegan()
    state.drainDeadlinePassed()
    #expect(state.done(unanswered: 0) == .none)
    #expect(state.phase == .closing)
    #expect(!state.handlesMessages)
  }

  @Test(arguments: 0..<4)
  func `what a connection has is given up once, whatever it was in`(_ position: Int) {
    let pasts: [(inout ConnectionState) -> Void] = [
      { _ in }, { _ = $0.wrote(isWritable: false) }, { $0.readingEnded() },
      {
        $0.readingEnded()
        _ = $0.done(unanswered: 0)
      },
    ]
    var state = state(after: pasts[position])
    #expect(state.transportClosed() == .tearDown)
    #expect(state.transportClosed() == .none)
    #expect(state.wrote(isWritable: false) == .none)
    #expect(state.becameWritable() == .none)
    #expect(state.done(unanswered: 0) == .none)
    #expect(state.stallTimerFired(hasDrained: false) == .none)
    state.readingEnded()
    state.drainDeadlinePassed()
    #expect(state.phase == .gone)
  }
}
