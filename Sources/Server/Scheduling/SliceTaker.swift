internal import Sessions
internal import Times

/// An object that works in slices of time, in order with other takers (``SliceOrder``). A connection uses its slice for
/// its input, or for work of its sessions without a message.
protocol SliceTaker: AnyObject {
  var server: FormServer { get }
  var slices: SliceAccount { get set }
  /// The number of the connection in the log; nil if it is not a connection.
  var connectionNumber: Int64? { get }
  /// Whether this taker may work now, without a slice: it does not wait for one, and it
  /// ``precedesAllWaiting``.
  var mayWorkNow: Bool { get }

  /// The other takers have had their slices.
  func sliceCame()
}

/// The slices of one taker: the time that they took, its virtual time, and the work for the next slice.
struct SliceAccount {
  /// The number of handled messages, timers of sessions, and answers to their effects.
  fileprivate(set) var workCount = 0
  /// The time that this took.
  fileprivate(set) var workNanoseconds: Int64 = 0
  /// The virtual time of the taker, by which ``SliceOrder`` orders takers: the time that it has used, but a taker that
  /// was quiet goes on near the front, because it has saved up no time.
  fileprivate(set) var virtualNanoseconds: Int64
  /// The time that the next piece of work is expected to take: as long as the last one, and at least half as long as
  /// was expected of the last one.
  fileprivate(set) var expectedNanoseconds = SliceOrder.sliceNanoseconds
  /// Whether the taker waits in the ``SliceOrder``.
  var isWaiting = false
  /// The work of sessions, in order.
  var dueWork = DueWork()

  /// The account of a fresh taker. It starts at the front: only a taker that was quiet gets a lead, so that many fresh
  /// takers do not go before it.
  init(in order: SliceOrder) {
    virtualNanoseconds = order.frontNanoseconds
  }
}

extension SliceTaker {
  /// Whether no waiting taker goes before this one, and the event loop need not look for input first.
  @inline(__always)
  var precedesAllWaiting: Bool {
    !server.sliceSchedule.isPollDue
      && server.sliceOrder.goesFirst(
        virtualNanoseconds: slices.virtualNanoseconds,
        expectedNanoseconds: slices.expectedNanoseconds
      )
  }

  func askForSlice() {
    guard !slices.isWaiting else { return }
    slices.isWaiting = true
    server.letOthersGoFirst(self)
  }

  // MARK: Time

  /// A piece of work that began then is over.
  ///
  /// - Returns: the time now.
  @inline(__always)
  func workEnded(since start: Instant, _ subject: () -> WorkSubject) -> Instant {
    workEnded(since: start, server, subject)
  }

  /// Ends a piece of work for a caller that has the server at hand.
  ///
  /// - Returns: the time now.
  @inline(__always)
  func workEnded(since start: Instant, _ server: FormServer, _ subject: () -> WorkSubject) -> Instant {
    let end = server.workEnded(since: start, of: connectionNumber, subject)
    slices.workCount &+= 1
    slices.expectedNanoseconds = max(end.nanoseconds &- start.nanoseconds, slices.expectedNanoseconds / 2)
    return end
  }

  /// The taker was at work on one piece since then.
  func worked(since start: Instant, _ subject: () -> WorkSubject) {
    let end = workEnded(since: start, subject)
    charge(end.nanoseconds &- start.nanoseconds)
  }

  /// The taker has been at work for so long.
  @inline(__always)
  func charge(_ nanoseconds: Int64) {
    slices.workNanoseconds &+= nanoseconds
    slices.virtualNanoseconds = server.sliceOrder.charge(nanoseconds, virtualNanoseconds: slices.virtualNanoseconds)
    server.charge(nanoseconds)
  }

  // MARK: Work of sessions

  /// A session is to do something: now, or in the taker's next slice.
  func perform(_ work: SessionWork) {
    if slices.dueWork.isEmpty && mayWorkNow {
      performNow(work)
    } else {
      slices.dueWork.append(work.withinLimits, in: &server.memory.queued)
      askForSlice()
    }
  }

  private func performNow(_ work: SessionWork) {
    server.enter()
    let start = server.now
    // Afterwards the session no longer has the waiter.
    let waiter = work.waiter
    work.withinLimits.perform()
    if case .answer = work { server.memoryWasFreed() }
    worked(since: start) { WorkSubject(work, of: waiter) }
  }

  /// Does what is due for as long as a slice lasts.
  func performDueWork() {
    let start = server.now
    while let work = slices.dueWork.popFirst(in: &server.memory.queued) {
      performNow(work)
      if server.nanoseconds(since: start) >= SliceOrder.sliceNanoseconds { break }
    }
  }
}
