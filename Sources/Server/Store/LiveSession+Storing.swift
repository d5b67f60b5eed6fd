internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// The work of a session that may have to wait for the store.
extension LiveSession {
  /// Whether the session's changes are stored before any client hears of them.
  @inline(__always)
  var storesFirst: Bool { kept.map { $0.hasStore && !$0.hasFailed } ?? false }

  /// The messages and writes of the session for the end of the entry; nil unless it ``storesFirst``. The caller must
  /// then call ``FormServer/storeLater(_:)``.
  @inline(__always)
  var storage: PendingStorage? {
    guard let kept, storesFirst else { return nil }
    return kept.storage(of: self)
  }

  /// Calls with the same, without counting a reference to it. No storage is freed while a turn is carried out.
  @inline(__always)
  func withStorage<Result>(_ body: (PendingStorage) -> Result) -> Result? {
    guard let kept, kept.hasStore, !kept.hasFailed else { return nil }
    return kept.withStorage(of: self, body)
  }

  /// From its first turn on the session is stored, if it is to be stored.
  func beginStoring() {
    guard let kept, kept.hasStore else { return }
    kept.pendingStorage?.session = self
    engineSession.keepSnapshot()
  }

  /// Checks that the store can take the session's next changes.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  @inline(__always)
  func checkStore(_ server: FormServer) throws(RPCError) {
    guard let kept, kept.hasStore else { return }
    if _slowPath(!server.isStoreWritable) { try server.storedSessions?.checkWritable() }
    if _slowPath(!kept.hasRoomToStore(server)) { try kept.pendingStorage?.checkRoom(server) }
  }

  /// Checks that this daemon may answer for the session.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` if it is stored, and other daemons may have taken it.
  func checkLease() throws(RPCError) {
    if storesFirst { try server.storedSessions?.checkLease() }
  }

  /// Whether nothing of an event may be written to a store.
  func isSecret(_ event: ActionEvent) -> Bool {
    guard let action = engineSession.form.action(named: event.action) else { return true }
    return engineSession.form.actions[action].isSecret
  }

  // MARK: Notifications and effects

  /// Notifies a client of the session's new state: now, or when that state is stored. Does nothing for a connection at
  /// its end.
  ///
  /// - Parameters:
  ///   - endsSession: whether the notification that the session has ended is among them.
  ///   - write: writes the notifications.
  @inline(__always)
  func notify(
    _ connection: ClientConnection,
    endsSession: Bool = false,
    _ server: FormServer,
    _ write: (inout RPCWriter) -> Void
  ) {
    if storesFirst {
      _ = withStorage { $0.changeOutbox(server) { $0.notify(connection, endsSession: endsSession, write) } }
    } else if connection.state.updateTreatment != .dropped {
      write(&connection.output.writer)
      connection.scheduleFlush()
    }
  }

  /// Starts an effect: now, or when its cause is stored.
  func startWhenStored(_ effect: Effect) {
    if let storage {
      storage.changeOutbox(server) { $0.start(effect) }
    } else {
      start(effect)
    }
  }

  /// An effect that has not been started is not wanted any more.
  func withdraw(_ effect: EffectID) {
    if storesFirst { kept?.pendingStorage?.changeOutbox(server) { $0.withdraw(effect) } }
  }

  // MARK: The end

  /// The session's changes could not be stored, or it has moved: it ends here, and the store keeps its last state.
  ///
  /// - Parameters:
  ///   - strangers: the clients that do not know yet that they have the session.
  ///   - error: the error for their requests that wait for the session.
  ///   - reason: the reason for the clients that have the session.
  func endNotStored(_ strangers: [ClientConnection], _ error: RPCError, _ reason: SessionClosed.Reason) {
    for connection in connections {
      updates(of: connection) { $0.drop(server) }
      if strangers.contains(where: { $0 === connection }) {
        for token in connection.waits.takeAll(of: self) { connection.fail(token, error) }
        server.closeLaterIfDone(connection)
      } else {
        connection.sessionEnded(self, reason)
      }
    }
    end(.forgotten)
  }
}
