internal import Sessions

/// An object that has turns, in order with other takers (``TurnOrder``). For a connection, a turn is for its input, or
/// for work of its sessions without a message.
protocol TurnTaker: AnyObject {
  var server: FormServer { get }
  var turns: TurnAccount { get set }
  /// Whether it is this taker's turn now.
  var goesFirst: Bool { get }

  /// The other takers have had their turns.
  func turnCame()
}

/// The turns of one taker: the time that they took, and the work for the next turn.
struct TurnAccount {
  /// The number of handled messages, timers of sessions, and answers to their effects.
  fileprivate(set) var count = 0
  /// Nanoseconds that this took.
  fileprivate(set) var workTime: Int64 = 0
  /// Nanoseconds that were used, as ``TurnOrder`` counts them.
  fileprivate(set) var usedTime: Int64 = 0
  /// Whether the taker waits in the ``TurnOrder``.
  var isAwaited = false
  /// The work of sessions, in order.
  var dueWork = DueWork()
}

extension TurnTaker {
  func askForTurn() {
    guard !turns.isAwaited else { return }
    turns.isAwaited = true
    server.letOthersGoFirst(self, usedTime: turns.usedTime)
  }

  // MARK: Time

  /// A turn that began then is over.
  ///
  /// - Returns: the time now.
  @inline(__always)
  func turnEnded(since start: Instant, _ subject: () -> TurnSubject) -> Instant {
    turnEnded(since: start, server, subject)
  }

  /// Ends a turn for a caller that has the server at hand.
  ///
  /// - Returns: the time now.
  @inline(__always)
  func turnEnded(since start: Instant, _ server: FormServer, _ subject: () -> TurnSubject) -> Instant {
    turns.count &+= 1
    return server.turnEnded(since: start, subject)
  }

  /// The taker was at work with one turn since then.
  func worked(since start: Instant, _ subject: () -> TurnSubject) {
    let end = turnEnded(since: start, subject)
    worked(for: end.nanoseconds &- start.nanoseconds)
  }

  /// The taker has been at work for so long.
  @inline(__always)
  func worked(for time: Int64) {
    turns.workTime &+= time
    turns.usedTime = server.turnOrder.charge(time, usedTime: turns.usedTime)
    server.worked(time)
  }

  // MARK: Work of sessions

  /// A session is to do something: now, or when it is the taker's turn.
  func perform(_ work: SessionWork) {
    if turns.dueWork.isEmpty && goesFirst {
      performNow(work)
    } else {
      turns.dueWork.append(work.withinLimits, in: &server.memory.queued)
      askForTurn()
    }
  }

  private func performNow(_ work: SessionWork) {
    server.enter()
    let start = server.now
    // Afterwards the session no longer has the waiter.
    let waiter = work.waiter
    work.withinLimits.perform()
    if case .answer = work { server.memoryWasFreed() }
    worked(since: start) { TurnSubject(work, of: waiter) }
  }

  /// Does what is due for as long as a turn lasts.
  func performDueWork() {
    let start = server.now
    while let work = turns.dueWork.popFirst(in: &server.memory.queued) {
      performNow(work)
      if server.nanoseconds(since: start) >= TurnOrder.slice { break }
    }
  }
}
