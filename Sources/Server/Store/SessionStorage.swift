internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import SessionStore
internal import Sessions

/// What a kept session has besides where the daemon has a store: what waits for a commit, and what is to be written with the next one.
final class SessionStorage {
  /// The session as it is now; nil when it has ended.
  var session: LiveSession?
  /// The key that opens the session.
  private var key: StoredSessionID
  /// When it expires, as the store has it, in seconds since 1970.
  private var expiry: Int64
  /// Whether the store has it, or is about to.
  private var isKnown: Bool
  /// Whether a commit has failed: the session ends, and the store keeps what it has.
  private(set) var hasFailed = false
  /// What is to be done; nil of a session that is quiet, as most are.
  private var open: Work?

  /// What is to be done for a session.
  private final class Work {
    /// Whether the server knows that something is to be done when the entry ends.
    var isListed = false
    /// What is to be done then, besides writing what has changed.
    var errand = Errand.none
    /// The key of before, as long as the store knows the session by that.
    var formerKey: StoredSessionID?
    /// What the server itself keeps of the session and has not written, by number; nil: it goes.
    var parts: [Int64: [UInt8]?] = [:]
    /// What was said, and waits for a commit.
    var outbox = SessionOutbox()
    /// How many jobs of the store are not done.
    var jobs = 0
  }

  private enum Errand {
    case none
    /// The session is to be kept from now on for as long as it can be.
    case renew
    /// That session goes.
    case remove(LiveSession)
  }

  /// Of a session that was just opened.
  init(_ key: StoredSessionID, _ head: StoredHead) {
    self.key = key
    expiry = 0
    isKnown = false
    work.parts[StoredHead.part] = head.bytes
  }

  /// Of a session that the store has.
  init(_ key: StoredSessionID, expiry: Int64) {
    self.key = key
    self.expiry = expiry
    isKnown = true
  }

  private var work: Work {
    if let open { return open }
    let work = Work()
    open = work
    return work
  }

  // MARK: Room

  /// So many jobs of one session may wait for the store.
  private static let jobsMax = 1_024

  /// Another input may be applied: not too much waits for the store.
  ///
  /// - Throws: 1011.
  func checkRoom(_ server: FormServer) throws(RPCError) {
    try server.checkStore()
    guard let open else { return }
    if open.jobs >= Self.jobsMax || open.outbox.bytes > server.limits[.outputHardBytes] {
      throw .notStored("too much of the session waits for it, go on when that is answered")
    }
    // Whoever waits for the store makes it wait for more.
    if open.jobs > 0, server.isMemoryFull { throw server.limits.overloaded(.memoryMax) }
  }

  // MARK: What is to be done when the entry ends

  /// An event was kept, and those of these numbers were given up.
  ///
  /// - Parameter isSecret: whether nothing of it may be written.
  func keep(_ event: ActionEvent, isSecret: Bool, givingUp forgotten: [Int]) {
    if !isSecret { work.parts[StoredHead.part(ofEvent: event.sequence)] = event.bytes }
    for sequence in forgotten { work.parts[StoredHead.part(ofEvent: sequence)] = .some(nil) }
  }

  /// Another key opens the session from now on.
  func rename(to new: StoredSessionID) {
    work.formerKey = work.formerKey ?? key
    key = new
  }

  /// The session is to be kept from now on for as long as it can be.
  func renew() {
    if case .none = work.errand { work.errand = .renew }
  }

  /// The session goes.
  func remove(_ session: LiveSession) { work.errand = .remove(session) }

  /// The session is another one from now on, whose requests have other numbers.
  func sessionReplaced(by next: LiveSession, _ server: FormServer) {
    session = next
    if open != nil { change(server) { $0.withdrawEffects() } }
  }

  // MARK: Saying

  /// Says something, or takes something back.
  func say(_ server: FormServer, _ say: (inout SessionOutbox) -> Void) {
    change(server, say)
    server.storeLater(self)
  }

  /// Changes what waits, and what that takes in the daemon's account.
  @discardableResult
  private func change<Result>(_ server: FormServer, _ change: (inout SessionOutbox) -> Result) -> Result {
    let work = work
    let before = work.outbox.bytes
    defer { server.memory.queued += work.outbox.bytes - before }
    return change(&work.outbox)
  }

  /// Something may have to be done when the entry ends.
  ///
  /// - Returns: whether the server does not know that.
  func needsListing() -> Bool {
    defer { work.isListed = true }
    return !work.isListed
  }

  // MARK: The store

  /// The entry ends: hands over to the store what has changed, and says what need not wait for it.
  func handOver(to store: any SessionStoring, _ server: FormServer) {
    let work = work
    work.isListed = false
    guard !hasFailed else { return }
    let before = work.jobs
    if case .remove = work.errand, server.storingFaults.through(.forgetRemoval, true, broken: false) {
      store.remove(work.formerKey ?? key, begin(0, server))
    } else if let write = write(server) {
      let says = !write.parts.isEmpty || write.formerID != nil
      store.write(write, begin(write.parts.reduce(0) { $0 + ($1.bytes?.count ?? 0) }, server, mayFail: !says))
    }
    if case .renew = work.errand { work.errand = .none }
    let begun = work.jobs - before
    if let batch = change(server, { $0.handOver(jobs: begun) }) { deliver(batch, server) }
    rest()
  }

  /// A quiet session keeps nothing.
  private func rest() {
    if let open, open.jobs == 0, !open.isListed { self.open = nil }
  }

  /// A job begins, with so many bytes of its own.
  ///
  /// - Parameter mayFail: whether nobody was told of what it writes.
  /// - Returns: what is to be called when it is done.
  private func begin(_ bytes: Int, _ server: FormServer, mayFail: Bool = false) -> (StoreFailure?) -> Void {
    work.jobs += 1
    server.storeJobs += 1
    server.memory.queued += bytes
    return { [self, unowned(unsafe) server] failure in
      work.jobs -= 1
      server.storeJobs -= 1
      server.memory.queued -= bytes
      if mayFail, failure != nil {
        // The next write has all of the session, and when it expires.
        expiry = 0
        session?.beginStoring()
      }
      jobEnded(mayFail ? nil : failure, server)
      rest()
    }
  }

  /// What has changed; nil: nothing.
  private func write(_ server: FormServer) -> SessionWrite? {
    guard let session, let keep = session.kept?.keep else { return nil }
    let work = work
    let taken = server.engine.takeSnapshotChanges(of: session.session)
    let changes = server.storingFaults.through(.forgetChanges, taken, broken: taken.isWhole ? taken : SnapshotChanges())
    var write = SessionWrite(key, isWhole: changes.isWhole, parts: [])
    write.formerID = server.storingFaults.through(.forgetRename, work.formerKey.take(), broken: nil)
    write.isFirst = !isKnown
    isKnown = true
    let isRenewed = if case .renew = work.errand { true } else { false }
    guard !changes.isEmpty || !work.parts.isEmpty || isRenewed || write.formerID != nil else { return nil }
    write.parts = changes.parts.map { ($0.part.rawValue, $0.bytes) } + work.parts.map { ($0.key, $0.value) }
    work.parts = [:]
    // A part of a second counts as one.
    let wanted = server.environment.wallClock().seconds + keep.components.seconds + 1
    if wanted != expiry || changes.isWhole {
      expiry = wanted
      write.facts = StoredFacts(form: session.session.form.name, expiry: wanted)
    }
    return write
  }

  private func jobEnded(_ failure: StoreFailure?, _ server: FormServer) {
    guard !hasFailed else { return }
    if let failure = server.storingFaults.through(.ignoreFailure, failure, broken: nil) { return fail(failure, server) }
    if let batch = change(server, { $0.jobEnded() }) { deliver(batch, server) }
  }

  private func deliver(_ batch: SessionOutbox.Batch, _ server: FormServer) {
    batch.unpack { item, bytes in
      switch item {
      case .result(let connection, let token, _, _): connection.answer(token, prepared: bytes)
      case .notification(let connection, let method, _): connection.notify(method, prepared: bytes)
      case .effect(let effect): session?.start(effect)
      }
    }
  }

  /// What was said is not so: the session in memory ends, and whoever comes back finds what was committed.
  private func fail(_ failure: StoreFailure, _ server: FormServer) {
    hasFailed = true
    server.statistics.storeFailures += 1
    let lost = change(server) { $0.takeAll() }
    let error = RPCError.notStored(failure.description)
    var strangers: [ClientConnection] = []
    lost.unpack { item, _ in
      switch item {
      case .result(let connection, let token, _, let introduces):
        connection.fail(token, error)
        server.settleLater(connection)
        if introduces { strangers.append(connection) }
        // Who has closed it does not have it any more, and the store has.
        if case .remove(let session) = work.errand {
          connection.push(SessionClosed(session: session.id, reason: .store))
        }
      case .notification(let connection, let method, _):
        guard case .remove(let session) = work.errand, method.description == SessionClosed.push.wireName.description
        else {
          return
        }
        connection.push(SessionClosed(session: session.id, reason: .store))
      case .effect: break
      }
    }
    guard let session else { return }
    server.logger.error(
      "a kept session could not be stored and ends",
      metadata: [
        "form": "\(session.session.form.name.forLog)", "session": "\(session.id)",
        "why": "\(failure.description.forLog)",
      ]
    )
    session.endNotStored(strangers)
  }
}
