internal import Logging
internal import SessionStore
internal import Sessions

/// Sessions that other daemons may want, or have taken.
extension StoredSessions {
  /// Another daemon asks for a session. A session without clients is released at once. A session in use is given away
  /// if the request takes it, and the other daemon still wants it.
  func asked(for request: SessionRequest) {
    if let session = server.keptSessions.session(request.id) {
      let isInUse = session.connection != nil || session.engineSession.isActing
      if !isInUse {
        session.release()
      } else if request.takes {
        session.give(request)
      } else {
        store.answer(request, gives: false) { _ in }
      }
    } else if isLoading(request.id) {
      // The session has belonged to this daemon for only a moment. The asking daemon gets no other answer: it would
      // wait until it asks again.
      requestsOfLoading[request.id] = request
    } else {
      // It was here, and has ended without the store, because it failed.
      store.release(request.id) { _ in }
    }
  }

  /// This daemon was cut off for so long that others may have taken its sessions. It keeps only these sessions. A
  /// session that it has taken since the database's answer is not among them, and ends for nothing. This is better than
  /// a session that two daemons have.
  func keepOnly(_ owned: Set<StoredSessionID>) {
    let taken = server.keptSessions.all.filter { session in
      session.storesFirst && session.kept.map { $0.storedIDs.allSatisfy { !owned.contains($0) } } ?? false
    }
    for session in taken { session.wasTaken() }
    if !taken.isEmpty {
      server.logger.error(
        "other daemons took sessions, because the database was unavailable for longer than the lease",
        metadata: ["sessions": "\(taken.count)"]
      )
    }
  }
}

extension LiveSession {
  /// No client uses the session here: any daemon may have it.
  func release() {
    // The store has not heard for long that a client had the session.
    if kept?.expiry == nil, let storage {
      storage.renew()
      server.storeLater(storage)
    }
    // Earlier changes go first.
    server.handOverToStore()
    end(.released)
  }

  /// Offers the session, which clients use here, to the daemon that takes it. If that daemon still wants it, the
  /// session moves, and its clients here are notified. Until that is known, they get nothing that is new.
  func give(_ request: SessionRequest) {
    guard let storage else { return }
    // Held-back updates come before the end, however slowly the client reads.
    for connection in connections { updates(of: connection) { $0.release(self, to: connection) } }
    if kept?.expiry == nil { storage.renew() }
    storage.give(request)
    server.storeLater(storage)
  }

  /// The session belongs to another daemon.
  func wasTaken() {
    guard let kept else { return }
    kept.storage(of: self).fail(.notOwned, server)
  }
}
