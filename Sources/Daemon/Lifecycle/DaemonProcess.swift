package import Actions
package import Configuration
internal import Files
internal import FormProtocol
internal import JSON
package import Logging
internal import NIOCore
internal import NIOPosix
package import Processes
internal import Server
internal import SessionStore
internal import Sessions
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// The whole daemon: entrance of clients, event loop, signals, in order from start to end.
///
/// One event loop serves all connections. It is far from being the limit, and so nothing needs a lock.
package struct DaemonProcess: Sendable {
  /// How long the first client waits at most until a store on another machine has answered.
  private static let firstAnswerMax = TimeAmount.seconds(5)

  let configuration: ServerConfiguration
  private let readAgain: (@Sendable () throws(ConfigurationError) -> ServerConfiguration)?
  private let log: LogWriter
  let logger: Logger

  /// A daemon with that configuration; nothing is started yet.
  ///
  /// - Parameters:
  ///   - readAgain: reads the configuration for a reload; nil if that is not possible.
  ///   - log: the log, whose settings follow a reload.
  package init(
    configuration: ServerConfiguration,
    readAgain: (@Sendable () throws(ConfigurationError) -> ServerConfiguration)?,
    log: LogWriter,
    logger: Logger
  ) {
    self.configuration = configuration
    self.readAgain = readAgain
    self.log = log
    self.logger = logger
  }

  /// Runs until SIGTERM or SIGINT, until the only client is gone, or until no client was there for long enough.
  ///
  /// - Parameters:
  ///   - source: the kind of entrance of the clients.
  ///   - hangUps: SIGHUP. The caller listens to it from the first moment of the process, so that it does not end a
  ///     daemon that starts.
  ///   - makePerformer: makes a performer of effects, with the server's threads for long work; called before clients
  ///     come, and when a reload has changed the services or databases.
  /// - Throws: ``StartError`` when it cannot start, or lost data that its only client was to get.
  package func run(
    for source: ClientSource,
    hangUps: AsyncStream<ProcessSignal>,
    makePerformer:
      @escaping @Sendable (ActionsConfiguration, _ offload: @escaping OffloadWork) -> RunningPerformer
  ) async throws {
    let manager = ServiceManager()
    let entrance = try entrance(for: source)
    let daemon = try await start(entrance, manager, hangUps, makePerformer)
    let failure = await awaitEnd(of: daemon)
    await shutDown(daemon)
    logger.notice("ended")
    // Only now may another daemon have its socket.
    withExtendedLifetime(entrance) {}
    if let failure { throw failure }
  }

  // MARK: Start

  /// Starts everything, in order. After a failure nothing of it goes on.
  private func start(
    _ entrance: any Entrance,
    _ manager: ServiceManager,
    _ hangUps: AsyncStream<ProcessSignal>,
    _ makePerformer: @escaping @Sendable (ActionsConfiguration, _ offload: @escaping OffloadWork) -> RunningPerformer
  ) async throws -> RunningDaemon {
    if let problem = configuration.startProblems.first { throw problem }
    let serverConfiguration = try OpenFileLimit.fit(configuration, logger: logger)
    let audit = try configuration.auditFile.map { path throws(StartError) in try AuditFile.open(path, log: logger) }
    let forms = try readForms()
    let backing = try await openBacking(machine: entrance.machine, makePerformer)
    let host = try await makeServer(serverConfiguration, forms, audit, manager, backing)
    let occasions = await Occasions(hangUps)
    let reloads = await ReloadRequests(of: host)
    let open: OpenEntrance
    let metrics: MetricsOutlets
    do {
      (open, metrics) = try await self.open(entrance, to: host, backing.group)
    } catch {
      occasions.stopListening()
      await release(backing, [backing.performer])
      throw error as? StartError ?? StartError("the daemon cannot accept clients: \(error)")
    }
    await watchClients(of: host, open, occasions)
    logger.notice(
      "listening",
      metadata: open.metadata.merging(["pid": "\(getpid())", "forms": "\(forms.catalog.forms.count)"]) { $1 }
    )
    manager.watch(host.eventLoop)
    manager.isReady()
    return RunningDaemon(
      manager: manager,
      backing: backing,
      host: host,
      occasions: occasions,
      reloads: reloads,
      open: open,
      metrics: metrics
    )
  }

  /// Reads the forms, and reports what is wrong with them and with the configuration.
  private func readForms() throws -> FormCatalog.Reading {
    let forms = FormCatalog.read(folders: configuration.forms, for: configuration)
    // Reported once, as the reason why the daemon does not start.
    if let (folder, error) = forms.unreadFolders.first { throw StartError(ofFolder: folder, error) }
    forms.log(to: logger)
    for warning in configuration.warnings { logger.warning("\(warning)") }
    return forms
  }

  private func openBacking(
    machine: String?,
    _ makePerformer: @escaping @Sendable (ActionsConfiguration, _ offload: @escaping OffloadWork) -> RunningPerformer
  ) async throws -> RunningDaemon.Backing {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let workers = OffloadedWorkers()
    let makeOnWorkers = { @Sendable (actions: ActionsConfiguration) in
      makePerformer(actions) { workers.perform(.parsing, $0) }
    }
    let results = StoreResults(group.next())
    var backing = RunningDaemon.Backing(
      group: group,
      workers: workers,
      makePerformer: makeOnWorkers,
      performer: makeOnWorkers(configuration.actions),
      instanceID: String.randomHex(bits: 64),
      results: results
    )
    do {
      backing.store = try openStore(results, instance: backing.instanceID, machine: machine)
    } catch {
      await release(backing, [backing.performer])
      throw error
    }
    return backing
  }

  /// Makes the server, and waits for the first answer of its store: the first client already finds the store, if a
  /// shared database can be reached.
  private func makeServer(
    _ configuration: ServerConfiguration,
    _ forms: FormCatalog.Reading,
    _ audit: Logger?,
    _ manager: ServiceManager,
    _ backing: RunningDaemon.Backing
  ) async throws -> NIOLoopBound<LoopServer> {
    let loop = backing.group.next()
    let lease = configuration.store?.lease
    let storeHasAnswered = loop.makePromise(of: Void.self)
    let host = try await loop.submit { [logger] in
      NIOLoopBound(
        LoopServer(
          configuration: configuration,
          forms: forms,
          instanceID: backing.instanceID,
          performer: backing.performer,
          loop: loop,
          workers: backing.workers,
          store: backing.store.map { LoopStore($0, backing.results, lease: lease) { storeHasAnswered.succeed() } },
          results: backing.results,
          readinessChanged: { manager.readinessChanged($0.map(\.summary)) },
          logger: logger,
          audit: audit
        ),
        eventLoop: loop
      )
    }.get()
    if lease == nil { storeHasAnswered.succeed() }
    loop.scheduleTask(in: Self.firstAnswerMax) { storeHasAnswered.succeed() }
    try? await storeHasAnswered.futureResult.get()
    return host
  }

  /// Opens the metrics, and then the entrance.
  private func open(
    _ entrance: any Entrance,
    to host: NIOLoopBound<LoopServer>,
    _ group: any EventLoopGroup
  ) async throws -> (OpenEntrance, MetricsOutlets) {
    let metrics = try await MetricsOutlets(configuration.metrics, of: host, logger: logger)
    do {
      return (try await entrance.open(to: host, group), metrics)
    } catch {
      await metrics.close()
      throw error
    }
  }

  /// It is an occasion when the last client that can come is gone, and when no client was there for long enough.
  private func watchClients(
    of host: NIOLoopBound<LoopServer>,
    _ open: OpenEntrance,
    _ occasions: Occasions
  ) async {
    let loop = host.eventLoop
    open.ended?.whenComplete { result in
      switch result {
      case .success: occasions.occurred.yield(.noClients(nil))
      case .failure(let error): occasions.occurred.yield(.noClients(error))
      }
    }
    try? await loop.submit {
      host.value.waitForClients {
        open.refuse()
        // A client that came at the last moment is served; the daemon is idle again when it is gone.
        loop.execute { loop.execute { if !host.value.server.hasConnections { occasions.occurred.yield(.idle) } } }
      }
    }.get()
  }

  private func entrance(for source: ClientSource) throws(StartError) -> any Entrance {
    switch source {
    case .standardStreams: return StandardStreams()
    case .socket:
      if let given = try GivenSocket() { return given }
      return try OwnSocket(configuration)
    }
  }

  /// Opens the store of kept sessions.
  ///
  /// - Throws: ``StartError`` if it cannot be used, or another daemon has it.
  private func openStore(
    _ results: StoreResults,
    instance: String,
    machine: String?
  ) throws(StartError) -> SessionDatabase? {
    guard let store = configuration.store else { return nil }
    do throws(StoreFailure) {
      return try SessionDatabase(store, results, instance: instance, machine: machine)
    } catch {
      throw StartError(ofStore: error)
    }
  }

  // MARK: Until the end

  /// Reloads when that is asked for, and waits for the reason to end.
  ///
  /// - Returns: the failure, if the only client was lost by one.
  private func awaitEnd(of daemon: RunningDaemon) async -> StartError? {
    let reloading = reloading(daemon)
    for await occasion in daemon.occasions.stream {
      let reason: Logger.Metadata
      var failure: StartError?
      switch occasion {
      case .signal(.hangUp):
        daemon.reloads.request.yield()
        continue
      case .signal(let signal):
        let limit = try? await daemon.loop.submit { daemon.host.value.server.drainLimit }.get()
        reason = ["signal": "\(signal)", "withinMs": "\(limit.map { Int($0 / .milliseconds(1)) } ?? 0)"]
      case .noClients(nil): reason = ["why": "its client has disconnected"]
      case .noClients(let error?):
        failure = StartError("\(error)")
        reason = ["why": "\(error)"]
      case .idle: reason = ["why": "no client was connected for \(configuration.idleExit ?? .zero)"]
      }
      reloading.cancel()
      logger.notice("ending", metadata: reason)
      return failure
    }
    return nil
  }

  private func reloading(_ daemon: RunningDaemon) -> Task<Void, Never> {
    let reload = ConfigurationReload(
      host: daemon.host,
      read: readAgain,
      makePerformer: daemon.backing.makePerformer,
      logger: logger,
      follow: { [log] in
        log.follow(level: $0.logLevel, isJSON: $0.logsJSON)
        daemon.open.follow($0)
      }
    )
    return Task {
      for await _ in daemon.reloads.stream {
        daemon.manager.isReloading()
        await reload.perform()
        daemon.manager.isReady()
      }
    }
  }
}

/// The performer of effects, and how to end it.
package struct RunningPerformer: Sendable {
  /// It asks services and databases.
  package var performer: any EffectPerformer
  /// Ends the performer's clients and connections; called once, when no effect is under way any more.
  package var shutdown: @Sendable () async -> Void

  /// A performer, and how to end it.
  package init(_ performer: any EffectPerformer, shutdown: @escaping @Sendable () async -> Void) {
    self.performer = performer
    self.shutdown = shutdown
  }
}
