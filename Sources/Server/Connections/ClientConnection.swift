internal import FormProtocol
internal import JSONRPC
internal import Sessions

/// One client: bytes come in by ``received(_:)`` and go out by its transport.
///
/// This is the shell around the parts of a connection, and does what they say: the ``RPCReader`` what the bytes come to, the
/// ``ConnectionState`` what follows from what happens, the ``ConnectionSessions`` which session is meant.
package final class ClientConnection: TurnTaker {
  /// Outlives its connections: their handlers hold it. Neither counted nor checked, for it is read several times per request, and
  /// an object with checked references counts slowly.
  unowned(unsafe) let server: FormServer
  /// Who is at its other end, if that is known.
  let peer: Peer?
  /// The connection's number, never used again while the daemon runs. ``ConnectionPlaces`` gives it.
  var number: Int64 = 0
  /// What is served here. ``ConnectionPlaces`` says it.
  var place = ConnectionPlaces.Kind.ordinary
  /// Its sessions.
  var sessions = ConnectionSessions()
  /// Its requests that wait for an outcome.
  var waits = WaitingRequests()
  /// Its requests that wait for a kept session to be found.
  var attachCount = 0
  /// What is kept of its turns, and of those that its sessions are to have.
  var turns = TurnAccount()
  /// Whether the client is told of the forms when they are read anew.
  var formsWatch = FormsWatch.off
  var reader: RPCReader
  var output: ConnectionOutput
  var state: ConnectionState
  /// Wakes up to see whether a client that reads slowly reads at all.
  var stallTimer: TimerQueue.Ticket?
  /// What it has in the daemon's accounts: unread input, and output that is not sent.
  var unread = AccountShare()
  var unsent = AccountShare()
  /// Whether the client has asked for its own end, and is to be told so.
  var endsItself = false
  /// What another thread does for the message under way, if anything. Nothing else is handled meanwhile.
  var detachedWork: DetachedMessage?
  /// When it was accepted.
  let accepted: Instant

  /// From so many bytes on the output is flushed in the midst of a burst, so that the soft limit is seen in time.
  private static let flushBytes = 64 << 10
  /// So many bytes of an unfinished text, or of an answer, are taken from everybody.
  private static let bytesReserved = 64 << 10

  init(server: FormServer, transport: any ConnectionTransport, peer: Peer?) {
    self.server = server
    self.peer = peer
    accepted = server.now
    reader = RPCReader(limits: server.readerLimits)
    output = ConnectionOutput(transport: transport, pool: server.pool)
    state = ConnectionState(isDraining: server.isDraining)
  }

  // MARK: What the transport says

  /// Bytes arrived.
  package func received(_ bytes: UnsafeBufferPointer<UInt8>) {
    server.enterWithInput()
    if goesFirst {
      handleMessages(in: bytes)
    } else {
      reader.keep(bytes)
      waitForTurn()
    }
    accountForUnread()
  }

  /// All that had arrived was passed on: now the answers go out, in one piece, or with those of the next connections.
  package func receivedAll() {
    if server.leaveLater(self) { return }
    server.leave()
    closeIfSettled()
  }

  /// The other side will send no more; it is still answered.
  package func inputEnded() {
    server.enter()
    reader.inputEnded()
    if goesFirst { readOn() } else { waitForTurn() }
    accountForUnread()
    server.leave()
    closeIfSettled()
  }

  /// Enough of the output was taken: there is room again.
  package func roomAgain() {
    guard state.roomAgain() == .releaseUpdates else { return }
    server.enter()
    accountForUnsent()
    for session in sessions.all { session.updates(of: self) { $0.release(session, to: self) } }
    if formsWatch == .behind {
      formsWatch = .current
      formsChanged()
    }
    flush()
    goOnInTurn()
    server.leave()
    closeIfSettled()
  }

  /// The others have had their turns.
  func turnCame() {
    turns.isAwaited = false
    performDueWork()
    guard turns.dueWork.isEmpty, !server.isPollDue || !state.isWaiting else { return askForTurn() }
    guard state.turnCame() == .readOn else { return }
    goOn()
    closeIfSettled()
  }

  /// The connection is gone.
  package func closed() {
    guard state.transportClosed() == .tearDown else { return }
    output.transportClosed()
    server.enter()
    takeLastAnswers()
    reader.close()
    unread.set(0, in: &server.memory.unread)
    _ = withdrawDetached()
    let dueWork = turns.dueWork.takeAll(in: &server.memory.queued)
    if let stallTimer { server.timers.cancel(stallTimer) }
    for wait in waits.takeAll() { if case .validation = wait.outcome { wait.session.end() } }
    for session in sessions.all { if session.kept == nil { session.end() } else { _ = session.detach(self) } }
    unsent.set(0, in: &server.memory.queued)
    // What kept sessions were to do here they do elsewhere.
    for work in dueWork where !work.session.isClosed { work.session.taker.perform(work) }
    server.providerGone(self)
    server.remove(self)
    server.leave()
  }

  /// The client is gone, and others went first: what it was asked and has answered before counts all the same. Nothing else does that was
  /// not handled.
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

  // MARK: Input

  /// Handles what was kept and reads on, now or when others have had their turns.
  func goOnInTurn() {
    if goesFirst { goOn() } else { waitForTurn() }
  }

  /// Handles what was kept, and reads on.
  func goOn() {
    readOn()
    accountForUnread()
    flush()
    if state.handlesMessages { output.transport?.setReading(true) }
  }

  func readOn() {
    handleMessages(in: UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Handles messages until there are no more, or nothing may be handled, or others are to go first.
  private func handleMessages(in bytes: UnsafeBufferPointer<UInt8>) {
    // Taken once: each look at it counts a reference, and a request looks often.
    let server = server
    let start = server.now
    var end = start
    var input = bytes
    var isSliceOver = false
    while !isSliceOver, state.handlesMessages {
      // Most texts are such lines, and most of those are recognized: then the reader, which is large, is not looked at.
      let line = reader.nextLine(&input)
      if let line, _fastPath(recognized(line, server)) {
        if _slowPath(output.writer.unflushedBytes >= Self.flushBytes) { flush() }
        end = turnEnded(since: end, server) { subject(of: line) }
      } else {
        let event: RPCReader.Event
        if let line {
          server.othersGoOn(without: self)
          event = .text(line)
          read(line)
        } else {
          guard let next = reader.next(&input) else { break }
          server.othersGoOn(without: self)
          event = next
          output.writer.framing = reader.framing
          handle(event, server)
        }
        outputChanged()
        if output.writer.unflushedBytes >= Self.flushBytes { flush() }
        guard reader.isBetweenMessages else { continue }
        end = turnEnded(since: end, server) { subject(of: event) }
      }
      isSliceOver = end.nanoseconds &- start.nanoseconds >= TurnOrder.slice
    }
    output.writer.framing = reader.framing
    worked(for: end.nanoseconds &- start.nanoseconds)
    if isSliceOver, reader.hasUnread(input) { waitForTurn() }
    // A connection that is blocked or waits goes on later; one that worked long may be quiet now, and keeps nothing.
    if isSliceOver || !state.handlesMessages { reader.keep(input) }
  }

  /// Takes over into the daemon's account what the reader holds. Who holds much when the account is full has to go.
  @inline(__always)
  func accountForUnread() {
    let bytes = reader.memoryBytes
    // Who is gone has given up its share.
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
      refuseInput(.memoryMax)
    }
  }

  private func refuseInput(_ limit: Limit) {
    server.statistics.badTexts += 1
    output.writer.refuse(nil, server.limits.overloaded(limit))
    outputChanged()
    state.inputOver()
    server.providerGone(self)
    _ = withdrawDetached()
    reader.abandon()
    unread.set(reader.memoryBytes, in: &server.memory.unread)
  }

  /// Whether it is this connection's turn now.
  @inline(__always)
  var goesFirst: Bool {
    !state.isWaiting && !server.isPollDue && server.turnOrder.goesFirst(usedTime: turns.usedTime)
  }

  private func waitForTurn() {
    guard state.othersGoFirst() == .waitForTurn else { return }
    output.transport?.setReading(false)
    askForTurn()
  }
}
