internal import CEL
internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import SessionStore
internal import Sessions
internal import Times

/// The messages and writes of a kept session for the end of the entry, and its items that wait for a commit. A quiet
/// session, as most are, has none.
final class PendingStorage {
  /// The session's own part of it.
  private let kept: KeptSession
  /// The current session; nil when it has ended.
  var session: LiveSession?
  /// Whether the server knows that something is to be done when the entry ends.
  var isListed = false
  /// The work for the end of the entry, beyond writing the changes.
  private var errand = Errand.none
  /// A request of another daemon that takes the session, for the end of the entry.
  private var request: SessionRequest?
  /// The hash of the former key, as long as the store knows the session by it.
  private var formerID: StoredSessionID?
  /// Hashes of former keys, by which the store may still know the session: a write with the new key may be on its way.
  private(set) var formerIDs: [StoredSessionID] = []
  /// Changes to the server's own parts of the session, by number; nil: the part is removed.
  private var parts: [Int64: [UInt8]?] = [:]
  /// Messages that wait for a commit.
  private var outbox = SessionOutbox()
  /// How many jobs of the store are not done.
  private var jobs = 0
  /// How many of them are vital: a client knows what they do, or waits for it.
  private var vitalJobs = 0

  private enum Errand {
    case none
    /// The session is kept for its full time from now on.
    case renew
    /// That session ends here, and is removed from the store or released for other daemons.
    case end(LiveSession, LiveSession.Ending)
  }

  /// - Parameter head: of a session that was just opened.
  init(_ kept: KeptSession, _ head: StoredHead? = nil) {
    self.kept = kept
    if let head { parts[ServerPart.head] = head.bytes }
  }

  // MARK: Room

  /// How many jobs of one session may wait for the store.
  private static let jobsMax = 1_024

  /// Whether another input may be applied, as far as one look tells.
  @inline(__always)
  func hasRoom(_ server: FormServer) -> Bool { jobs == 0 && outbox.bytes <= server.limits[.outputHardBytes] }

  /// Checks that another input may be applied: not too much waits for the store.
  ///
  /// - Throws: ``FormErrorCode/overloaded``.
  func checkRoom(_ server: FormServer) throws(RPCError) {
    if jobs >= Self.jobsMax || outbox.bytes > server.limits[.outputHardBytes] {
      throw .notStored("too many changes of the session wait for the store; continue when they are answered")
    }
    // A client that waits for the store makes it wait for more.
    if jobs > 0 { try server.checkMemory() }
  }

  // MARK: What is to be done when the entry ends

  /// An event was kept, and the events of these numbers were dropped.
  ///
  /// - Parameter isSecret: whether nothing of it may be written.
  func keep(_ event: ActionEvent, isSecret: Bool, givingUp forgotten: [Int]) {
    if !isSecret { parts[ServerPart.event(event.sequence)] = event.bytes }
    for sequence in forgotten { parts[ServerPart.event(sequence)] = .some(nil) }
  }

  /// Another key opens the session from now on.
  func renamed(from former: StoredSessionID) {
    formerID = formerID ?? former
    formerIDs.append(former)
  }

  /// The session is kept for its full time from now on.
  func renew() {
    if case .none = errand { errand = .renew }
  }

  /// The session is given to another daemon, behind the changes, if that daemon still wants it.
  func give(_ request: SessionRequest) { self.request = request }

  /// The session ends: the store removes it, or releases it for other daemons.
  func end(_ session: LiveSession, _ ending: LiveSession.Ending) { errand = .end(session, ending) }

  /// The session was replaced by another one, whose requests have other numbers.
  func sessionReplaced(by next: LiveSession, _ server: FormServer) {
    session = next
    change(server) { $0.withdrawEffects() }
  }

  // MARK: The outbox

  /// Adds items, or takes items back.
  @inline(__always)
  func changeOutbox(_ server: FormServer, _ change: (inout SessionOutbox) -> Void) {
    self.change(server, change)
    server.storeLater(self)
  }

  /// Changes the waiting items, and their bytes in the daemon's account.
  @discardableResult
  @inline(__always)
  private func change<Result>(_ server: FormServer, _ change: (inout SessionOutbox) -> Result) -> Result {
    let before = outbox.bytes
    defer { server.memory.queued += outbox.bytes - before }
    return change(&outbox)
  }

  // MARK: The store

  /// The entry ends: hands the changes over to the store, and sends the messages that need not wait for it.
  ///
  /// - Parameter server: the server of the store. Each look at ``StoredSessions/server`` would count a reference.
  func handOver(to stored: StoredSessions, _ server: FormServer) {
    isListed = false
    defer { discardIfIdle() }
    guard !kept.hasFailed else { return }
    let store = stored.store
    let before = jobs
    if case .end(_, .removed) = errand, !kept.isInStore {
      // The store has never heard of the session.
    } else if case .end(_, .removed) = errand {
      stored.sessionRemoved()
      store.remove(formerID ?? kept.storedID, grace: 0, begin(0, stored, server))
    } else if case .end(_, .released) = errand {
      store.release(formerID ?? kept.storedID, begin(0, stored, server))
    } else if let write = write(stored, server) {
      let isVital = !write.parts.isEmpty || write.formerID != nil || needsFence(stored)
      let bytes = write.parts.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
      store.write(write, begin(bytes, stored, server, isVital: isVital))
    }
    if case .renew = errand { errand = .none }
    // All later items wait for the answer, because the other daemon may have the session then.
    if let request = request.take(), !isEnding { store.answer(request, gives: true, begin(0, stored, server)) }
    let begun = jobs - before
    deliver(change(server) { $0.handOver(jobs: begun) })
  }

  /// Frees this object if nothing is pending: a quiet session has none.
  private func discardIfIdle() {
    if jobs == 0, !isListed { kept.discardStorage() }
  }

  /// Whether the store must confirm that no other daemon has taken the session, before any client gets the messages.
  /// The result of a request needs no such confirmation: it was true when the request was served, and the lease ran
  /// then. Otherwise a lease that ends in that moment would end a session that was only read.
  private func needsFence(_ stored: StoredSessions) -> Bool { outbox.hasMoreThanResults && stored.isLeaseOver }

  /// Whether a client waits for the store, or would miss what it does. A new key is not given up: the store may still
  /// accept it, and then a client must know it.
  var isAwaited: Bool { (vitalJobs > 0 || outbox.bytes > 0) && formerIDs.isEmpty }

  /// A job begins, with so many bytes of its own.
  ///
  /// - Parameter isVital: whether a client knows what it does, or waits for it: then the session ends if it fails.
  /// - Returns: the completion to call when it is done.
  private func begin(
    _ bytes: Int,
    _ stored: StoredSessions,
    _ server: FormServer,
    isVital: Bool = true
  ) -> (StoreFailure?) -> Void {
    jobs += 1
    if isVital { vitalJobs += 1 }
    stored.jobBegan(of: self)
    server.memory.queued += bytes
    let start = server.now
    return { [self, unowned(unsafe) server, unowned(unsafe) stored] failure in
      jobs -= 1
      if isVital { vitalJobs -= 1 }
      stored.jobEnded(of: self, isLast: jobs == 0, commitTime: failure == nil ? server.now - start : nil)
      server.memory.queued -= bytes
      // A session that belongs to another daemon has no next write.
      let mayFail = !isVital && failure?.reason != .notOwned
      if mayFail, failure != nil {
        // The next write has all of the session, and the time at which it expires.
        kept.storedExpiry = 0
        session?.beginStoring()
      }
      jobEnded(mayFail ? nil : failure, server)
      discardIfIdle()
    }
  }

  /// The changes to write; nil: none.
  private func write(_ stored: StoredSessions, _ server: FormServer) -> SessionWrite? {
    guard let session else { return nil }
    let changes = server.engine.takeSnapshotChanges(of: session.engineSession, for: .keeping)
    var write = SessionWrite(kept.storedID, isWhole: changes.isWhole, parts: [])
    write.formerID = formerID.take()
    write.isFirst = !kept.isInStore
    if write.isFirst { stored.sessionAdded() }
    kept.isInStore = true
    let isRenewed = if case .renew = errand { true } else { false }
    guard !changes.isEmpty || !parts.isEmpty || isRenewed || write.formerID != nil || needsFence(stored) else {
      return nil
    }
    write.parts = changes.parts.map { ($0.part.rawValue, $0.bytes) }
    if !parts.isEmpty {
      write.parts += parts.map { ($0.key, $0.value) }
      parts = [:]
    }
    // A part of a second counts as one.
    let wanted = server.environment.wallClock().seconds + kept.keep.components.seconds + 1
    if wanted != kept.storedExpiry || changes.isWhole {
      kept.storedExpiry = wanted
      write.facts = StoredFacts(form: session.engineSession.form.name, expiry: wanted)
    }
    return write
  }

  private func jobEnded(_ failure: StoreFailure?, _ server: FormServer) {
    guard !kept.hasFailed else { return }
    if let failure { return fail(failure, server) }
    deliver(change(server) { $0.jobEnded() })
  }

  private func deliver(_ deliveries: [SessionOutbox.Delivery]) {
    for delivery in deliveries {
      delivery.connection?.send(delivery)
      for effect in delivery.effects { session?.start(effect) }
    }
  }

  /// The waiting messages are not true: the session in memory ends, and a client that comes back finds the committed
  /// state.
  func fail(_ failure: StoreFailure, _ server: FormServer) {
    kept.hasFailed = true
    let isMoved = failure.reason == .moved
    if !isMoved { server.statistics.storeFailures += 1 }
    let dropped = change(server) { $0.takeAll() }
    let error = RPCError.notStored(failure.description)
    // A client that would learn only by a dropped answer that it has the session has never had it.
    var strangers: [ClientConnection] = []
    // A client that has left the session, or was notified of its end, does not have it any more, but the store does.
    var others: [ClientConnection] = []
    for delivery in dropped {
      guard let connection = delivery.connection else { continue }
      for request in delivery.answered {
        connection.fail(request.token, isMoved && !request.introduces ? .sessionClosed : error)
        server.closeLaterIfDone(connection)
        if request.introduces { strangers.append(connection) } else { others.append(connection) }
      }
      if delivery.endsSession { others.append(connection) }
    }
    guard let ended = session ?? removed else { return }
    var passedOver = Set((strangers + ended.connections).map { ObjectIdentifier($0) })
    for connection in others where passedOver.insert(ObjectIdentifier(connection)).inserted {
      connection.sessionLost(ended, isMoved ? .moved : .store)
    }
    guard let session else { return }
    if !isMoved {
      server.logger.error(
        "a kept session could not be stored and ends",
        metadata: [
          "form": "\(session.engineSession.form.name.forLog)", "session": "\(session.number)",
          "why": "\(failure.description.forLog)",
        ]
      )
    }
    session.endNotStored(strangers, error, isMoved ? .moved : failure.reason == .notOwned ? .lost : .store)
    discardIfIdle()
  }

  private var isEnding: Bool { if case .end = errand { true } else { false } }

  /// The session that is removed; nil: none.
  private var removed: LiveSession? { if case .end(let session, _) = errand { session } else { nil } }
}
