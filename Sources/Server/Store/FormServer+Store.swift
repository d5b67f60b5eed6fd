internal import CEL
internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
package import SessionStore
internal import Sessions
internal import Times

/// Kept sessions in the store: they come back when a client asks for them.
extension FormServer {
  /// A session that was found by its key.
  struct FoundSession {
    let session: LiveSession
    /// Whether it had another form when it was stored.
    let isMigrated: Bool
  }

  /// How many expired sessions are searched at once, so that writes need not wait long.
  private static let sweepCount = 64
  /// The time between two searches for expired sessions.
  private static let sweepInterval = Duration.seconds(60)

  // MARK: What the store says

  /// The store has done so many jobs: calls their completions, for as long as a slice lasts.
  ///
  /// - Parameter tell: calls the completion of the job of that index.
  /// - Returns: how many were called.
  package func storeAnswered(_ jobs: Int, tell: (Int) -> Void) -> Int {
    enter()
    let start = now
    var count = 0
    while count < jobs {
      tell(count)
      count += 1
      if nanoseconds(since: start) >= SliceOrder.slice { break }
    }
    leave()
    return count
  }

  /// The store can be written, or cannot any more.
  package func storeChanged(to state: StoreState) {
    switch state {
    case .well:
      defer { reportReadiness() }
      if let away = storeAway.take() { storeGrace += Int64((environment.now() - away.since) / .seconds(1)) + 1 }
      logger.notice("kept sessions can be stored again")
    case .away(let failure):
      storeAway = (since: storeAway?.since ?? environment.now(), why: failure.description)
      logger.error("kept sessions cannot be stored", metadata: ["why": "\(failure.description.forLog)"])
      reportReadiness()
    }
  }

  /// The reason why kept sessions cannot be stored now; nil if they can, as far as is known.
  private var writeProblem: String? { storeAway?.why ?? (isLeaseOver ? SessionOwnership.leaseIsOver : nil) }

  /// The reason why the store does not answer or cannot be written; nil if it is well, as far as is known.
  var storeProblem: String? { writeProblem ?? ownership?.leaseTrouble }

  /// Whether the store answers, as far as is known: not if it had something left to do when the daemon had waited long
  /// enough for it.
  package var isStoreWell: Bool { storeProblem == nil && !(isDrainOver && storeJobs > 0) }

  /// Checks that the store can be written, as far as is known.
  ///
  /// - Throws: 1011.
  func checkStore() throws(RPCError) {
    if let writeProblem { throw .notStored(writeProblem) }
  }

  // MARK: What waits for the store

  /// Nothing waits for the store any longer: its requests fail with that reason, and their sessions end here. The
  /// store keeps the last state of these sessions that it has committed, or still commits.
  func giveUpStore(_ why: String) {
    handOverToStore()
    for storage in storagesAtWork.values where storage.isAwaited { storage.fail(StoreFailure(.other, why), self) }
    let backups = openBackups
    openBackups = [:]
    for completion in backups.values { completion(.failure(.notCopied(why))) }
    for loading in loadingSessions.keys {
      let waiting = loadingSessions[loading] ?? []
      // The entry stays until the store has answered.
      loadingSessions[loading] = []
      for found in waiting { found(.failure(.notStored(why))) }
    }
  }

  // MARK: A copy

  /// Copies the store into a new file.
  ///
  /// - Parameter completion: gets the size of the copy in bytes.
  func backUpStore(to path: String, _ completion: @escaping (Result<Int, RPCError>) -> Void) {
    guard let store = environment.store else { return completion(.failure(.notCopied("the daemon has no store"))) }
    guard openBackups.isEmpty else {
      return completion(.failure(.notCopied("another copy is being made; ask again when it is done")))
    }
    lastBackup += 1
    let number = lastBackup
    openBackups[number] = completion
    // The changes of this entry are in the copy.
    handOverToStore()
    store.backUp(to: path) { [weak self] result in
      guard let completion = self?.openBackups.removeValue(forKey: number) else { return }
      switch result {
      case .success(let bytes): completion(.success(bytes))
      case .failure(let failure): completion(.failure(.notCopied(failure.description)))
      }
    }
  }

  // MARK: Sessions whose time is over

  /// From now on expired sessions are removed from the store, even if no client asks for them, and all sessions are
  /// counted. The first search comes soon, because a daemon without clients may end within a minute.
  func beginSweeping() {
    if environment.store != nil { _ = schedule(.sweep, at: environment.now() + .seconds(1)) }
  }

  /// Searches for expired sessions, and counts the sessions.
  func sweep() {
    // The changes of this entry must reach the store before the search.
    handOverToStore()
    environment.store?.count { [weak self] count in
      if let count { self?.storedSessions = count }
    }
    environment.store?.expired(grace: storeGrace, atMost: Self.sweepCount) { [weak self] expired in
      guard let self else { return }
      let isAway = storeAway != nil
      if !isAway { for id in expired { sweep(id) } }
      let pause = isAway || expired.count < Self.sweepCount ? Self.sweepInterval : .milliseconds(10)
      _ = schedule(.sweep, at: now + pause)
    }
  }

  private func sweep(_ id: StoredSessionID) {
    if let storage = keptSessions.session(id)?.storage {
      // A client has it, and has not sent anything for long.
      storage.renew()
      storeLater(storage)
    } else if !isLoading(id) {
      environment.store?.remove(id, grace: storeGrace) { _ in }
    }
  }

  /// Checks that another session may be kept: in memory, and in the store, where sessions stay that no client uses.
  ///
  /// - Throws: 1011.
  func checkKeptQuota() throws(RPCError) {
    try keptSessions.checkQuota(limits)
    if let storedSessions, storedSessions >= limits[.keptSessionsMax] { throw limits.overloaded(.keptSessionsMax) }
  }

  // MARK: Sessions that come back

  /// A session that a caller waits for and that comes from the store.
  struct LoadingKey: Hashable {
    let id: StoredSessionID
    /// Whether to take it from another daemon that has clients for it.
    let takes: Bool
  }

  /// Whether a caller waits for that session.
  func isLoading(_ id: StoredSessionID) -> Bool {
    [false, true].contains { loadingSessions[LoadingKey(id: id, takes: $0)] != nil }
  }

  /// Finds the session that a key opens: here, or in the store.
  ///
  /// - Parameters:
  ///   - takes: whether to take it from another daemon that has clients for it.
  ///   - found: called at once, or later in an entry of its own.
  func findSession(
    _ key: SessionKey,
    takes: Bool,
    _ found: @escaping (Result<FoundSession, RPCError>) -> Void
  ) {
    let id = key.hash
    if let session = keptSessions.session(id) {
      do throws(RPCError) {
        try session.checkLease()
      } catch {
        return found(.failure(error))
      }
      return found(.success(FoundSession(session: session, isMigrated: false)))
    }
    guard let ownership else { return found(.failure(.unknownKey)) }
    if isLeaseOver { return found(.failure(.notStored(SessionOwnership.leaseIsOver))) }
    let loading = LoadingKey(id: id, takes: takes)
    // Without callers, the claim was given up: another one is needed.
    let isAsked = loadingSessions[loading].map { !$0.isEmpty } ?? false
    if !isAsked, loadingSessions.count >= Self.loadingMax {
      // Clients that are refused together do not come back together.
      return found(.failure(.notStored("too many sessions are loading", retryAfterMs: 500 + Int(id.prefix % 1_000))))
    }
    loadingSessions[loading, default: []].append(found)
    if isAsked { return }
    // A session that was closed in this entry, or whose key was rotated, must not come back.
    handOverToStore()
    let losses = ownership.leaseLosses
    ownership.claim(id, takes: takes) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(.session(let stored)): restore(stored, loading, losses)
      case .success(.nothing): loaded(loading, .failure(.unknownKey))
      case .success(.held(let instance, _)): loaded(loading, .failure(.attachedElsewhere(instance)))
      case .failure(let failure): loaded(loading, .failure(.notStored(failure.description)))
      }
    }
  }

  /// How many sessions may be on their way from the store at once.
  private static let loadingMax = 1_024

  private func loaded(_ loading: LoadingKey, _ result: Result<FoundSession, RPCError>) {
    for found in loadingSessions.removeValue(forKey: loading) ?? [] { found(result) }
    if loadingSessions.isEmpty { loadingSessions = [:] }
    guard !isLoading(loading.id), let request = requestsOfLoading.removeValue(forKey: loading.id) else { return }
    asked(for: request)
  }

  private func restore(_ stored: StoredSession, _ loading: LoadingKey, _ losses: Int) {
    if isHere(loading) { return }
    guard let head = StoredHead(stored) else {
      return unreadable(stored, loading, "the daemon's own part is missing or damaged")
    }
    guard let definition = head.definition else {
      guard let form = catalog.form(named: stored.facts.form) else {
        return loaded(loading, .failure(.unknownForm(stored.facts.form, closest: nil)))
      }
      return restore(stored, head, loading, losses, form)
    }
    let brought: BroughtDefinition
    do throws(RPCError) {
      try checkDefinitionQuota()
      let scratch = pool.take()
      defer { pool.give(scratch) }
      brought = try BroughtDefinition(definition, allowed: configuration.definitions, limits: limits, scratch: scratch)
    } catch {
      return loaded(loading, .failure(error))
    }
    compilingCount += 1
    offload(.compiling, brought.compile) { [weak self] in
      guard let self else { return }
      enter()
      compilingCount -= 1
      do throws(RPCError) {
        restore(stored, head, loading, losses, try brought.compilation.form(limits: limits))
      } catch {
        loaded(loading, .failure(error))
      }
      leave()
    }
  }

  private func restore(_ stored: StoredSession, _ head: StoredHead, _ loading: LoadingKey, _ losses: Int, _ form: Form)
  {
    if isHere(loading) { return }
    do throws(RPCError) {
      try checkStore()
      // Other daemons may have taken it since.
      if losses != ownership?.leaseLosses { throw .notStored("the database was unavailable for longer than the lease") }
      try keptSessions.checkQuota(limits)
      try checkSessionQuota()
      try checkMemory()
      if head.definition != nil { try checkDefinitionQuota() }
      if isDraining { throw .draining }
    } catch {
      return loaded(loading, .failure(error))
    }
    do throws(SnapshotError) {
      let snapshot = stored.snapshot
      if let version = snapshot.formVersion, version > form.version {
        return loaded(loading, .failure(.olderForm(form.name)))
      }
      let restored = try engine.restore(form, from: snapshot, at: now)
      makeRoom(forValues: restored.session.contentBytes)
      if memory.values + restored.session.contentBytes > valueBytesMax {
        return loaded(loading, .failure(limits.overloaded(.valueBytesMax)))
      }
      let kept = KeptSession(loading.id, head, stored, last: restored.session.lastEvent, self)
      let live = LiveSession(restored: restored.session, kept, hasOwnDefinition: head.definition != nil, self)
      sessionBegan(live)
      live.logMigration(restored)
      kept.restored(restored.turn, of: live)
      live.carryOut(restored.turn, cause: .sessionOpen, self)
      loaded(loading, .success(FoundSession(session: live, isMigrated: restored.isMigrated)))
    } catch {
      unreadable(stored, loading, error.description)
    }
  }

  /// Another caller has waited for the session in another way, and has it already.
  private func isHere(_ loading: LoadingKey) -> Bool {
    guard let session = keptSessions.session(loading.id) else { return false }
    loaded(loading, .success(FoundSession(session: session, isMigrated: false)))
    return true
  }

  private func unreadable(_ stored: StoredSession, _ loading: LoadingKey, _ why: String) {
    logger.error(
      "a stored session cannot be read",
      metadata: ["form": "\(stored.facts.form.forLog)", "why": "\(why.forLog)"]
    )
    loaded(loading, .failure(.notStored("the stored session cannot be read (\(why))")))
  }
}
