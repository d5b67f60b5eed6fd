internal import FormProtocol
internal import Logging
internal import Sessions

/// Connections take turns.
extension FormServer {
  /// Nanoseconds that connections may be at work, one after the other, between two looks for input.
  private static let workBetweenPollsMax = 4 * TurnOrder.slice

  /// The working time of a connection that began then.
  @inline(__always)
  func nanoseconds(since start: Instant) -> Int64 {
    environment.now().nanoseconds - start.nanoseconds
  }

  /// A turn began then and is over.
  ///
  /// - Parameter subject: makes the turn's subject for the log, if the turn was slow.
  /// - Returns: the time now.
  @inline(__always)
  func turnEnded(since start: Instant, _ subject: () -> TurnSubject) -> Instant {
    let end = environment.now()
    let time = end.nanoseconds &- start.nanoseconds
    turnTimes.add(time)
    if _slowPath(time >= slowTurnNanoseconds) { turnWasSlow(time, subject()) }
    return end
  }

  @inline(never)
  private func turnWasSlow(_ time: Int64, _ subject: TurnSubject) {
    statistics.slowTurns += 1
    logger.notice("a turn was slow", metadata: subject.metadata.merging(["microseconds": "\(time / 1_000)"]) { $1 })
  }

  /// A connection has unread input and has used its time: other connections go first.
  func letOthersGoFirst(_ taker: some TurnTaker, usedTime: Int64) {
    turnOrder.add(taker, usedTime: usedTime)
    isTurnDue = true
  }

  /// Connections were at work for so long. If that is much, the next connection waits until the event loop has looked
  /// for input.
  @inline(__always)
  func worked(_ time: Int64) {
    workSincePoll &+= time
    gathering.worked(time)
    if _slowPath(workSincePoll >= TurnOrder.slice / 2) { noteWork(time) }
  }

  @inline(never)
  private func noteWork(_ time: Int64) {
    awaitPoll()
    if time >= TurnOrder.slice || workSincePoll >= Self.workBetweenPollsMax {
      isPollDue = true
      isTurnDue = true
    }
  }

  /// Asks for a call when the event loop looks for input.
  @inline(__always)
  func awaitPoll() {
    if !isPollAwaited { askForPoll() }
  }

  @inline(never)
  private func askForPoll() {
    isPollAwaited = true
    environment.beforePoll { [self] in
      isPollAwaited = false
      workSincePoll = 0
      pollCame()
    }
  }

  func nextTurn() {
    isTurnScheduled = false
    isPollDue = false
    workSincePoll = 0
    while !isPollDue, let taker = turnOrder.next() {
      enter()
      taker.turnCame()
    }
    if !turnOrder.isEmpty { isTurnDue = true }
  }

  /// The timer is set a moment after the end of the entry, when all is written. A timer that is already due would fire
  /// before the event loop has looked for input.
  func scheduleTurn() {
    isTurnDue = false
    guard !isTurnScheduled else { return }
    isTurnScheduled = true
    _ = schedule(.turn, at: environment.now() + .microseconds(50))
  }
}
