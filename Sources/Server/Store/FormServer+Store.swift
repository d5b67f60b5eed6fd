internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import SessionStore
internal import Sessions

/// Kept sessions that are in the store: they come back when somebody asks for them.
extension FormServer {
  /// A session that was found by its key.
  struct FoundSession {
    let session: LiveSession
    /// Whether its form was another one when it was stored.
    let isMigrated: Bool
  }

  /// So many sessions whose time is over are looked for at once, so that writes need not wait long.
  private static let sweepCount = 64
  /// How long it takes until sessions whose time is over are looked for again.
  private static let sweepInterval = Duration.seconds(60)

  // MARK: What the store says

  /// The store has done so many jobs: tells who asked for them, for as long as a turn lasts.
  ///
  /// - Parameter tell: tells who asked for the job of that index.
  /// - Returns: how many were told.
  func storeAnswered(_ jobs: Int, tell: (Int) -> Void) -> Int {
    enter()
    let start = now
    var count = 0
    while count < jobs {
      tell(count)
      count += 1
      if nanoseconds(since: start) >= TurnOrder.slice { break }
    }
    leave()
    return count
  }

  /// The store can be written, or cannot any more.
  func storeChanged(to state: StoreState) {
    switch state {
    case .well:
      if let awaySince = awaySince.take() { storeGrace += Int64((environment.now() - awaySince) / .seconds(1)) + 1 }
      statistics.storeProblem = nil
      logger.notice("kept sessions can be stored again")
    case .away(let failure):
      if awaySince == nil { awaySince = environment.now() }
      statistics.storeProblem = failure.description
      logger.error("kept sessions cannot be stored", metadata: ["why": "\(failure.description.forLog)"])
    }
  }

  /// The store can be written, as far as is known.
  ///
  /// - Throws: 1011.
  func checkStore() throws(RPCError) {
    if let problem = statistics.storeProblem { throw .notStored(problem) }
  }

  // MARK: Sessions whose time is over

  /// Stored sessions that expire by then are over. The time in which the store was away does not count: nobody could use a session then, and
  /// the store could not hear that somebody had it.
  private var expiryNow: Int64 { environment.wallClock().seconds - storeGrace }

  /// From now on sessions of the store go when their time is over, whether somebody has asked for them or not.
  func beginSweeping() {
    if environment.store != nil { _ = schedule(.sweep, at: environment.now() + Self.sweepInterval) }
  }

  /// Looks for sessions whose time is over.
  func sweep() {
    // What is said of sessions in this entry comes before what is asked of them.
    storeSaid()
    environment.store?.expired(by: expiryNow, atMost: Self.sweepCount) { [weak self] expired in
      guard let self else { return }
      let isAway = statistics.storeProblem != nil
      if !isAway { for id in expired { sweep(id) } }
      let pause = isAway || expired.count < Self.sweepCount ? Self.sweepInterval : .milliseconds(10)
      _ = schedule(.sweep, at: now + pause)
    }
  }

  private func sweep(_ id: StoredSessionID) {
    if let storage = keptSessions.session(id)?.storage {
      // Somebody has it, and has long not sent anything.
      storage.renew()
      storeLater(storage)
    } else if loadingSessions[id] == nil {
      environment.store?.remove(id) { _ in }
    }
  }

  // MARK: Sessions that come back

  /// Finds the session that a key opens: here, or in the store.
  ///
  /// - Parameter found: told at once, or later in an entry of its own.
  func findSession(_ key: SessionKey, _ found: @escaping (Result<FoundSession, RPCError>) -> Void) {
    let id = key.hash
    if let session = keptSessions.session(id) {
      return found(.success(FoundSession(session: session, isMigrated: false)))
    }
    guard let store = environment.store else { return found(.failure(.unknownKey)) }
    loadingSessions[id, default: []].append(found)
    guard loadingSessions[id]?.count == 1 else { return }
    // A session that was closed in this entry, or whose key was rotated, is not to come back.
    storeSaid()
    store.read(id, at: expiryNow) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let stored?): restore(stored, id)
      case .success: loaded(id, .failure(.unknownKey))
      case .failure(let failure): loaded(id, .failure(.notStored(failure.description)))
      }
    }
  }

  private func loaded(_ id: StoredSessionID, _ result: Result<FoundSession, RPCError>) {
    for found in loadingSessions.removeValue(forKey: id) ?? [] { found(result) }
    if loadingSessions.isEmpty { loadingSessions = [:] }
  }

  private func restore(_ stored: StoredSession, _ id: StoredSessionID) {
    guard let head = StoredHead(stored) else {
      return unreadable(stored, id, "what the daemon itself has kept is missing")
    }
    guard let definition = head.definition else {
      guard let form = catalog.form(named: stored.facts.form) else {
        return loaded(id, .failure(.unknownForm(stored.facts.form, closest: nil)))
      }
      return restore(stored, head, id, form)
    }
    let brought: BroughtDefinition
    do throws(RPCError) {
      try checkRoomForDefinition()
      let scratch = pool.take()
      defer { pool.give(scratch) }
      brought = try BroughtDefinition(definition, allowed: configuration.definitions, limits: limits, scratch: scratch)
    } catch {
      return loaded(id, .failure(error))
    }
    compilingCount += 1
    detach(.compiling, brought.compile) { [weak self] in
      guard let self else { return }
      enter()
      compilingCount -= 1
      do throws(RPCError) {
        restore(stored, head, id, try brought.compilation.form(limits: limits))
      } catch {
        loaded(id, .failure(error))
      }
      leave()
    }
  }

  private func restore(_ stored: StoredSession, _ head: StoredHead, _ id: StoredSessionID, _ form: Form) {
    do throws(RPCError) {
      try checkStore()
      try keptSessions.checkQuota(limits)
      if sessionCount >= limits[.sessionsMax] { throw limits.overloaded(.sessionsMax) }
      if isMemoryFull { throw limits.overloaded(.memoryMax) }
      if head.definition != nil { try checkRoomForDefinition() }
      if isDraining { throw .draining }
    } catch {
      return loaded(id, .failure(error))
    }
    do throws(SnapshotError) {
      let snapshot = stored.snapshot
      if let version = snapshot.formVersion, version > form.version {
        return loaded(id, .failure(.olderForm(form.name)))
      }
      let restored = try engine.restore(form, from: snapshot, at: now)
      if memory.values + restored.session.keptBytes > valueBytesMax {
        return loaded(id, .failure(limits.overloaded(.valueBytesMax)))
      }
      let kept = KeptSession(id, head, stored, last: restored.session.lastEvent, self)
      let live = LiveSession(restored: restored.session, kept, hasOwnDefinition: head.definition != nil, self)
      sessionBegan(live)
      kept.restored(restored.turn, of: live)
      live.carryOut(restored.turn, cause: .sessionOpen)
      loaded(id, .success(FoundSession(session: live, isMigrated: restored.isMigrated)))
    } catch {
      unreadable(stored, id, error.description)
    }
  }

  private func checkRoomForDefinition() throws(RPCError) {
    if definitionCount + compilingCount >= limits[.definitionsMax] { throw limits.overloaded(.definitionsMax) }
  }

  private func unreadable(_ stored: StoredSession, _ id: StoredSessionID, _ why: String) {
    logger.error(
      "a stored session cannot be read",
      metadata: ["form": "\(stored.facts.form.forLog)", "why": "\(why.forLog)"]
    )
    loaded(id, .failure(.notStored("what is stored of the session cannot be read (\(why))")))
  }
}
