internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Sessions
internal import Times

/// Clients attach to a kept session, and detach from it.
extension LiveSession {
  /// The clients of the session, in the order in which they came.
  var connections: [ClientConnection] {
    guard let connection else { return [] }
    return [connection] + (kept?.furtherClients ?? []).map(\.connection)
  }

  /// Changes the state of the updates to the client of that connection.
  func updates(of connection: ClientConnection, _ body: (inout UpdateStream) -> Void) {
    if connection === self.connection {
      body(&updates)
    } else if let other = kept?.other(connection) {
      body(&other.updates)
    }
  }

  /// The client of a connection as a sender of inputs; nobody if it does not have the session, or the session is not
  /// kept.
  func sender(of connection: ClientConnection) -> Sender {
    guard let kept, connection === self.connection || kept.other(connection) != nil else { return .nobody }
    return connection.sender
  }

  // MARK: Coming and going

  /// A client has the session from now on; nothing changes if it has it already. If it is the first and the form has
  /// changed, the session switches to the new form.
  ///
  /// - Returns: the session that the client has: this one, or the one that has replaced it.
  /// - Throws: ``FormErrorCode/quotaExceeded`` if a limit of the connection does not admit it.
  func attach(_ connection: ClientConnection) throws(RPCError) -> LiveSession {
    guard let kept else { preconditionFailure("session \(number) cannot be attached to: it is not kept") }
    if sender(of: connection) != .nobody { return self }
    let isFirst = self.connection == nil
    try connection.sessions.checkRoom(for: self, counts: isFirst)
    if isFirst { attend() }
    let session = isFirst ? migrated() ?? self : self
    if isFirst {
      connection.sessions.beginCounting(session)
      kept.firstCame(connection)
      session.connection = connection
    } else {
      kept.otherCame(connection, to: session)
    }
    connection.sessions.attached(session)
    kept.updateExpiry(of: session)
    return session
  }

  /// A client attaches to a session without clients: work that became due in between is done before the client sees the
  /// document.
  private func attend() {
    engineSession.isAttended = true
    if let deadline = engineSession.deadline, deadline <= server.now {
      apply(.timer, cause: .timer, from: nil, server)
    } else {
      updateTimer()
    }
  }

  /// A client does not have the session any more; the fields that its user was in are blurred.
  ///
  /// - Returns: the requests of the client that waited for the session.
  func detach(_ connection: ClientConnection) -> [RequestToken] {
    let sender = sender(of: connection)
    guard let kept, sender != .nobody else { return [] }
    updates(of: connection) { $0.drop(server) }
    connection.sessions.detached(self)
    if connection === self.connection {
      connection.sessions.endCounting(self)
      let next = kept.firstWent(server)
      self.connection = next?.connection
      updates = next?.updates ?? UpdateStream()
      next?.connection.sessions.beginCounting(self)
    } else {
      kept.otherWent(connection, server)
    }
    let isLast = self.connection == nil
    if isLast { engineSession.isAttended = false }
    let waiting = connection.waits.takeAll(of: self)
    carryOut(compute(.detach(isLast: isLast), from: sender, server), cause: .fieldBlur, server)
    if isLast { kept.allLeft(server) }
    kept.updateExpiry(of: self)
    return waiting
  }
}
