internal import FormProtocol
internal import JSON
internal import JSONRPC

extension FormConnection {
  /// The default time for which a connection tries to come back.
  public static let standardPatience = Duration.seconds(30)

  /// The number of times that a call is sent at most: a call that ends every connection must not be repeated for ever.
  private static let timesSentMax = 3

  // MARK: Calls that outlive their connection

  /// Sends a request and waits for its answer. If the connection is lost, a new connection is used, if there is
  /// something to restore.
  ///
  /// - Parameters:
  ///   - method: its name.
  ///   - session: the session that it is about, if there is one.
  ///   - mayBeRepeated: whether the request is idempotent.
  ///   - send: sends it.
  ///   - answer: waits for its answer.
  /// - Throws: ``ClientError/outcomeUnknown(method:reason:)``, ``ClientError/sessionLost(reason:)``, and the errors of
  ///   `send` and `answer`.
  func perform<Value>(
    _ method: String,
    of session: FormSession?,
    mayBeRepeated: Bool,
    send: () throws(ClientError) -> RequestID,
    answer: (RequestID) throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    var timesSent = 0
    while true {
      // A connection that is lost before the request is sent cannot lose the request.
      if hasSomethingToComeBackTo { try takeIn() }
      if let loss = session?.loss { throw loss }
      let id: RequestID
      do throws(ClientError) {
        id = try send()
      } catch {
        // The daemon did not get a whole line, so that the request can be sent again.
        guard try comesBack(after: error) else { throw error }
        continue
      }
      timesSent += 1
      let failure: ClientError
      do throws(ClientError) {
        return try answer(id)
      } catch {
        failure = error
      }
      guard try isLost(session, failure, mayBeRepeated: mayBeRepeated, method) else { throw failure }
      if !mayBeRepeated || timesSent == Self.timesSentMax {
        throw .outcomeUnknown(method: method, reason: failure.firstLine)
      }
    }
  }

  /// Whether a request failed because its connection, or its session, was lost, and both are restored.
  private func isLost(
    _ session: FormSession?,
    _ failure: ClientError,
    mayBeRepeated: Bool,
    _ method: String
  ) throws(ClientError) -> Bool {
    do throws(ClientError) {
      if try comesBack(after: failure) { return true }
      guard let session, session.key != nil, failure.saysSessionClosed else { return false }
      // The next message says whether the session is closed, or must be attached again.
      while !session.isClosed, away.isEmpty {
        guard let event = try connection.nextEvent(within: patience) else { return false }
        try handOn(event)
      }
      if let loss = session.loss { throw loss }
      if session.isClosed { return false }
      try returnToAll(after: failure)
      return true
    } catch {
      if mayBeRepeated { throw error }
      throw .outcomeUnknown(method: method, reason: error.firstLine)
    }
  }

  // MARK: Coming back

  /// Whether a lost connection is restored: there are kept sessions, or the forms are watched, and the patience allows
  /// it.
  private var hasSomethingToComeBackTo: Bool {
    guard patience > .zero, !sockets.isEmpty else { return false }
    if watchesForms || !away.isEmpty { return true }
    return hasKept && sessions.values.contains { $0.session?.isToBeAttachedAgain == true }
  }

  /// Handles the input, and comes back if the connection turns out to be lost.
  ///
  /// - Throws: ``ClientError`` when it is lost for good.
  func takeIn() throws(ClientError) {
    do throws(ClientError) {
      while let event = try connection.nextEvent(within: .zero) { try handOn(event) }
      if !away.isEmpty { try returnToAll(after: .sessionLost(reason: "the daemon could not store it, or lost it")) }
    } catch {
      guard try comesBack(after: error) else { throw error }
    }
  }

  /// Comes back after an error, if the error was the loss of the connection.
  ///
  /// - Returns: false if it was another error, or if there is nothing to restore.
  /// - Throws: ``ClientError`` when the patience is used up.
  private func comesBack(after error: ClientError) throws(ClientError) -> Bool {
    guard case .disconnected = error else { return false }
    // An operator disconnected this client on purpose.
    guard connection.refusal?.kind != .disconnected, hasSomethingToComeBackTo else { return false }
    let waiting = Array(unanswered.values)
    noteLoss(error)
    let returned = Result { () throws(ClientError) in try returnToAll(after: error) }
    for (method, answered) in waiting {
      callBack { answered(.failure(.outcomeUnknown(method: method, reason: error.firstLine))) }
    }
    try returned.get()
    callBack { onNotice?(.reconnected) }
    return true
  }

  /// Notes the end of the connection. Kept sessions are away from now on, and all other sessions are lost.
  private func noteLoss(_ error: ClientError) {
    guard isConnected else { return }
    isConnected = false
    unanswered = [:]
    let had = sessions.values.compactMap(\.session)
    sessions = [:]
    away += had.filter(\.isToBeAttachedAgain)
    for session in had where session.key == nil && !session.isClosed {
      callBack { session.lost(.sessionLost(reason: "\(error.firstLine); it was not kept")) }
    }
  }

  /// Tries, with growing pauses, until a connection has all watches and sessions of the last one.
  ///
  /// - Throws: ``ClientError/disconnected(socket:reason:)`` when no connection was possible. If only some sessions
  ///   could not be attached, they get the error, and nothing is thrown.
  private func returnToAll(after loss: ClientError) throws(ClientError) {
    let clock = ContinuousClock()
    var setback = loss
    schedule.began(at: clock.now, patience: patience)
    while let pause = schedule.pause(at: clock.now, atLeast: wantedPause(after: setback)) {
      if pause > .zero { _ = Poll.wait(for: [], timeout: pause) }
      do throws(ClientError) {
        if let refusal = try tryToReturn() {
          setback = refusal
        } else {
          schedule.succeeded(at: clock.now)
          return
        }
      } catch {
        if !error.leavesConnection { noteLoss(error) }
        setback = error
      }
    }
    let sessions = away
    away = []
    let what = "the client tried for \(patience); the last error: \(setback.firstLine)"
    for session in sessions {
      callBack { session.lost(.sessionLost(reason: "it could not be attached again; \(what)")) }
    }
    if isConnected { return }
    watchesForms = false
    throw .disconnected(
      socket: sockets.first?.path ?? "",
      reason: "\(loss.firstLine); it could not be restored; \(what)"
    )
  }

  /// Connects if necessary, watches the forms again, and attaches the sessions that are away.
  ///
  /// - Returns: why a session could not be attached yet; nil when all are attached.
  /// - Throws: ``ClientError`` when there is no connection.
  private func tryToReturn() throws(ClientError) -> ClientError? {
    if !isConnected, !sockets.isEmpty {
      let onText = connection.onText
      connection = try Self.connect(&sockets, waits: false)
      connection.onText = onText
      isConnected = true
      if watchesForms {
        let forms = try ask(FormsWatchParams())
        callBack { onNotice?(.formsChanged(forms)) }
      }
    }
    var setback: ClientError?
    for session in away {
      do throws(ClientError) {
        let attached = try ask(session.attachParams)
        away.removeAll { $0 === session }
        callBack { session.returned(attached) }
        register(session)
      } catch {
        guard case .refused(_, let refusal) = error else { throw error }
        if let ended = connection.refusal {
          throw .disconnected(socket: sockets.first?.path ?? "", reason: ended.description)
        }
        switch refusal.kind {
        case .draining, .overloaded: setback = error
        case .unknownSession: end(session, Self.gone)
        default: end(session, "it could not be attached again: \(error.firstLine)")
        }
      }
    }
    return setback
  }

  /// The pause that the daemon asks for: in the answer to a request, or when it ends the connection.
  private func wantedPause(after setback: ClientError) -> Duration {
    let refusal: RemoteError? =
      switch setback {
      case .refused(_, let refusal): refusal
      case .disconnected: connection.refusal
      default: nil
      }
    return .milliseconds(refusal?.data.retryAfterMs ?? 0)
  }

  private func end(_ session: FormSession, _ reason: String) {
    away.removeAll { $0 === session }
    callBack { session.lost(.sessionLost(reason: reason)) }
  }

  /// The reason for the loss of a kept session that the daemon does not know any more.
  private static let gone = """
    the daemon no longer has it: it was closed or has expired, its key was replaced, or it was kept in the memory of \
    a daemon that has ended
    """

  /// Calls a method while the client comes back. It uses only this connection, and ends with the patience.
  private func ask<Params: Call>(_ params: Params) throws(ClientError) -> Params.Answer {
    let method = Params.name.description
    let id = try connection.send(method) { params.write(into: $0) }
    return try answer(to: id, method, schedule.timeLeft(at: .now).map { max($0, .zero) }) {
      result throws(InvalidParams) in
      try MessageReader.value(Params.Answer.self, result, .lenient)
    }
  }
}

extension ClientError {
  /// The error without the hint.
  var firstLine: String { String(description.prefix { $0 != "\n" }) }

  /// Whether a request was cancelled because its session was closed.
  fileprivate var saysSessionClosed: Bool {
    guard case .refused(_, let refusal) = self else { return false }
    return refusal.kind == .requestCancelled && refusal.data.reason == .sessionClosed
  }

  /// Whether the connection can be used after this error.
  fileprivate var leavesConnection: Bool {
    switch self {
    case .refused, .timeout, .outcomeUnknown, .sessionLost: true
    case .notRunning, .unusablePath, .disconnected, .protocolViolation: false
    }
  }
}
