package import Configuration
internal import FormProtocol
internal import Sessions
package import SourceTexts
internal import Times

/// The life of the daemon: it is ready, it takes over changed forms and another configuration, and it ends.
extension FormServer {
  /// For how long the daemon waits when it begins to end now: ``Limit/drainMs``, or until each action under way has
  /// ended by its timeout, but not longer than ``drainMax`` for that.
  package var drainLimit: Duration {
    var limit = Duration.milliseconds(limits[.drainMs])
    func wait(for session: LiveSession) { limit = max(limit, session.engineSession.longestActionTimeout ?? .zero) }
    for connection in seats.all { for session in connection.sessions.all { wait(for: session) } }
    for session in keptSessions.all { wait(for: session) }
    return min(limit, max(.milliseconds(limits[.drainMs]), Self.drainMax))
  }
  /// However long the timeouts of actions are, their end is not awaited for longer. Service managers kill a process
  /// that ends too slowly: systemd after 90 s.
  private static let drainMax = Duration.seconds(60)

  // MARK: Readiness

  /// Why the daemon is not ready for clients; empty if it is ready.
  package var notReady: [ReadinessProblem] {
    var problems: [ReadinessProblem] = []
    if isDraining { problems.append(.ending) }
    if let problem = storedSessions?.problem { problems.append(.store(problem)) }
    if !catalog.brokenFiles.isEmpty { problems.append(.forms(catalog.brokenFiles)) }
    return problems
  }

  /// Reports the readiness, if it has changed.
  func reportReadiness() {
    let notReady = notReady
    if notReady == reportedNotReady { return }
    reportedNotReady = notReady
    environment.readinessChanged(notReady)
  }

  // MARK: Life of the daemon

  /// Takes over a configuration and reloaded forms, and notifies the clients that watch the forms. Live sessions keep
  /// their forms. A kept session switches to the new form at the first attach after all clients have left
  /// (``LiveSession/migrated()``). A connection keeps the limits of its reader.
  ///
  /// - Parameters:
  ///   - problems: the problems of the forms' files.
  ///   - configuration: the new configuration; nil if it has not changed.
  package func reload(
    _ catalog: FormCatalog,
    problems: [Diagnostic] = [],
    configuration: ServerConfiguration? = nil
  ) {
    enter()
    if let configuration { follow(configuration) }
    letGo(self.catalog)
    self.catalog = catalog
    loadedForms = LoadedForms(catalog, problems)
    statistics.reloads += 1
    for connection in seats.all { connection.formsChanged() }
    reportReadiness()
    endEntry()
  }

  private func follow(_ configuration: ServerConfiguration) {
    let old = self.configuration
    inForce = ConfigurationInForce(configuration)
    seats.ordinaryMax = configuration.limits[.connectionsMax]
    setEngineLimits()
    followRoles()
    // A client that has registered with another token, or without one, must not receive what the new token protects.
    for (name, provider) in configuration.providers where provider.token != nil {
      if provider.token != old.providers[name]?.token { endHolders(of: name) }
    }
  }

  /// The daemon is to end: notifies every client, then waits for the requests that were accepted.
  package func drain() {
    guard !isDraining else { return }
    enter()
    let limit = drainLimit
    stage = .draining
    _ = schedule(.drain, at: now + limit)
    reportReadiness()
    for connection in seats.all { connection.drain(within: limit) }
    endEntry()
    endIfDrained()
  }

  /// The server has ended: it notifies no client any more.
  package func end() { stage = .ended }

  /// The daemon is ending, and the operator does not want to wait: accepted requests are refused now.
  package func hurry() {
    enter()
    drainDeadlinePassed()
    endEntry()
  }

  /// The daemon does not wait any longer: every request gets an answer now.
  func drainDeadlinePassed() {
    if stage < .drainOver { stage = .drainOver }
    if let storedSessions {
      storedSessions.giveUp(storedSessions.problem ?? "the store did not answer before the daemon ended")
    }
    if seats.isEmpty { return endIfDrained() }
    for connection in seats.all { connection.drainDeadlinePassed() }
  }
}
