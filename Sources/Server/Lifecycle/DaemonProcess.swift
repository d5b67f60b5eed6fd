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
  /// Connections that wait to be accepted, at most.
  private static let backlog: CInt = 1024

  /// About the files that are no connection of a client: those of databases and services, mostly.
  private static let otherFilesMax = 256

  private let configuration: ServerConfiguration
  private let logger: Logger

  /// A daemon with that configuration; nothing is started yet.
  package init(configuration: ServerConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
  }

  /// Runs until SIGTERM or SIGINT.
  ///
  /// - Parameter makePerformer: makes what performs effects, on the server's own event loops and with its threads for long work; called
  ///   once, before the socket is there.
  /// - Throws: ``StartError`` when it cannot start.
  package func run(
    makePerformer: @Sendable (_ group: any EventLoopGroup, _ detach: @escaping DetachWork) throws -> RunningPerformer
  ) async throws {
    let path = try SocketPath(configuration.socket)
    try path.makeFolder()
    try path.refuseUnsafeFolder()
    try path.refuseWhatIsNoSocket()
    let lock = try InstanceLock(path: path.lockPath)
    try path.refuseListener()
    let filesMax = raisedFileLimit()
    makeRoomForFiles(min(filesMax, configuration.limits[.connectionsMax] + Self.otherFilesMax))
    // A client that goes while it is written to is an error of that write, not the end of the daemon.
    signal(SIGPIPE, SIG_IGN)

    let reading = readForms()
    // Said once, as the reason why the daemon does not start.
    if let (folder, error) = reading.unreadFolders.first {
      let reason =
        error.code == ENOENT ? "there is no folder \(folder)" : "the folder \(folder) cannot be read (\(error))"
      throw StartError("\(reason); forms are read from the folders that --forms or the configuration names")
    }
    log(reading)

    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let workers = DetachedWorkers()
    let performer = try makePerformer(group) { workers.perform(.parsing, $0) }
    let loop = group.next()
    let host = try await loop.submit {
      NIOLoopBound(
        LoopServer(
          configuration: configuration,
          forms: reading,
          performer: performer.performer,
          loop: loop,
          workers: workers,
          logger: logger
        ),
        eventLoop: loop
      )
    }.get()
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    // Under the lock a socket that nobody listens on is stale: its daemon is gone.
    unlink(path.path)
    let listener: any Channel
    do {
      listener = try await listen(on: path, host: host, group)
    } catch {
      await performer.shutdown()
      await workers.shutDown()
      try? await group.shutdownGracefully()
      throw error as? StartError ?? StartError("the socket \(path.path) cannot be made: \(error)")
    }
    let socket = FileIdentity(path: path.path)
    logger.notice(
      "listening",
      metadata: [
        "socket": "\(path.path)", "chosenBy": "\(path.origin)", "pid": "\(getpid())",
        "forms": "\(reading.catalog.forms.count)",
      ]
    )

    // One reload at a time; a signal that comes meanwhile makes one more. The end waits for none.
    let (reloads, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reloading = Task { for await _ in reloads { await reload(host, on: loop) } }
    for await signal in signals {
      if signal == .sighup {
        request.yield()
        continue
      }
      reloading.cancel()
      logger.notice("ending", metadata: ["signal": "\(signal)", "withinMs": "\(configuration.limits[.drainMs])"])
      break
    }
    // Before the listener is closed: as long as it is open, no other socket has its identity.
    if let socket, socket == FileIdentity(path: path.path) { unlink(path.path) }
    try? await listener.close()
    await drain(host, on: loop)
    await performer.shutdown()
    await workers.shutDown()
    try? await group.shutdownGracefully()
    logger.notice("ended")
    _ = consume lock
  }

  private func readForms(previous: FormCatalog = FormCatalog()) -> FormCatalog.Reading {
    FormCatalog.read(folders: configuration.forms, previous: previous, for: configuration)
  }

  /// Logs what is wrong with the forms.
  private func log(_ reading: FormCatalog.Reading) {
    for problem in reading.problems { logger.error("\(problem)") }
    for warning in reading.warnings { logger.warning("\(warning)") }
  }

  private func listen(
    on path: SocketPath,
    host: NIOLoopBound<LoopServer>,
    _ group: any EventLoopGroup
  ) async throws -> any Channel {
    let limits = configuration.limits
    let logger = logger
    let bootstrap = ServerBootstrap(group: group)
      // So many are accepted before others have their turn: each takes about as long as ten changes of a field.
      .serverChannelOption(.maxMessagesPerRead, value: 8)
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
    let descriptor = try path.listen(backlog: Self.backlog)
    let channel = try await bootstrap.withBoundSocket(descriptor).get()
    // NIO has called listen(2) once more, with a queue of 128, whatever its option says.
    _ = Glibc.listen(descriptor, Self.backlog)
    return channel
  }

  private func reload(_ host: NIOLoopBound<LoopServer>, on loop: any EventLoop) async {
    guard let previous = try? await loop.submit({ host.value.server.catalog }).get() else { return }
    // However long files and definitions take, neither sessions nor signals wait.
    let reading = await DetachedThread.result {
      let reading = readForms(previous: previous)
      log(reading)
      return reading
    }
    if Task.isCancelled { return }
    try? await loop.submit { host.value.server.reload(reading.catalog, problems: reading.diagnostics) }.get()
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
  ///
  /// - Returns: how many files may be open now.
  private func raisedFileLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 0 }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    return Int(clamping: limit.rlim_cur)
  }

  /// Opens a file of the last number that will be needed, and closes it. Linux keeps a process's files in a table that it doubles when it
  /// is full, and in a process of several threads whoever opens the next file then waits for 10 to 40 ms (`expand_fdtable` in fs/file.c).
  private func makeRoomForFiles(_ count: Int) {
    let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, CInt(count) - 1)
    if copy >= 0 { close(copy) }
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
