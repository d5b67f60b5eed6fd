internal import Configuration
internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import Logging
internal import SessionCalls
internal import Sessions

/// The handling of the messages that the client sends.
extension ClientConnection {
  @inline(__always)
  func handle(_ event: RPCReader.Event, _ server: FormServer) {
    switch event {
    case .text(let text):
      if !servePlainInput(text, server) { read(text) }
    case .request(let request):
      dispatch(request)
    case .response(let id, let result, let error):
      let isAwaited =
        RPCWriter.requestNumber(id).map {
          server.providerAnswered(self, $0, EffectResponse(result: result, error: error))
        } ?? false
      if !isAwaited { server.statistics.unknownResponses += 1 }
    case .refused(let id, let error):
      server.statistics.badTexts += 1
      if server.logsMessages { server.messageOutcome = .failed(error.code) }
      output.writer.refuse(id, error)
    case .batchBegan: output.writer.batchBegan()
    case .batchEnded: output.writer.batchEnded()
    case .ended: readingEnded()
    }
  }

  /// Nothing more is read, so the client can no longer answer the daemon's requests.
  func readingEnded() {
    state.readingEnded()
    reader.close()
    server.providerGone(self)
  }

  /// Reads a text that was not recognized; its messages come next.
  func read(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count < OffloadedMessage.longTextBytes { reader.read(text) } else { readElsewhere(text) }
  }

  /// Serves a text if it is a plain input, as most are. Returns false, with nothing done, for any other text. It also
  /// returns false if the answer is an error: then the reader reads the text again, and finds the same error with all
  /// that it says.
  ///
  /// This is a call of its own, and it gets the server as an argument. So the caller keeps alive everything that is
  /// read here, and no read counts a reference.
  @inline(never)
  func servePlainInput(_ text: UnsafeBufferPointer<UInt8>, _ server: FormServer) -> Bool {
    // Everything out of the ordinary goes the long way, which knows all the answers.
    guard server.recognizesPlainInputs, state.service == .all, let text = PlainText(text) else { return false }
    return switch text.method {
    case .fieldFocus: serve(FieldFocusParams.self, text, server)
    case .fieldBlur: serve(FieldBlurParams.self, text, server)
    case .actionTap: serve(ActionTapParams.self, text, server)
    default: serve(FieldChangeParams.self, text, server)
    }
  }

  /// Serves a call of a plain input.
  @inline(__always)
  private func serve<Params: InputCall & PlainCall>(
    _ type: Params.Type,
    _ text: consuming PlainText,
    _ server: FormServer
  ) -> Bool {
    let params = Params(&text)
    guard text.isRead, let found = sessions.find(params.session).map(Unmanaged.passUnretained) else { return false }
    // The connection has the session, and no turn ends a session, so no reference to it is counted here.
    return found._withUnsafeGuaranteedRef { session in
      guard let answer = try? feed(session, params, server) else { return false }
      server.statistics.requests += 1
      answerPlain(text.id, answer, of: session)
      assert(!session.isClosed, "a turn has ended its session")
      return true
    }
  }

  /// Feeds a session with the input that params mean.
  ///
  /// - Returns: the answer to the call.
  /// - Throws: the error that answers the call instead; the input has no effect then.
  @inline(__always)
  func feed<Params: InputCall>(
    _ session: LiveSession,
    _ params: borrowing Params,
    _ server: FormServer
  ) throws(RPCError) -> Params.Answer {
    let input = try params.input(for: session.engineSession)
    return try params.answer(to: try feed(session, consume input, cause: Params.cause, server))
  }

  /// Applies an input of this client, if there is room for its values, and carries out its turn.
  ///
  /// - Parameter beforeCarryingOut: called with the turn before it is carried out.
  /// - Returns: the turn.
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded`` without room,
  ///   ``FormErrorCode/overloaded`` if the session is stored and the store is away; nothing was done then.
  @inline(__always)
  func feed(
    _ session: LiveSession,
    _ input: consuming Input,
    cause: Cause,
    _ server: FormServer,
    beforeCarryingOut: (borrowing Turn) -> Void = { _ in }
  ) throws(RPCError) -> Turn {
    // A session that is not kept has this client alone.
    if _fastPath(session.kept == nil) {
      try checkRoom(for: input, in: session, server)
    } else {
      try session.checkRoomAndStore(for: input, from: self, server)
    }
    return session.apply(input, cause: cause, from: self, server, beforeCarryingOut: beforeCarryingOut)
  }

  /// Checks that there is room for the values of an input, in a session that counts for this connection. A bound that
  /// costs nothing answers for most inputs, and a closer bound of the engine for the others.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded``.
  @inline(__always)
  func checkRoom(for input: Input, in session: LiveSession, _ server: FormServer) throws(RPCError) {
    let bound = session.engineSession.hasGrowthBound ? session.engineSession.growthBound(of: input) : nil
    if let bound, sessions.hasRoom(for: bound, server) { return }
    try sessions.checkRoomClosely(for: input, in: session, server)
  }

  private func dispatch(_ request: RPCRequest) {
    let unanswered = output.writer.unanswered
    let token = output.writer.accepted(request.id)
    dispatch(request, token)
    if server.logsMessages, token.wantsAnswer, output.writer.unanswered > unanswered { server.messageOutcome = .waits }
  }

  private func dispatch(_ request: RPCRequest, _ token: RequestToken) {
    if token.wantsAnswer { server.statistics.requests += 1 } else { server.statistics.notifications += 1 }
    guard let method = Method(utf8: request.method) else {
      let name = String(decoding: request.method.prefix(128), as: UTF8.self)
      if server.logsMessages { server.messageOutcome = .failed(RPCErrorCode.methodNotFound.rawValue) }
      if token.wantsAnswer {
        fail(token, .methodNotFound(name, closest: Method.closest(to: name)))
      } else {
        server.statistics.notificationsIgnored += 1
      }
      return
    }
    do throws(RPCError) {
      if let role = method.role, !roles.contains(role) { throw refused(method, without: role) }
      switch state.service {
      case .all: break
      case .whileDraining: if !method.isServedWhileDraining { throw .draining }
      case .exit: if method != .exit { throw .shutDown }
      }
      if seat != .ordinary { try checkSeat(method, token) }
      if output.writer.batchBytes > 0 { try checkBatch() }
      try method.serve(request, ServedCall(connection: self, token: token))
    } catch {
      if server.logsMessages { server.messageOutcome = .failed(error.code) }
      refuse(method, token, error)
    }
  }

  /// The client's user does not have the role that a method needs.
  private func refused(_ method: Method, without role: Role) -> RPCError {
    server.logger.warning(
      "a client called a method without the role for it",
      metadata: logMetadata.merging(
        ["method": "\(method.wireName)", "role": "\(role.wireName)", "uid": "\(peer?.userID ?? 0)"]
      ) { $1 }
    )
    audit(method, nil, ["refused": "\(role.wireName)"])
    return .roleNeeded(role)
  }

  /// Checks that a client beyond the ordinary seats may call a method. If it may not, it gets its answer and must go.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  private func checkSeat(_ method: Method, _ token: RequestToken) throws(RPCError) {
    do throws(RPCError) {
      try server.checkSeat(of: self, calling: method)
    } catch {
      // Only once, not for each member of a batch.
      if state.readsInput {
        server.connectionRefused(self)
        readingEnded()
        if !token.wantsAnswer { fail(error) }
      }
      throw error
    }
  }

  /// Checks that the answers to unfinished batches may grow.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded``.
  private func checkBatch() throws(RPCError) {
    if output.writer.batchBytes > server.limits[.batchBytesMax] { throw server.limits.quotaExceeded(.batchBytesMax) }
    try server.checkMemory()
  }

  /// The subject of a plain input that was served. To read it again costs little beside the line of the log.
  func subject(of text: UnsafeBufferPointer<UInt8>) -> WorkSubject {
    guard let tree = try? JSONTree(parsing: text) else { return WorkSubject() }
    return subject(of: RPCReader.Event(envelope: tree.root))
  }

  func subject(of event: RPCReader.Event) -> WorkSubject {
    switch event {
    // The bytes of a connection that is gone may be gone, too.
    case .text(let text) where !state.isGone && PlainText(text) != nil: subject(of: text)
    case .request(let request): WorkSubject(request, sessions)
    case .response: WorkSubject(cause: "response")
    case .refused: WorkSubject(cause: "invalid message")
    default: WorkSubject()
    }
  }
}
