internal import FormProtocol
internal import JSONRPC
internal import Logging
internal import SessionStore
internal import Sessions

/// Stored sessions that other daemons may want, or have.
extension FormServer {
  /// Whether other daemons may take this one's sessions.
  var isLeaseOver: Bool {
    guard let leaseEnd else { return false }
    // Not the time of the entry: the process may have been stopped since.
    return ownershipFaults.through(.speakPastLease, leaseEnd <= environment.nowThroughSleep(), broken: false)
  }

  /// What is told then.
  static let leaseIsOver =
    "the database has not been heard of for so long that another daemon may have taken them"

  /// This daemon may speak for its stored sessions.
  ///
  /// - Throws: 1011.
  func checkLease() throws(RPCError) {
    if isLeaseOver { throw .notStored(Self.leaseIsOver) }
  }

  /// Another daemon asks for a session: one that nobody has here is given at once, and any other one that is to be taken, if it still is.
  func asked(for request: SessionRequest) {
    guard let store = environment.store else { return }
    if let session = keptSessions.session(request.id) {
      let isInUse = session.connection != nil || session.session.isActing
      if ownershipFaults.through(.giveUsed, isInUse, broken: false) && !request.takes
        || ownershipFaults.through(.giveNothing, false, broken: true)
      {
        store.refuse(request)
      } else if ownershipFaults.through(.giveUnwanted, isInUse, broken: false) {
        // Who was told that he does not get it has withdrawn his request, and nobody is to lose the session for that.
        store.grant(request) { [weak self] isWanted in
          if isWanted { self?.keptSessions.session(request.id)?.moveAway() }
        }
      } else {
        session.moveAway()
      }
    } else if isLoading(request.id) {
      // It is this daemon's since a moment, and whoever asks is told nothing else: he would wait until he asks again.
      requestsOfLoading[request.id, default: [:]][request.asker] = request
    } else {
      // It was here, and has ended without the store: it failed.
      store.release(request.id) { _ in }
    }
  }

  /// This daemon was cut off for so long that others may have taken its sessions: those that are left are these. One that has become this
  /// daemon's since the database has said so is not among them, and ends for nothing: rather that than one that is at another daemon, too.
  func keepOnly(_ owned: Set<StoredSessionID>) {
    leaseLosses += 1
    let lost = keptSessions.all.filter { session in
      session.isStored && session.kept.map { $0.storedKeys.allSatisfy { !owned.contains($0) } } ?? false
    }
    for session in lost { session.lose() }
    if !lost.isEmpty {
      logger.error(
        "sessions were taken by other daemons, since the database was away for longer than the lease",
        metadata: ["sessions": "\(lost.count)"]
      )
    }
  }
}

extension LiveSession {
  /// The session goes to another daemon; whoever has it here is told so.
  func moveAway() {
    // What happened here comes before, in the store and for clients. The store has not heard for long that somebody has it.
    if kept?.expiry == nil, let storage {
      storage.renew()
      server.storeLater(storage)
    }
    server.storeSaid()
    for connection in server.ownershipFaults.through(.tellFirstOnly, connections, broken: Array(connections.prefix(1)))
    {
      connection.sessionEnded(self, .moved)
    }
    end(.released)
  }

  /// The session is another daemon's.
  func lose() {
    guard let kept else { return }
    kept.storage(of: self).fail(.lost(), server)
  }
}
