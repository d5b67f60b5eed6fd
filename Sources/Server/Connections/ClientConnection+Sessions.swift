internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import Sessions

/// Sessions end for the client, or the client leaves them.
extension ClientConnection {
  /// Closes a session for all its clients. Requests that wait for it fail.
  func close(_ session: LiveSession) {
    for token in waits.takeAll(of: session) { fail(token, .sessionClosed) }
    session.end(closedBy: self)
  }

  /// Leaves a kept session. Requests that wait for it fail.
  func detach(_ session: LiveSession) {
    for token in session.detach(self) { fail(token, .detached) }
  }

  /// Another client has closed a kept session, or the daemon has.
  func sessionEnded(_ session: LiveSession, _ reason: SessionClosed.Reason) {
    guard state.updateTreatment != .dropped else { return }
    // Held-back updates come before the end, however slowly the client reads.
    session.updates(of: self) { $0.release(session, to: self) }
    for token in waits.takeAll(of: session) { fail(token, .sessionClosed) }
    let closed = SessionClosed(session: session.number, reason: reason)
    session.notify(self, endsSession: true, server) { $0.notify(SessionClosed.push.wireName, closed.write) }
    server.closeLaterIfDone(self)
  }

  /// The store could not record that the client has left a session, or that the session was closed. The store still has
  /// the session, and the daemon does not.
  func sessionLost(_ session: LiveSession, _ reason: SessionClosed.Reason) {
    guard state.updateTreatment != .dropped else { return }
    notify(SessionClosed(session: session.number, reason: reason))
    server.closeLaterIfDone(self)
  }
}
