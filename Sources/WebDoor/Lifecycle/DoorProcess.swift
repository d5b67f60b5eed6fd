package import Configuration
package import FormProtocol
package import Logging
internal import NIOCore
internal import NIOPosix
package import Processes
internal import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// The whole door: event loop and signals, in order from start to end.
package struct DoorProcess: Sendable {
  /// How long the browsers may take to close their connections.
  private static let lastWordsMax = TimeAmount.seconds(3)
  /// Open files of the door without the files for browsers: standard streams, event loop, listener, and daemon.
  private static let ownFiles = 64

  private let configuration: WebConfiguration
  private let files: [ClientFile]
  private let daemon: SocketPath
  private let logger: Logger

  /// A door with that configuration; nothing is started yet.
  ///
  /// - Parameters:
  ///   - files: the files of the client.
  ///   - daemon: the socket of the daemon.
  package init(_ configuration: WebConfiguration, files: [ClientFile], daemon: SocketPath, logger: Logger) {
    self.configuration = configuration
    self.files = files
    self.daemon = daemon
    self.logger = logger
  }

  /// The reason why the door cannot be opened on this machine; nil if none is found.
  package var problem: StartError? {
    if let problem = daemon.problem { return StartError("the daemon's socket cannot be used: \(problem)") }
    let filesMax = OpenFiles.raiseLimit()
    // A browser has a socket here, and one to the daemon.
    let needed = 2 * configuration.limits[.connectionsMax] + Door.requestsMax + Self.ownFiles
    guard filesMax >= needed else {
      return StartError(
        "this process may have \(filesMax) files open, and \(configuration.limits[.connectionsMax]) browsers need "
          + "\(needed); raise the limit (LimitNOFILE= in its unit, or ulimit -Hn), or lower web.limits.connectionsMax"
      )
    }
    return nil
  }

  /// Whether the daemon answers.
  package func daemonAnswers() async -> Bool {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let path = daemon.path
    let answers: Bool
    do {
      try await loop.flatSubmit { DoorServer.probe(daemon: path, on: loop).ask() }.get()
      answers = true
    } catch {
      answers = false
    }
    try? await group.shutdownGracefully()
    return answers
  }

  /// Runs until SIGTERM or SIGINT.
  ///
  /// - Throws: ``StartError`` when it cannot start.
  package func run() async throws(StartError) {
    let manager = ServiceManager()
    if let problem { throw problem }
    let signals = await ProcessSignal.stream(of: .terminate, .interrupt)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    do {
      let (door, health, listener) = try await open(on: loop)
      var address = configuration.address
      address.port = listener.localAddress?.port ?? address.port
      logger.notice(
        "listening",
        metadata: [
          "address": "\(address)", "path": "\(configuration.path)", "daemon": "\(daemon.path)", "pid": "\(getpid())",
        ]
      )
      manager.watch(loop)
      manager.isReady()
      loop.execute { [logger, daemon] in
        health.value.ask().whenFailure { error in
          logger.warning(
            "the daemon does not answer; browsers are told to come again",
            metadata: ["socket": "\(daemon.path)", "why": "\(DoorServer.reason(ofDaemon: error))"]
          )
        }
      }
      for await signal in signals {
        logger.notice("ending", metadata: ["signal": "\(signal)"])
        break
      }
      manager.isStopping()
      await close(door, listener, on: loop)
      try? await group.shutdownGracefully()
      logger.notice("ended")
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  private func open(
    on loop: any EventLoop
  ) async throws(StartError) -> (NIOLoopBound<Door>, NIOLoopBound<HealthProbe>, any Channel) {
    let door: NIOLoopBound<Door>
    let health: NIOLoopBound<HealthProbe>
    do {
      (door, health) = try await loop.submit { [configuration, files, daemon, logger] in
        (
          NIOLoopBound(
            DoorServer.door(configuration, files: files, daemon: daemon.path, on: loop, logger: logger),
            eventLoop: loop
          ),
          NIOLoopBound(DoorServer.probe(daemon: daemon.path, on: loop), eventLoop: loop)
        )
      }.get()
    } catch {
      preconditionFailure("the event loop has ended: \(error)")
    }
    let listener = try await DoorServer.listen(
      door,
      health,
      at: configuration.address,
      messageBytesMax: configuration.limits[.messageBytesMax]
    ) { door, address in BrowserHandler(door, address: address, at: Instant(loop)) }
    return (door, health, listener)
  }

  /// Sends the browsers away, and waits a moment until they have gone.
  private func close(_ door: NIOLoopBound<Door>, _ listener: any Channel, on loop: any EventLoop) async {
    try? await listener.close().get()
    let ended = loop.makePromise(of: Void.self)
    loop.execute {
      let deadline = loop.scheduleTask(in: Self.lastWordsMax) {
        door.value.abort()
        ended.succeed()
      }
      ended.futureResult.whenComplete { _ in deadline.cancel() }
      door.value.end { ended.succeed() }
    }
    try? await ended.futureResult.get()
  }
}
