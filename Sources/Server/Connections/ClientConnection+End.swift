internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Sessions
internal import Times

/// How a connection ends.
extension ClientConnection {
  /// Ends the connection now, with a last error that the client gets if it has read all that was sent before. Must not
  /// be called while the connection handles a message: see ``endItself()``.
  func end(with error: RPCError) {
    fail(error)
    flush()
    output.transport?.abort()
  }

  /// Ends the connection as ``Method/exit`` does, because the client itself has asked for it. It waits until the client
  /// has its answers, including the answers of the rest of a batch. Then it notifies the client.
  func endItself() {
    readingEnded()
    endsItself = true
  }

  /// `shutdown`: the client announces its end. Only `exit` is served from now on.
  func shutDown() {
    state.shutDown()
    for session in sessions.all {
      if session.kept != nil {
        detach(session)
      } else {
        notify(SessionClosed(session: session.number, reason: .shutdown))
        close(session)
      }
    }
  }

  /// Ends the connection when nothing is left to be sent.
  func closeIfDone() {
    if server.stage == .draining, state.readsInput, isAwaitedByRuns { return }
    guard case .close(let endsSessions) = state.done(unanswered: output.writer.unanswered),
      let transport = output.transport
    else { return }
    reader.close()
    if endsSessions {
      for session in sessions.all where !session.storesFirst {
        notify(SessionClosed(session: session.number, reason: .draining))
      }
    }
    if endsItself { fail(.disconnected) }
    flush()
    transport.closeAfterSending()
    if output.unsentBytes > 0 { watchForStall() }
  }

  /// Whether an action is under way that would be cancelled with its session, or the client has questions as a
  /// provider. Then the connection does not end yet. Actions of kept sessions go on without clients.
  private var isAwaitedByRuns: Bool {
    sessions.all.contains { $0.kept == nil && $0.engineSession.isActing } || server.providers.isAsked(number)
  }

  /// The daemon is ending.
  func drain(within limit: Duration) {
    state.drainBegan()
    notify(ServerDraining(withinMs: Int(limit / .milliseconds(1))))
    flush()
    closeIfDone()
  }

  /// The daemon does not wait any longer.
  func drainDeadlinePassed() {
    if let token = withdrawOffloaded() { fail(token, .draining) }
    for wait in waits.takeAll() {
      if case .validation = wait.outcome { wait.session.end() }
      fail(wait.token, .draining)
    }
    flush()
    state.drainDeadlinePassed()
    // Kept input is not handled any more. Only the rest of a batch is, because its members were accepted.
    reader.close()
    handleUnread()
    closeIfDone()
  }
}
