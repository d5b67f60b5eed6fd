package import Actions
internal import FormProtocol
internal import JSON
package import Logging
package import NIOCore
internal import NIOPosix
internal import Sessions
internal import UnixSignals

#if canImport(Glibc)
  internal import Glibc
#endif

/// The whole daemon: socket, event loop, signals, in order from start to end.
///
/// One event loop serves all connections: it is far from being the limit, and so nothing needs a lock.
package struct DaemonProcess: Sendable {
  private let configuration: ServerConfiguration
  private let logger: Logger

  /// A daemon with that configuration; nothing is started yet.
  package init(configuration: ServerConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
  }

  /// Runs until SIGTERM or SIGINT.
  ///
  /// - Parameter makePerformer: makes what performs effects, on the server's own event loops; called once, before the socket is there.
  /// - Throws: ``StartError`` when it cannot start.
  package func run(
    makePerformer: @Sendable (_ group: any EventLoopGroup) throws -> RunningPerformer
  ) async throws {
    let path = try SocketPath(configuration.socket)
    try path.makeFolder()
    try path.refuseWhatIsNoSocket()
    let lock = try InstanceLock(path: path.lockPath)
    raiseFileLimit()
    // A client that goes while it is written to is an error of that write, not the end of the daemon.
    signal(SIGPIPE, SIG_IGN)

    let reading = readForms()
    if let folder = reading.missingFolders.first {
      throw StartError(
        "there is no folder \(folder); forms are read from the folders that --forms or the configuration names"
      )
    }

    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let performer = try makePerformer(group)
    let loop = group.next()
    let host = try await loop.submit {
      NIOLoopBound(
        LoopServer(
          configuration: configuration,
          catalog: reading.catalog,
          performer: performer.performer,
          loop: loop,
          logger: logger
        ),
        eventLoop: loop
      )
    }.get()
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    // Under the lock a socket that is there is stale: its daemon is gone.
    unlink(path.path)
    let listener: any Channel
    do {
      listener = try await bind(path, host: host, on: group)
    } catch {
      await performer.shutdown()
      try? await group.shutdownGracefully()
      throw StartError("the socket \(path.path) cannot be made: \(error)")
    }
    logger.notice(
      "listening",
      metadata: [
        "socket": "\(path.path)", "chosenBy": "\(path.origin)", "pid": "\(getpid())",
        "forms": "\(reading.catalog.forms.count)",
      ]
    )

    for await signal in signals {
      if signal == .sighup {
        await reload(host, on: loop)
        continue
      }
      logger.notice("ending", metadata: ["signal": "\(signal)", "withinMs": "\(configuration.limits[.drainMs])"])
      break
    }
    unlink(path.path)
    try? await listener.close()
    await drain(host, on: loop)
    await performer.shutdown()
    try? await group.shutdownGracefully()
    logger.notice("ended")
    _ = consume lock
  }

  /// Reads the forms, and logs what is wrong with them.
  private func readForms(previous: FormCatalog = FormCatalog()) -> FormCatalog.Reading {
    let reading = FormCatalog.read(
      folders: configuration.forms,
      previous: previous,
      configured: configuration.capabilities
    )
    for problem in reading.problems { logger.error("\(problem)") }
    for warning in reading.warnings { logger.warning("\(warning)") }
    return reading
  }

  private func bind(
    _ path: SocketPath,
    host: NIOLoopBound<LoopServer>,
    on group: any EventLoopGroup
  ) async throws -> any Channel {
    let limits = configuration.limits
    let logger = logger
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.maxMessagesPerRead, value: 64)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // The adaptive allocator leaves tens of kilobytes per connection behind after a burst.
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 2048))
      .childChannelOption(
        .writeBufferWaterMark,
        value: .init(low: limits[.outputSoftBytes] / 2, high: limits[.outputSoftBytes])
      )
      .childChannelInitializer { channel in
        PeerCredentials.read(from: channel).flatMap { peer in
          let server = host.value.server
          guard peer.areTrusted else {
            server.refusedPeer()
            logger.warning(
              "a peer of another user was turned away",
              metadata: ["uid": "\(peer.userID)", "pid": "\(peer.processID)"]
            )
            return channel.close()
          }
          let refusal = server.refusalOfConnection()
          return channel.eventLoop.makeCompletedFuture {
            if let refusal {
              return try channel.pipeline.syncOperations.addHandler(RefusalHandler(answer: refusal))
            }
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(server: server))
          }
        }
      }
    // Nobody else may connect, not even between bind and chmod.
    let mask = umask(0o177)
    defer { umask(mask) }
    let channel = try await bootstrap.bind(unixDomainSocketPath: path.path).get()
    chmod(path.path, 0o600)
    return channel
  }

  private func reload(_ host: NIOLoopBound<LoopServer>, on loop: any EventLoop) async {
    let previous = try? await loop.submit { host.value.server.catalog }.get()
    // Compiling is done here, off the loop: live sessions do not wait for it.
    let reading = readForms(previous: previous ?? FormCatalog())
    try? await loop.submit { host.value.server.reload(reading.catalog) }.get()
    logger.notice(
      "reloaded",
      metadata: [
        "forms": "\(reading.catalog.forms.count)", "problems": "\(reading.problems.count)",
        "warnings": "\(reading.warnings.count)",
      ]
    )
  }

  /// Ends the connections in order, and not in order when their time is over.
  private func drain(_ host: NIOLoopBound<LoopServer>, on loop: any EventLoop) async {
    let drained = loop.makePromise(of: Void.self)
    let limit = TimeAmount.milliseconds(Int64(configuration.limits[.drainMs]) + 500)
    loop.execute {
      loop.scheduleTask(in: limit) { drained.succeed() }
      host.value.drain { drained.succeed() }
    }
    try? await drained.futureResult.get()
    try? await loop.submit { host.value.end() }.get()
  }

  /// Every connection is an open file; the soft limit is often 1,024.
  private func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
  }
}

/// What performs effects, and how it is ended.
package struct RunningPerformer: Sendable {
  /// What performs effects.
  package var performer: any EffectPerformer
  /// Ends the performer's clients and connections; called once, when no effect is under way any more.
  package var shutdown: @Sendable () async -> Void

  /// A performer, and how it is ended.
  package init(_ performer: any EffectPerformer, shutdown: @escaping @Sendable () async -> Void) {
    self.performer = performer
    self.shutdown = shutdown
  }
}
