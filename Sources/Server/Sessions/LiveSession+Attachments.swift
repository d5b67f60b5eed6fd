internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Sessions
internal import Times

/// Clients attach to a kept session, and detach from it.
extension LiveSession {
  /// The taker of the slices in which the session works without a message.
  var taker: any SliceTaker { connection ?? server.unattended }

  /// The clients of the session, in the order in which they came.
  var connections: [ClientConnection] {
    guard let connection else { return [] }
    return [connection] + (kept?.others ?? []).map(\.connection)
  }

  /// Changes the state of the updates to the client of that connection.
  func updates(of connection: ClientConnection, _ body: (inout UpdateStream) -> Void) {
    if connection === self.connection {
      body(&updates)
    } else if let other = kept?.other(connection) {
      body(&other.updates)
    }
  }

  /// The number of a connection that has a kept session, as a sender of inputs; 0 if it does not have the session.
  func number(of connection: ClientConnection) -> Int32 {
    guard let kept else { return 0 }
    return connection === self.connection ? kept.firstNumber : kept.other(connection)?.number ?? 0
  }

  /// Checks that an input may be applied: the connection that the session counts for has room for the values that it
  /// would then hold, and the store can have them.
  ///
  /// - Throws: 1011 or 1012.
  func admit(_ input: Input, _ server: FormServer) throws(RPCError) {
    try connection?.admit(input, to: self, server)
    try checkStore()
  }

  /// Whether a provider of that connection may be asked. A definition that a client brought along reaches only
  /// providers of its own client.
  func reaches(providersOf connection: ClientConnection) -> Bool {
    if !hasOwnDefinition { return true }
    if let kept { return kept.opener == connection.number }
    return connection === self.connection
  }

  // MARK: Coming and going

  /// A client has the session from now on; nothing changes if it has it already. If it is the first and the form has
  /// changed, the session switches to the new form.
  ///
  /// - Returns: the session that the client has: this one, or the one that has replaced it.
  /// - Throws: 1012 if a limit of the connection does not admit it.
  func attach(_ connection: ClientConnection) throws(RPCError) -> LiveSession {
    guard let kept else { preconditionFailure("session \(id) cannot be attached to: it is not kept") }
    if number(of: connection) != 0 { return self }
    let isFirst = self.connection == nil
    try connection.sessions.checkRoom(for: self, counts: isFirst)
    if isFirst { attend() }
    let session = isFirst ? migrated() ?? self : self
    if isFirst {
      connection.sessions.charge(session)
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
    let number = number(of: connection)
    guard let kept, number != 0 else { return [] }
    updates(of: connection) { $0.drop(server) }
    connection.sessions.detached(self)
    if connection === self.connection {
      connection.sessions.discharge(self)
      let next = kept.firstWent(server)
      self.connection = next?.connection
      updates = next?.updates ?? UpdateStream()
      next?.connection.sessions.charge(self)
    } else {
      kept.otherWent(connection, server)
    }
    let isLast = self.connection == nil
    if isLast { engineSession.isAttended = false }
    let waiting = connection.waits.takeAll(of: self)
    carryOut(compute(.leave(isLast: isLast), from: number, server), cause: .fieldBlur, server)
    if isLast { kept.allLeft(server) }
    kept.updateExpiry(of: self)
    return waiting
  }

  /// One client closes the session for all its clients; nil: no client of the session closes it.
  func end(closedBy closer: ClientConnection?) {
    if kept != nil {
      for connection in connections where connection !== closer { connection.sessionEnded(self, .closed) }
    }
    end(.removed)
  }

  /// The session has expired; does nothing if a client has come.
  func expired() {
    if kept?.isOver(at: server.now) ?? false { end(.removed) }
  }

  /// The treatment of a stored session when the daemon forgets it.
  enum Ending {
    /// It stays.
    case forgotten
    /// It is removed.
    case removed
    /// Other daemons may have it.
    case released
  }

  /// Cancels all that the session has in flight, and forgets it.
  func end(_ ending: Ending = .forgotten) {
    guard !isClosed else { return }
    close()
    if ending != .forgotten, let storage {
      storage.end(self, ending)
      server.storeLater(storage)
    }
    connection?.sessions.discharge(self)
    for connection in connections { connection.sessions.detached(self) }
    if let kept {
      connection = nil
      kept.close(server)
    }
    server.sessionEnded(self)
  }

  // MARK: What is told

  /// The events as a client gets them: for a client that gets only what is public, without the results of actions that
  /// the form does not call public.
  func told(_ events: [ActionEvent], _ onlyPublic: Bool) -> [ActionEvent] {
    guard onlyPublic else { return events }
    let form = engineSession.form
    return events.map { event in
      if form.action(named: event.action).map({ form.actions[$0].isPublic }) ?? false { return event }
      var event = event
      event.result = nil
      return event
    }
  }

  // MARK: For operators

  /// A kept session as ``Method/serverStats`` lists it.
  func info(at now: Instant) -> KeptSessionInfo {
    var info = KeptSessionInfo()
    info.session = id
    info.form = engineSession.form.name
    info.bytes = contentBytes + structureBytes
    guard let kept else { return info }
    info.ageMs = Int(max(server.environment.wallClock().milliseconds - kept.opened, 0))
    info.connections = connections.count
    info.endsInMs = kept.expiry.map { Int(($0.deadline - now) / .milliseconds(1)) }
    return info
  }
}
