internal import Configuration
internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// Answers and notifications to the client.
extension ClientConnection {
  /// Answers a request; nothing for a notification.
  @inline(__always)
  func answer(_ token: RequestToken, _ answer: some MemberValue) {
    guard token.wantsAnswer else { return }
    output.writer.answer(token) { answer.write(into: $0) }
    scheduleFlush()
  }

  /// Answers a request with the new state of a session: now, or when that state is stored.
  @inline(__always)
  func answer(_ token: RequestToken, _ answer: some MemberValue, of session: LiveSession) {
    if !session.storesFirst { return self.answer(token, answer) }
    answerStored(token, session, introduces: false) { answer.write(into: $0) }
  }

  /// Answers a plain input, a request that came alone. Nothing else was read since.
  @inline(__always)
  func answerPlain(_ id: Int64, _ answer: some MemberValue, of session: LiveSession) {
    if _slowPath(session.storesFirst) { return answerPlainWhenStored(id, answer, of: session) }
    output.writer.answerAtOnce(id) { answer.write(into: $0) }
    scheduleFlush()
  }

  /// Answers a plain input whose answer may have to wait until the store has the new state.
  @inline(never)
  func answerPlainWhenStored(_ id: Int64, _ answer: some MemberValue, of session: LiveSession) {
    self.answer(output.writer.accepted(.integer(id)), answer, of: session)
  }

  /// Answers with a message whose prepared member is that session's document.
  ///
  /// - Parameter introduces: whether the client learns by it that it has the session.
  func answer(
    _ token: RequestToken,
    _ answer: some FormProtocol.Message,
    documentOf session: LiveSession,
    introduces: Bool = false
  ) {
    answerStored(token, session, introduces: introduces) { result in
      answer.writeHead(into: result)
      server.engine.writeDocument(of: session.engineSession, onlyPublic: hearsOnlyPublic, into: result)
      answer.writeTail(into: result)
    }
  }

  private func answerStored(
    _ token: RequestToken,
    _ session: LiveSession,
    introduces: Bool,
    _ write: (OutputBuffer) -> Void
  ) {
    guard token.wantsAnswer else { return }
    if session.storesFirst {
      _ = session.withStorage { $0.changeOutbox(server) { $0.answer(token, to: self, introduces: introduces, write) } }
    } else {
      output.writer.answer(token, write)
      scheduleFlush()
    }
  }

  /// Sends messages that have waited for the store. Does nothing for a connection at its end: no request of it waits.
  func send(_ delivery: SessionOutbox.Delivery) {
    guard let text = delivery.text, state.updateTreatment != .dropped else { return }
    if delivery.isBatchMember {
      for request in delivery.answered { output.writer.answer(request.token) { $0.append(text.bytes) } }
    } else {
      output.writer.send(held: text, answers: delivery.answered.count)
    }
    scheduleFlush()
    if !delivery.answered.isEmpty { server.closeLaterIfDone(self) }
  }

  /// Answers with an error. For a notification that feeds a session, the answer is ``ServerRejected``.
  func refuse(_ method: Method, _ token: RequestToken, _ error: RPCError) {
    if token.wantsAnswer { return fail(token, error) }
    guard method.feedsSession else {
      server.statistics.notificationsIgnored += 1
      return
    }
    server.statistics.notificationsRejected += 1
    notify(ServerRejected(method: method, error: error))
  }

  /// Answers a request with an error, and counts it.
  func fail(_ token: RequestToken, _ error: RPCError) {
    server.statistics.errors += 1
    server.namedCounts.failed(code: error.code)
    output.writer.fail(token, error)
    scheduleFlush()
  }

  /// Writes an error that answers no request: it is about the connection as a whole.
  func fail(_ error: RPCError) {
    output.writer.writeLastWord(error)
    scheduleFlush()
  }

  /// Notifies the client, also at the end of the connection.
  func notify<Params: Push>(_ params: Params) {
    output.writer.notify(Params.push.wireName) { params.write(into: $0) }
    scheduleFlush()
  }

  /// Notifies the client of changed forms from now on.
  func watchForms() {
    if formsWatch == .off { formsWatch = .current }
  }

  /// The forms were reloaded: notifies the client, if it watches them. A client that reads slowly gets the newest forms
  /// when there is room.
  func formsChanged() {
    guard formsWatch != .off else { return }
    switch state.updateTreatment {
    case .written: notify(server.loadedForms)
    case .heldBack: formsWatch = .behind
    case .dropped: break
    }
  }

  /// Writes the update of a turn, or remembers it for a slow reader. Does nothing for a connection at its end.
  @inline(__always)
  func sendUpdate(of turn: borrowing Turn, in session: LiveSession, cause: Cause, _ server: FormServer) {
    if _slowPath(hearsOnlyPublic) { return sendPublicUpdate(of: turn, in: session, cause: cause, server) }
    switch state.updateTreatment {
    case .written:
      if _slowPath(session.storesFirst) { return sendUpdateWhenStored(of: turn, in: session, cause: cause, server) }
      session.updates.write(turn, of: session, cause: cause, into: &output.writer, server)
      scheduleFlush()
    case .heldBack: session.updates.holdBack(turn, of: session, cause: cause, server)
    case .dropped: break
    }
  }

  /// Writes the update of a turn, which leaves when the store has the turn.
  @inline(never)
  private func sendUpdateWhenStored(
    of turn: borrowing Turn,
    in session: LiveSession,
    cause: Cause,
    _ server: FormServer
  ) {
    session.notify(self, server) { session.updates.write(turn, of: session, cause: cause, into: &$0, server) }
  }

  /// Writes or remembers the update for a client that gets only what the form calls public.
  @inline(never)
  private func sendPublicUpdate(
    of turn: borrowing Turn,
    in session: LiveSession,
    cause: Cause,
    _ server: FormServer
  ) {
    let details = ToldDetails(events: turn.events.map { ActionEvent($0) }, ids: turn.told)
    sendUpdate(of: turn, details: details, patch: nil, in: session, cause: cause, updates: &session.updates, server)
  }

  /// Writes or remembers the update for one client of a kept session.
  ///
  /// - Parameters:
  ///   - patch: the turn's patch, if it is already written.
  ///   - updates: the state of the updates to this client.
  func sendUpdate(
    of turn: borrowing Turn,
    details: ToldDetails,
    patch: OutputBuffer?,
    in session: LiveSession,
    cause: Cause,
    updates: inout UpdateStream,
    _ server: FormServer
  ) {
    switch state.updateTreatment {
    case .written:
      let params = server.pool.take()
      defer { server.pool.give(params) }
      let hasContent = updates.write(
        turn,
        details: details,
        patch: patch,
        of: session,
        onlyPublic: hearsOnlyPublic,
        cause: cause,
        into: params,
        server
      )
      guard hasContent else { return }
      session.notify(self, server) { $0.notify(server.updateHead) { $0.append(params.bytes) } }
    case .heldBack: updates.holdBack(turn, details: details, of: session, cause: cause, server)
    case .dropped: break
    }
  }

  /// Answers the requests that waited for the result of a turn.
  func answerWaits(_ session: LiveSession, _ turn: borrowing Turn) {
    for event in turn.events {
      guard let wait = waits.take(tap: event.token, of: session) else { continue }
      let visible = session.visibleEvents([ActionEvent(event)], onlyPublic: hearsOnlyPublic)
      answerWaiting(wait, TapAnswer(revision: turn.revision, event: visible[0]))
    }
    for tap in turn.swallowedTaps {
      guard let wait = waits.take(tap: tap, of: session) else { continue }
      answerWaiting(wait, TapAnswer(revision: turn.revision, outcome: .dropped))
    }
  }

  /// Answers a request that waited. After the answer the client's document is current, however slowly it reads.
  private func answerWaiting(_ wait: WaitingRequests.Entry, _ answer: TapAnswer) {
    var answer = answer
    if case .tap(_, wantsDocument: true) = wait.outcome { answer.document = document(of: wait.session) }
    wait.session.updates(of: self) { $0.release(wait.session, to: self) }
    self.answer(wait.token, answer, of: wait.session)
    server.closeLaterIfDone(self)
  }

  /// ``Method/cancelRequest``: stops waiting. The work that was started goes on.
  func cancelRequest(_ id: RequestID) {
    guard let wait = waits.take(id: id) else { return }
    if case .validation = wait.outcome { wait.session.end() }
    fail(wait.token, .cancelled)
  }

  /// Checks that another request may wait for an outcome.
  ///
  /// - Throws: ``FormErrorCode/quotaExceeded`` if too many wait.
  func checkRequestsInFlight() throws(RPCError) {
    if waits.count + longWaitCount >= server.limits[.requestsInFlightMax] {
      throw server.limits.quotaExceeded(.requestsInFlightMax)
    }
  }

  /// The document of a session, as this client may see it.
  func document(of session: LiveSession) -> JSON {
    let buffer = OutputBuffer()
    server.engine.writeDocument(of: session.engineSession, onlyPublic: hearsOnlyPublic, into: buffer)
    guard let document = try? JSON(parsing: buffer.bytes) else {
      preconditionFailure("the engine wrote a document that is not JSON")
    }
    return document
  }
}
