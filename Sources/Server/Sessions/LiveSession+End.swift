internal import FormProtocol
internal import Sessions
internal import Times

/// A session ends, here or altogether.
extension LiveSession {
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
    cancelWork()
    if ending != .forgotten, let storage {
      storage.end(self, ending)
      server.storeLater(storage)
    }
    connection?.sessions.endCounting(self)
    for connection in connections { connection.sessions.detached(self) }
    if let kept {
      connection = nil
      kept.close(server)
    }
    server.sessionEnded(self)
  }
}
