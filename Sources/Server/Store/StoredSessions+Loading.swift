internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import SessionStore
internal import Sessions

/// Sessions come back from the store when a client asks for them.
extension StoredSessions {
  /// A session that a caller waits for and that comes from the store.
  struct LoadingKey: Hashable {
    let id: StoredSessionID
    /// Whether to take it from another daemon that has clients for it.
    let takes: Bool
  }

  /// Whether a caller waits for that session.
  func isLoading(_ id: StoredSessionID) -> Bool {
    [false, true].contains { callers[LoadingKey(id: id, takes: $0)] != nil }
  }

  /// Finds a session that is not in memory.
  ///
  /// - Parameters:
  ///   - takes: whether to take it from another daemon that has clients for it.
  ///   - found: called at once, or later in an entry of its own.
  func find(
    _ id: StoredSessionID,
    takes: Bool,
    _ found: @escaping (Result<FoundSession, RPCError>) -> Void
  ) {
    do throws(RPCError) { try checkLease() } catch { return found(.failure(error)) }
    let loading = LoadingKey(id: id, takes: takes)
    // Without callers, the claim was given up: another one is needed.
    let isAsked = callers[loading].map { !$0.isEmpty } ?? false
    if !isAsked, callers.count >= Self.loadingMax {
      // Clients that are refused together do not come back together.
      return found(.failure(.notStored("too many sessions are loading", retryAfterMs: 500 + Int(id.prefix % 1_000))))
    }
    callers[loading, default: []].append(found)
    if isAsked { return }
    // A session that was closed in this entry, or whose key was rotated, must not come back.
    server.handOverToStore()
    let losses = ownership.leaseLosses
    ownership.claim(id, takes: takes) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(.session(let stored)): restore(stored, for: loading, losses: losses)
      case .success(.nothing): loaded(loading, .failure(.unknownKey))
      case .success(.held(let instance, _)): loaded(loading, .failure(.attachedElsewhere(instance)))
      case .failure(let failure): loaded(loading, .failure(.notStored(failure.description)))
      }
    }
  }

  /// How many sessions may be on their way from the store at once.
  private static let loadingMax = 1_024

  private func loaded(_ loading: LoadingKey, _ result: Result<FoundSession, RPCError>) {
    for found in callers.removeValue(forKey: loading) ?? [] { found(result) }
    if callers.isEmpty { callers = [:] }
    guard !isLoading(loading.id), let request = requestsOfLoading.removeValue(forKey: loading.id) else { return }
    asked(for: request)
  }

  private func restore(_ stored: StoredSession, for loading: LoadingKey, losses: Int) {
    if isHere(loading) { return }
    guard let head = StoredHead(stored) else {
      return unreadable(stored, loading, "the daemon's own part is missing or damaged")
    }
    guard let definition = head.definition else {
      guard let form = server.catalog.form(named: stored.facts.form) else {
        return loaded(loading, .failure(.unknownForm(stored.facts.form, closest: nil)))
      }
      return restore(stored, head: head, form: form, for: loading, losses: losses)
    }
    let brought: BroughtDefinition
    do throws(RPCError) {
      try server.counts.checkDefinitions(server.limits)
      let scratch = server.pool.take()
      defer { server.pool.give(scratch) }
      brought = try BroughtDefinition(
        definition,
        allowed: server.configuration.definitions,
        limits: server.limits,
        scratch: scratch
      )
      try server.checkMemory(for: brought.memoryBytes)
    } catch {
      return loaded(loading, .failure(error))
    }
    server.offload(brought.compile, compiling: brought) { [weak self] in
      guard let self else { return }
      server.enter()
      do throws(RPCError) {
        let form = try brought.compilation.form(limits: server.limits)
        restore(stored, head: head, form: form, for: loading, losses: losses)
      } catch {
        loaded(loading, .failure(error))
      }
      server.endEntry()
    }
  }

  private func restore(
    _ stored: StoredSession,
    head: StoredHead,
    form: Form,
    for loading: LoadingKey,
    losses: Int
  ) {
    if isHere(loading) { return }
    do throws(RPCError) {
      try checkWritable()
      // Other daemons may have taken it since.
      if losses != ownership.leaseLosses { throw .notStored("the database was unavailable for longer than the lease") }
      try server.keptSessions.checkQuota(server.limits)
      try server.counts.checkSessions(server.limits)
      try server.checkMemory()
      if head.definition != nil { try server.counts.checkDefinitions(server.limits) }
      if server.isDraining { throw .draining }
    } catch {
      return loaded(loading, .failure(error))
    }
    do throws(SnapshotError) {
      let snapshot = stored.snapshot
      if let version = snapshot.formVersion, version > form.version {
        return loaded(loading, .failure(.olderForm(form.name)))
      }
      let restored = try server.engine.restore(form, from: snapshot, at: server.now)
      server.makeRoom(forValues: restored.session.contentBytes)
      if server.memory.values + restored.session.contentBytes > server.valueBytesMax {
        return loaded(loading, .failure(server.limits.overloaded(.valueBytesMax)))
      }
      let kept = KeptSession(loading.id, head, stored, last: restored.session.lastEvent, server)
      let live = LiveSession(restored: restored.session, kept, hasOwnDefinition: head.definition != nil, server)
      server.sessionBegan(live)
      live.logMigration(restored)
      kept.restored(restored.turn, of: live)
      live.carryOut(restored.turn, cause: .sessionOpen, server)
      loaded(loading, .success(FoundSession(session: live, isMigrated: restored.isMigrated)))
    } catch {
      unreadable(stored, loading, error.description)
    }
  }

  /// Another caller has waited for the session in another way, and has it already.
  private func isHere(_ loading: LoadingKey) -> Bool {
    guard let session = server.keptSessions.session(loading.id) else { return false }
    loaded(loading, .success(FoundSession(session: session, isMigrated: false)))
    return true
  }

  private func unreadable(_ stored: StoredSession, _ loading: LoadingKey, _ why: String) {
    server.logger.error(
      "a stored session cannot be read",
      metadata: ["form": "\(stored.facts.form.forLog)", "why": "\(why.forLog)"]
    )
    loaded(loading, .failure(.notStored("the stored session cannot be read (\(why))")))
  }
}
