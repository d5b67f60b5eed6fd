internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Sessions
internal import Times

/// One client: bytes come in by ``received(_:)`` and go out by its transport.
///
/// This is the shell around the parts of a connection:
/// - The ``RPCReader`` makes messages of the bytes.
/// - The ``ConnectionState`` decides what follows from each event.
/// - The ``ConnectionSessions`` find the session that a message means.
package final class ClientConnection: SliceTaker {
  /// The server outlives its connections, because their handlers hold it. So this reference is not checked, and keeps
  /// nothing alive. A function that reads it counts a reference while it runs: functions of the main path get the
  /// server as an argument.
  unowned(unsafe) let server: FormServer
  /// The process at its other end, if it is known.
  let peer: Peer?
  /// What its user may do. A client without the role ``Role/client`` has no session: if a reload takes a role, the
  /// connection ends.
  var roles: Set<Role>
  /// The connection's number, never used again while the daemon runs. ``ConnectionSeats`` gives it.
  var number: Int64 = 0
  var connectionNumber: Int64? { number }
  /// Its client as the sender of inputs to sessions of several clients.
  var sender: Sender { Sender(client: number) }
  /// The kind of its seat, which decides which methods are served. ``ConnectionSeats`` sets it.
  var seat = ConnectionSeats.Kind.ordinary
  /// Whether it gets only the values of lookups and the results of actions that forms call public. Once true, it stays
  /// true, also if the request that asked for it fails.
  var hearsOnlyPublic = false
  var sessions = ConnectionSessions()
  /// Its requests that wait for an outcome.
  var waits = WaitingRequests()
  /// Its requests that wait for a kept session to be found, or for a reload. They count beside ``waits``.
  private(set) var longWaitCount = 0
  /// The account of its slices, and of the work that its sessions are to do in them.
  var slices: SliceAccount
  /// Whether the client is notified when the forms are reloaded.
  var formsWatch = FormsWatch.off
  var reader: RPCReader
  var output: ConnectionOutput
  var state: ConnectionState
  /// Wakes up to see whether a client that reads slowly reads at all.
  var stallTimer: TimerQueue.Ticket?
  /// Its share of the daemon's accounts: unread input, and output that is not sent.
  var unread = AccountShare()
  var unsent = AccountShare()
  /// Whether the client has asked for its own end, and is to be notified of it.
  var endsItself = false
  /// The work of another thread for the current message, if there is any. Until it is done, nothing else is handled.
  var offloadedWork: OffloadedMessage?
  let accepted: Instant

  /// From so many bytes on the output is flushed during a burst, so that the soft limit is noticed in time.
  private static let flushBytes = 64 << 10
  /// The bytes of an unfinished text, or of an answer, that are accepted from every client.
  private static let bytesReserved = 64 << 10

  init(server: FormServer, transport: any ConnectionTransport, peer: Peer?) {
    self.server = server
    self.peer = peer
    roles = server.roles(of: peer)
    accepted = server.now
    slices = SliceAccount(in: server.sliceOrder)
    reader = RPCReader(limits: server.readerLimits)
    output = ConnectionOutput(transport: transport, pool: server.pool)
    state = ConnectionState(isDraining: server.isDraining)
  }

  // MARK: Events of the transport

  /// Bytes arrived.
  package func received(_ bytes: UnsafeBufferPointer<UInt8>) {
    server.enterWithInput()
    if mayWorkNow {
      handleMessages(in: bytes)
    } else {
      reader.keep(bytes)
      waitForSlice()
    }
    accountForUnread()
  }

  /// All that had arrived was passed on. Now the answers go out, in one piece, or together with the answers of the next
  /// connections.
  package func receivedAll() {
    if server.endEntryLater(self) { return }
    server.endEntry()
    closeIfDone()
  }

  /// The other side will send no more; it is still answered.
  package func inputEnded() {
    server.enter()
    reader.inputEnded()
    if mayWorkNow { handleUnread() } else { waitForSlice() }
    accountForUnread()
    server.endEntry()
    closeIfDone()
  }

  /// Enough of the output was taken: the transport is writable again.
  package func becameWritable() {
    guard state.becameWritable() == .releaseUpdates else { return }
    server.enter()
    accountForUnsent()
    for session in sessions.all { session.updates(of: self) { $0.release(session, to: self) } }
    if formsWatch == .behind {
      formsWatch = .current
      formsChanged()
    }
    flush()
    goOnInSlice()
    server.endEntry()
    closeIfDone()
  }

  /// The other connections have had their slices.
  func sliceCame() {
    slices.isWaiting = false
    offloadedWorkCame()
    performDueWork()
    guard slices.dueWork.isEmpty, !server.sliceSchedule.isPollDue || !state.isWaiting else { return askForSlice() }
    guard state.sliceCame() == .goOn else { return }
    goOn()
    closeIfDone()
  }

  /// The connection is gone.
  package func closed() {
    guard state.transportClosed() == .tearDown else { return }
    output.transportClosed()
    server.enter()
    let start = server.now
    takeLastAnswers()
    reader.close()
    unread.set(0, in: &server.memory.unread)
    _ = withdrawOffloaded()
    let dueWork = slices.dueWork.takeAll(in: &server.memory.queued)
    if let stallTimer { server.timers.cancel(stallTimer) }
    for wait in waits.takeAll() { if case .validation = wait.outcome { wait.session.end() } }
    for session in sessions.all { if session.kept == nil { session.end() } else { _ = session.detach(self) } }
    unsent.set(0, in: &server.memory.queued)
    // The work that kept sessions were to do here is done elsewhere.
    for work in dueWork where !work.session.isClosed { work.session.taker.perform(work) }
    server.providerGone(self)
    server.remove(self)
    // To free the sessions of a connection may take long.
    server.charge(server.nanoseconds(since: start))
    server.endEntry()
  }

  /// The client is gone before its last input was handled. Its answers to the daemon's requests still count. Other
  /// unhandled input does not.
  private func takeLastAnswers() {
    guard server.providers.isAsked(number) else { return }
    var noMore = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    while let event = reader.next(&noMore) {
      switch event {
      case .text(let text): reader.read(text)
      case .response: handle(event, server)
      default: break
      }
    }
  }

  // MARK: Requests that wait for long

  /// A request waits for a session to be found, or for a reload, from now on. ``endLongWait()`` follows.
  ///
  /// - Throws: ``FormErrorCode/quotaExceeded`` if too many requests wait.
  func beginLongWait() throws(RPCError) {
    try checkRequestsInFlight()
    longWaitCount += 1
  }

  func endLongWait() {
    longWaitCount -= 1
  }

  // MARK: Input

  /// Handles the kept input and reads on, now or when other connections have had their slices.
  func goOnInSlice() {
    if mayWorkNow { goOn() } else { waitForSlice() }
  }

  /// Handles the kept input, and reads on.
  func goOn() {
    handleUnread()
    accountForUnread()
    flush()
    if state.handlesMessages { output.transport?.setReading(true) }
  }

  func handleUnread() {
    handleMessages(in: UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Handles messages until there are no more, or nothing may be handled, or other connections are to go first.
  private func handleMessages(in bytes: UnsafeBufferPointer<UInt8>) {
    // Read once for all messages.
    let server = server
    let start = server.now
    var end = start
    var input = bytes
    var isSliceOver = false
    while !isSliceOver, state.handlesMessages {
      // Most texts are such lines, and most such lines are recognized. Then the reader, which is large, is not touched.
      let line = reader.nextLine(&input)
      if let line, _fastPath(servePlainInput(line, server)) {
        if _slowPath(output.writer.unflushedBytes >= Self.flushBytes) { flush() }
        end = workEnded(since: end, server) { subject(of: line) }
      } else {
        let event: RPCReader.Event
        if let line {
          server.longWorkBegins(of: self)
          event = .text(line)
          read(line)
        } else {
          guard let next = reader.next(&input) else { break }
          server.longWorkBegins(of: self)
          event = next
          output.writer.framing = reader.framing
          handle(event, server)
        }
        scheduleFlush()
        if output.writer.unflushedBytes >= Self.flushBytes { flush() }
        guard reader.isBetweenMessages else { continue }
        end = workEnded(since: end, server) { subject(of: event) }
      }
      isSliceOver = end.nanoseconds &- start.nanoseconds >= SliceOrder.sliceNanoseconds
    }
    output.writer.framing = reader.framing
    charge(end.nanoseconds &- start.nanoseconds)
    if isSliceOver, reader.hasUnread(input) { waitForSlice() }
    // A connection that is blocked or waits goes on later. A connection that worked long may be quiet now, and keeps
    // nothing.
    if isSliceOver || !state.handlesMessages { reader.keep(input) }
    if let spent = reader.takeSpent() { server.letGo(spent) }
  }

  /// Counts the bytes that the reader holds in the daemon's account. If the account is full, a connection that holds
  /// much is ended.
  @inline(__always)
  func accountForUnread() {
    let bytes = reader.memoryBytes
    // A connection that is gone has given up its share.
    if _slowPath(bytes != unread.bytes) { accountForUnread(bytes) }
  }

  @inline(never)
  private func accountForUnread(_ bytes: Int) {
    guard !state.isGone else { return }
    unread.set(bytes, in: &server.memory.unread)
    guard bytes > Self.bytesReserved else { return }
    if server.memory.unread > server.limits[.unreadBytesMax] {
      refuseInput(.unreadBytesMax)
    } else if server.isMemoryFull {
      server.makeRoom()
      if server.isMemoryFull { refuseInput(.memoryMax) }
    }
  }

  private func refuseInput(_ limit: Limit) {
    server.statistics.badTexts += 1
    output.writer.refuse(nil, server.limits.overloaded(limit))
    scheduleFlush()
    state.readingEnded()
    server.providerGone(self)
    _ = withdrawOffloaded()
    reader.abandon()
    unread.set(reader.memoryBytes, in: &server.memory.unread)
  }

  @inline(__always)
  var mayWorkNow: Bool { !state.isWaiting && precedesAllWaiting }

  private func waitForSlice() {
    guard state.othersGoFirst() == .waitForSlice else { return }
    output.transport?.setReading(false)
    askForSlice()
  }
}
