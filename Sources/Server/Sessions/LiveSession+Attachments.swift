internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Sessions

/// Clients come to a kept session, and go.
extension LiveSession {
  /// Who counts for the session in the accounts of connections; nil for a kept session that nobody has.
  @inline(__always)
  var payer: ClientConnection? {
    if let connection { return connection }
    return kept?.attachments.first?.connection
  }

  /// Whoever has the turns in which the session does what no message asks for.
  var taker: any TurnTaker { payer ?? server.unattended }

  /// What the client of that connection was told.
  func updates(of connection: ClientConnection, _ body: (inout UpdateStream) -> Void) {
    if let kept {
      if let attachment = kept.attachments.attachment(of: connection) { body(&attachment.updates) }
    } else {
      body(&updates)
    }
  }

  /// An input may be applied: there is room for the values that the session would then hold.
  ///
  /// - Throws: 1011 or 1012.
  @inline(__always)
  func admit(_ input: Input) throws(RPCError) {
    try payer?.sessions.admit(input, to: self)
  }

  /// Whether a provider of that connection may be asked: any, but for a definition that a client brought along, which has its own client's.
  func reaches(providersOf connection: ClientConnection) -> Bool {
    if !hasOwnDefinition { return true }
    if let kept { return kept.opener == connection.number }
    return connection === self.connection
  }

  // MARK: Coming and going

  /// A client has the session from now on; nothing where it has it already. Where it is the first and the form has changed, the session
  /// follows the form.
  ///
  /// - Returns: the session that the client has: this one, or the one that has taken its place.
  /// - Throws: 1012 where a limit of the connection does not admit it.
  func attach(_ connection: ClientConnection) throws(RPCError) -> LiveSession {
    guard let kept else { preconditionFailure("session \(id) cannot be attached to: it is not kept") }
    if kept.attachments.attachment(of: connection) != nil { return self }
    let isFirst = kept.attachments.first == nil
    try connection.sessions.checkRoom(for: self, counts: isFirst)
    if isFirst { attend() }
    let session = isFirst ? migrated() ?? self : self
    if isFirst { connection.sessions.charge(session) }
    kept.attachments.add(connection)
    connection.sessions.attached(session)
    kept.updateExpiry(of: session)
    return session
  }

  /// Somebody comes to a session that nobody had: what was due meanwhile comes before he sees the document.
  private func attend() {
    session.isAttended = true
    if let deadline = session.deadline, deadline <= server.now {
      apply(.timer, cause: .timer, from: nil)
    } else {
      updateTimer()
    }
  }

  /// A client does not have the session any more; its user has left the fields that he was in.
  ///
  /// - Returns: the requests of the client that waited for the session.
  func detach(_ connection: ClientConnection) -> [RequestToken] {
    guard let kept, let attachment = kept.attachments.attachment(of: connection) else { return [] }
    let isFirst = kept.attachments.first === attachment
    kept.attachments.remove(attachment)
    if server.faults.through(.keepHeldBack, true, broken: false) { attachment.updates.drop(server) }
    connection.sessions.detached(self)
    if isFirst {
      connection.sessions.discharge(self)
      kept.attachments.first?.connection.sessions.charge(self)
    }
    let isLast = kept.attachments.first == nil
    if isLast { session.isAttended = false }
    let waiting = connection.waits.takeAll(of: self)
    if server.faults.through(.stayInside, true, broken: false) {
      carryOut(computeKept(.leave(isLast: isLast), from: attachment.number), cause: .fieldBlur)
    }
    if isLast { kept.allLeft(server) }
    kept.updateExpiry(of: self)
    return waiting
  }

  /// One client closes the session for all who have it; nil: nobody of them does.
  func end(closedBy closer: ClientConnection?) {
    for attachment in kept?.attachments.all ?? [] where attachment.connection !== closer {
      attachment.connection.sessionEnded(self, attachment, .closed)
    }
    end(isRemoved: true)
  }

  /// The time is over in which the session was kept; nothing where somebody has come meanwhile.
  func expired() {
    if kept?.isOver(at: server.now) ?? false { end(isRemoved: true) }
  }

  /// Cancels all that the session has in flight, and forgets it.
  ///
  /// - Parameter isRemoved: whether a store forgets it, too.
  func end(isRemoved: Bool = false) {
    guard !isClosed else { return }
    close()
    if isRemoved, let storage {
      storage.remove(self)
      server.storeLater(storage)
    }
    payer?.sessions.discharge(self)
    if let connection {
      connection.sessions.detached(self)
    } else if let kept {
      for attachment in kept.attachments.all {
        attachment.updates.drop(server)
        attachment.connection.sessions.detached(self)
      }
      kept.attachments = Attachments()
      kept.close(server)
    }
    server.sessionEnded(self)
  }

  // MARK: For operators

  /// A kept session as ``Method/serverStats`` lists it.
  func row(at now: Instant) -> KeptSessionRow {
    var row = KeptSessionRow()
    row.session = id
    row.form = session.form.name
    row.bytes = session.keptBytes + structureBytes
    guard let kept else { return row }
    row.ageMs = Int(max(server.environment.wallClock().milliseconds - kept.opened, 0))
    row.connections = kept.attachments.all.count
    row.endsInMs = kept.expiry.map { Int(($0.deadline - now) / .milliseconds(1)) }
    return row
  }
}
