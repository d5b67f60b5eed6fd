internal import FormProtocol
internal import Logging
internal import Sessions
internal import Times

/// Connections work in slices of time, in the order of ``SliceOrder``.
extension FormServer {
  /// The working time of a connection that began then.
  @inline(__always)
  func nanoseconds(since start: Instant) -> Int64 {
    environment.now().nanoseconds - start.nanoseconds
  }

  /// A piece of work began then and is over.
  ///
  /// - Parameters:
  ///   - connection: the number of the connection that worked; nil if no client has sent the work.
  ///   - subject: makes the work's subject for the log, if the work is logged.
  /// - Returns: the time now.
  @inline(__always)
  func workEnded(
    since start: Instant,
    of connection: @autoclosure () -> Int64?,
    _ subject: () -> WorkSubject
  ) -> Instant {
    let end = environment.now()
    let nanoseconds = end.nanoseconds &- start.nanoseconds
    workTimes.add(nanoseconds)
    if _slowPath(nanoseconds >= loggedWorkNanoseconds) { log(nanoseconds, of: connection(), subject()) }
    return end
  }

  @inline(never)
  private func log(_ nanoseconds: Int64, of connection: Int64?, _ subject: WorkSubject) {
    var metadata = subject.metadata.merging(["microseconds": "\(nanoseconds / 1_000)"]) { $1 }
    if nanoseconds >= slowWorkNanoseconds {
      statistics.slowTurns += 1
      if let form = subject.form { namedCounts.turnWasSlow(ofForm: form) }
      logger.notice("a turn was slow", metadata: metadata)
    }
    guard logsMessages else { return }
    metadata.merge(["outcome": "\(messageOutcome)"]) { $1 }
    if let connection { metadata.merge(["connection": "\(connection)"]) { $1 } }
    messageOutcome = .done
    logger.debug("a message was handled", metadata: metadata)
  }

  /// A connection has unread input or other work, and other connections go first.
  func letOthersGoFirst(_ taker: some SliceTaker) {
    sliceOrder.add(
      taker,
      virtualNanoseconds: taker.slices.virtualNanoseconds,
      expectedNanoseconds: taker.slices.expectedNanoseconds
    )
    sliceSchedule.sliceRequested()
  }

  /// Connections were at work for so long. If that is much, the next connection waits until the event loop has looked
  /// for input.
  @inline(__always)
  func charge(_ nanoseconds: Int64) {
    gathering.charge(nanoseconds)
    if _slowPath(sliceSchedule.charge(nanoseconds)) { awaitPoll() }
  }

  /// Asks for a call when the event loop looks for input.
  @inline(__always)
  func awaitPoll() {
    if !sliceSchedule.isPollAwaited { askForPoll() }
  }

  @inline(never)
  private func askForPoll() {
    sliceSchedule.pollRequested()
    environment.beforePoll { [self] in
      sliceSchedule.pollCame()
      flushBeforePoll()
    }
  }

  /// The timer of ``scheduleSlice()`` has fired: takers work in their order until the event loop must look for input.
  func nextSlice() {
    sliceSchedule.sliceCame()
    while !sliceSchedule.isPollDue, let taker = sliceOrder.next() {
      enter()
      taker.sliceCame()
    }
    if !sliceOrder.isEmpty { sliceSchedule.sliceRequested() }
  }

  /// The next slice comes when the event loop has looked for input. The timer is set when everything else is done
  /// before that, and lies a moment ahead. A timer that is already due would fire before the loop has looked.
  func scheduleSlice() {
    guard sliceSchedule.takeDueSlice() else { return }
    environment.beforePoll { [self] in
      _ = schedule(.slice, at: environment.now() + .microseconds(50))
    }
  }
}
