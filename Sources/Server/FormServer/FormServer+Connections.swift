internal import Configuration
package import FormProtocol
internal import JSON
internal import JSONRPC
internal import Logging
internal import Sessions
internal import Times

/// Connections come and go.
extension FormServer {
  /// A connection was accepted. If there is no room for it, another connection ends: see ``ConnectionSeats``.
  ///
  /// - Parameter peer: the process at its other end, if it is known.
  package func accept(_ transport: any ConnectionTransport, from peer: Peer? = nil) -> ClientConnection {
    enter()
    let connection = ClientConnection(server: self, transport: transport, peer: peer)
    let replaced = seats.add(connection)
    if let timer = idleTimer.take() { timers.cancel(timer) }
    statistics.connectionsAccepted += 1
    if let replaced {
      dismiss(replaced)
      endEntry()
    }
    return connection
  }

  /// A client beyond the ordinary seats has called a method.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` if the method is not for operators, and there is no room for an ordinary
  ///   client.
  func checkSeat(of connection: ClientConnection, calling method: Method) throws(RPCError) {
    if method.isForOperators {
      if method.showsOperator, let replaced = seats.calledOperatorMethod(connection) { dismiss(replaced) }
      return
    }
    if seats.promote(connection) { return }
    throw limits.overloaded(.connectionsMax)
  }

  /// Another client needs the seat of that one.
  private func dismiss(_ connection: ClientConnection) {
    connectionRefused(connection)
    connection.end(with: limits.overloaded(.connectionsMax))
  }

  /// That client cannot be served, because there is no room for it.
  func connectionRefused(_ connection: ClientConnection) {
    statistics.connectionsRefused += 1
    logger.warning(
      "a client was refused: connectionsMax clients are connected",
      metadata: connection.logMetadata.merging(["connectionsMax": "\(limits[.connectionsMax])"]) { $1 }
    )
  }

  package var hasConnections: Bool { !seats.isEmpty }

  /// Refuses another connection if the daemon is ending, and counts the refusal.
  ///
  /// - Returns: the error to send; nil: the connection can be accepted.
  package func refuseIfDraining() -> [UInt8]? {
    guard isDraining else { return nil }
    statistics.connectionsRefused += 1
    let buffer = OutputBuffer()
    buffer.writeError(nil, .draining)
    buffer.append(byte: 0x0a)
    return Array(buffer.bytes)
  }

  /// The roles of the user of a process; all roles if the process is not known.
  package func roles(of peer: Peer?) -> Set<Role> {
    guard let peer else { return Role.all }
    return configuration.roles(of: peer.userID, groupIDs: peer.groupIDs)
  }

  /// A peer whose user has no role was refused.
  package func refused(_ peer: Peer) {
    statistics.connectionsRefused += 1
    logger.warning(
      "a client of another user was refused",
      metadata: ["uid": "\(peer.userID)", "pid": "\(peer.processID)"]
    )
  }

  /// The configuration has changed. Users who have more roles now have them at once. A connection whose user has lost a
  /// role ends, because it may have sessions, providers or answers of that role. Its client may connect again.
  func followRoles() {
    var ended: [(connection: ClientConnection, role: Role)] = []
    for connection in seats.all {
      let roles = roles(of: connection.peer)
      if let lost = Role.allCases.first(where: { connection.roles.contains($0) && !roles.contains($0) }) {
        ended.append((connection, lost))
      }
      connection.roles = roles
    }
    guard !ended.isEmpty else { return }
    logger.notice(
      "users have lost roles: their connections end",
      metadata: ["connections": "\(ended.map(\.connection.number).sorted())"]
    )
    for (connection, role) in ended { connection.end(with: .roleNeeded(role)) }
  }

  /// A connection is gone, and its sessions have been closed or left.
  func remove(_ connection: ClientConnection) {
    memoryWasFreed()
    seats.remove(connection)
    guard seats.isEmpty else { return }
    if isDraining { endIfDrained() } else { waitForClients() }
  }

  /// The daemon ends: no client is connected, and no action of a kept session is under way.
  func endIfDrained() {
    guard seats.isEmpty, stage >= .drainOver || !keptSessions.all.contains(where: \.engineSession.isActing) else {
      return
    }
    environment.drained()
  }

  /// The daemon is ending, and an action of that session has perhaps ended.
  func turnEndedWhileDraining(_ session: LiveSession) {
    if session.engineSession.isActing { return }
    for connection in session.connections { closeLaterIfDone(connection) }
    if session.kept != nil, session.connection == nil { endIfDrained() }
  }

  /// The last client has gone. The daemon counts the idle time from now on. It does not if a client may come back to a
  /// kept session that exists only in memory.
  package func waitForClients() {
    guard let idleExit = configuration.idleExit, seats.isEmpty, idleTimer == nil,
      keptSessions.count == 0 || storedSessions != nil && !keptSessions.all.contains(where: \.engineSession.isActing)
    else { return }
    // Some callers have not entered.
    idleTimer = schedule(.idle, at: environment.now() + idleExit)
  }
}
