internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import SessionMessages
internal import Sessions
internal import Texts

/// One client: bytes come in by ``received(_:)`` and go out by its transport.
///
/// This is the shell around the parts of a connection, and does what they say: the ``RPCReader`` what the bytes come to, the
/// ``ConnectionState`` what follows from what happens, the ``ConnectionSessions`` which session is meant.
package final class ClientConnection {
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
  /// What its providers were asked.
  var questions = ProviderQuestions()
  /// Names of providers that it registered.
  var providerNames: [String] = []

  /// Whether the client is told of the forms when they are read anew.
  private enum FormsWatch {
    /// It has not asked for that.
    case off
    /// It knows the forms that there are. Then `behind`.
    case current
    /// They were read anew while it read slowly. Then `current`, when there is room.
    case behind
  }

  private var formsWatch = FormsWatch.off
  private var reader: RPCReader
  private var output: ConnectionOutput
  private var state: ConnectionState
  /// Wakes up to see whether a client that reads slowly reads at all.
  private var stallTimer: TimerQueue.Ticket?
  /// What it has in the daemon's accounts: unread input, and output that is not sent.
  private var unread = AccountShare()
  private var unsent = AccountShare()
  /// Whether the client has asked for its own end, and is to be told so.
  private var endsItself = false
  /// What another thread does for the message under way, if anything. Nothing else is handled meanwhile.
  private var detachedWork: DetachedMessage?
  /// When it was accepted.
  private let accepted: Instant
  /// What was handled: messages of the client, timers of its sessions, answers to their effects.
  private var turns = 0
  /// Nanoseconds that this took.
  private(set) var workTime: Int64 = 0
  /// Nanoseconds that it has used, as ``TurnOrder`` counts them.
  private var usedTime: Int64 = 0
  /// Whether it stands in the ``TurnOrder``.
  private var waitsForTurn = false
  /// What its sessions are to do when it is its turn, in order.
  private var dueWork = DueWork()

  /// From so many bytes on the output is flushed in the midst of a burst, so that the soft limit is seen in time.
  private static let flushBytes = 64 << 10
  /// So many bytes of an unfinished text, or of an answer, are taken from everybody.
  private static let bytesReserved = 64 << 10
  /// Texts from so many bytes on are parsed by another thread; a shorter one takes no longer than a turn.
  private static let longTextBytes = 128 << 10

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
    server.enter()
    if goesFirst {
      read(bytes)
    } else {
      reader.keep(bytes)
      waitForTurn()
    }
    accountForUnread()
  }

  /// All that had arrived was passed on: now the answers go out, in one piece.
  package func receivedAll() {
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
    for session in sessions.all { session.updates.release(session, into: &output.writer, of: server) }
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
    waitsForTurn = false
    performDueWork()
    guard dueWork.isEmpty, !server.isPollDue || !state.isWaiting else { return askForTurn() }
    guard state.turnCame() == .readOn else { return }
    goOn()
    closeIfSettled()
  }

  /// The connection is gone.
  package func closed() {
    guard state.transportClosed() == .tearDown else { return }
    server.enter()
    output.transportClosed()
    reader.close()
    unread.set(0, in: &server.memory.unread)
    _ = withdrawDetached()
    dueWork.removeAll(in: &server.memory.queued)
    if let stallTimer { server.timers.cancel(stallTimer) }
    for wait in waits.takeAll() { if case .validation = wait.outcome { sessions.end(wait.session) } }
    sessions.endAll()
    for name in providerNames { server.providers.remove(name) }
    providerNames = []
    for question in questions.takeAll() { server.answer(question, .init(kind: .gone, reason: "its client went away")) }
    unsent.set(0, in: &server.memory.queued)
    server.remove(self)
    server.leave()
  }

  // MARK: Input

  /// Handles what was kept and reads on, now or when others have had their turns.
  private func goOnInTurn() {
    if goesFirst { goOn() } else { waitForTurn() }
  }

  /// Handles what was kept, and reads on.
  private func goOn() {
    readOn()
    accountForUnread()
    flush()
    if state.handlesMessages { output.transport?.setReading(true) }
  }

  private func readOn() {
    read(UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Handles messages until there are no more, or nothing may be handled, or others are to go first.
  private func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    let start = server.now
    var end = start
    var input = bytes
    var isSliceOver = false
    while !isSliceOver, state.handlesMessages, let event = reader.next(&input) {
      output.writer.framing = reader.framing
      handle(event)
      outputChanged()
      if output.writer.unflushedBytes >= Self.flushBytes { flush() }
      guard reader.isBetweenMessages else { continue }
      end = turnEnded(since: end) { self.subject(of: event) }
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
  private func accountForUnread() {
    let bytes = reader.memoryBytes
    // Who is gone has given up its share.
    guard bytes != unread.bytes, !state.isGone else { return }
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
    _ = withdrawDetached()
    reader.abandon()
    unread.set(reader.memoryBytes, in: &server.memory.unread)
  }

  /// Whether it is this connection's turn now.
  @inline(__always)
  private var goesFirst: Bool {
    !state.isWaiting && !server.isPollDue && server.turnOrder.goesFirst(usedTime: usedTime)
  }

  private func waitForTurn() {
    guard state.othersGoFirst() == .waitForTurn else { return }
    output.transport?.setReading(false)
    askForTurn()
  }

  private func askForTurn() {
    guard !waitsForTurn else { return }
    waitsForTurn = true
    server.letOthersGoFirst(self, usedTime: usedTime)
  }

  /// A turn that began then is over.
  ///
  /// - Returns: the time now.
  @inline(__always)
  private func turnEnded(since start: Instant, _ subject: () -> TurnSubject) -> Instant {
    turns &+= 1
    return server.turnEnded(since: start, subject)
  }

  /// The connection was at work with one turn since then.
  private func worked(since start: Instant, _ subject: () -> TurnSubject) {
    let end = turnEnded(since: start, subject)
    worked(for: end.nanoseconds &- start.nanoseconds)
  }

  /// The connection has been at work for so long.
  @inline(__always)
  private func worked(for time: Int64) {
    workTime &+= time
    usedTime = server.turnOrder.charge(time, usedTime: usedTime)
    server.worked(time)
  }

  // MARK: Work of its sessions

  /// A session is to do something: now, or when it is the connection's turn.
  func perform(_ work: SessionWork) {
    if dueWork.isEmpty && goesFirst {
      performNow(work)
    } else {
      queue(server.isMemoryFull && work.bytes > Self.bytesReserved ? work.withoutBody : work)
    }
  }

  private func queue(_ work: SessionWork) {
    dueWork.append(work, in: &server.memory.queued)
    askForTurn()
  }

  private func performNow(_ work: SessionWork) {
    server.enter()
    let start = server.now
    // Afterwards nobody waits for it any more.
    let waiter = work.waiter
    work.perform()
    if case .answer = work { server.memoryWasFreed() }
    worked(since: start) { TurnSubject(work, of: waiter) }
  }

  /// Does what is due for as long as a turn lasts.
  private func performDueWork() {
    let start = server.now
    while let work = dueWork.popFirst(in: &server.memory.queued) {
      performNow(work)
      if server.nanoseconds(since: start) >= TurnOrder.slice { break }
    }
  }

  @inline(__always)
  private func handle(_ event: RPCReader.Event) {
    switch event {
    case .text(let text):
      if recognized(text) { break }
      if text.count < Self.longTextBytes { reader.read(text) } else { readDetached(text) }
    case .request(let request):
      serve(request)
    case .response(let id, let result, let error):
      if let number = RPCWriter.requestNumber(id), let question = questions.take(number) {
        server.answer(question, EffectResponse(result: result, error: error))
      } else {
        server.statistics.unknownResponses += 1
      }
    case .refused(let id, let error):
      server.statistics.badTexts += 1
      output.writer.refuse(id, error)
    case .batchBegan: output.writer.batchBegan()
    case .batchEnded: output.writer.batchEnded()
    case .ended: inputOver()
    }
  }

  /// Nothing more is read.
  func inputOver() {
    state.inputOver()
    reader.close()
  }

  /// Does what a text says that is as plain as most are; false, with nothing done, for any other.
  @inline(__always)
  private func recognized(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Whatever is out of the ordinary goes the long way, which knows all the answers.
    guard server.recognizesPlainInputs, state.service == .all, let input = PlainInput(text),
      let session = sessions.plain(input.session), let (sessionInput, cause) = session.input(input),
      (try? sessions.admit(sessionInput, to: session)) != nil
    else { return false }
    server.statistics.requests += 1
    let token = output.writer.accepted(.integer(input.id))
    let turn = session.apply(sessionInput, cause: cause)
    if cause == .actionTap {
      answer(token, TapAnswer(turn))
    } else {
      answer(token, InputAnswer(revision: turn.revision))
    }
    return true
  }

  private func serve(_ request: RPCRequest) {
    let token = output.writer.accepted(request.id)
    if token.wantsAnswer { server.statistics.requests += 1 } else { server.statistics.notifications += 1 }
    guard let method = Method(utf8: request.method) else {
      let name = String(decoding: request.method.prefix(128), as: UTF8.self)
      if token.wantsAnswer {
        fail(token, .methodNotFound(name, closest: Method.closest(to: name)))
      } else {
        server.statistics.notificationsIgnored += 1
      }
      return
    }
    do throws(RPCError) {
      switch state.service {
      case .all: break
      case .whileDraining: if !method.isServedWhileDraining { throw .draining }
      case .exit: if method != .exit { throw .shutDown }
      }
      if place != .ordinary { try admit(method, token) }
      if output.writer.batchBytes > 0 { try checkBatch() }
      try method.serve(request, ServedCall(connection: self, token: token))
    } catch {
      refuse(method, token, error)
    }
  }

  /// Beyond the ordinary places a method may be called. A client for which there is no room otherwise has to go, with its answer.
  ///
  /// - Throws: 1011.
  private func admit(_ method: Method, _ token: RequestToken) throws(RPCError) {
    do throws(RPCError) {
      try server.admit(self, calling: method)
    } catch {
      // Once, and not for each member of a batch.
      if state.readsInput {
        server.connectionTurnedAway(self)
        inputOver()
        if !token.wantsAnswer { say(error) }
      }
      throw error
    }
  }

  /// Says what is wrong with the connection as a whole.
  private func say(_ error: RPCError) {
    output.writer.writeLastWord(error)
    outputChanged()
  }

  /// The answers to batches that are not finished may grow.
  ///
  /// - Throws: 1011 or 1012.
  private func checkBatch() throws(RPCError) {
    if output.writer.batchBytes > server.limits[.batchBytesMax] { throw server.limits.quotaExceeded(.batchBytesMax) }
    if server.isMemoryFull { throw server.limits.overloaded(.memoryMax) }
  }

  /// `shutdown`: the client announces its end. Only `exit` is served from now on.
  func shutDown() {
    state.shutDown()
    for session in sessions.all {
      push(SessionClosed(session: session.id, reason: .shutdown))
      close(session)
    }
  }

  /// ``Method/cancelRequest``: stops waiting. What was started goes on.
  func cancelRequest(_ id: RequestID) {
    guard let wait = waits.take(id: id) else { return }
    if case .validation = wait.outcome { sessions.end(wait.session) }
    fail(wait.token, .cancelled)
  }

  /// Another request may wait for an outcome.
  ///
  /// - Throws: 1012 where too many do.
  func checkRequestsInFlight() throws(RPCError) {
    if waits.count >= server.limits[.requestsInFlightMax] { throw server.limits.quotaExceeded(.requestsInFlightMax) }
  }

  // MARK: Work of other threads

  /// Another thread parses a text. Nothing else is handled until then.
  private func readDetached(_ text: UnsafeBufferPointer<UInt8>) {
    let text = reader.detach(text)
    let work = DetachedMessage()
    detach(work)
    server.detach(.parsing, text.parse) { [self, unowned(unsafe) server] in
      guard detachedWork === work else { return }
      detachedWork = nil
      server.enter()
      reader.readDetached()
      // At once, whoever waits: what was parsed takes much more memory than the text.
      if state.detachedWorkEnded() == .readOn { goOn() } else { accountForUnread() }
      server.leave()
      closeIfSettled()
    }
  }

  /// Reads a text for a request, and goes on then. Nothing else is handled until then.
  ///
  /// - Parameter judge: answers the request; what it throws is the answer instead.
  func read(_ text: ReadText, _ token: RequestToken, _ judge: @escaping () throws(RPCError) -> Void) {
    let work = DetachedMessage(token: token)
    detach(work)
    server.detach(.parsing, text.read) { [self, unowned(unsafe) server] in
      guard detachedWork === work else { return }
      detachedWork = nil
      server.enter()
      let start = server.now
      do throws(RPCError) {
        try judge()
      } catch {
        fail(token, error)
      }
      worked(since: start) { TurnSubject() }
      if state.detachedWorkEnded() == .readOn { goOnInTurn() }
      server.leave()
      closeIfSettled()
    }
  }

  /// Compiles a definition for a request, and goes on with its form. Nothing else is handled until then.
  ///
  /// - Parameters:
  ///   - text: read on the way.
  ///   - open: answers the request; what it throws is the answer instead.
  func compile(
    _ definition: BroughtDefinition,
    reading text: ReadText? = nil,
    _ token: RequestToken,
    _ open: @escaping (Form) throws(RPCError) -> Void
  ) {
    let work = DetachedMessage(definition: definition, token: token)
    detach(work)
    server.compilingCount += 1
    let compile: @Sendable () -> Void = {
      text?.read()
      definition.compile()
    }
    server.detach(.compiling, compile) { [self, unowned(unsafe) server] in
      server.compilingCount -= 1
      guard detachedWork === work else { return }
      detachedWork = nil
      server.enter()
      let start = server.now
      do throws(RPCError) {
        try open(definition.compilation.form(limits: server.limits))
      } catch {
        fail(token, error)
        if let form = definition.compilation.form { server.letGo(form) }
      }
      worked(since: start) { TurnSubject(definition: definition.compilation.form?.name ?? "") }
      if state.detachedWorkEnded() == .readOn { goOnInTurn() }
      server.leave()
      closeIfSettled()
    }
  }

  private func detach(_ work: DetachedMessage) {
    precondition(detachedWork == nil, "another thread works for this connection already")
    detachedWork = work
    state.workDetached()
    output.transport?.setReading(false)
  }

  /// Nobody waits for the other thread any more.
  ///
  /// - Returns: the request that waited for a definition.
  private func withdrawDetached() -> RequestToken? {
    guard let work = detachedWork else { return nil }
    detachedWork = nil
    work.definition?.withdraw()
    _ = state.detachedWorkEnded()
    return work.token
  }

  // MARK: Sessions

  /// Closes a session; who waited for it is told so.
  func close(_ session: LiveSession) {
    for token in waits.takeAll(of: session) { fail(token, .sessionClosed) }
    sessions.end(session)
  }

  // MARK: Answers and pushes

  /// Answers a request; nothing for a notification.
  @inline(__always)
  func answer(_ token: RequestToken, _ answer: some MemberValue) {
    guard token.wantsAnswer else { return }
    answer.write(into: output.writer.beginResult(token))
    output.writer.endMessage()
    outputChanged()
  }

  /// Answers a request with a message whose prepared member is that session's document.
  func answer(_ token: RequestToken, _ answer: some FormProtocol.Message, documentOf session: LiveSession) {
    guard token.wantsAnswer else { return }
    let result = output.writer.beginResult(token)
    answer.writeHead(into: result)
    server.engine.writeDocument(of: session.session, into: result)
    answer.writeTail(into: result)
    output.writer.endMessage()
    outputChanged()
  }

  /// Answers with an error; a notification that feeds a session is answered by ``ServerRejected``.
  private func refuse(_ method: Method, _ token: RequestToken, _ error: RPCError) {
    if token.wantsAnswer { return fail(token, error) }
    guard method.isRefusalTold else {
      server.statistics.notificationsIgnored += 1
      return
    }
    server.statistics.notificationsRejected += 1
    push(ServerRejected(method: method, error: error))
  }

  /// Answers a request with an error.
  func fail(_ token: RequestToken, _ error: RPCError) {
    server.statistics.errors += 1
    output.writer.fail(token, error)
    outputChanged()
  }

  /// Writes a notification.
  func push<Params: Push>(_ params: Params) {
    params.write(into: output.writer.beginNotification(Params.push.wireName))
    output.writer.endMessage()
    outputChanged()
  }

  // MARK: The forms that there are

  /// Tells the client of the forms from now on.
  func watchForms() {
    if formsWatch == .off { formsWatch = .current }
  }

  /// The forms were read anew: tells the client, if it watches them. One that reads slowly is told of the newest when there is room.
  func formsChanged() {
    guard formsWatch != .off else { return }
    switch state.updates {
    case .written: push(server.loadedForms)
    case .heldBack: formsWatch = .behind
    case .dropped: break
    }
  }

  // MARK: Questions to its providers

  /// Asks a provider of this client.
  ///
  /// - Returns: the question's number, by which it can be withdrawn.
  func ask(_ params: ProviderQuestion, _ question: OpenQuestion, timeoutMs: Int?) -> Int {
    let (number, buffer) = output.writer.beginRequest(ProviderQuestion.push.wireName)
    params.write(into: buffer)
    output.writer.endMessage()
    outputChanged()
    let timer = timeoutMs.map { server.schedule(.question(self, number), at: server.now + .milliseconds($0)) }
    questions.add(question, number, timer)
    return number
  }

  /// Whether the client does not even read what it is asked.
  var readsTooSlowly: Bool {
    state.updates == .heldBack && output.unsentBytes > server.limits[.outputHardBytes]
  }

  /// Takes a question back: nobody waits for its answer any more.
  ///
  /// - Returns: the question; nil, with nothing done, if it has its answer.
  @discardableResult
  func withdraw(_ number: Int) -> OpenQuestion? {
    guard let question = questions.take(number) else { return nil }
    if let timer = question.timer { server.timers.cancel(timer) }
    push(CancelRequestParams(id: RPCWriter.requestID(number)))
    return question
  }

  /// The configuration's patience with a provider of this client is over, before the form's is.
  func questionTimedOut(_ number: Int) {
    guard let question = withdraw(number) else { return }
    server.answer(question, EffectResponse(kind: .timeout, reason: "the provider gave no answer in time"))
  }

  // MARK: Turns

  /// Writes the update of a turn, or remembers it for a slow reader. A connection at its end has no more to say.
  @inline(__always)
  func tell(_ turn: borrowing Turn, of session: LiveSession, cause: Cause) {
    switch state.updates {
    case .written:
      session.updates.write(turn, of: session, cause: cause, into: &output.writer, server)
      outputChanged()
    case .heldBack: session.updates.holdBack(turn, of: session, cause: cause, server)
    case .dropped: break
    }
  }

  /// Answers the requests that waited for what a turn came to.
  func answerWaits(_ session: LiveSession, _ turn: borrowing Turn) {
    for event in turn.events {
      guard let token = waits.take(tap: event.token, of: session) else { continue }
      // After an answer the client's document is current, however slowly it reads.
      session.updates.release(session, into: &output.writer, of: server)
      answer(token, TapAnswer(revision: turn.revision, event: ActionEvent(event)))
    }
    for tap in turn.swallowedTaps {
      guard let token = waits.take(tap: tap, of: session) else { continue }
      session.updates.release(session, into: &output.writer, of: server)
      answer(token, TapAnswer(revision: turn.revision, outcome: .dropped))
    }
  }

  // MARK: Output

  /// Sees to it that what was written is flushed when the entry ends.
  @inline(__always)
  private func outputChanged() {
    if output.needsListing() { server.flushLater(self) }
    if output.writer.batchBytes != 0 { accountForUnsent() }
  }

  /// Takes over into the daemon's account what is written and not sent.
  private func accountForUnsent() {
    guard !state.isGone else { return }
    unsent.set(
      output.writer.batchBytes + (state.updates == .written ? 0 : output.unsentBytes),
      in: &server.memory.queued
    )
  }

  /// The entry ends: hands the output to the transport.
  func flushListed() {
    flushed(hasRoom: output.flushListed())
  }

  private func flush() {
    flushed(hasRoom: output.flush())
  }

  @inline(__always)
  private func flushed(hasRoom: Bool) {
    let action = state.wrote(hasRoom: hasRoom)
    if !hasRoom || unsent.bytes != 0 { accountForUnsent() }
    guard action == .stopReading else { return }
    output.transport?.setReading(false)
    watchForStall()
  }

  private func watchForStall() {
    guard stallTimer == nil, output.transport != nil else { return }
    _ = output.lookWhatIsRead()
    // From now, not from when the turn began that wrote so much: that turn may have taken as long.
    let now = server.environment.now()
    stallTimer = server.schedule(.stall(self), at: now + .milliseconds(server.limits[.stallMs]))
  }

  /// The client had its time to drain something.
  func stallTimerFired() {
    stallTimer = nil
    guard let transport = output.transport else { return }
    switch state.stallTimerFired(hasDrained: output.lookWhatIsRead()) {
    case .watchOn: watchForStall()
    case .abort:
      server.statistics.connectionsStalled += 1
      server.logger.warning(
        "a client reads nothing and is disconnected",
        metadata: logMetadata.merging(["unsentBytes": "\(output.unsentBytes)"]) { $1 }
      )
      transport.abort()
    default: break
    }
  }

  // MARK: For operators

  /// What a turn was about that this event began.
  private func subject(of event: RPCReader.Event) -> TurnSubject {
    switch event {
    case .text(let text): PlainInput(text).map { TurnSubject($0, sessions) } ?? TurnSubject()
    case .request(let request): TurnSubject(request, sessions)
    default: TurnSubject()
    }
  }

  /// Whose connection it is, for the log.
  var logMetadata: Logger.Metadata { ["connection": "\(number)", "pid": "\(peer?.processID ?? 0)"] }

  /// The connection as ``Method/serverStats`` lists it.
  func row(at now: Instant) -> ConnectionRow {
    var row = ConnectionRow()
    row.connection = number
    row.userID = peer.map { Int($0.userID) }
    row.processID = peer.map { Int($0.processID) }
    row.ageMs = Int((now - accepted) / .milliseconds(1))
    row.sessions = sessions.count
    row.unsentBytes = output.unsentBytes
    row.bytes = sessions.bytes + unread.bytes + unsent.bytes + dueWork.bytes
    row.turns = turns
    row.microseconds = Int(workTime / 1_000)
    return row
  }

  // MARK: The end

  /// Ends the connection now, with a last word that the client gets if it has read what was before. Not while it handles a message:
  /// ``endItself()``.
  func end(telling error: RPCError) {
    say(error)
    flush()
    output.transport?.abort()
  }

  /// Ends the connection as ``Method/exit`` does, for the client itself has asked: when it has its answers, those of the rest of a batch
  /// included. Then it is told so.
  func endItself() {
    inputOver()
    endsItself = true
  }

  /// Ends the connection when nothing is left to be said.
  func closeIfSettled() {
    guard case .close(let tellsSessions) = state.settled(unanswered: output.writer.unanswered),
      let transport = output.transport
    else { return }
    reader.close()
    if tellsSessions {
      for session in sessions.all { push(SessionClosed(session: session.id, reason: .draining)) }
    }
    if endsItself { say(.disconnected) }
    flush()
    transport.closeAfterSending()
    if output.unsentBytes > 0 { watchForStall() }
  }

  /// The daemon is ending.
  func drain() {
    state.drainBegan()
    push(ServerDraining(withinMs: server.limits[.drainMs]))
    flush()
    closeIfSettled()
  }

  /// The daemon does not wait any longer.
  func drainDeadlinePassed() {
    if let token = withdrawDetached() { fail(token, .draining) }
    for wait in waits.takeAll() {
      if case .validation = wait.outcome { sessions.end(wait.session) }
      fail(wait.token, .draining)
    }
    flush()
    state.drainDeadlinePassed()
    // What was kept is not handled any more, but for the rest of a batch: its members were accepted.
    reader.close()
    readOn()
    closeIfSettled()
  }
}

/// A message that another thread works on. An object, for most connections have none.
private final class DetachedMessage {
  /// The definition that compiles, and the request that brought it; nil where a text is parsed.
  let definition: BroughtDefinition?
  let token: RequestToken?

  init(definition: BroughtDefinition? = nil, token: RequestToken? = nil) {
    self.definition = definition
    self.token = token
  }
}
