internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// What a session does that may have to wait for the store.
extension LiveSession {
  /// Whether what the session comes to is stored before anybody is told.
  @inline(__always)
  var isStored: Bool { kept.map { $0.isStored && !$0.hasFailed } ?? false }

  /// What the session says and writes when the entry ends; nil where it is not stored. To be followed by ``FormServer/storeLater(_:)``.
  @inline(__always)
  var storage: SessionStorage? {
    guard let kept, isStored else { return nil }
    return kept.storage(of: self)
  }

  /// From its first turn on the session is stored, if it is to be.
  func beginStoring() {
    guard let kept, kept.isStored else { return }
    kept.storing?.session = self
    session.keepSnapshot()
  }

  /// The store can take what the session would come to.
  ///
  /// - Throws: 1011.
  @inline(__always)
  func checkStore() throws(RPCError) {
    guard let kept, kept.isStored else { return }
    try server.checkStore()
    try kept.storing?.checkRoom(server)
  }

  /// This daemon may speak for the session.
  ///
  /// - Throws: 1011 where it is stored, and others may have taken it.
  func checkLease() throws(RPCError) {
    if isStored { try server.checkLease() }
  }

  /// Whether nothing of an event may be written to a store.
  func isSecret(_ event: ActionEvent) -> Bool {
    guard let action = session.form.action(named: event.action) else { return true }
    return session.form.actions[action].isSecret
  }

  // MARK: What is said

  /// Tells a client of what the session has come to: now, or when that is stored.
  ///
  /// - Parameter write: writes the params; false: there is nothing to say.
  func notify(_ connection: ClientConnection, _ method: StaticString, _ write: (OutputBuffer) -> Bool) {
    if let storage, server.storingFaults.through(.updateEarly, true, broken: false) {
      storage.say(server) { $0.notify(connection, method, write) }
    } else {
      connection.notify(method, write)
    }
  }

  /// Starts an effect: now, or when what it follows from is stored.
  func startWhenStored(_ effect: Effect) {
    if let storage, server.storingFaults.through(.startEarly, true, broken: false) {
      storage.say(server) { $0.start(effect) }
    } else {
      start(effect)
    }
  }

  /// An effect that has not been started is not wanted any more.
  func withdraw(_ effect: EffectID) {
    if isStored { kept?.storing?.say(server) { $0.withdraw(effect) } }
  }

  // MARK: The end

  /// What the session came to could not be stored: it ends, and the store keeps what it has.
  ///
  /// - Parameters:
  ///   - strangers: who has not been told that he has the session.
  ///   - error: what his requests are told that wait for the session.
  ///   - reason: what those are told that have it.
  func endNotStored(_ strangers: [ClientConnection], _ error: RPCError, _ reason: SessionClosed.Reason) {
    for connection in connections {
      updates(of: connection) { $0.drop(server) }
      if strangers.contains(where: { $0 === connection }) {
        for token in connection.waits.takeAll(of: self) { connection.fail(token, error) }
        server.settleLater(connection)
      } else {
        connection.sessionEnded(self, reason)
      }
    }
    end(.forgotten)
  }
}
