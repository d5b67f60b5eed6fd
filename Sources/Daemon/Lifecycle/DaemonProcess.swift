package import Actions
package import Configuration
internal import Files
internal import FormProtocol
internal import JSON
package import Logging
internal import NIOCore
internal import NIOPosix
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
  /// How long the last commits of the store may take.
  private static let lastCommitsMax = Duration.seconds(10)
  /// How long they may take if the store did not answer before.
  private static let lastTryMax = Duration.seconds(1)
  /// How long the first client waits at most until a store on another machine has answered.
  private static let firstAnswerMax = TimeAmount.seconds(5)
  /// How long the last messages to clients may take on their way.
  private static let lastWordsMax = TimeAmount.milliseconds(500)

  private let configuration: ServerConfiguration
  private let readAgain: (@Sendable () throws(ConfigurationError) -> ServerConfiguration)?
  private let log: LogWriter
  private let logger: Logger

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

  /// The reason why the daemon does something other than serve its clients.
  private enum Occasion {
    case signal(ProcessSignal)
    /// The last client that can come is gone; with the error, if there was one.
    case noClients((any Error)?)
    /// No client was connected for so long.
    case idle
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
      @escaping @Sendable (ActionsConfiguration, _ detach: @escaping DetachWork) -> RunningPerformer
  ) async throws {
    let manager = ServiceManager()
    let entrance = try entrance(for: source)
    if let problem = configuration.startProblems.first { throw problem }
    let serverConfiguration = try OpenFileLimit.fit(configuration, logger: logger)
    let audit = try configuration.auditFile.map { path throws(StartError) in try AuditFile.open(path, log: logger) }

    let reading = FormCatalog.read(folders: configuration.forms, for: configuration)
    // Reported once, as the reason why the daemon does not start.
    if let (folder, error) = reading.unreadFolders.first {
      throw StartError(ofFolder: folder, error)
    }
    reading.log(to: logger)
    for warning in configuration.warnings { logger.warning("\(warning)") }

    let (occasions, occurred) = AsyncStream.makeStream(of: Occasion.self)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let workers = DetachedWorkers()
    let makeOnWorkers = { @Sendable (actions: ActionsConfiguration) in
      makePerformer(actions) { workers.perform(.parsing, $0) }
    }
    let performer = makeOnWorkers(configuration.actions)
    let loop = group.next()
    let answers = StoreAnswers(loop)
    let instanceID = String.randomHex(bits: 64)
    let store: SessionDatabase?
    do {
      store = try openStore(answers, instance: instanceID, machine: entrance.machine)
    } catch {
      await performer.shutdown()
      await workers.shutDown()
      try? await group.shutdownGracefully()
      throw error
    }
    let lease = configuration.store?.lease
    let storeHasAnswered = loop.makePromise(of: Void.self)
    let host = try await loop.submit {
      NIOLoopBound(
        LoopServer(
          configuration: serverConfiguration,
          forms: reading,
          instanceID: instanceID,
          performer: performer,
          loop: loop,
          workers: workers,
          store: store.map { LoopStore($0, answers, lease: lease) { storeHasAnswered.succeed() } },
          answers: answers,
          readinessChanged: { manager.readinessChanged($0.map(\.summary)) },
          logger: logger,
          audit: audit
        ),
        eventLoop: loop
      )
    }.get()
    // The first client already finds the store, if a shared database can be reached.
    if lease == nil { storeHasAnswered.succeed() }
    loop.scheduleTask(in: Self.firstAnswerMax) { storeHasAnswered.succeed() }
    try? await storeHasAnswered.futureResult.get()
    let ends = await ProcessSignal.stream(of: .terminate, .interrupt)
    let listening = [ends, hangUps].map { signals in
      Task { for await signal in signals { occurred.yield(.signal(signal)) } }
    }
    // One reload at a time; requests and signals during a reload cause one more. The end waits for none. A client may
    // ask as soon as it comes in.
    let (reloads, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    try? await loop.submit { host.value.waitForReloads { request.yield() } }.get()
    let open: OpenEntrance
    let metrics: MetricsOutlets
    do {
      metrics = try await MetricsOutlets(configuration.metrics, of: host, logger: logger)
      do {
        open = try await entrance.open(to: host, group)
      } catch {
        await metrics.close()
        throw error
      }
    } catch {
      for task in listening { task.cancel() }
      await performer.shutdown()
      await workers.shutDown()
      await close(store)
      try? await group.shutdownGracefully()
      throw error as? StartError ?? StartError("the daemon cannot accept clients: \(error)")
    }
    open.ended?.whenComplete { result in
      switch result {
      case .success: occurred.yield(.noClients(nil))
      case .failure(let error): occurred.yield(.noClients(error))
      }
    }
    try? await loop.submit {
      host.value.waitForClients {
        open.refuse()
        // A client that came at the last moment is served; the daemon is idle again when it is gone.
        loop.execute { loop.execute { if !host.value.server.hasConnections { occurred.yield(.idle) } } }
      }
    }.get()
    logger.notice(
      "listening",
      metadata: open.metadata.merging(["pid": "\(getpid())", "forms": "\(reading.catalog.forms.count)"]) { $1 }
    )
    manager.watch(loop)
    manager.isReady()

    let reload = ConfigurationReload(
      host: host,
      read: readAgain,
      makePerformer: makeOnWorkers,
      logger: logger,
      follow: { [log] in
        log.follow(level: $0.logLevel, isJSON: $0.logsJSON)
        open.follow($0)
      }
    )
    let reloading = Task {
      for await _ in reloads {
        manager.isReloading()
        await reload.perform()
        manager.isReady()
      }
    }
    var failure: StartError?
    for await occasion in occasions {
      let reason: Logger.Metadata
      switch occasion {
      case .signal(.hangUp):
        request.yield()
        continue
      case .signal(let signal):
        let limit = try? await loop.submit { host.value.server.drainLimit }.get()
        reason = ["signal": "\(signal)", "withinMs": "\(limit.map { Int($0 / .milliseconds(1)) } ?? 0)"]
      case .noClients(nil): reason = ["why": "its client has disconnected"]
      case .noClients(let error?):
        failure = StartError("\(error)")
        reason = ["why": "\(error)"]
      case .idle: reason = ["why": "no client was connected for \(configuration.idleExit ?? .zero)"]
      }
      reloading.cancel()
      logger.notice("ending", metadata: reason)
      break
    }
    manager.isStopping()
    try? await loop.submit { open.refuse() }.get()
    let drained = loop.makePromise(of: Void.self)
    let hurrying = Task {
      for await occasion in occasions {
        if case .signal(let signal) = occasion, signal != .hangUp { hurry(host, drained, on: loop, after: signal) }
      }
    }
    let isStoreWell = await drain(host, open.ended, drained, on: loop)
    hurrying.cancel()
    for task in listening { task.cancel() }
    await metrics.close()
    for performer in (try? await loop.submit { host.value.takePerformers() }.get()) ?? [] { await performer.shutdown() }
    await workers.shutDown()
    await close(store, within: isStoreWell ? Self.lastCommitsMax : Self.lastTryMax)
    try? await group.shutdownGracefully()
    logger.notice("ended")
    // Only now may another daemon have its socket.
    withExtendedLifetime(entrance) {}
    if let failure { throw failure }
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
    _ answers: StoreAnswers,
    instance: String,
    machine: String?
  ) throws(StartError) -> SessionDatabase? {
    guard let store = configuration.store else { return nil }
    do throws(StoreFailure) {
      return try SessionDatabase(store, answers, instance: instance, machine: machine)
    } catch {
      throw StartError(ofStore: error)
    }
  }

  /// Waits until all writes are committed, but not for a disk that hangs.
  private func close(_ store: SessionDatabase?, within limit: Duration = lastCommitsMax) async {
    guard let store, await !DetachedThread.result(of: { store.close(within: limit) }) else { return }
    logger.error("the store did not commit its last writes in time: unacknowledged changes may be lost")
  }

  /// Ends the connections in order, and at once when their time is over. The last messages to clients go out, too.
  ///
  /// - Returns: whether the store has answered everything.
  private func drain(
    _ host: NIOLoopBound<LoopServer>,
    _ ended: EventLoopFuture<Void>?,
    _ drained: EventLoopPromise<Void>,
    on loop: any EventLoop
  ) async -> Bool {
    loop.execute {
      let limit = TimeAmount.nanoseconds(Int64(host.value.server.drainLimit / .nanoseconds(1)))
      loop.scheduleTask(in: limit + Self.lastWordsMax) { drained.succeed() }
      host.value.drain {
        if let ended { ended.whenComplete { _ in drained.succeed() } } else { drained.succeed() }
      }
    }
    try? await drained.futureResult.get()
    let isStoreWell = try? await loop.submit {
      defer { host.value.end() }
      return host.value.server.isStoreWell
    }.get()
    return isStoreWell ?? false
  }

  /// Another signal to end has come: stops waiting.
  private func hurry(
    _ host: NIOLoopBound<LoopServer>,
    _ drained: EventLoopPromise<Void>,
    on loop: any EventLoop,
    after signal: ProcessSignal
  ) {
    logger.notice("ending at once", metadata: ["signal": "\(signal)"])
    loop.execute {
      loop.scheduleTask(in: Self.lastWordsMax) { drained.succeed() }
      host.value.server.hurry()
    }
  }
}

/// The performer of effects, and how to end it.
package struct RunningPerformer: Sendable {
  /// The performer of effects.
  package var performer: any EffectPerformer
  /// Ends the performer's clients and connections; called once, when no effect is under way any more.
  package var shutdown: @Sendable () async -> Void

  /// A performer, and how to end it.
  package init(_ performer: any EffectPerformer, shutdown: @escaping @Sendable () async -> Void) {
    self.performer = performer
    self.shutdown = shutdown
  }
}
