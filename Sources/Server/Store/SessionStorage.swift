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
  /// The key of before, as long as the store knows the session by that.
  private var formerKey: StoredSessionID?
  /// For how long the session is kept.
  private let keep: Duration
  /// When it expires, as the store has it, in seconds since 1970.
  private var expiry: Int64
  /// What the server itself keeps of the session and has not written, by number; nil: it goes.
  private var parts: [Int64: [UInt8]?] = [:]
  /// What was said, and waits for a commit.
  private var outbox = SessionOutbox()
  /// How many jobs of the store are not done.
  private var jobs = 0
  /// What is to be done when the entry ends, besides writing what has changed.
  private var errand = Errand.none
  /// Whether the server knows that something is to be done when the entry ends.
  var isListed = false
  /// Whether a commit has failed: the session ends, and the store keeps what it has.
  private(set) var hasFailed = false

  private enum Errand {
    case none
    /// The session is to be kept from now on for as long as it can be.
    case renew
    /// The session goes.
    case remove
  }

  /// Of a session that was just opened.
  init(_ key: StoredSessionID, _ head: StoredHead) {
    self.key = key
    keep = head.keep
    expiry = 0
    parts[StoredHead.part] = head.bytes
  }

  /// Of a session that the store has.
  init(_ key: StoredSessionID, _ head: StoredHead, expiry: Int64) {
    self.key = key
    keep = head.keep
    self.expiry = expiry
  }

  // MARK: Room

  /// So many jobs of one session may wait for the store.
  private static let jobsMax = 1_024

  /// Another input may be applied: not too much waits for the store.
  ///
  /// - Throws: 1011.
  func checkRoom(_ server: FormServer) throws(RPCError) {
    try server.checkStore()
    if jobs >= Self.jobsMax || outbox.bytes > server.limits[.outputHardBytes] {
      throw .notStored("too much of the session waits for it, go on when that is answered")
    }
    // Whoever waits for the store makes it wait for more.
    if jobs > 0, server.isMemoryFull { throw server.limits.overloaded(.memoryMax) }
  }

  // MARK: What is to be done when the entry ends

  /// An event was kept, and those of these numbers were given up.
  ///
  /// - Parameter isSecret: whether nothing of it may be written.
  func keep(_ event: ActionEvent, isSecret: Bool, givingUp forgotten: [Int]) {
    if !isSecret { parts[StoredHead.part(ofEvent: event.sequence)] = event.bytes }
    for sequence in forgotten { parts[StoredHead.part(ofEvent: sequence)] = .some(nil) }
  }

  /// Another key opens the session from now on.
  func rename(to new: StoredSessionID) {
    formerKey = formerKey ?? key
    key = new
  }

  /// The session is to be kept from now on for as long as it can be.
  func renew() {
    if errand == .none { errand = .renew }
  }

  /// The session goes.
  func remove() { errand = .remove }

  /// The session is another one from now on, whose requests have other numbers.
  func sessionReplaced(by next: LiveSession, _ server: FormServer) {
    session = next
    change(server) { $0.withdrawEffects() }
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
    let before = outbox.bytes
    defer { server.memory.queued += outbox.bytes - before }
    return change(&outbox)
  }

  // MARK: The store

  /// The entry ends: hands over to the store what has changed, and says what need not wait for it.
  func handOver(to store: any SessionStoring, _ server: FormServer) {
    guard !hasFailed else { return }
    let before = jobs
    if let former = server.storingFaults.through(.forgetRename, formerKey.take(), broken: nil) {
      store.rename(former, to: key, begin(0, server))
    }
    if errand == .remove, server.storingFaults.through(.forgetRemoval, true, broken: false) {
      store.remove(key, begin(0, server))
    } else if let write = write(server) {
      store.write(write, begin(write.parts.reduce(0) { $0 + ($1.bytes?.count ?? 0) }, server))
    }
    errand = .none
    let begun = jobs - before
    if let batch = change(server, { $0.handOver(jobs: begun) }) { deliver(batch, server) }
  }

  /// A job begins, with so many bytes of its own.
  ///
  /// - Returns: what is to be called when it is done.
  private func begin(_ bytes: Int, _ server: FormServer) -> (StoreFailure?) -> Void {
    jobs += 1
    server.storeJobs += 1
    server.memory.queued += bytes
    return { [self, unowned(unsafe) server] failure in
      jobs -= 1
      server.storeJobs -= 1
      server.memory.queued -= bytes
      jobEnded(failure, server)
    }
  }

  /// What has changed; nil: nothing.
  private func write(_ server: FormServer) -> SessionWrite? {
    guard let session else { return nil }
    let taken = server.engine.takeSnapshotChanges(of: session.session)
    let changes = server.storingFaults.through(.forgetChanges, taken, broken: taken.isWhole ? taken : SnapshotChanges())
    guard !changes.isEmpty || !parts.isEmpty || errand == .renew else { return nil }
    var write = SessionWrite(key, isWhole: changes.isWhole, parts: [])
    write.parts = changes.parts.map { ($0.part.rawValue, $0.bytes) } + parts.map { ($0.key, $0.value) }
    parts = [:]
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
      case .result(let connection, let token, _): connection.answer(token, prepared: bytes)
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
    lost.unpack { item, _ in
      guard case .result(let connection, let token, _) = item else { return }
      connection.fail(token, error)
      server.settleLater(connection)
    }
    guard let session else { return }
    server.logger.error(
      "a kept session could not be stored and ends",
      metadata: [
        "form": "\(session.session.form.name.forLog)", "session": "\(session.id)",
        "why": "\(failure.description.forLog)",
      ]
    )
    session.endNotStored()
  }
}
