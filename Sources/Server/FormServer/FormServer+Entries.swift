internal import JSONRPC
internal import SessionStore
internal import Sessions
internal import Times

/// Entries: every call from outside begins with the time, and ends with a flush or leaves that to the next
/// (``OutputGathering``).
extension FormServer {
  /// Reads the clock. Every call from outside begins with it, or with ``enterWithInput()``. So does each piece of work
  /// of a ``SliceTaker`` within an entry, so that it has its own time. Output that waits is handed over first.
  @inline(__always)
  func enter() {
    if _slowPath(gathering.isWaiting) { flushAll() }
    now = environment.now()
  }

  /// Enters with input: output may wait for the results of the input, unless it has waited for long.
  @inline(__always)
  func enterWithInput() {
    if _slowPath(gathering.isOverdue) { flushAll() }
    now = environment.now()
  }

  /// Work that may take long begins for that connection: no output of other connections waits for it.
  func longWorkBegins(of atWork: ClientConnection) {
    gathering.breakStreak()
    if gathering.isWaiting { flushAll(but: atWork) }
  }

  /// The input of a connection is handled, as far as it had arrived. Its output goes out now, or together with the
  /// output of the next connections.
  ///
  /// - Returns: whether it goes out later. Then the entry has nothing else to do.
  @inline(__always)
  func endEntryLater(_ connection: ClientConnection) -> Bool {
    guard gathering.inputHandled(of: connection.number), connection.state.staysOpen, hasOnlyOutput else { return false }
    awaitPoll()
    return true
  }

  /// Whether nothing but output is left of the entry.
  private var hasOnlyOutput: Bool {
    providerAnswers.isEmpty && unstored.isEmpty && perhapsDone.isEmpty && !sliceSchedule.isSliceDue
  }

  /// Writes out the output of the entry, and the output that waited. Every call from outside ends with it, or with
  /// ``endEntryLater(_:)``.
  func endEntry() {
    if _slowPath(!providerAnswers.isEmpty || !unstored.isEmpty) { passOn() }
    flushAll()
    if _slowPath(!perhapsDone.isEmpty) { closeDone() }
    if _slowPath(sliceSchedule.isSliceDue) { scheduleSlice() }
  }

  /// Sessions get the answers of their providers, and the store gets the changes of kept sessions.
  @inline(never)
  private func passOn() {
    while !providerAnswers.isEmpty || !unstored.isEmpty {
      let answers = providerAnswers
      providerAnswers = []
      // A closed session's connection may be gone already.
      for (call, response) in answers where !call.session.isClosed {
        call.session.taker.perform(.answer(response, to: call.effect, of: call.session))
      }
      handOverToStore()
    }
  }

  /// The event loop is about to look for input: output that waited goes out.
  func flushBeforePoll() {
    gathering.pollCame()
    if gathering.isWaiting { flushAll() }
  }

  /// Flushes the output of all connections, in the order in which it was written first.
  ///
  /// - Parameter atWork: a connection that writes more, and is flushed later.
  private func flushAll(but atWork: ClientConnection? = nil) {
    if unflushed.count > 1 { unflushed.reverse() }
    var isAtWorkListed = false
    while let connection = unflushed.popLast() {
      if connection === atWork {
        isAtWorkListed = true
      } else {
        connection.output.isListed = false
        connection.flush()
      }
    }
    if let atWork, isAtWorkListed { unflushed.append(atWork) }
    gathering.flushed()
  }

  /// The connection got something that may have been the last that it waited for, and not by a message of its own.
  @inline(__always)
  func closeLaterIfDone(_ connection: ClientConnection) {
    if !connection.state.staysOpen { perhapsDone.append(connection) }
  }

  @inline(never)
  private func closeDone() {
    let connections = perhapsDone
    perhapsDone = []
    for connection in connections { connection.closeIfDone() }
  }

  /// The connection has output; it is flushed when the entry ends, or soon after (``OutputGathering``).
  @inline(__always)
  func flushLater(_ connection: ClientConnection) {
    connection.output.isListed = true
    unflushed.append(connection)
  }

  /// A kept session may have to be stored; this is done when the entry ends.
  func storeLater(_ storage: PendingStorage) {
    if storage.isListed { return }
    storage.isListed = true
    unstored.append(storage)
  }

  /// Hands the changes of kept sessions so far over to the store.
  func handOverToStore() {
    guard !unstored.isEmpty else { return }
    let storages = unstored
    unstored = []
    guard let storedSessions else { return }
    for storage in storages { storage.handOver(to: storedSessions, self) }
  }

  /// A call to a provider has its answer, which is applied when the turn under way is over.
  func queueAnswer(_ response: EffectResponse, to call: OpenProviderCall) {
    if let timer = call.timer { timers.cancel(timer) }
    providerAnswers.append((call, response))
  }

  // MARK: Timers

  /// The requested wake-up has come: does everything that is due.
  package func timersDue() {
    enter()
    timers.wakeUpCame()
    while let owner = timers.popDue(at: now) {
      switch owner {
      case .session(let session): session.taker.perform(.timer(of: session))
      case .expiry(let session): session.taker.perform(.expiry(of: session))
      case .sweep: storedSessions?.sweep()
      case .lease: storedSessions?.ownership.timeHasCome()
      case .stall(let connection): connection.stallTimerFired()
      case .providerCall(let id): providerCallTimedOut(id)
      case .slice: nextSlice()
      case .trim:
        isTrimScheduled = false
        environment.trim()
      case .idle:
        idleTimer = nil
        environment.idle()
      case .drain: drainDeadlinePassed()
      }
    }
    askForWakeUp()
    endEntry()
  }

  /// Adds a wake-up for an owner.
  func schedule(_ owner: TimerQueue.Owner, at deadline: Instant) -> TimerQueue.Ticket {
    let ticket = timers.add(owner, at: deadline)
    askForWakeUp()
    return ticket
  }

  private func askForWakeUp() {
    if let next = timers.nextWakeUp() { environment.wake(next) }
  }
}
